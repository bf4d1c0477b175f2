	.text
	.file	"transposed"
	.globl	transposed
	.p2align	4, 0x90
	.type	transposed,@function
transposed:
.Ltransposed$local:
	.type	.Ltransposed$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-64, %rsp
	subq	$64, %rsp
	movq	40(%rsi), %rax
	movl	(%rax), %eax
	movq	40(%rsi), %rcx
	movl	4(%rcx), %ecx
	addl	%eax, %ecx
	addl	$-1, %ecx
	movq	40(%rsi), %rdx
	movl	16(%rdx), %edx
	movq	40(%rsi), %r8
	movl	20(%r8), %r8d
	movl	%edx, %r9d
	addl	%r8d, %r9d
	addl	$-1, %r9d
	movq	16(%rdi), %r8
	movq	16(%rsi), %r10
	movq	%r8, (%rsp)
	movq	%rdi, 8(%rsp)
	movq	%r10, 16(%rsp)
	movq	%rsi, 24(%rsp)
	movl	%ecx, 32(%rsp)
	movl	%eax, 36(%rsp)
	movl	%r9d, 40(%rsp)
	movl	%edx, 44(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	transposed.work.0
	cmpl	$0, %eax
	jne	.LBB0_4
	xorl	%eax, %eax
	jmp	.LBB0_3
.LBB0_3:
	movq	%rbp, %rsp
	popq	%rbp
	retq
.LBB0_4:
	jmp	.LBB0_3
.Lfunc_end0:
	.size	transposed, .Lfunc_end0-transposed
	.size	.Ltransposed$local, .Lfunc_end0-transposed

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI1_0:
	.short	0
	.short	16
	.short	32
	.short	48
	.short	2
	.short	18
	.short	34
	.short	50
	.short	4
	.short	20
	.short	36
	.short	52
	.short	6
	.short	22
	.short	38
	.short	54
	.short	1
	.short	17
	.short	33
	.short	49
	.short	3
	.short	19
	.short	35
	.short	51
	.short	5
	.short	21
	.short	37
	.short	53
	.short	7
	.short	23
	.short	39
	.short	55
.LCPI1_1:
	.short	8
	.short	24
	.short	40
	.short	56
	.short	10
	.short	26
	.short	42
	.short	58
	.short	12
	.short	28
	.short	44
	.short	60
	.short	14
	.short	30
	.short	46
	.short	62
	.short	9
	.short	25
	.short	41
	.short	57
	.short	11
	.short	27
	.short	43
	.short	59
	.short	13
	.short	29
	.short	45
	.short	61
	.short	15
	.short	31
	.short	47
	.short	63
.LCPI1_2:
	.quad	0
	.quad	8
	.quad	1
	.quad	9
	.quad	4
	.quad	12
	.quad	5
	.quad	13
.LCPI1_3:
	.quad	2
	.quad	10
	.quad	3
	.quad	11
	.quad	6
	.quad	14
	.quad	7
	.quad	15
.LCPI1_4:
	.quad	0
	.quad	1
	.quad	8
	.quad	9
	.quad	4
	.quad	5
	.quad	12
	.quad	13
.LCPI1_5:
	.quad	2
	.quad	3
	.quad	10
	.quad	11
	.quad	6
	.quad	7
	.quad	14
	.quad	15
	.section	.rodata.cst32,"aM",@progbits,32
.LCPI1_6:
	.byte	0
	.byte	16
	.byte	32
	.byte	48
	.byte	2
	.byte	18
	.byte	34
	.byte	50
	.byte	4
	.byte	20
	.byte	36
	.byte	52
	.byte	6
	.byte	22
	.byte	38
	.byte	54
	.byte	1
	.byte	17
	.byte	33
	.byte	49
	.byte	3
	.byte	19
	.byte	35
	.byte	51
	.byte	5
	.byte	21
	.byte	37
	.byte	53
	.byte	7
	.byte	23
	.byte	39
	.byte	55
.LCPI1_7:
	.byte	8
	.byte	24
	.byte	40
	.byte	56
	.byte	10
	.byte	26
	.byte	42
	.byte	58
	.byte	12
	.byte	28
	.byte	44
	.byte	60
	.byte	14
	.byte	30
	.byte	46
	.byte	62
	.byte	9
	.byte	25
	.byte	41
	.byte	57
	.byte	11
	.byte	27
	.byte	43
	.byte	59
	.byte	13
	.byte	29
	.byte	45
	.byte	61
	.byte	15
	.byte	31
	.byte	47
	.byte	63
	.section	.rodata.cst8,"aM",@progbits,8
.LCPI1_8:
	.byte	0
	.byte	8
	.byte	1
	.byte	9
	.byte	4
	.byte	12
	.byte	5
	.byte	13
.LCPI1_9:
	.byte	2
	.byte	10
	.byte	3
	.byte	11
	.byte	6
	.byte	14
	.byte	7
	.byte	15
.LCPI1_10:
	.byte	0
	.byte	1
	.byte	8
	.byte	9
	.byte	4
	.byte	5
	.byte	12
	.byte	13
.LCPI1_11:
	.byte	2
	.byte	3
	.byte	10
	.byte	11
	.byte	6
	.byte	7
	.byte	14
	.byte	15
	.text
	.p2align	4, 0x90
	.type	transposed.work.0,@function
transposed.work.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$344, %rsp
	movl	40(%rsi), %eax
	movslq	44(%rsi), %rbx
	subl	%ebx, %eax
	sarl	$4, %eax
	js	.LBB1_6
	movl	%eax, -56(%rsp)
	movq	8(%rsi), %rax
	movq	40(%rax), %rax
	movslq	24(%rax), %rdx
	movslq	(%rax), %r9
	movslq	16(%rax), %rax
	movslq	36(%rsi), %rcx
	movq	%rdx, %r10
	imulq	%rcx, %r10
	movq	%rcx, %rdi
	movq	%rcx, -104(%rsp)
	movq	%rdx, %rcx
	imulq	%rax, %rcx
	addq	%rbx, %r10
	addq	%r9, %rcx
	movq	%r10, %r8
	subq	%rcx, %r8
	movq	%r8, -112(%rsp)
	addq	%rdx, %r10
	subq	%rcx, %r10
	subq	%rax, %rdi
	leaq	2(%rdi), %rax
	movq	%rdx, %rcx
	imulq	%rdx, %rax
	addq	%rbx, %rax
	subq	%r9, %rax
	movq	%rax, -120(%rsp)
	leaq	3(%rdi), %rax
	imulq	%rdx, %rax
	addq	%rbx, %rax
	subq	%r9, %rax
	movq	%rax, -128(%rsp)
	leaq	4(%rdi), %rax
	imulq	%rdx, %rax
	addq	%rbx, %rax
	subq	%r9, %rax
	movq	%rax, -72(%rsp)
	leaq	5(%rdi), %rax
	imulq	%rdx, %rax
	addq	%rbx, %rax
	subq	%r9, %rax
	movq	%rax, -80(%rsp)
	leaq	6(%rdi), %r14
	imulq	%rdx, %r14
	addq	%rbx, %r14
	subq	%r9, %r14
	leaq	7(%rdi), %r15
	imulq	%rdx, %r15
	addq	%rbx, %r15
	subq	%r9, %r15
	leaq	8(%rdi), %r12
	imulq	%rdx, %r12
	addq	%rbx, %r12
	subq	%r9, %r12
	leaq	9(%rdi), %r13
	imulq	%rdx, %r13
	addq	%rbx, %r13
	subq	%r9, %r13
	leaq	10(%rdi), %rbp
	imulq	%rdx, %rbp
	addq	%rbx, %rbp
	subq	%r9, %rbp
	leaq	11(%rdi), %r8
	imulq	%rdx, %r8
	addq	%rbx, %r8
	subq	%r9, %r8
	leaq	12(%rdi), %rdx
	imulq	%rcx, %rdx
	addq	%rbx, %rdx
	subq	%r9, %rdx
	leaq	13(%rdi), %rax
	imulq	%rcx, %rax
	movq	%rcx, %r11
	movq	%rcx, -48(%rsp)
	addq	%rbx, %rax
	subq	%r9, %rax
	leaq	14(%rdi), %rcx
	imulq	%r11, %rcx
	addq	%rbx, %rcx
	subq	%r9, %rcx
	addq	$15, %rdi
	imulq	%r11, %rdi
	addq	%rbx, %rdi
	subq	%r9, %rdi
	movq	(%rsi), %r9
	movq	-112(%rsp), %r11
	leaq	(%r9,%r11,2), %r11
	movq	%r11, 216(%rsp)
	leaq	(%r9,%r10,2), %r10
	movq	%r10, 208(%rsp)
	movq	-120(%rsp), %r10
	leaq	(%r9,%r10,2), %r10
	movq	%r10, 200(%rsp)
	movq	-128(%rsp), %r10
	leaq	(%r9,%r10,2), %r10
	movq	%r10, 192(%rsp)
	movq	-72(%rsp), %r10
	leaq	(%r9,%r10,2), %r10
	movq	%r10, 184(%rsp)
	movq	-80(%rsp), %r10
	leaq	(%r9,%r10,2), %r10
	movq	%r10, 176(%rsp)
	leaq	(%r9,%r14,2), %r10
	movq	%r10, 168(%rsp)
	leaq	(%r9,%r15,2), %r10
	movq	%r10, 160(%rsp)
	leaq	(%r9,%r12,2), %r10
	movq	%r10, 152(%rsp)
	leaq	(%r9,%r13,2), %r10
	movq	%r10, 144(%rsp)
	leaq	(%r9,%rbp,2), %r10
	movq	%r10, 136(%rsp)
	leaq	(%r9,%r8,2), %r8
	movq	%r8, 128(%rsp)
	leaq	(%r9,%rdx,2), %rdx
	movq	%rdx, 120(%rsp)
	leaq	(%r9,%rax,2), %rax
	movq	%rax, 112(%rsp)
	leaq	(%r9,%rcx,2), %rax
	movq	%rax, 104(%rsp)
	leaq	(%r9,%rdi,2), %rax
	movq	%rax, 96(%rsp)
	movq	%rsi, -64(%rsp)
	movq	24(%rsi), %rax
	movq	40(%rax), %rdx
	movl	32(%rsi), %esi
	movq	-104(%rsp), %rax
	subl	%eax, %esi
	movq	%rsi, -96(%rsp)
	movslq	24(%rdx), %rdi
	imulq	%rdi, %rbx
	addq	%rax, %rbx
	movslq	(%rdx), %rax
	subq	%rax, %rbx
	movq	%rdi, %rax
	shlq	$4, %rax
	subq	%rdi, %rax
	subq	%rdi, %rax
	movslq	16(%rdx), %rdx
	imulq	%rdi, %rdx
	movq	%rbx, %rcx
	subq	%rdx, %rcx
	movq	%rcx, -104(%rsp)
	leaq	(%rbx,%rdi), %rcx
	subq	%rdx, %rcx
	movq	%rcx, -112(%rsp)
	leaq	(%rbx,%rdi,2), %rcx
	subq	%rdx, %rcx
	movq	%rcx, -120(%rsp)
	leaq	(%rdi,%rdi,2), %rbp
	leaq	(%rbx,%rbp), %rcx
	subq	%rdx, %rcx
	movq	%rcx, -128(%rsp)
	leaq	(%rbx,%rdi,4), %r10
	subq	%rdx, %r10
	leaq	(%rdi,%rdi,4), %rcx
	leaq	(%rbx,%rcx), %r11
	subq	%rdx, %r11
	leaq	(%rbx,%rbp,2), %r9
	subq	%rdx, %r9
	leaq	(,%rdi,8), %r14
	subq	%rdi, %r14
	addq	%rbx, %r14
	subq	%rdx, %r14
	leaq	(%rdi,%rdi,8), %r15
	addq	%rbx, %r15
	leaq	(%rdi,%rcx,2), %r12
	addq	%rbx, %r12
	leaq	(%rbx,%rbp,4), %r13
	leaq	(%rdi,%rbp,4), %rbp
	addq	%rbx, %rbp
	addq	%rbx, %rax
	leaq	(%rbx,%rcx,2), %r8
	leaq	(%rcx,%rcx,2), %rcx
	addq	%rbx, %rcx
	movq	%rdi, 88(%rsp)
	leaq	(%rbx,%rdi,8), %rsi
	subq	%rdx, %rsi
	subq	%rdx, %r15
	subq	%rdx, %r8
	subq	%rdx, %r12
	subq	%rdx, %r13
	subq	%rdx, %rbp
	subq	%rdx, %rax
	subq	%rdx, %rcx
	movq	-64(%rsp), %rdx
	movq	16(%rdx), %rdx
	movq	-104(%rsp), %rdi
	leaq	(%rdx,%rdi,2), %rdi
	movq	%rdi, 80(%rsp)
	movq	-112(%rsp), %rdi
	leaq	(%rdx,%rdi,2), %rdi
	movq	%rdi, 72(%rsp)
	movq	-120(%rsp), %rdi
	leaq	(%rdx,%rdi,2), %rdi
	movq	%rdi, 64(%rsp)
	movq	-128(%rsp), %rdi
	leaq	(%rdx,%rdi,2), %rdi
	movq	%rdi, 56(%rsp)
	leaq	(%rdx,%r10,2), %rdi
	movq	%rdi, 48(%rsp)
	leaq	(%rdx,%r11,2), %rdi
	movq	%rdi, 40(%rsp)
	leaq	(%rdx,%r9,2), %rdi
	movq	%rdi, 32(%rsp)
	leaq	(%rdx,%r14,2), %rdi
	movq	%rdi, 24(%rsp)
	leaq	(%rdx,%rsi,2), %rsi
	movq	%rsi, 16(%rsp)
	leaq	(%rdx,%r15,2), %rsi
	movq	%rsi, 8(%rsp)
	leaq	(%rdx,%r8,2), %rsi
	movq	%rsi, (%rsp)
	leaq	(%rdx,%r12,2), %rsi
	movq	%rsi, -8(%rsp)
	leaq	(%rdx,%r13,2), %rsi
	movq	%rsi, -16(%rsp)
	leaq	(%rdx,%rbp,2), %rsi
	movq	%rsi, -24(%rsp)
	leaq	(%rdx,%rax,2), %rax
	movq	%rax, -32(%rsp)
	leaq	(%rdx,%rcx,2), %rax
	movq	%rax, -40(%rsp)
	movl	-56(%rsp), %eax
	incl	%eax
	cltq
	movq	%rax, 224(%rsp)
	movq	-96(%rsp), %rax
	sarl	$4, %eax
	movq	%rax, -96(%rsp)
	incl	%eax
	cltq
	movq	%rax, 232(%rsp)
	vpmovsxbw	.LCPI1_6(%rip), %zmm0
	vpmovsxbw	.LCPI1_7(%rip), %zmm1
	vpmovsxbq	.LCPI1_8(%rip), %zmm2
	vpmovsxbq	.LCPI1_9(%rip), %zmm3
	shlq	$5, -48(%rsp)
	vpmovsxbq	.LCPI1_10(%rip), %zmm4
	vpmovsxbq	.LCPI1_11(%rip), %zmm5
	movq	$0, -88(%rsp)
	jmp	.LBB1_2
	.p2align	4, 0x90
.LBB1_5:
	movq	-88(%rsp), %rcx
	incq	%rcx
	movq	%rcx, -88(%rsp)
	cmpq	224(%rsp), %rcx
	jge	.LBB1_6
.LBB1_2:
	cmpl	$0, -96(%rsp)
	js	.LBB1_5
	movq	-88(%rsp), %rcx
	movq	%rcx, %r12
	shlq	$5, %r12
	movq	216(%rsp), %rax
	addq	%r12, %rax
	#APP
	#NO_APP
	movq	%rax, -56(%rsp)
	movq	208(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, -104(%rsp)
	movq	200(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, -64(%rsp)
	movq	192(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, -112(%rsp)
	movq	184(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, -120(%rsp)
	movq	176(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, -128(%rsp)
	movq	168(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, -72(%rsp)
	movq	160(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, -80(%rsp)
	movq	152(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, 336(%rsp)
	movq	144(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, 328(%rsp)
	movq	136(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, 320(%rsp)
	movq	128(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, 312(%rsp)
	movq	120(%rsp), %rax
	leaq	(%rax,%r12), %rax
	#APP
	#NO_APP
	movq	%rax, 304(%rsp)
	movq	112(%rsp), %rax
	addq	%r12, %rax
	#APP
	#NO_APP
	movq	%rax, 296(%rsp)
	movq	104(%rsp), %rax
	addq	%r12, %rax
	#APP
	#NO_APP
	movq	%rax, 288(%rsp)
	addq	96(%rsp), %r12
	#APP
	#NO_APP
	imulq	88(%rsp), %rcx
	shlq	$5, %rcx
	movq	80(%rsp), %rax
	addq	%rcx, %rax
	#APP
	#NO_APP
	movq	%rax, 280(%rsp)
	movq	72(%rsp), %rax
	leaq	(%rax,%rcx), %rax
	#APP
	#NO_APP
	movq	%rax, 272(%rsp)
	movq	64(%rsp), %rax
	leaq	(%rax,%rcx), %rax
	#APP
	#NO_APP
	movq	%rax, 264(%rsp)
	movq	56(%rsp), %rax
	leaq	(%rax,%rcx), %rax
	#APP
	#NO_APP
	movq	%rax, 256(%rsp)
	movq	48(%rsp), %rax
	leaq	(%rax,%rcx), %rax
	#APP
	#NO_APP
	movq	%rax, 248(%rsp)
	movq	40(%rsp), %rax
	leaq	(%rax,%rcx), %rax
	#APP
	#NO_APP
	movq	%rax, 240(%rsp)
	movq	32(%rsp), %rax
	leaq	(%rax,%rcx), %r8
	#APP
	#NO_APP
	movq	24(%rsp), %rax
	leaq	(%rax,%rcx), %rdi
	#APP
	#NO_APP
	movq	16(%rsp), %rax
	leaq	(%rax,%rcx), %r14
	#APP
	#NO_APP
	movq	8(%rsp), %rax
	leaq	(%rax,%rcx), %r13
	#APP
	#NO_APP
	movq	(%rsp), %rax
	leaq	(%rax,%rcx), %rax
	#APP
	#NO_APP
	movq	-8(%rsp), %rdx
	leaq	(%rdx,%rcx), %r15
	#APP
	#NO_APP
	movq	-16(%rsp), %rdx
	leaq	(%rdx,%rcx), %rbp
	#APP
	#NO_APP
	movq	-24(%rsp), %rdx
	leaq	(%rdx,%rcx), %rsi
	#APP
	#NO_APP
	movq	-32(%rsp), %rdx
	addq	%rcx, %rdx
	#APP
	#NO_APP
	addq	-40(%rsp), %rcx
	#APP
	#NO_APP
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	xorl	%r11d, %r11d
	.p2align	4, 0x90
.LBB1_4:
	movq	-56(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm6
	movq	-64(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm7
	movq	-120(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm8
	movq	-72(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm9
	movq	336(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm10
	movq	320(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm11
	movq	304(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm12
	movq	288(%rsp), %rbx
	vmovdqu	(%rbx,%r9), %ymm13
	movq	-104(%rsp), %rbx
	vinserti64x4	$1, (%rbx,%r9), %zmm6, %zmm6
	movq	-112(%rsp), %rbx
	vinserti64x4	$1, (%rbx,%r9), %zmm7, %zmm14
	movq	-128(%rsp), %rbx
	vinserti64x4	$1, (%rbx,%r9), %zmm8, %zmm15
	movq	-80(%rsp), %rbx
	vinserti64x4	$1, (%rbx,%r9), %zmm9, %zmm9
	movq	328(%rsp), %rbx
	vinserti64x4	$1, (%rbx,%r9), %zmm10, %zmm7
	movq	312(%rsp), %rbx
	vinserti64x4	$1, (%rbx,%r9), %zmm11, %zmm10
	movq	296(%rsp), %rbx
	vinserti64x4	$1, (%rbx,%r9), %zmm12, %zmm11
	vinserti64x4	$1, (%r12,%r9), %zmm13, %zmm12
	vmovdqa64	%zmm6, %zmm8
	vpermt2w	%zmm14, %zmm0, %zmm8
	vpermt2w	%zmm14, %zmm1, %zmm6
	vmovdqa64	%zmm15, %zmm13
	vpermt2w	%zmm9, %zmm0, %zmm13
	vpermt2w	%zmm9, %zmm1, %zmm15
	vmovdqa64	%zmm7, %zmm9
	vpermt2w	%zmm10, %zmm0, %zmm9
	vpermt2w	%zmm10, %zmm1, %zmm7
	vmovdqa64	%zmm11, %zmm10
	vpermt2w	%zmm12, %zmm0, %zmm10
	vpermt2w	%zmm12, %zmm1, %zmm11
	vmovdqa64	%zmm8, %zmm12
	vpermt2q	%zmm13, %zmm2, %zmm12
	vpermt2q	%zmm13, %zmm3, %zmm8
	vmovdqa64	%zmm6, %zmm13
	vpermt2q	%zmm15, %zmm2, %zmm13
	vpermt2q	%zmm15, %zmm3, %zmm6
	vmovdqa64	%zmm9, %zmm14
	vpermt2q	%zmm10, %zmm2, %zmm14
	vpermt2q	%zmm10, %zmm3, %zmm9
	vmovdqa64	%zmm7, %zmm10
	vpermt2q	%zmm11, %zmm2, %zmm10
	vpermt2q	%zmm11, %zmm3, %zmm7
	vmovdqa64	%zmm12, %zmm11
	vpermt2q	%zmm14, %zmm4, %zmm11
	vpermt2q	%zmm14, %zmm5, %zmm12
	vmovdqa64	%zmm13, %zmm14
	movq	280(%rsp), %rbx
	vmovdqu	%ymm11, (%rbx,%r10)
	vpermt2q	%zmm10, %zmm4, %zmm14
	vextracti64x4	$1, %zmm11, %ymm11
	movq	272(%rsp), %rbx
	vmovdqu	%ymm11, (%rbx,%r10)
	vmovdqa64	%zmm8, %zmm11
	movq	264(%rsp), %rbx
	vmovdqu	%ymm12, (%rbx,%r10)
	vpermt2q	%zmm9, %zmm4, %zmm11
	vextracti64x4	$1, %zmm12, %ymm12
	movq	256(%rsp), %rbx
	vmovdqu	%ymm12, (%rbx,%r10)
	movq	248(%rsp), %rbx
	vmovdqu	%ymm11, (%rbx,%r10)
	vpermt2q	%zmm9, %zmm5, %zmm8
	vextracti64x4	$1, %zmm11, %ymm9
	movq	240(%rsp), %rbx
	vmovdqu	%ymm9, (%rbx,%r10)
	vmovdqu	%ymm8, (%r8,%r10)
	vpermt2q	%zmm10, %zmm5, %zmm13
	vmovdqa64	%zmm6, %zmm9
	vextracti64x4	$1, %zmm8, %ymm8
	vmovdqu	%ymm8, (%rdi,%r10)
	vmovdqu	%ymm14, (%r14,%r10)
	vpermt2q	%zmm7, %zmm4, %zmm9
	vextracti64x4	$1, %zmm14, %ymm8
	vmovdqu	%ymm8, (%r13,%r10)
	vmovdqu	%ymm13, (%rax,%r10)
	vpermt2q	%zmm7, %zmm5, %zmm6
	vextracti64x4	$1, %zmm13, %ymm7
	vmovdqu	%ymm7, (%r15,%r10)
	vmovdqu	%ymm9, (%rbp,%r10)
	vextracti64x4	$1, %zmm9, %ymm7
	vmovdqu	%ymm7, (%rsi,%r10)
	vmovdqu	%ymm6, (%rdx,%r10)
	vextracti64x4	$1, %zmm6, %ymm6
	vmovdqu	%ymm6, (%rcx,%r10)
	incq	%r11
	addq	$32, %r10
	addq	-48(%rsp), %r9
	cmpq	232(%rsp), %r11
	jl	.LBB1_4
	jmp	.LBB1_5
.LBB1_6:
	xorl	%eax, %eax
	addq	$344, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end1:
	.size	transposed.work.0, .Lfunc_end1-transposed.work.0

	.globl	transposed_argv
	.p2align	4, 0x90
	.type	transposed_argv,@function
transposed_argv:
.Ltransposed_argv$local:
	.type	.Ltransposed_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Ltransposed$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	transposed_argv, .Lfunc_end2-transposed_argv
	.size	.Ltransposed_argv$local, .Lfunc_end2-transposed_argv

	.globl	transposed_metadata
	.p2align	4, 0x90
	.type	transposed_metadata,@function
transposed_metadata:
.Ltransposed_metadata$local:
	.type	.Ltransposed_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	transposed_metadata, .Lfunc_end3-transposed_metadata
	.size	.Ltransposed_metadata$local, .Lfunc_end3-transposed_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"transposed"
	.size	.Lname.1, 11

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	2
	.long	69633
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	2
	.long	2
	.long	69633
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.size	.Largs, 128

	.type	.Lname.2,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname.2:
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake"
	.size	.Lname.2, 86

	.type	.Lname.3,@object
.Lname.3:
	.asciz	"transposed"
	.size	.Lname.3, 11

	.type	.Lmetadata,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Lmetadata:
	.long	1
	.long	2
	.quad	.Largs
	.quad	.Lname.2
	.quad	.Lname.3
	.size	.Lmetadata, 32

	.section	".note.GNU-stack","",@progbits
