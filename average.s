	.text
	.file	"average"
	.globl	average
	.p2align	4, 0x90
	.type	average,@function
average:
.Laverage$local:
	.type	.Laverage$local,@function
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
	movl	4(%rax), %r12d
	addl	%r15d, %r12d
	addl	$-1, %r12d
	movl	%r12d, %eax
	subl	%r15d, %eax
	movl	%eax, %ecx
	sarl	$4, %ecx
	addl	$1, %ecx
	addl	$1, %eax
	sarl	$4, %eax
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
	callq	average.work.0
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
	callq	average.work.1
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
	.size	average, .Lfunc_end0-average
	.size	.Laverage$local, .Lfunc_end0-average

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
	.type	average.work.0,@function
average.work.0:
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
	addq	%rdx, %rdx
	addq	24(%rsi), %rdx
	#APP
	#NO_APP
	subq	%rdi, %rcx
	addq	%rcx, %rcx
	addq	(%rsi), %rcx
	#APP
	#NO_APP
	xorl	%esi, %esi
	vpbroadcastw	.LCPI1_1(%rip), %ymm0
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB1_2:
	vmovdqu	(%rdx,%rsi), %ymm1
	vpaddw	2(%rdx,%rsi), %ymm1, %ymm1
	vpaddw	4(%rdx,%rsi), %ymm1, %ymm1
	vpmulhuw	%ymm0, %ymm1, %ymm1
	vpsrlw	$1, %ymm1, %ymm1
	vmovdqu	%ymm1, (%rcx,%rsi)
	incq	%rdi
	addq	$32, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	average.work.0, .Lfunc_end1-average.work.0

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
	.type	average.work.1,@function
average.work.1:
	movl	16(%rsi), %eax
	movl	20(%rsi), %ecx
	movslq	24(%rsi), %rdx
	movl	%eax, %edi
	subl	%ecx, %edi
	sarl	$4, %edi
	subl	%edx, %edi
	cmpl	$2147483646, %edi
	ja	.LBB2_3
	incl	%edi
	movslq	%edi, %rdi
	addq	%rdx, %rdi
	movq	(%rsi), %r8
	movq	8(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	movq	40(%rsi), %r10
	movq	40(%r10), %r10
	movslq	(%r10), %r10
	movq	32(%rsi), %rsi
	addl	$-15, %eax
	addq	%r10, %r10
	subq	%r10, %rsi
	#APP
	#NO_APP
	addq	%r9, %r9
	subq	%r9, %r8
	#APP
	#NO_APP
	movl	%edx, %r9d
	shll	$4, %r9d
	addl	%r9d, %ecx
	vpbroadcastw	.LCPI2_1(%rip), %ymm0
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%ecx, %eax
	movl	%ecx, %r9d
	cmovll	%eax, %r9d
	movslq	%r9d, %r9
	vmovdqu	(%rsi,%r9,2), %ymm1
	vpaddw	2(%rsi,%r9,2), %ymm1, %ymm1
	vpaddw	4(%rsi,%r9,2), %ymm1, %ymm1
	vpmulhuw	%ymm0, %ymm1, %ymm1
	vpsrlw	$1, %ymm1, %ymm1
	vmovdqu	%ymm1, (%r8,%r9,2)
	incq	%rdx
	addl	$16, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	average.work.1, .Lfunc_end2-average.work.1

	.globl	average_argv
	.p2align	4, 0x90
	.type	average_argv,@function
average_argv:
.Laverage_argv$local:
	.type	.Laverage_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Laverage$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	average_argv, .Lfunc_end3-average_argv
	.size	.Laverage_argv$local, .Lfunc_end3-average_argv

	.globl	average_metadata
	.p2align	4, 0x90
	.type	average_metadata,@function
average_metadata:
.Laverage_metadata$local:
	.type	.Laverage_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	average_metadata, .Lfunc_end4-average_metadata
	.size	.Laverage_metadata$local, .Lfunc_end4-average_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"average"
	.size	.Lname.1, 8

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
	.asciz	"average"
	.size	.Lname.3, 8

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
