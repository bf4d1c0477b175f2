	.text
	.file	"sum_of_bytes"
	.globl	sum_of_bytes
	.p2align	4, 0x90
	.type	sum_of_bytes,@function
sum_of_bytes:
.Lsum_of_bytes$local:
	.type	.Lsum_of_bytes$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	andq	$-64, %rsp
	subq	$192, %rsp
	movq	%rsi, %rbx
	movq	%rdi, %r14
	movq	16(%rbx), %r15
	movq	%r15, (%rsp)
	movq	%rbx, 8(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	sum_of_bytes.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	16(%r14), %rax
	movq	%rax, 64(%rsp)
	movq	%r14, 72(%rsp)
	movq	%r15, 80(%rsp)
	movq	%rbx, 88(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	sum_of_bytes.work.1
	cmpl	$0, %eax
	jne	.LBB0_6
	xorl	%eax, %eax
	jmp	.LBB0_4
.LBB0_4:
	leaq	-24(%rbp), %rsp
	popq	%rbx
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_5:
	jmp	.LBB0_4
.LBB0_6:
	jmp	.LBB0_4
.Lfunc_end0:
	.size	sum_of_bytes, .Lfunc_end0-sum_of_bytes
	.size	.Lsum_of_bytes$local, .Lfunc_end0-sum_of_bytes

	.p2align	4, 0x90
	.type	sum_of_bytes.work.0,@function
sum_of_bytes.work.0:
	movq	(%rsi), %rax
	movl	$0, (%rax)
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	sum_of_bytes.work.0, .Lfunc_end1-sum_of_bytes.work.0

	.p2align	4, 0x90
	.type	sum_of_bytes.work.1,@function
sum_of_bytes.work.1:
	movq	(%rsi), %rcx
	movq	8(%rsi), %rdx
	movq	16(%rsi), %rax
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rdx
	subq	%rdx, %rcx
	#APP
	#NO_APP
	vpxor	%xmm0, %xmm0, %xmm0
	movq	$-1, %rdx
	vpxor	%xmm1, %xmm1, %xmm1
	.p2align	4, 0x90
.LBB2_1:
	vpsadbw	(%rcx), %ymm0, %ymm2
	vpsadbw	32(%rcx), %ymm0, %ymm3
	vpackusdw	%ymm3, %ymm2, %ymm2
	vpermq	$216, %ymm2, %ymm2
	vpaddd	%ymm2, %ymm1, %ymm1
	incq	%rdx
	addq	$64, %rcx
	cmpq	$15, %rdx
	jb	.LBB2_1
	vextracti128	$1, %ymm1, %xmm0
	vphaddd	%xmm0, %xmm1, %xmm0
	vphaddd	%xmm0, %xmm0, %xmm0
	vpextrd	$1, %xmm0, %ecx
	vmovd	%xmm0, %edx
	addl	%ecx, %edx
	addl	%edx, (%rax)
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	sum_of_bytes.work.1, .Lfunc_end2-sum_of_bytes.work.1

	.globl	sum_of_bytes_argv
	.p2align	4, 0x90
	.type	sum_of_bytes_argv,@function
sum_of_bytes_argv:
.Lsum_of_bytes_argv$local:
	.type	.Lsum_of_bytes_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lsum_of_bytes$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	sum_of_bytes_argv, .Lfunc_end3-sum_of_bytes_argv
	.size	.Lsum_of_bytes_argv$local, .Lfunc_end3-sum_of_bytes_argv

	.globl	sum_of_bytes_metadata
	.p2align	4, 0x90
	.type	sum_of_bytes_metadata,@function
sum_of_bytes_metadata:
.Lsum_of_bytes_metadata$local:
	.type	.Lsum_of_bytes_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	sum_of_bytes_metadata, .Lfunc_end4-sum_of_bytes_metadata
	.size	.Lsum_of_bytes_metadata$local, .Lfunc_end4-sum_of_bytes_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"a"
	.size	.Lname, 2

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"sum_of_bytes"
	.size	.Lname.1, 13

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
	.long	2
	.long	0
	.long	73728
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
	.asciz	"sum_of_bytes"
	.size	.Lname.3, 13

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
