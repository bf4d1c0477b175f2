	.text
	.file	"convolved"
	.globl	convolved
	.p2align	4, 0x90
	.type	convolved,@function
convolved:
.Lconvolved$local:
	.type	.Lconvolved$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	andq	$-64, %rsp
	subq	$128, %rsp
	movq	40(%rdx), %rax
	movl	(%rax), %eax
	movq	40(%rdx), %rcx
	movl	4(%rcx), %ecx
	movl	%eax, %r8d
	addl	%ecx, %r8d
	addl	$-1, %r8d
	movq	40(%rdx), %rcx
	movl	16(%rcx), %ecx
	movq	40(%rdx), %r9
	movl	20(%r9), %r9d
	movl	%ecx, %r10d
	addl	%r9d, %r10d
	addl	$-1, %r10d
	movq	40(%rdx), %r9
	movl	32(%r9), %r9d
	movq	40(%rdx), %r11
	movl	36(%r11), %r11d
	movl	%r9d, %ebx
	addl	%r11d, %ebx
	addl	$-1, %ebx
	movq	16(%rdx), %r11
	movq	16(%rdi), %r14
	movq	16(%rsi), %r15
	movq	%r11, (%rsp)
	movq	%rdx, 8(%rsp)
	movl	%r8d, 16(%rsp)
	movl	%eax, 20(%rsp)
	movl	%r10d, 24(%rsp)
	movl	%ecx, 28(%rsp)
	movl	%ebx, 32(%rsp)
	movl	%r9d, 36(%rsp)
	movq	%r14, 40(%rsp)
	movq	%rdi, 48(%rsp)
	movq	%r15, 56(%rsp)
	movq	%rsi, 64(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	convolved.work.0
	cmpl	$0, %eax
	jne	.LBB0_4
	xorl	%eax, %eax
	jmp	.LBB0_3
.LBB0_3:
	leaq	-24(%rbp), %rsp
	popq	%rbx
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_4:
	jmp	.LBB0_3
.Lfunc_end0:
	.size	convolved, .Lfunc_end0-convolved
	.size	.Lconvolved$local, .Lfunc_end0-convolved

	.p2align	4, 0x90
	.type	convolved.work.0,@function
convolved.work.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$632, %rsp
	movl	32(%rsi), %ecx
	movslq	36(%rsi), %rax
	movq	%rax, -128(%rsp)
	subl	%eax, %ecx
	cmpl	$2147483646, %ecx
	ja	.LBB1_23
	movl	%ecx, -120(%rsp)
	movq	8(%rsi), %rcx
	movq	48(%rsi), %rdx
	movq	%rsi, %rax
	movq	64(%rsi), %rsi
	movq	%rax, %rdi
	movq	40(%rsi), %r10
	movq	40(%rdx), %rdx
	movslq	24(%rdx), %rsi
	movq	%rsi, 72(%rsp)
	movslq	56(%rdx), %r15
	movq	%r15, -80(%rsp)
	movslq	40(%rdx), %r14
	movq	%r14, 48(%rsp)
	movq	40(%rcx), %r9
	movslq	40(%r9), %rax
	movslq	(%r9), %r8
	movslq	32(%r9), %rbx
	movq	%rdi, %r11
	movslq	28(%rdi), %rdi
	movl	24(%r11), %ecx
	movq	%r11, %r12
	subl	%edi, %ecx
	movl	%ecx, %r11d
	sarl	$31, %r11d
	movl	%r11d, -108(%rsp)
	xorl	%r11d, %ecx
	movl	$3435973837, %r11d
	imulq	%rcx, %r11
	movq	%r11, -56(%rsp)
	movslq	24(%r9), %rcx
	movslq	16(%r9), %r9
	imulq	%rcx, %r9
	movq	%rax, 168(%rsp)
	imulq	%rax, %rbx
	addq	%r9, %rbx
	movslq	(%rdx), %r11
	addq	%r8, %rbx
	movslq	16(%rdx), %rax
	imulq	%rsi, %rax
	addq	%r11, %rax
	movq	%rax, -64(%rsp)
	movslq	32(%rdx), %r9
	movslq	48(%rdx), %rdx
	imulq	%r15, %rdx
	imulq	%r14, %r9
	addq	%rdx, %r9
	movslq	40(%r10), %rax
	movslq	32(%r10), %rdx
	imulq	%rax, %rdx
	movq	%rax, %rsi
	movq	%rax, -96(%rsp)
	movslq	(%r10), %r11
	addq	%r11, %rdx
	movslq	24(%r10), %r11
	movslq	16(%r10), %r14
	imulq	%r11, %r14
	addq	%rdx, %r14
	movq	%rdi, %rdx
	imulq	%rcx, %rdx
	movq	%r12, %rax
	movslq	20(%r12), %r8
	movq	%r8, -88(%rsp)
	addq	%r8, %rdx
	movq	%rcx, -72(%rsp)
	leaq	(%rcx,%rcx,2), %r15
	addq	%rdx, %r15
	leaq	(%rdx,%rcx), %r12
	leaq	(%rdx,%rcx,2), %r13
	leaq	(%rdx,%rcx,4), %rbp
	subq	%rbx, %rdx
	subq	%rbx, %r12
	subq	%rbx, %r13
	subq	%rbx, %r15
	subq	%rbx, %rbp
	movq	(%rax), %rbx
	movq	%rax, %r8
	leaq	(%rbx,%rdx,4), %rax
	movq	%rax, 160(%rsp)
	leaq	(%rbx,%r12,4), %rax
	movq	%rax, 152(%rsp)
	leaq	(%rbx,%r13,4), %rax
	movq	%rax, 144(%rsp)
	leaq	(%rbx,%r15,4), %rax
	movq	%rax, 136(%rsp)
	leaq	(%rbx,%rbp,4), %rax
	movq	%rax, 128(%rsp)
	movl	4(%r10), %ecx
	movq	%rcx, 64(%rsp)
	movl	%ecx, %eax
	sarl	%eax
	movl	%ecx, %edx
	sarl	$31, %edx
	movl	%eax, -36(%rsp)
	andnl	%eax, %edx, %edx
	movq	%r11, %rbx
	imulq	%rdi, %rbx
	movq	-128(%rsp), %r10
	imulq	%rsi, %r10
	shlq	$2, %r10
	leaq	(%rbx,%r11), %rsi
	leaq	(%r10,%rbx,4), %r15
	subq	%r14, %rbx
	subq	%r14, %rsi
	leaq	2(%rdi), %r12
	imulq	%r11, %r12
	leaq	(%r10,%r12,4), %r13
	subq	%r14, %r12
	leaq	3(%rdi), %rbp
	imulq	%r11, %rbp
	leaq	(%r10,%rbp,4), %rcx
	subq	%r14, %rbp
	leaq	4(%rdi), %rax
	imulq	%r11, %rax
	incq	%rdi
	imulq	%r11, %rdi
	leaq	(%r10,%rdi,4), %rdi
	leaq	(%r10,%rax,4), %r10
	subq	%r14, %rax
	leaq	(%r10,%rdx,8), %r10
	shlq	$2, %r14
	subq	%r14, %r10
	leaq	(%rcx,%rdx,8), %rcx
	subq	%r14, %rcx
	leaq	(%r13,%rdx,8), %r13
	subq	%r14, %r13
	leaq	(%rdi,%rdx,8), %rdi
	subq	%r14, %rdi
	leaq	(%r15,%rdx,8), %r15
	subq	%r14, %r15
	movq	56(%r8), %r14
	leaq	(%r14,%rbx,4), %rbx
	movq	%rbx, 120(%rsp)
	movq	-80(%rsp), %rbx
	leaq	(%r14,%rsi,4), %rsi
	movq	%rsi, 112(%rsp)
	leaq	(%r14,%r12,4), %rsi
	movq	%rsi, 104(%rsp)
	leaq	(%r14,%rbp,4), %rsi
	movq	%rsi, 96(%rsp)
	leaq	(%r14,%rax,4), %rax
	movq	%rax, 88(%rsp)
	leaq	4(%r10,%r14), %rax
	movq	%rax, (%rsp)
	movq	64(%rsp), %r10
	leaq	4(%rcx,%r14), %rax
	movq	%rax, -8(%rsp)
	leaq	4(%r13,%r14), %rax
	movq	%rax, -16(%rsp)
	leaq	4(%rdi,%r14), %rax
	movq	%rax, -24(%rsp)
	leaq	4(%r15,%r14), %rax
	movq	%rax, -32(%rsp)
	movq	%rdx, %r14
	movq	-88(%rsp), %r12
	movq	%r12, %rdx
	movq	-64(%rsp), %rcx
	subq	%rcx, %rdx
	movq	%rdx, %rax
	subq	%r9, %rax
	addq	%rbx, %rdx
	subq	%r9, %rdx
	addq	%rcx, %r9
	movl	16(%r8), %esi
	subl	%r12d, %esi
	movq	%rbx, %rcx
	imulq	%r14, %rcx
	leaq	(%r12,%rbx), %rdi
	subq	%r9, %rdi
	shlq	$2, %rdi
	leaq	(%rdi,%rcx,8), %rdi
	shlq	$2, %r12
	leaq	(%r12,%rcx,8), %rcx
	shlq	$2, %r9
	subq	%r9, %rcx
	movq	40(%r8), %r8
	leaq	(%r8,%rax,4), %rax
	movq	%rax, 336(%rsp)
	leaq	(%r8,%rdx,4), %rax
	movq	%rax, 328(%rsp)
	leaq	64(%r8,%rdi), %rax
	movq	%rax, 208(%rsp)
	leaq	(%rcx,%r8), %rax
	addq	$64, %rax
	movq	%rax, 200(%rsp)
	movl	-120(%rsp), %eax
	incl	%eax
	cltq
	addq	-128(%rsp), %rax
	movq	%rax, 176(%rsp)
	movq	-56(%rsp), %rax
	shrq	$34, %rax
	xorl	-108(%rsp), %eax
	incl	%eax
	cltq
	movq	%rax, 304(%rsp)
	sarl	$5, %esi
	movq	%rsi, 312(%rsp)
	leal	1(%rsi), %eax
	cltq
	movq	%rax, 320(%rsp)
	movq	-72(%rsp), %rax
	leaq	(%rax,%rax,4), %rax
	movq	%rax, 192(%rsp)
	leal	1(%r10), %eax
	sarl	%eax
	subl	%r14d, %eax
	movl	%eax, -88(%rsp)
	movslq	%eax, %rsi
	addq	%r14, %rsi
	movl	%r14d, %eax
	addl	%r14d, %eax
	movl	%eax, -40(%rsp)
	leaq	(%r11,%r11,4), %rax
	movq	%rax, 184(%rsp)
	leal	-1(%r10), %ebp
	movq	-96(%rsp), %rax
	leaq	(,%rax,4), %rax
	movq	%rax, 56(%rsp)
	movq	%r11, 552(%rsp)
	leaq	(,%r11,4), %rax
	movq	%rax, 624(%rsp)
	leaq	(%rax,%rax,4), %rax
	movq	%rax, 296(%rsp)
	movq	48(%rsp), %rax
	leaq	(,%rax,4), %rax
	movq	%rax, 416(%rsp)
	movq	72(%rsp), %rax
	leaq	(,%rax,4), %rax
	movq	%rax, 616(%rsp)
	movq	%r14, 80(%rsp)
	movq	%rsi, 544(%rsp)
	movl	%ebp, -44(%rsp)
	jmp	.LBB1_2
	.p2align	4, 0x90
.LBB1_22:
	movq	-128(%rsp), %rax
	incq	%rax
	movq	56(%rsp), %rcx
	addq	%rcx, (%rsp)
	addq	%rcx, -8(%rsp)
	addq	%rcx, -16(%rsp)
	addq	%rcx, -24(%rsp)
	addq	%rcx, -32(%rsp)
	movq	%rax, -128(%rsp)
	cmpq	176(%rsp), %rax
	jge	.LBB1_23
.LBB1_2:
	cmpl	$0, -108(%rsp)
	js	.LBB1_22
	movq	-128(%rsp), %rcx
	movq	%rcx, %rax
	imulq	168(%rsp), %rax
	movq	160(%rsp), %rdx
	leaq	(%rdx,%rax,4), %rdx
	movq	%rdx, 288(%rsp)
	imulq	-96(%rsp), %rcx
	movq	120(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 280(%rsp)
	movq	112(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 272(%rsp)
	movq	104(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 264(%rsp)
	movq	96(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 256(%rsp)
	movq	88(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rcx
	movq	%rcx, 248(%rsp)
	movq	152(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rcx
	movq	%rcx, 240(%rsp)
	movq	144(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rcx
	movq	%rcx, 232(%rsp)
	movq	136(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rcx
	movq	%rcx, 224(%rsp)
	movq	128(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rax
	movq	%rax, 216(%rsp)
	movq	-32(%rsp), %rax
	movq	%rax, 40(%rsp)
	movq	-24(%rsp), %rax
	movq	%rax, 32(%rsp)
	movq	-16(%rsp), %rax
	movq	%rax, 24(%rsp)
	movq	-8(%rsp), %rax
	movq	%rax, 16(%rsp)
	movq	(%rsp), %rax
	movq	%rax, 8(%rsp)
	movq	$0, -104(%rsp)
	jmp	.LBB1_4
	.p2align	4, 0x90
.LBB1_21:
	movq	-104(%rsp), %rcx
	incq	%rcx
	movq	296(%rsp), %rax
	addq	%rax, 8(%rsp)
	addq	%rax, 16(%rsp)
	addq	%rax, 24(%rsp)
	addq	%rax, 32(%rsp)
	addq	%rax, 40(%rsp)
	movq	%rcx, -104(%rsp)
	cmpq	304(%rsp), %rcx
	jge	.LBB1_22
.LBB1_4:
	cmpl	$0, 312(%rsp)
	js	.LBB1_21
	movq	-104(%rsp), %rdx
	movq	%rdx, %rax
	imulq	192(%rsp), %rax
	movq	288(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rdi
	movq	%rdx, %rcx
	imulq	184(%rsp), %rcx
	movq	280(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 456(%rsp)
	movq	272(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 448(%rsp)
	movq	264(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 440(%rsp)
	movq	256(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 432(%rsp)
	movq	248(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rcx
	movq	%rcx, 424(%rsp)
	movq	240(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rdx
	movq	232(%rsp), %rcx
	leaq	(%rcx,%rax,4), %r8
	movq	224(%rsp), %rcx
	leaq	(%rcx,%rax,4), %r9
	movq	216(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rax
	#APP
	#NO_APP
	movq	%rdi, 376(%rsp)
	#APP
	#NO_APP
	movq	%rdx, 368(%rsp)
	#APP
	#NO_APP
	movq	%r8, 360(%rsp)
	#APP
	#NO_APP
	movq	%r9, 352(%rsp)
	#APP
	#NO_APP
	movq	%rax, 344(%rsp)
	movq	200(%rsp), %rcx
	movq	208(%rsp), %rdx
	xorl	%eax, %eax
	jmp	.LBB1_6
	.p2align	4, 0x90
.LBB1_20:
	movq	376(%rsp), %rax
	movq	384(%rsp), %rcx
	vmovups	%zmm9, (%rax,%rcx,4)
	vmovups	%zmm8, 64(%rax,%rcx,4)
	movq	368(%rsp), %rax
	vmovups	%zmm7, (%rax,%rcx,4)
	vmovups	%zmm6, 64(%rax,%rcx,4)
	movq	360(%rsp), %rax
	vmovups	%zmm5, (%rax,%rcx,4)
	vmovups	%zmm4, 64(%rax,%rcx,4)
	movq	352(%rsp), %rax
	vmovups	%zmm3, (%rax,%rcx,4)
	vmovups	%zmm2, 64(%rax,%rcx,4)
	movq	344(%rsp), %rax
	vmovups	%zmm1, (%rax,%rcx,4)
	vmovups	%zmm0, 64(%rax,%rcx,4)
	movq	392(%rsp), %rax
	incq	%rax
	movq	400(%rsp), %rdx
	subq	$-128, %rdx
	movq	408(%rsp), %rcx
	subq	$-128, %rcx
	cmpq	320(%rsp), %rax
	jge	.LBB1_21
.LBB1_6:
	movq	%rax, %rdi
	shlq	$5, %rdi
	movq	%rdi, 384(%rsp)
	movq	%rax, 392(%rsp)
	movq	%rax, %rdi
	shlq	$7, %rdi
	movq	336(%rsp), %rax
	addq	%rdi, %rax
	movq	%rax, 464(%rsp)
	addq	328(%rsp), %rdi
	movq	%rdi, 472(%rsp)
	vxorps	%xmm0, %xmm0, %xmm0
	movq	%rcx, 408(%rsp)
	movq	%rcx, %rdi
	movq	%rdx, 400(%rsp)
	movq	%rdx, %r8
	movq	40(%rsp), %r9
	movq	32(%rsp), %r11
	movq	24(%rsp), %r13
	movq	16(%rsp), %r15
	movq	8(%rsp), %r12
	vxorps	%xmm1, %xmm1, %xmm1
	vxorps	%xmm2, %xmm2, %xmm2
	vxorps	%xmm3, %xmm3, %xmm3
	vxorps	%xmm4, %xmm4, %xmm4
	vxorps	%xmm5, %xmm5, %xmm5
	vxorps	%xmm6, %xmm6, %xmm6
	vxorps	%xmm7, %xmm7, %xmm7
	vxorps	%xmm8, %xmm8, %xmm8
	vxorps	%xmm9, %xmm9, %xmm9
	xorl	%edx, %edx
	jmp	.LBB1_7
	.p2align	4, 0x90
.LBB1_19:
	movq	480(%rsp), %rdx
	leaq	1(%rdx), %rax
	movq	56(%rsp), %rcx
	movq	488(%rsp), %r12
	addq	%rcx, %r12
	movq	496(%rsp), %r15
	addq	%rcx, %r15
	movq	504(%rsp), %r13
	addq	%rcx, %r13
	movq	512(%rsp), %r11
	addq	%rcx, %r11
	movq	520(%rsp), %r9
	addq	%rcx, %r9
	movq	416(%rsp), %rcx
	movq	528(%rsp), %r8
	addq	%rcx, %r8
	movq	536(%rsp), %rdi
	addq	%rcx, %rdi
	cmpq	$2, %rdx
	movq	%rax, %rdx
	jae	.LBB1_20
.LBB1_7:
	movq	%rdx, %rax
	imulq	48(%rsp), %rax
	movq	464(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rcx
	movq	%rcx, 608(%rsp)
	movq	%rdx, 480(%rsp)
	movq	%rdx, %rcx
	imulq	-96(%rsp), %rcx
	movq	456(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 600(%rsp)
	movq	448(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 592(%rsp)
	movq	440(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 584(%rsp)
	movq	432(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rdx
	movq	%rdx, 576(%rsp)
	movq	424(%rsp), %rdx
	leaq	(%rdx,%rcx,4), %rcx
	movq	%rcx, 568(%rsp)
	movq	472(%rsp), %rcx
	leaq	(%rcx,%rax,4), %rax
	movq	%rax, 560(%rsp)
	movq	%rdi, 536(%rsp)
	movq	%r8, 528(%rsp)
	movq	%r9, 520(%rsp)
	movq	%r9, -120(%rsp)
	movq	%rdi, %r9
	movq	%r11, 512(%rsp)
	movq	%r11, %rcx
	movq	%r13, 504(%rsp)
	movq	%r15, 496(%rsp)
	movq	%r15, %r11
	movq	%r12, 488(%rsp)
	movq	%r12, %rax
	movq	%r8, %r12
	xorl	%r8d, %r8d
	jmp	.LBB1_8
	.p2align	4, 0x90
.LBB1_18:
	movq	-72(%rsp), %r8
	leaq	1(%r8), %rdx
	movq	624(%rsp), %rdi
	addq	%rdi, %rax
	addq	%rdi, %r11
	addq	%rdi, %r13
	addq	%rdi, %rcx
	addq	%rdi, -120(%rsp)
	movq	616(%rsp), %rdi
	addq	%rdi, %r12
	addq	%rdi, %r9
	cmpq	$2, %r8
	movq	%rdx, %r8
	jae	.LBB1_19
.LBB1_8:
	movq	%r12, -64(%rsp)
	movq	%r9, -56(%rsp)
	cmpl	$0, -36(%rsp)
	movq	%r8, -72(%rsp)
	jle	.LBB1_11
	movq	%r8, %rdx
	imulq	72(%rsp), %rdx
	movq	608(%rsp), %rsi
	leaq	(%rsi,%rdx,4), %rdi
	#APP
	#NO_APP
	movq	%r8, %rsi
	imulq	552(%rsp), %rsi
	movq	600(%rsp), %r8
	leaq	(%r8,%rsi,4), %r8
	#APP
	#NO_APP
	movq	592(%rsp), %r9
	leaq	(%r9,%rsi,4), %r15
	#APP
	#NO_APP
	movq	584(%rsp), %r9
	leaq	(%r9,%rsi,4), %rbp
	#APP
	#NO_APP
	movq	576(%rsp), %r9
	leaq	(%r9,%rsi,4), %r12
	#APP
	#NO_APP
	movq	568(%rsp), %r9
	leaq	(%r9,%rsi,4), %r14
	#APP
	#NO_APP
	movq	560(%rsp), %rsi
	leaq	(%rsi,%rdx,4), %rdx
	#APP
	#NO_APP
	movl	$8, %ebx
	xorl	%esi, %esi
	movq	-80(%rsp), %r10
	movq	80(%rsp), %r9
	.p2align	4, 0x90
.LBB1_10:
	vbroadcastss	(%r8,%rsi,8), %zmm10
	vmovups	-64(%rdi,%rbx,8), %zmm11
	vmovups	(%rdi,%rbx,8), %zmm12
	vfmadd231ps	%zmm10, %zmm11, %zmm9
	vbroadcastss	(%r15,%rsi,8), %zmm13
	vfmadd231ps	%zmm10, %zmm12, %zmm8
	vfmadd231ps	%zmm13, %zmm11, %zmm7
	vfmadd231ps	%zmm13, %zmm12, %zmm6
	vbroadcastss	(%rbp,%rsi,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm5
	vfmadd231ps	%zmm10, %zmm12, %zmm4
	vbroadcastss	(%r12,%rsi,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm3
	vbroadcastss	(%r14,%rsi,8), %zmm13
	vfmadd231ps	%zmm10, %zmm12, %zmm2
	vfmadd231ps	%zmm11, %zmm13, %zmm1
	vbroadcastss	4(%r8,%rsi,8), %zmm10
	vmovups	-64(%rdx,%rbx,8), %zmm11
	vfmadd231ps	%zmm13, %zmm12, %zmm0
	vmovups	(%rdx,%rbx,8), %zmm12
	vfmadd231ps	%zmm10, %zmm11, %zmm9
	vbroadcastss	4(%r15,%rsi,8), %zmm13
	vfmadd231ps	%zmm10, %zmm12, %zmm8
	vfmadd231ps	%zmm13, %zmm11, %zmm7
	vfmadd231ps	%zmm13, %zmm12, %zmm6
	vbroadcastss	4(%rbp,%rsi,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm5
	vfmadd231ps	%zmm10, %zmm12, %zmm4
	vbroadcastss	4(%r12,%rsi,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm3
	vbroadcastss	4(%r14,%rsi,8), %zmm13
	vfmadd231ps	%zmm10, %zmm12, %zmm2
	vfmadd231ps	%zmm11, %zmm13, %zmm1
	vfmadd231ps	%zmm13, %zmm12, %zmm0
	incq	%rsi
	addq	%r10, %rbx
	cmpq	%r9, %rsi
	jb	.LBB1_10
.LBB1_11:
	cmpl	$0, -88(%rsp)
	movq	-56(%rsp), %r9
	movq	-64(%rsp), %r12
	jle	.LBB1_18
	movl	-40(%rsp), %edi
	xorl	%r15d, %r15d
	xorl	%r8d, %r8d
	movq	-80(%rsp), %rbx
	movq	64(%rsp), %r10
	movq	80(%rsp), %r14
	movq	544(%rsp), %rsi
	movl	-44(%rsp), %ebp
	jmp	.LBB1_13
	.p2align	4, 0x90
.LBB1_17:
	leaq	(%r14,%r8), %rdx
	incq	%rdx
	incq	%r8
	addq	%rbx, %r15
	addl	$2, %edi
	cmpq	%rsi, %rdx
	jge	.LBB1_18
.LBB1_13:
	cmpl	%r10d, %edi
	jge	.LBB1_15
	movq	-120(%rsp), %rdx
	vbroadcastss	-4(%rdx,%r8,8), %zmm10
	vmovups	-64(%r9,%r15,8), %zmm11
	vmovups	(%r9,%r15,8), %zmm12
	vfmadd231ps	%zmm10, %zmm11, %zmm9
	vfmadd231ps	%zmm10, %zmm12, %zmm8
	vbroadcastss	-4(%rcx,%r8,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm7
	vfmadd231ps	%zmm10, %zmm12, %zmm6
	vbroadcastss	-4(%r13,%r8,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm5
	vfmadd231ps	%zmm10, %zmm12, %zmm4
	vbroadcastss	-4(%r11,%r8,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm3
	vfmadd231ps	%zmm10, %zmm12, %zmm2
	vbroadcastss	-4(%rax,%r8,8), %zmm10
	vfmadd231ps	%zmm11, %zmm10, %zmm1
	vfmadd231ps	%zmm10, %zmm12, %zmm0
.LBB1_15:
	cmpl	%ebp, %edi
	jge	.LBB1_17
	movq	-120(%rsp), %rdx
	vbroadcastss	(%rdx,%r8,8), %zmm10
	vmovups	-64(%r12,%r15,8), %zmm11
	vmovups	(%r12,%r15,8), %zmm12
	vfmadd231ps	%zmm10, %zmm11, %zmm9
	vfmadd231ps	%zmm10, %zmm12, %zmm8
	vbroadcastss	(%rcx,%r8,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm7
	vfmadd231ps	%zmm10, %zmm12, %zmm6
	vbroadcastss	(%r13,%r8,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm5
	vfmadd231ps	%zmm10, %zmm12, %zmm4
	vbroadcastss	(%r11,%r8,8), %zmm10
	vfmadd231ps	%zmm10, %zmm11, %zmm3
	vfmadd231ps	%zmm10, %zmm12, %zmm2
	vbroadcastss	(%rax,%r8,8), %zmm10
	vfmadd231ps	%zmm11, %zmm10, %zmm1
	vfmadd231ps	%zmm10, %zmm12, %zmm0
	jmp	.LBB1_17
.LBB1_23:
	xorl	%eax, %eax
	addq	$632, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end1:
	.size	convolved.work.0, .Lfunc_end1-convolved.work.0

	.globl	convolved_argv
	.p2align	4, 0x90
	.type	convolved_argv,@function
convolved_argv:
.Lconvolved_argv$local:
	.type	.Lconvolved_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Lconvolved$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	convolved_argv, .Lfunc_end2-convolved_argv
	.size	.Lconvolved_argv$local, .Lfunc_end2-convolved_argv

	.globl	convolved_metadata
	.p2align	4, 0x90
	.type	convolved_metadata,@function
convolved_metadata:
.Lconvolved_metadata$local:
	.type	.Lconvolved_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	convolved_metadata, .Lfunc_end3-convolved_metadata
	.size	.Lconvolved_metadata$local, .Lfunc_end3-convolved_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"filter"
	.size	.Lname, 7

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"in"
	.size	.Lname.1, 3

	.type	.Lname.2,@object
.Lname.2:
	.asciz	"convolved"
	.size	.Lname.2, 10

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	4
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	1
	.long	3
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.2
	.long	2
	.long	3
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.size	.Largs, 192

	.type	.Lname.3,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname.3:
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake"
	.size	.Lname.3, 86

	.type	.Lname.4,@object
.Lname.4:
	.asciz	"convolved"
	.size	.Lname.4, 10

	.type	.Lmetadata,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Lmetadata:
	.long	1
	.long	3
	.quad	.Largs
	.quad	.Lname.3
	.quad	.Lname.4
	.size	.Lmetadata, 32

	.section	".note.GNU-stack","",@progbits
