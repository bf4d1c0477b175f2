	.text
	.file	"high_bits_constant"
	.globl	high_bits_constant
	.p2align	4, 0x90
	.type	high_bits_constant,@function
high_bits_constant:
.Lhigh_bits_constant$local:
	.type	.Lhigh_bits_constant$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$256, %rsp
	movq	%rsi, %rbx
	movq	40(%rbx), %rax
	movl	(%rax), %r15d
	movq	40(%rbx), %rax
	movl	4(%rax), %eax
	movl	%r15d, %r12d
	addl	%eax, %r12d
	addl	$-1, %r12d
	movl	%r12d, %eax
	subl	%r15d, %eax
	movl	%eax, %ecx
	addl	$1, %ecx
	sarl	$6, %ecx
	sarl	$6, %eax
	addl	$1, %eax
	movl	%ecx, %edx
	subl	%eax, %edx
	cmovll	%ecx, %eax
	movl	%eax, %ecx
	sarl	$31, %ecx
	andnl	%eax, %ecx, %eax
	movq	16(%rdi), %r13
	movq	16(%rbx), %r14
	movq	%r13, 64(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%r14, 80(%rsp)
	movq	%rbx, 88(%rsp)
	movl	%r15d, 96(%rsp)
	movl	%eax, 52(%rsp)
	movl	%eax, 100(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	high_bits_constant.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	%r13, 128(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 136(%rsp)
	movq	%r14, 144(%rsp)
	movq	%rbx, 152(%rsp)
	movl	%r12d, 160(%rsp)
	movl	%r15d, 164(%rsp)
	movl	52(%rsp), %eax
	movl	%eax, 168(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	high_bits_constant.work.1
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
	.size	high_bits_constant, .Lfunc_end0-high_bits_constant
	.size	.Lhigh_bits_constant$local, .Lfunc_end0-high_bits_constant

	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI1_0:
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.section	.rodata,"a",@progbits
	.p2align	1, 0x0
.LCPI1_1:
	.short	43691
	.text
	.p2align	4, 0x90
	.type	high_bits_constant.work.0,@function
high_bits_constant.work.0:
	movslq	36(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rdi
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r8
	movslq	32(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%r8, %rdx
	addq	%rdx, %rdx
	addq	(%rsi), %rdx
	#APP
	#NO_APP
	subq	%rdi, %rcx
	addq	%rcx, %rcx
	addq	16(%rsi), %rcx
	#APP
	#NO_APP
	xorl	%esi, %esi
	vpbroadcastw	.LCPI1_1(%rip), %ymm0
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB1_2:
	vpmulhuw	(%rdx,%rsi), %ymm0, %ymm1
	vpmulhuw	32(%rdx,%rsi), %ymm0, %ymm2
	vpmulhuw	64(%rdx,%rsi), %ymm0, %ymm3
	vpmulhuw	96(%rdx,%rsi), %ymm0, %ymm4
	vpsrlw	$1, %ymm1, %ymm1
	vpsrlw	$1, %ymm2, %ymm2
	vpsrlw	$1, %ymm3, %ymm3
	vpsrlw	$1, %ymm4, %ymm4
	vmovdqu	%ymm4, 96(%rcx,%rsi)
	vmovdqu	%ymm3, 64(%rcx,%rsi)
	vmovdqu	%ymm2, 32(%rcx,%rsi)
	vmovdqu	%ymm1, (%rcx,%rsi)
	incq	%rdi
	subq	$-128, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	high_bits_constant.work.0, .Lfunc_end1-high_bits_constant.work.0

	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI2_0:
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.short	43691
	.section	.rodata,"a",@progbits
	.p2align	1, 0x0
.LCPI2_1:
	.short	43691
	.text
	.p2align	4, 0x90
	.type	high_bits_constant.work.1,@function
high_bits_constant.work.1:
	movl	32(%rsi), %eax
	movl	36(%rsi), %ecx
	movslq	40(%rsi), %rdx
	movl	%eax, %edi
	subl	%ecx, %edi
	sarl	$6, %edi
	subl	%edx, %edi
	cmpl	$2147483646, %edi
	ja	.LBB2_3
	incl	%edi
	movslq	%edi, %rdi
	addq	%rdx, %rdi
	movq	24(%rsi), %r8
	movq	40(%r8), %r8
	movslq	(%r8), %r9
	movq	(%rsi), %r8
	movq	8(%rsi), %r10
	movq	40(%r10), %r10
	movslq	(%r10), %r10
	movq	16(%rsi), %rsi
	addl	$-63, %eax
	addq	%r10, %r10
	subq	%r10, %r8
	#APP
	#NO_APP
	addq	%r9, %r9
	subq	%r9, %rsi
	#APP
	#NO_APP
	movl	%edx, %r9d
	shll	$6, %r9d
	addl	%r9d, %ecx
	vpbroadcastw	.LCPI2_1(%rip), %ymm0
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%ecx, %eax
	movl	%ecx, %r9d
	cmovll	%eax, %r9d
	movslq	%r9d, %r9
	vpmulhuw	(%r8,%r9,2), %ymm0, %ymm1
	vpmulhuw	32(%r8,%r9,2), %ymm0, %ymm2
	vpmulhuw	64(%r8,%r9,2), %ymm0, %ymm3
	vpmulhuw	96(%r8,%r9,2), %ymm0, %ymm4
	vpsrlw	$1, %ymm1, %ymm1
	vpsrlw	$1, %ymm2, %ymm2
	vpsrlw	$1, %ymm3, %ymm3
	vpsrlw	$1, %ymm4, %ymm4
	vmovdqu	%ymm4, 96(%rsi,%r9,2)
	vmovdqu	%ymm3, 64(%rsi,%r9,2)
	vmovdqu	%ymm2, 32(%rsi,%r9,2)
	vmovdqu	%ymm1, (%rsi,%r9,2)
	incq	%rdx
	addl	$64, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	high_bits_constant.work.1, .Lfunc_end2-high_bits_constant.work.1

	.globl	high_bits_constant_argv
	.p2align	4, 0x90
	.type	high_bits_constant_argv,@function
high_bits_constant_argv:
.Lhigh_bits_constant_argv$local:
	.type	.Lhigh_bits_constant_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lhigh_bits_constant$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	high_bits_constant_argv, .Lfunc_end3-high_bits_constant_argv
	.size	.Lhigh_bits_constant_argv$local, .Lfunc_end3-high_bits_constant_argv

	.globl	high_bits_constant_metadata
	.p2align	4, 0x90
	.type	high_bits_constant_metadata,@function
high_bits_constant_metadata:
.Lhigh_bits_constant_metadata$local:
	.type	.Lhigh_bits_constant_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	high_bits_constant_metadata, .Lfunc_end4-high_bits_constant_metadata
	.size	.Lhigh_bits_constant_metadata$local, .Lfunc_end4-high_bits_constant_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"a"
	.size	.Lname, 2

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"high_bits_constant"
	.size	.Lname.1, 19

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	69633
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	2
	.long	1
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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2"
	.size	.Lname.2, 55

	.type	.Lname.3,@object
.Lname.3:
	.asciz	"high_bits_constant"
	.size	.Lname.3, 19

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
