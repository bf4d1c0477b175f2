	.text
	.file	"fast"
	.globl	fast
	.p2align	4, 0x90
	.type	fast,@function
fast:
.Lfast$local:
	.type	.Lfast$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$256, %rsp
	movq	%rsi, %r14
	movq	40(%r14), %rax
	movl	(%rax), %r15d
	movq	40(%r14), %rax
	movl	4(%rax), %eax
	movl	%r15d, %r12d
	addl	%eax, %r12d
	addl	$-1, %r12d
	movl	%r12d, %eax
	subl	%r15d, %eax
	movl	%eax, %ecx
	sarl	$3, %ecx
	addl	$1, %ecx
	addl	$1, %eax
	sarl	$3, %eax
	movl	%ecx, %edx
	subl	%eax, %edx
	cmovll	%ecx, %eax
	movl	%eax, %ecx
	sarl	$31, %ecx
	andnl	%eax, %ecx, %eax
	movq	16(%r14), %r13
	movq	16(%rdi), %rbx
	movq	%r13, 64(%rsp)
	movq	%r14, 72(%rsp)
	movl	%r15d, 80(%rsp)
	movl	%eax, 52(%rsp)
	movl	%eax, 84(%rsp)
	movq	%rbx, 88(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rdi, 96(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	fast.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	%r13, 128(%rsp)
	movq	%r14, 136(%rsp)
	movl	%r12d, 144(%rsp)
	movl	%r15d, 148(%rsp)
	movl	52(%rsp), %eax
	movl	%eax, 152(%rsp)
	movq	%rbx, 160(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 168(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	fast.work.1
	cmpl	$0, %eax
	jne	.LBB0_6
	xorl	%eax, %eax
	jmp	.LBB0_4
.LBB0_4:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_5:
	jmp	.LBB0_4
.LBB0_6:
	jmp	.LBB0_4
.Lfunc_end0:
	.size	fast, .Lfunc_end0-fast
	.size	.Lfast$local, .Lfunc_end0-fast

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	0x42b20000
.LCPI1_1:
	.long	0xc2d00000
.LCPI1_2:
	.long	0x3fb8aa3b
.LCPI1_3:
	.long	0x3a485fdf
.LCPI1_4:
	.long	0x3f314000
.LCPI1_5:
	.long	0x3ab68b03
.LCPI1_6:
	.long	0x3c090836
.LCPI1_7:
	.long	0x3d2aaa8b
.LCPI1_8:
	.long	0x3e2aaa6c
.LCPI1_9:
	.long	0x3f000000
.LCPI1_10:
	.long	0x3f800000
.LCPI1_11:
	.long	3234528013
.LCPI1_12:
	.long	4286578688
.LCPI1_13:
	.long	0xbf800000
.LCPI1_14:
	.long	0xbda1dddb
.LCPI1_15:
	.long	0x3e014460
.LCPI1_16:
	.long	0xbe051ac3
.LCPI1_17:
	.long	0x3e118e15
.LCPI1_18:
	.long	0xbe2a6808
.LCPI1_19:
	.long	0x3e4ccf8c
.LCPI1_20:
	.long	0xbe800067
.LCPI1_21:
	.long	0x3eaaaaaa
.LCPI1_22:
	.long	0x80800000
.LCPI1_23:
	.long	0x7fc00000
.LCPI1_24:
	.long	0x7f800000
.LCPI1_25:
	.long	0x00800000
.LCPI1_26:
	.long	0x3ee66666
	.text
	.p2align	4, 0x90
	.type	fast.work.0,@function
fast.work.0:
	movslq	20(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	32(%rsi), %rdx
	movq	40(%rcx), %rcx
	movslq	(%rcx), %rdi
	movq	40(%rdx), %rcx
	movslq	(%rcx), %r8
	movslq	16(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%r8, %rdx
	shlq	$2, %rdx
	addq	24(%rsi), %rdx
	#APP
	#NO_APP
	subq	%rdi, %rcx
	shlq	$2, %rcx
	addq	(%rsi), %rcx
	#APP
	#NO_APP
	xorl	%esi, %esi
	vpbroadcastd	.LCPI1_10(%rip), %ymm12
	vbroadcastss	.LCPI1_11(%rip), %ymm0
	vmovups	%ymm0, -40(%rsp)
	vbroadcastss	.LCPI1_12(%rip), %ymm0
	vmovups	%ymm0, -72(%rsp)
	xorl	%edi, %edi
	vbroadcastss	.LCPI1_1(%rip), %ymm2
	vbroadcastss	.LCPI1_2(%rip), %ymm15
	vbroadcastss	.LCPI1_3(%rip), %ymm5
	vbroadcastss	.LCPI1_4(%rip), %ymm10
	vbroadcastss	.LCPI1_6(%rip), %ymm4
	.p2align	4, 0x90
.LBB1_2:
	vmovups	(%rdx,%rsi), %ymm3
	vbroadcastss	.LCPI1_0(%rip), %ymm14
	vminps	%ymm3, %ymm14, %ymm6
	vcmpltps	%ymm2, %ymm3, %ymm7
	vblendvps	%ymm7, %ymm2, %ymm6, %ymm7
	vxorps	%xmm14, %xmm14, %xmm14
	vcmpordps	%ymm3, %ymm14, %ymm6
	vmulps	%ymm7, %ymm15, %ymm8
	vandps	%ymm6, %ymm8, %ymm6
	vroundps	$12, %ymm6, %ymm6
	vmulps	%ymm5, %ymm6, %ymm8
	vmulps	%ymm6, %ymm10, %ymm9
	vsubps	%ymm9, %ymm7, %ymm7
	vsubps	%ymm8, %ymm7, %ymm7
	vbroadcastss	.LCPI1_5(%rip), %ymm0
	vmulps	%ymm0, %ymm7, %ymm8
	vaddps	%ymm4, %ymm8, %ymm8
	vmulps	%ymm7, %ymm8, %ymm8
	vbroadcastss	.LCPI1_7(%rip), %ymm1
	vaddps	%ymm1, %ymm8, %ymm8
	vmulps	%ymm7, %ymm8, %ymm8
	vbroadcastss	.LCPI1_8(%rip), %ymm9
	vaddps	%ymm9, %ymm8, %ymm8
	vmulps	%ymm7, %ymm8, %ymm8
	vbroadcastss	.LCPI1_9(%rip), %ymm1
	vaddps	%ymm1, %ymm8, %ymm8
	vmulps	%ymm7, %ymm8, %ymm8
	vmulps	%ymm7, %ymm8, %ymm8
	vaddps	%ymm7, %ymm8, %ymm7
	vpaddd	-40(%rsp), %ymm3, %ymm8
	vpsrad	$23, %ymm8, %ymm9
	vpand	-72(%rsp), %ymm8, %ymm8
	vpsubd	%ymm8, %ymm3, %ymm8
	vbroadcastss	.LCPI1_13(%rip), %ymm11
	vaddps	%ymm11, %ymm8, %ymm8
	vcvtdq2ps	%ymm9, %ymm9
	vbroadcastss	.LCPI1_14(%rip), %ymm11
	vmulps	%ymm11, %ymm8, %ymm11
	vbroadcastss	.LCPI1_15(%rip), %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm8, %ymm11, %ymm11
	vbroadcastss	.LCPI1_16(%rip), %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm8, %ymm11, %ymm11
	vbroadcastss	.LCPI1_17(%rip), %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm8, %ymm11, %ymm11
	vbroadcastss	.LCPI1_18(%rip), %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm8, %ymm11, %ymm11
	vbroadcastss	.LCPI1_19(%rip), %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm8, %ymm11, %ymm11
	vbroadcastss	.LCPI1_20(%rip), %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm8, %ymm11, %ymm11
	vbroadcastss	.LCPI1_21(%rip), %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm8, %ymm8, %ymm13
	vmulps	%ymm8, %ymm11, %ymm11
	vmulps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm1, %ymm13, %ymm13
	vsubps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm5, %ymm9, %ymm13
	vaddps	%ymm13, %ymm11, %ymm11
	vmulps	%ymm10, %ymm9, %ymm9
	vaddps	%ymm8, %ymm11, %ymm8
	vbroadcastss	.LCPI1_22(%rip), %ymm11
	vcmpltps	%ymm3, %ymm11, %ymm11
	vbroadcastss	.LCPI1_12(%rip), %ymm0
	vbroadcastss	.LCPI1_23(%rip), %ymm13
	vblendvps	%ymm11, %ymm0, %ymm13, %ymm11
	vaddps	%ymm9, %ymm8, %ymm8
	vbroadcastss	.LCPI1_24(%rip), %ymm13
	vcmpeqps	%ymm3, %ymm13, %ymm9
	vblendvps	%ymm9, %ymm13, %ymm8, %ymm8
	vbroadcastss	.LCPI1_10(%rip), %ymm13
	vaddps	%ymm7, %ymm13, %ymm7
	vbroadcastss	.LCPI1_25(%rip), %ymm9
	vcmpltps	%ymm9, %ymm3, %ymm9
	vblendvps	%ymm9, %ymm0, %ymm8, %ymm8
	vcvttps2dq	%ymm6, %ymm6
	vcmpleps	%ymm3, %ymm14, %ymm9
	vblendvps	%ymm9, %ymm8, %ymm11, %ymm8
	vpsrad	$1, %ymm6, %ymm9
	vpsubd	%ymm9, %ymm6, %ymm6
	vpslld	$23, %ymm9, %ymm9
	vpaddd	%ymm12, %ymm9, %ymm9
	vmulps	%ymm7, %ymm9, %ymm7
	vbroadcastss	.LCPI1_26(%rip), %ymm0
	vmulps	%ymm0, %ymm8, %ymm8
	vbroadcastss	.LCPI1_0(%rip), %ymm0
	vminps	%ymm8, %ymm0, %ymm9
	vcmpltps	%ymm2, %ymm8, %ymm11
	vblendvps	%ymm11, %ymm2, %ymm9, %ymm9
	vpslld	$23, %ymm6, %ymm6
	vpaddd	%ymm6, %ymm12, %ymm6
	vmulps	%ymm6, %ymm7, %ymm6
	vcmpordps	%ymm14, %ymm8, %ymm7
	vmulps	%ymm15, %ymm9, %ymm8
	vandps	%ymm7, %ymm8, %ymm7
	vroundps	$12, %ymm7, %ymm7
	vmulps	%ymm7, %ymm10, %ymm8
	vsubps	%ymm8, %ymm9, %ymm8
	vmulps	%ymm5, %ymm7, %ymm9
	vsubps	%ymm9, %ymm8, %ymm8
	vbroadcastss	.LCPI1_5(%rip), %ymm0
	vmulps	%ymm0, %ymm8, %ymm9
	vaddps	%ymm4, %ymm9, %ymm9
	vmulps	%ymm8, %ymm9, %ymm9
	vbroadcastss	.LCPI1_7(%rip), %ymm0
	vaddps	%ymm0, %ymm9, %ymm9
	vmulps	%ymm8, %ymm9, %ymm9
	vbroadcastss	.LCPI1_8(%rip), %ymm0
	vaddps	%ymm0, %ymm9, %ymm9
	vmulps	%ymm8, %ymm9, %ymm9
	vaddps	%ymm1, %ymm9, %ymm9
	vmulps	%ymm8, %ymm9, %ymm9
	vmulps	%ymm8, %ymm9, %ymm9
	vaddps	%ymm8, %ymm9, %ymm8
	vaddps	%ymm13, %ymm8, %ymm8
	vcvttps2dq	%ymm7, %ymm7
	vpsrad	$1, %ymm7, %ymm9
	vpsubd	%ymm9, %ymm7, %ymm7
	vpslld	$23, %ymm9, %ymm9
	vpaddd	%ymm12, %ymm9, %ymm9
	vmulps	%ymm9, %ymm8, %ymm8
	vpslld	$23, %ymm7, %ymm7
	vpaddd	%ymm7, %ymm12, %ymm7
	vmulps	%ymm7, %ymm8, %ymm7
	vcmpneqps	%ymm3, %ymm14, %ymm3
	vandps	%ymm7, %ymm3, %ymm3
	vaddps	%ymm3, %ymm6, %ymm3
	vmovups	%ymm3, (%rcx,%rsi)
	incq	%rdi
	addq	$32, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	fast.work.0, .Lfunc_end1-fast.work.0

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI2_0:
	.long	0x42b20000
.LCPI2_1:
	.long	0xc2d00000
.LCPI2_2:
	.long	0x3fb8aa3b
.LCPI2_3:
	.long	0x3a485fdf
.LCPI2_4:
	.long	0x3f314000
.LCPI2_5:
	.long	0x3ab68b03
.LCPI2_6:
	.long	0x3c090836
.LCPI2_7:
	.long	0x3d2aaa8b
.LCPI2_8:
	.long	0x3e2aaa6c
.LCPI2_9:
	.long	0x3f000000
.LCPI2_10:
	.long	0x3f800000
.LCPI2_11:
	.long	3234528013
.LCPI2_12:
	.long	4286578688
.LCPI2_13:
	.long	0xbf800000
.LCPI2_14:
	.long	0xbda1dddb
.LCPI2_15:
	.long	0x3e014460
.LCPI2_16:
	.long	0xbe051ac3
.LCPI2_17:
	.long	0x3e118e15
.LCPI2_18:
	.long	0xbe2a6808
.LCPI2_19:
	.long	0x3e4ccf8c
.LCPI2_20:
	.long	0xbe800067
.LCPI2_21:
	.long	0x3eaaaaaa
.LCPI2_22:
	.long	0x80800000
.LCPI2_23:
	.long	0x7fc00000
.LCPI2_24:
	.long	0x7f800000
.LCPI2_25:
	.long	0x00800000
.LCPI2_26:
	.long	0x3ee66666
	.text
	.p2align	4, 0x90
	.type	fast.work.1,@function
fast.work.1:
	movl	16(%rsi), %eax
	movl	20(%rsi), %r8d
	movslq	24(%rsi), %rcx
	movl	%eax, %edx
	subl	%r8d, %edx
	sarl	$3, %edx
	subl	%ecx, %edx
	cmpl	$2147483646, %edx
	ja	.LBB2_3
	incl	%edx
	movslq	%edx, %rdx
	addq	%rcx, %rdx
	movq	(%rsi), %rdi
	movq	8(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	movq	40(%rsi), %r10
	movq	40(%r10), %r10
	movslq	(%r10), %r10
	movq	32(%rsi), %rsi
	addl	$-7, %eax
	shlq	$2, %r10
	subq	%r10, %rsi
	#APP
	#NO_APP
	shlq	$2, %r9
	subq	%r9, %rdi
	#APP
	#NO_APP
	leal	(%r8,%rcx,8), %r8d
	vbroadcastss	.LCPI2_10(%rip), %ymm0
	vmovups	%ymm0, -40(%rsp)
	vbroadcastss	.LCPI2_11(%rip), %ymm0
	vmovups	%ymm0, -72(%rsp)
	vbroadcastss	.LCPI2_12(%rip), %ymm0
	vmovups	%ymm0, -104(%rsp)
	vbroadcastss	.LCPI2_3(%rip), %ymm5
	vbroadcastss	.LCPI2_4(%rip), %ymm10
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%eax, %r8d
	movl	%eax, %r9d
	cmovll	%r8d, %r9d
	movslq	%r9d, %r9
	vmovups	(%rsi,%r9,4), %ymm3
	vbroadcastss	.LCPI2_0(%rip), %ymm14
	vminps	%ymm3, %ymm14, %ymm6
	vbroadcastss	.LCPI2_1(%rip), %ymm2
	vcmpltps	%ymm2, %ymm3, %ymm7
	vpaddd	-72(%rsp), %ymm3, %ymm8
	vxorps	%xmm0, %xmm0, %xmm0
	vcmpordps	%ymm0, %ymm3, %ymm9
	vpand	-104(%rsp), %ymm8, %ymm11
	vpsubd	%ymm11, %ymm3, %ymm11
	vbroadcastss	.LCPI2_13(%rip), %ymm0
	vaddps	%ymm0, %ymm11, %ymm11
	vpsrad	$23, %ymm8, %ymm8
	vbroadcastss	.LCPI2_14(%rip), %ymm0
	vmulps	%ymm0, %ymm11, %ymm13
	vbroadcastss	.LCPI2_15(%rip), %ymm0
	vaddps	%ymm0, %ymm13, %ymm13
	vmulps	%ymm11, %ymm13, %ymm13
	vcvtdq2ps	%ymm8, %ymm8
	vbroadcastss	.LCPI2_16(%rip), %ymm0
	vaddps	%ymm0, %ymm13, %ymm13
	vmulps	%ymm11, %ymm13, %ymm13
	vblendvps	%ymm7, %ymm2, %ymm6, %ymm6
	vbroadcastss	.LCPI2_17(%rip), %ymm0
	vaddps	%ymm0, %ymm13, %ymm7
	vmulps	%ymm7, %ymm11, %ymm7
	vbroadcastss	.LCPI2_18(%rip), %ymm0
	vaddps	%ymm0, %ymm7, %ymm7
	vbroadcastss	.LCPI2_2(%rip), %ymm15
	vmulps	%ymm6, %ymm15, %ymm13
	vmulps	%ymm7, %ymm11, %ymm7
	vbroadcastss	.LCPI2_19(%rip), %ymm0
	vaddps	%ymm0, %ymm7, %ymm7
	vmulps	%ymm7, %ymm11, %ymm7
	vandps	%ymm13, %ymm9, %ymm9
	vbroadcastss	.LCPI2_20(%rip), %ymm0
	vaddps	%ymm0, %ymm7, %ymm7
	vmulps	%ymm7, %ymm11, %ymm7
	vbroadcastss	.LCPI2_21(%rip), %ymm0
	vaddps	%ymm0, %ymm7, %ymm7
	vmulps	%ymm11, %ymm11, %ymm13
	vmulps	%ymm7, %ymm11, %ymm7
	vmulps	%ymm7, %ymm13, %ymm7
	vbroadcastss	.LCPI2_9(%rip), %ymm12
	vmulps	%ymm12, %ymm13, %ymm13
	vmovaps	%ymm12, %ymm4
	vsubps	%ymm13, %ymm7, %ymm7
	vmulps	%ymm5, %ymm8, %ymm13
	vaddps	%ymm7, %ymm13, %ymm7
	vroundps	$12, %ymm9, %ymm9
	vaddps	%ymm7, %ymm11, %ymm7
	vmulps	%ymm10, %ymm9, %ymm11
	vmulps	%ymm10, %ymm8, %ymm8
	vsubps	%ymm11, %ymm6, %ymm6
	vbroadcastss	.LCPI2_22(%rip), %ymm0
	vcmpltps	%ymm3, %ymm0, %ymm11
	vbroadcastss	.LCPI2_12(%rip), %ymm0
	vbroadcastss	.LCPI2_23(%rip), %ymm1
	vblendvps	%ymm11, %ymm0, %ymm1, %ymm11
	vaddps	%ymm7, %ymm8, %ymm7
	vbroadcastss	.LCPI2_24(%rip), %ymm1
	vcmpeqps	%ymm1, %ymm3, %ymm8
	vblendvps	%ymm8, %ymm1, %ymm7, %ymm7
	vmulps	%ymm5, %ymm9, %ymm8
	vsubps	%ymm8, %ymm6, %ymm6
	vbroadcastss	.LCPI2_25(%rip), %ymm1
	vcmpltps	%ymm1, %ymm3, %ymm8
	vblendvps	%ymm8, %ymm0, %ymm7, %ymm7
	vxorps	%xmm2, %xmm2, %xmm2
	vcmpleps	%ymm3, %ymm2, %ymm8
	vblendvps	%ymm8, %ymm7, %ymm11, %ymm8
	vbroadcastss	.LCPI2_5(%rip), %ymm13
	vmulps	%ymm6, %ymm13, %ymm7
	vbroadcastss	.LCPI2_6(%rip), %ymm14
	vaddps	%ymm7, %ymm14, %ymm7
	vmulps	%ymm6, %ymm7, %ymm7
	vbroadcastss	.LCPI2_7(%rip), %ymm15
	vaddps	%ymm7, %ymm15, %ymm7
	vmulps	%ymm6, %ymm7, %ymm7
	vbroadcastss	.LCPI2_8(%rip), %ymm12
	vaddps	%ymm7, %ymm12, %ymm7
	vmulps	%ymm6, %ymm7, %ymm7
	vaddps	%ymm4, %ymm7, %ymm7
	vmulps	%ymm6, %ymm7, %ymm7
	vmulps	%ymm6, %ymm7, %ymm7
	vcvttps2dq	%ymm9, %ymm9
	vpsrad	$1, %ymm9, %ymm11
	vaddps	%ymm6, %ymm7, %ymm7
	vpsubd	%ymm11, %ymm9, %ymm6
	vpslld	$23, %ymm11, %ymm9
	vmovdqu	-40(%rsp), %ymm0
	vpaddd	%ymm0, %ymm9, %ymm9
	vbroadcastss	.LCPI2_10(%rip), %ymm4
	vaddps	%ymm4, %ymm7, %ymm7
	vmulps	%ymm7, %ymm9, %ymm7
	vbroadcastss	.LCPI2_26(%rip), %ymm9
	vmulps	%ymm9, %ymm8, %ymm8
	vbroadcastss	.LCPI2_0(%rip), %ymm1
	vminps	%ymm8, %ymm1, %ymm9
	vbroadcastss	.LCPI2_1(%rip), %ymm1
	vcmpltps	%ymm1, %ymm8, %ymm11
	vblendvps	%ymm11, %ymm1, %ymm9, %ymm9
	vbroadcastss	.LCPI2_2(%rip), %ymm1
	vmulps	%ymm1, %ymm9, %ymm11
	vcmpordps	%ymm2, %ymm8, %ymm8
	vxorps	%xmm1, %xmm1, %xmm1
	vandps	%ymm11, %ymm8, %ymm8
	vroundps	$12, %ymm8, %ymm8
	vmulps	%ymm10, %ymm8, %ymm11
	vsubps	%ymm11, %ymm9, %ymm9
	vmulps	%ymm5, %ymm8, %ymm11
	vsubps	%ymm11, %ymm9, %ymm9
	vmulps	%ymm13, %ymm9, %ymm11
	vaddps	%ymm14, %ymm11, %ymm11
	vmulps	%ymm9, %ymm11, %ymm11
	vaddps	%ymm15, %ymm11, %ymm11
	vmulps	%ymm9, %ymm11, %ymm11
	vaddps	%ymm12, %ymm11, %ymm11
	vmulps	%ymm9, %ymm11, %ymm11
	vbroadcastss	.LCPI2_9(%rip), %ymm2
	vaddps	%ymm2, %ymm11, %ymm11
	vmulps	%ymm9, %ymm11, %ymm11
	vmulps	%ymm9, %ymm11, %ymm11
	vaddps	%ymm9, %ymm11, %ymm9
	vcvttps2dq	%ymm8, %ymm8
	vaddps	%ymm4, %ymm9, %ymm9
	vpsrad	$1, %ymm8, %ymm11
	vpsubd	%ymm11, %ymm8, %ymm8
	vpslld	$23, %ymm11, %ymm11
	vpaddd	%ymm0, %ymm11, %ymm11
	vmulps	%ymm11, %ymm9, %ymm9
	vpslld	$23, %ymm6, %ymm6
	vpaddd	%ymm0, %ymm6, %ymm6
	vmulps	%ymm6, %ymm7, %ymm6
	vpslld	$23, %ymm8, %ymm7
	vpaddd	%ymm0, %ymm7, %ymm7
	vmulps	%ymm7, %ymm9, %ymm7
	vcmpneqps	%ymm1, %ymm3, %ymm3
	vandps	%ymm7, %ymm3, %ymm3
	vaddps	%ymm3, %ymm6, %ymm3
	vmovups	%ymm3, (%rdi,%r9,4)
	incq	%rcx
	addl	$8, %r8d
	cmpq	%rdx, %rcx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	fast.work.1, .Lfunc_end2-fast.work.1

	.globl	fast_argv
	.p2align	4, 0x90
	.type	fast_argv,@function
fast_argv:
.Lfast_argv$local:
	.type	.Lfast_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lfast$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	fast_argv, .Lfunc_end3-fast_argv
	.size	.Lfast_argv$local, .Lfunc_end3-fast_argv

	.globl	fast_metadata
	.p2align	4, 0x90
	.type	fast_metadata,@function
fast_metadata:
.Lfast_metadata$local:
	.type	.Lfast_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	fast_metadata, .Lfunc_end4-fast_metadata
	.size	.Lfast_metadata$local, .Lfunc_end4-fast_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"fast"
	.size	.Lname.1, 5

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	2
	.long	1
	.long	73730
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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2"
	.size	.Lname.2, 55

	.type	.Lname.3,@object
.Lname.3:
	.asciz	"fast"
	.size	.Lname.3, 5

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
