	.text
	.file	"interleaved"
	.globl	interleaved
	.p2align	4, 0x90
	.type	interleaved,@function
interleaved:
.Linterleaved$local:
	.type	.Linterleaved$local,@function
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
	movq	16(%rdi), %rdx
	movq	16(%rsi), %r8
	movq	%rdx, (%rsp)
	movq	%rdi, 8(%rsp)
	movq	%r8, 16(%rsp)
	movq	%rsi, 24(%rsp)
	movl	%ecx, 32(%rsp)
	movl	%eax, 36(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	interleaved.work.0
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
	.size	interleaved, .Lfunc_end0-interleaved
	.size	.Linterleaved$local, .Lfunc_end0-interleaved

	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0
.LCPI1_0:
	.byte	0
	.byte	11
	.byte	6
	.byte	1
	.byte	12
	.byte	7
	.byte	2
	.byte	13
	.byte	8
	.byte	3
	.byte	14
	.byte	9
	.byte	4
	.byte	15
	.byte	10
	.byte	5
	.text
	.p2align	4, 0x90
	.type	interleaved.work.0,@function
interleaved.work.0:
	movl	32(%rsi), %eax
	movslq	36(%rsi), %r8
	subl	%r8d, %eax
	sarl	$4, %eax
	js	.LBB1_4
	pushq	%rbx
	incl	%eax
	cltq
	movq	24(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r9
	movq	(%rsi), %r10
	movq	8(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r11
	movslq	16(%rcx), %rdi
	movslq	24(%rcx), %rbx
	leaq	(%rbx,%r8), %rcx
	movl	$2, %edx
	subq	%rdi, %rdx
	imulq	%rbx, %rdx
	imulq	%rdi, %rbx
	addq	%r11, %rbx
	movq	%r8, %rdi
	subq	%rbx, %rdi
	addq	%r10, %rdi
	#APP
	#NO_APP
	subq	%rbx, %rcx
	addq	%r10, %rcx
	#APP
	#NO_APP
	addq	%r8, %rdx
	subq	%r11, %rdx
	addq	%r10, %rdx
	#APP
	#NO_APP
	leaq	(%r8,%r8,2), %r8
	leaq	(%r9,%r9,2), %r9
	addq	16(%rsi), %r8
	subq	%r9, %r8
	#APP
	#NO_APP
	xorl	%esi, %esi
	vmovdqa	.LCPI1_0(%rip), %xmm0
	xorl	%r9d, %r9d
	.p2align	4, 0x90
.LBB1_2:
	vmovdqu	(%rdi,%rsi), %xmm1
	vmovdqu	(%rcx,%rsi), %xmm2
	vmovdqu	(%rdx,%rsi), %xmm3
	vpalignr	$6, %xmm1, %xmm1, %xmm1
	vpalignr	$11, %xmm2, %xmm2, %xmm4
	vpalignr	$5, %xmm1, %xmm3, %xmm5
	vpalignr	$5, %xmm4, %xmm1, %xmm1
	vpalignr	$5, %xmm3, %xmm4, %xmm3
	vpalignr	$5, %xmm5, %xmm2, %xmm2
	vpshufb	%xmm0, %xmm2, %xmm2
	vpalignr	$5, %xmm1, %xmm3, %xmm1
	vpshufb	%xmm0, %xmm1, %xmm1
	vpalignr	$5, %xmm3, %xmm5, %xmm3
	vpshufb	%xmm0, %xmm3, %xmm3
	vinserti32x4	$1, %xmm1, %zmm2, %zmm1
	vmovdqu	%xmm3, 32(%r8)
	vmovdqu	%ymm1, (%r8)
	incq	%r9
	addq	$16, %rsi
	addq	$48, %r8
	cmpq	%rax, %r9
	jl	.LBB1_2
	popq	%rbx
.LBB1_4:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	interleaved.work.0, .Lfunc_end1-interleaved.work.0

	.globl	interleaved_argv
	.p2align	4, 0x90
	.type	interleaved_argv,@function
interleaved_argv:
.Linterleaved_argv$local:
	.type	.Linterleaved_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Linterleaved$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	interleaved_argv, .Lfunc_end2-interleaved_argv
	.size	.Linterleaved_argv$local, .Lfunc_end2-interleaved_argv

	.globl	interleaved_metadata
	.p2align	4, 0x90
	.type	interleaved_metadata,@function
interleaved_metadata:
.Linterleaved_metadata$local:
	.type	.Linterleaved_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	interleaved_metadata, .Lfunc_end3-interleaved_metadata
	.size	.Linterleaved_metadata$local, .Lfunc_end3-interleaved_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"interleaved"
	.size	.Lname.1, 12

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	2
	.long	67585
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	2
	.long	2
	.long	67585
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
	.asciz	"interleaved"
	.size	.Lname.3, 12

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
