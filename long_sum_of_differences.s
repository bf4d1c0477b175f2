	.text
	.file	"long_sum_of_differences"
	.globl	long_sum_of_differences
	.p2align	4, 0x90
	.type	long_sum_of_differences,@function
long_sum_of_differences:
.Llong_sum_of_differences$local:
	.type	.Llong_sum_of_differences$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$192, %rsp
	movq	%rdx, %rbx
	movq	%rsi, %r14
	movq	%rdi, %r15
	movq	16(%rbx), %r12
	movq	%r12, (%rsp)
	movq	%rbx, 8(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	long_sum_of_differences.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	16(%r15), %rax
	movq	16(%r14), %rcx
	movq	%rax, 64(%rsp)
	movq	%r15, 72(%rsp)
	movq	%rcx, 80(%rsp)
	movq	%r14, 88(%rsp)
	movq	%r12, 96(%rsp)
	movq	%rbx, 104(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	long_sum_of_differences.work.1
	cmpl	$0, %eax
	jne	.LBB0_6
	xorl	%eax, %eax
	jmp	.LBB0_4
.LBB0_4:
	leaq	-32(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_5:
	jmp	.LBB0_4
.LBB0_6:
	jmp	.LBB0_4
.Lfunc_end0:
	.size	long_sum_of_differences, .Lfunc_end0-long_sum_of_differences
	.size	.Llong_sum_of_differences$local, .Lfunc_end0-long_sum_of_differences

	.p2align	4, 0x90
	.type	long_sum_of_differences.work.0,@function
long_sum_of_differences.work.0:
	movq	(%rsi), %rax
	movq	$0, (%rax)
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	long_sum_of_differences.work.0, .Lfunc_end1-long_sum_of_differences.work.0

	.p2align	4, 0x90
	.type	long_sum_of_differences.work.1,@function
long_sum_of_differences.work.1:
	movq	(%rsi), %rax
	movq	8(%rsi), %rcx
	movq	16(%rsi), %rdx
	movq	24(%rsi), %rdi
	movq	32(%rsi), %rsi
	movq	40(%rcx), %rcx
	movslq	(%rcx), %rcx
	subq	%rcx, %rax
	movq	40(%rdi), %rcx
	movslq	(%rcx), %rcx
	subq	%rcx, %rdx
	vmovdqu	(%rax), %ymm0
	vmovdqu	32(%rax), %ymm1
	vpsadbw	(%rdx), %ymm0, %ymm0
	vpsadbw	32(%rdx), %ymm1, %ymm1
	vpunpckhqdq	%ymm1, %ymm0, %ymm2
	vpermq	$216, %ymm2, %ymm2
	vpunpcklqdq	%ymm1, %ymm0, %ymm0
	vpermq	$216, %ymm0, %ymm0
	vpaddq	%ymm2, %ymm0, %ymm0
	vpermq	$232, %ymm0, %ymm1
	vpermq	$237, %ymm0, %ymm0
	vpaddq	%xmm0, %xmm1, %xmm0
	vpextrq	$1, %xmm0, %rax
	vmovq	%xmm0, %rcx
	addq	%rax, %rcx
	addq	%rcx, (%rsi)
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	long_sum_of_differences.work.1, .Lfunc_end2-long_sum_of_differences.work.1

	.globl	long_sum_of_differences_argv
	.p2align	4, 0x90
	.type	long_sum_of_differences_argv,@function
long_sum_of_differences_argv:
.Llong_sum_of_differences_argv$local:
	.type	.Llong_sum_of_differences_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Llong_sum_of_differences$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	long_sum_of_differences_argv, .Lfunc_end3-long_sum_of_differences_argv
	.size	.Llong_sum_of_differences_argv$local, .Lfunc_end3-long_sum_of_differences_argv

	.globl	long_sum_of_differences_metadata
	.p2align	4, 0x90
	.type	long_sum_of_differences_metadata,@function
long_sum_of_differences_metadata:
.Llong_sum_of_differences_metadata$local:
	.type	.Llong_sum_of_differences_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	long_sum_of_differences_metadata, .Lfunc_end4-long_sum_of_differences_metadata
	.size	.Llong_sum_of_differences_metadata$local, .Lfunc_end4-long_sum_of_differences_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"a"
	.size	.Lname, 2

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"b"
	.size	.Lname.1, 2

	.type	.Lname.2,@object
.Lname.2:
	.asciz	"long_sum_of_differences"
	.size	.Lname.2, 24

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	67585
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	1
	.long	1
	.long	67585
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.2
	.long	2
	.long	0
	.long	81920
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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2"
	.size	.Lname.3, 55

	.type	.Lname.4,@object
.Lname.4:
	.asciz	"long_sum_of_differences"
	.size	.Lname.4, 24

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
