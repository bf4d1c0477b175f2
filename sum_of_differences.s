	.text
	.file	"sum_of_differences"
	.globl	sum_of_differences
	.p2align	4, 0x90
	.type	sum_of_differences,@function
sum_of_differences:
.Lsum_of_differences$local:
	.type	.Lsum_of_differences$local,@function
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
	callq	sum_of_differences.work.0
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
	callq	sum_of_differences.work.1
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
	.size	sum_of_differences, .Lfunc_end0-sum_of_differences
	.size	.Lsum_of_differences$local, .Lfunc_end0-sum_of_differences

	.p2align	4, 0x90
	.type	sum_of_differences.work.0,@function
sum_of_differences.work.0:
	movq	(%rsi), %rax
	movl	$0, (%rax)
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	sum_of_differences.work.0, .Lfunc_end1-sum_of_differences.work.0

	.p2align	4, 0x90
	.type	sum_of_differences.work.1,@function
sum_of_differences.work.1:
	movq	(%rsi), %rcx
	movq	8(%rsi), %rdi
	movq	16(%rsi), %rdx
	movq	24(%rsi), %r8
	movq	32(%rsi), %rax
	movq	40(%r8), %rsi
	movslq	(%rsi), %rsi
	subq	%rsi, %rdx
	movq	40(%rdi), %rsi
	movslq	(%rsi), %rsi
	subq	%rsi, %rcx
	#APP
	#NO_APP
	#APP
	#NO_APP
	vpxor	%xmm0, %xmm0, %xmm0
	movq	$-1, %rsi
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB2_1:
	vmovdqu	(%rdx,%rdi), %ymm1
	vmovdqu	32(%rdx,%rdi), %ymm2
	vpsadbw	(%rcx,%rdi), %ymm1, %ymm1
	vpsadbw	32(%rcx,%rdi), %ymm2, %ymm2
	vpackusdw	%ymm2, %ymm1, %ymm1
	vpermq	$216, %ymm1, %ymm1
	vpaddd	%ymm1, %ymm0, %ymm0
	incq	%rsi
	addq	$64, %rdi
	cmpq	$15, %rsi
	jb	.LBB2_1
	vextracti128	$1, %ymm0, %xmm1
	vphaddd	%xmm1, %xmm0, %xmm0
	vphaddd	%xmm0, %xmm0, %xmm0
	vpextrd	$1, %xmm0, %ecx
	vmovd	%xmm0, %edx
	addl	%ecx, %edx
	addl	%edx, (%rax)
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	sum_of_differences.work.1, .Lfunc_end2-sum_of_differences.work.1

	.globl	sum_of_differences_argv
	.p2align	4, 0x90
	.type	sum_of_differences_argv,@function
sum_of_differences_argv:
.Lsum_of_differences_argv$local:
	.type	.Lsum_of_differences_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Lsum_of_differences$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	sum_of_differences_argv, .Lfunc_end3-sum_of_differences_argv
	.size	.Lsum_of_differences_argv$local, .Lfunc_end3-sum_of_differences_argv

	.globl	sum_of_differences_metadata
	.p2align	4, 0x90
	.type	sum_of_differences_metadata,@function
sum_of_differences_metadata:
.Lsum_of_differences_metadata$local:
	.type	.Lsum_of_differences_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	sum_of_differences_metadata, .Lfunc_end4-sum_of_differences_metadata
	.size	.Lsum_of_differences_metadata$local, .Lfunc_end4-sum_of_differences_metadata

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
	.asciz	"sum_of_differences"
	.size	.Lname.2, 19

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
	.long	73728
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
	.asciz	"sum_of_differences"
	.size	.Lname.4, 19

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
