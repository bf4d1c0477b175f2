	.text
	.file	"short_sum_of_differences"
	.globl	short_sum_of_differences
	.p2align	4, 0x90
	.type	short_sum_of_differences,@function
short_sum_of_differences:
.Lshort_sum_of_differences$local:
	.type	.Lshort_sum_of_differences$local,@function
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
	callq	short_sum_of_differences.work.0
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
	callq	short_sum_of_differences.work.1
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
	.size	short_sum_of_differences, .Lfunc_end0-short_sum_of_differences
	.size	.Lshort_sum_of_differences$local, .Lfunc_end0-short_sum_of_differences

	.p2align	4, 0x90
	.type	short_sum_of_differences.work.0,@function
short_sum_of_differences.work.0:
	movq	(%rsi), %rax
	movw	$0, (%rax)
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	short_sum_of_differences.work.0, .Lfunc_end1-short_sum_of_differences.work.0

	.p2align	4, 0x90
	.type	short_sum_of_differences.work.1,@function
short_sum_of_differences.work.1:
	movq	(%rsi), %rcx
	movq	8(%rsi), %rdx
	movq	16(%rsi), %rdi
	movq	24(%rsi), %r8
	movq	32(%rsi), %rax
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rdx
	subq	%rdx, %rcx
	movq	40(%r8), %rdx
	movslq	(%rdx), %rdx
	subq	%rdx, %rdi
	vmovdqu	(%rcx), %ymm0
	vmovdqu	32(%rcx), %ymm1
	vpsadbw	(%rdi), %ymm0, %ymm0
	vpsadbw	32(%rdi), %ymm1, %ymm1
	vextracti128	$1, %ymm0, %xmm2
	vpunpckhwd	%xmm2, %xmm0, %xmm3
	vextracti128	$1, %ymm1, %xmm4
	vpunpckhwd	%xmm4, %xmm1, %xmm5
	vpbroadcastd	%xmm5, %xmm5
	vpblendd	$2, %xmm5, %xmm3, %xmm3
	vpunpcklwd	%xmm2, %xmm0, %xmm0
	vpunpcklwd	%xmm4, %xmm1, %xmm1
	vpbroadcastd	%xmm1, %xmm1
	vpblendd	$2, %xmm1, %xmm0, %xmm0
	vpaddw	%xmm3, %xmm0, %xmm0
	vphaddw	%xmm0, %xmm0, %xmm0
	vpextrw	$1, %xmm0, %ecx
	vmovd	%xmm0, %edx
	addl	%ecx, %edx
	addw	%dx, (%rax)
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	short_sum_of_differences.work.1, .Lfunc_end2-short_sum_of_differences.work.1

	.globl	short_sum_of_differences_argv
	.p2align	4, 0x90
	.type	short_sum_of_differences_argv,@function
short_sum_of_differences_argv:
.Lshort_sum_of_differences_argv$local:
	.type	.Lshort_sum_of_differences_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Lshort_sum_of_differences$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	short_sum_of_differences_argv, .Lfunc_end3-short_sum_of_differences_argv
	.size	.Lshort_sum_of_differences_argv$local, .Lfunc_end3-short_sum_of_differences_argv

	.globl	short_sum_of_differences_metadata
	.p2align	4, 0x90
	.type	short_sum_of_differences_metadata,@function
short_sum_of_differences_metadata:
.Lshort_sum_of_differences_metadata$local:
	.type	.Lshort_sum_of_differences_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	short_sum_of_differences_metadata, .Lfunc_end4-short_sum_of_differences_metadata
	.size	.Lshort_sum_of_differences_metadata$local, .Lfunc_end4-short_sum_of_differences_metadata

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
	.asciz	"short_sum_of_differences"
	.size	.Lname.2, 25

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
	.long	69633
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
	.asciz	"short_sum_of_differences"
	.size	.Lname.4, 25

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
