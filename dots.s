	.text
	.file	"dots"
	.globl	dots
	.p2align	4, 0x90
	.type	dots,@function
dots:
.Ldots$local:
	.type	.Ldots$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$192, %rsp
	movq	%rdx, %r14
	movq	%rsi, %rbx
	movq	%rdi, %r15
	movq	16(%r14), %r12
	movq	%r12, (%rsp)
	movq	%r14, 8(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	dots.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	16(%r15), %rax
	movq	16(%rbx), %rcx
	movq	%rax, 64(%rsp)
	movq	%r15, 72(%rsp)
	movq	%r12, 80(%rsp)
	movq	%r14, 88(%rsp)
	movq	%rcx, 96(%rsp)
	movq	%rbx, 104(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	dots.work.1
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
	.size	dots, .Lfunc_end0-dots
	.size	.Ldots$local, .Lfunc_end0-dots

	.p2align	4, 0x90
	.type	dots.work.0,@function
dots.work.0:
	movq	(%rsi), %rax
	movl	$0, (%rax)
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	dots.work.0, .Lfunc_end1-dots.work.0

	.p2align	4, 0x90
	.type	dots.work.1,@function
dots.work.1:
	movq	8(%rsi), %rdi
	movq	(%rsi), %rcx
	movq	16(%rsi), %rax
	movq	32(%rsi), %rdx
	movq	40(%rsi), %rsi
	vpxor	%xmm0, %xmm0, %xmm0
	movq	40(%rsi), %rsi
	movq	40(%rdi), %rdi
	movslq	(%rsi), %rsi
	movslq	(%rdi), %rdi
	subq	%rsi, %rdx
	movq	$-1, %rsi
	subq	%rdi, %rcx
	#APP
	#NO_APP
	#APP
	#NO_APP
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB2_1:
	vmovdqu64	(%rcx,%rdi), %zmm1
	incq	%rsi
	vpdpbusd	(%rdx,%rdi), %zmm1, %zmm0
	addq	$64, %rdi
	cmpq	$15, %rsi
	jb	.LBB2_1
	vextracti64x4	$1, %zmm0, %ymm1
	vphaddd	%ymm1, %ymm0, %ymm0
	vextracti128	$1, %ymm0, %xmm1
	vphaddd	%xmm1, %xmm0, %xmm0
	vpshufd	$216, %xmm0, %xmm0
	vphaddd	%xmm0, %xmm0, %xmm0
	vpextrd	$1, %xmm0, %ecx
	vmovd	%xmm0, %edx
	addl	%ecx, %edx
	addl	%edx, (%rax)
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	dots.work.1, .Lfunc_end2-dots.work.1

	.globl	dots_argv
	.p2align	4, 0x90
	.type	dots_argv,@function
dots_argv:
.Ldots_argv$local:
	.type	.Ldots_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Ldots$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	dots_argv, .Lfunc_end3-dots_argv
	.size	.Ldots_argv$local, .Lfunc_end3-dots_argv

	.globl	dots_metadata
	.p2align	4, 0x90
	.type	dots_metadata,@function
dots_metadata:
.Ldots_metadata$local:
	.type	.Ldots_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	dots_metadata, .Lfunc_end4-dots_metadata
	.size	.Ldots_metadata$local, .Lfunc_end4-dots_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"bytes"
	.size	.Lname, 6

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"weights"
	.size	.Lname.1, 8

	.type	.Lname.2,@object
.Lname.2:
	.asciz	"dots"
	.size	.Lname.2, 5

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
	.long	67584
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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4"
	.size	.Lname.3, 116

	.type	.Lname.4,@object
.Lname.4:
	.asciz	"dots"
	.size	.Lname.4, 5

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
