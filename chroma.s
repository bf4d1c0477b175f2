	.text
	.file	"chroma"
	.globl	chroma
	.p2align	4, 0x90
	.type	chroma,@function
chroma:
.Lchroma$local:
	.type	.Lchroma$local,@function
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
	sarl	$5, %eax
	testl	%eax, %eax
	movl	$-1, %r13d
	cmovnsl	%eax, %r13d
	addl	$1, %r13d
	sarl	%r13d
	movq	16(%r14), %rbx
	movq	16(%rdi), %rax
	movq	%rbx, 64(%rsp)
	movq	%r14, 72(%rsp)
	movl	%r15d, 80(%rsp)
	movl	%r13d, 84(%rsp)
	movq	%rax, 48(%rsp)
	movq	%rax, 88(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rdi, 96(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	chroma.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	%rbx, 128(%rsp)
	movq	%r14, 136(%rsp)
	movl	%r12d, 144(%rsp)
	movl	%r15d, 148(%rsp)
	movl	%r13d, 152(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 160(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 168(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	chroma.work.1
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
	.size	chroma, .Lfunc_end0-chroma
	.size	.Lchroma$local, .Lfunc_end0-chroma

	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI1_0:
	.byte	3
	.byte	7
	.byte	11
	.byte	15
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.byte	3
	.byte	7
	.byte	11
	.byte	15
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
.LCPI1_1:
	.byte	0
	.byte	4
	.byte	8
	.byte	12
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.byte	0
	.byte	4
	.byte	8
	.byte	12
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
.LCPI1_2:
	.quad	0
	.quad	2
	.quad	4
	.quad	6
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_3:
	.byte	3
	.byte	7
	.byte	11
	.byte	15
.LCPI1_4:
	.byte	0
	.byte	4
	.byte	8
	.byte	12
.LCPI1_5:
	.byte	0
	.byte	2
	.byte	4
	.byte	6
	.text
	.p2align	4, 0x90
	.type	chroma.work.0,@function
chroma.work.0:
	movslq	20(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movl	16(%rsi), %ecx
	movslq	%ecx, %rdx
	movq	8(%rsi), %r8
	movq	24(%rsi), %rdi
	movq	40(%r8), %r8
	movslq	(%r8), %r8
	subq	%r8, %rdx
	movq	32(%rsi), %r8
	movq	40(%r8), %r8
	movslq	(%r8), %r8
	subq	%r8, %rdi
	#APP
	#NO_APP
	addq	(%rsi), %rdx
	#APP
	#NO_APP
	xorl	%esi, %esi
	vpbroadcastd	.LCPI1_3(%rip), %ymm0
	vpbroadcastd	.LCPI1_4(%rip), %ymm1
	vpmovsxbq	.LCPI1_5(%rip), %ymm2
	.p2align	4, 0x90
.LBB1_2:
	movl	%ecx, %r8d
	sarl	%r8d
	movslq	%r8d, %r8
	vmovdqu	65(%rdi,%r8,4), %ymm3
	vmovdqu	94(%rdi,%r8,4), %ymm4
	leal	1(%rcx), %r9d
	sarl	%r9d
	movslq	%r9d, %r9
	vmovdqu	65(%rdi,%r9,4), %ymm5
	vmovdqu	94(%rdi,%r9,4), %ymm6
	vpshufb	%ymm0, %ymm4, %ymm4
	vpshufb	%ymm0, %ymm6, %ymm6
	vpunpcklbw	%ymm6, %ymm4, %ymm4
	vpshufb	%ymm1, %ymm3, %ymm3
	vpshufb	%ymm1, %ymm5, %ymm5
	vpunpcklbw	%ymm5, %ymm3, %ymm3
	vpermt2q	%ymm4, %ymm2, %ymm3
	vmovdqu	1(%rdi,%r8,4), %ymm4
	vmovdqu	3(%rdi,%r8,4), %ymm5
	vmovdqu	33(%rdi,%r8,4), %ymm6
	vmovdqu	35(%rdi,%r8,4), %ymm7
	vmovdqu	1(%rdi,%r9,4), %ymm8
	vmovdqu	3(%rdi,%r9,4), %ymm9
	vpshufb	%ymm1, %ymm6, %ymm6
	vmovdqu	33(%rdi,%r9,4), %ymm10
	vmovdqu	35(%rdi,%r9,4), %ymm11
	vpshufb	%ymm1, %ymm10, %ymm10
	vpunpcklbw	%ymm10, %ymm6, %ymm6
	vpshufb	%ymm1, %ymm4, %ymm4
	vpshufb	%ymm1, %ymm8, %ymm8
	vpunpcklbw	%ymm8, %ymm4, %ymm4
	vpermt2q	%ymm6, %ymm2, %ymm4
	vshufi64x2	$68, %zmm3, %zmm4, %zmm3
	vmovdqu	67(%rdi,%r8,4), %ymm4
	vmovdqu	96(%rdi,%r8,4), %ymm6
	vmovdqu	67(%rdi,%r9,4), %ymm8
	vmovdqu	96(%rdi,%r9,4), %ymm10
	vpshufb	%ymm0, %ymm6, %ymm6
	vpshufb	%ymm0, %ymm10, %ymm10
	vpunpcklbw	%ymm10, %ymm6, %ymm6
	vpshufb	%ymm1, %ymm4, %ymm4
	vpshufb	%ymm1, %ymm8, %ymm8
	vpunpcklbw	%ymm8, %ymm4, %ymm4
	vpermt2q	%ymm6, %ymm2, %ymm4
	vpshufb	%ymm1, %ymm7, %ymm6
	vpshufb	%ymm1, %ymm11, %ymm7
	vpunpcklbw	%ymm7, %ymm6, %ymm6
	vpshufb	%ymm1, %ymm5, %ymm5
	vpshufb	%ymm1, %ymm9, %ymm7
	vpunpcklbw	%ymm7, %ymm5, %ymm5
	vpermt2q	%ymm6, %ymm2, %ymm5
	vshufi64x2	$68, %zmm4, %zmm5, %zmm4
	vpaddb	%zmm4, %zmm3, %zmm3
	vmovdqu64	%zmm3, (%rdx)
	incq	%rsi
	addq	$64, %rdx
	addl	$64, %ecx
	cmpq	%rax, %rsi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	chroma.work.0, .Lfunc_end1-chroma.work.0

	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0
.LCPI2_0:
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.byte	0
	.byte	4
	.byte	8
	.byte	12
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
.LCPI2_1:
	.byte	0
	.byte	4
	.byte	8
	.byte	12
	.byte	3
	.byte	7
	.byte	11
	.byte	15
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
.LCPI2_3:
	.byte	0
	.byte	4
	.byte	8
	.byte	12
	.byte	3
	.byte	7
	.byte	11
	.byte	15
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI2_2:
	.byte	0
	.byte	4
	.byte	8
	.byte	12
	.text
	.p2align	4, 0x90
	.type	chroma.work.1,@function
chroma.work.1:
	movslq	20(%rsi), %r8
	movl	16(%rsi), %edi
	movl	24(%rsi), %eax
	leal	(%rax,%rax), %ecx
	subl	%r8d, %edi
	sarl	$5, %edi
	movl	$-1, %edx
	cmovnsl	%edi, %edx
	subl	%ecx, %edx
	cmpl	$2147483646, %edx
	ja	.LBB2_3
	movslq	%ecx, %rcx
	incl	%edx
	movslq	%edx, %rdx
	addq	%rcx, %rdx
	movq	8(%rsi), %r9
	movq	32(%rsi), %rdi
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	movq	40(%rsi), %r10
	movq	40(%r10), %r10
	movslq	(%r10), %r10
	subq	%r10, %rdi
	#APP
	#NO_APP
	movq	%r8, %r10
	subq	%r9, %r10
	addq	(%rsi), %r10
	#APP
	#NO_APP
	movq	%rcx, %rsi
	shlq	$5, %rsi
	addq	%r10, %rsi
	shll	$6, %eax
	addl	%r8d, %eax
	vpbroadcastd	.LCPI2_2(%rip), %xmm0
	vmovq	.LCPI2_3(%rip), %xmm1
	.p2align	4, 0x90
.LBB2_2:
	movl	%eax, %r8d
	sarl	%r8d
	movslq	%r8d, %r8
	vmovdqu	33(%rdi,%r8,4), %xmm2
	vmovdqu	46(%rdi,%r8,4), %xmm3
	leal	1(%rax), %r9d
	sarl	%r9d
	vmovdqu	1(%rdi,%r8,4), %xmm4
	vmovdqu	3(%rdi,%r8,4), %xmm5
	vmovdqu	17(%rdi,%r8,4), %xmm6
	vmovdqu	19(%rdi,%r8,4), %xmm7
	movslq	%r9d, %r9
	vpshufb	%xmm0, %xmm6, %xmm6
	vmovdqu	1(%rdi,%r9,4), %xmm8
	vmovdqu	3(%rdi,%r9,4), %xmm9
	vmovdqu	17(%rdi,%r9,4), %xmm10
	vmovdqu	19(%rdi,%r9,4), %xmm11
	vpshufb	%xmm0, %xmm10, %xmm10
	vpunpcklbw	%xmm10, %xmm6, %xmm6
	vpmovdb	%xmm4, %xmm4
	vpmovdb	%xmm8, %xmm8
	vpunpcklbw	%xmm8, %xmm4, %xmm4
	vpblendd	$12, %xmm6, %xmm4, %xmm4
	vinserti128	$1, 46(%rdi,%r9,4), %ymm3, %ymm3
	vinserti128	$1, 33(%rdi,%r9,4), %ymm2, %ymm2
	vpblendw	$170, %ymm3, %ymm2, %ymm2
	vextracti128	$1, %ymm2, %xmm3
	vpshufb	%xmm1, %xmm3, %xmm3
	vpshufb	%xmm1, %xmm2, %xmm2
	vpunpcklbw	%xmm3, %xmm2, %xmm2
	vinserti128	$1, %xmm2, %ymm0, %ymm2
	vmovdqu	35(%rdi,%r8,4), %xmm3
	vpblendd	$240, %ymm2, %ymm4, %ymm2
	vmovdqu	48(%rdi,%r8,4), %xmm4
	vpshufb	%xmm0, %xmm7, %xmm6
	vpshufb	%xmm0, %xmm11, %xmm7
	vpunpcklbw	%xmm7, %xmm6, %xmm6
	vpmovdb	%xmm5, %xmm5
	vpmovdb	%xmm9, %xmm7
	vpunpcklbw	%xmm7, %xmm5, %xmm5
	vpblendd	$12, %xmm6, %xmm5, %xmm5
	vinserti128	$1, 48(%rdi,%r9,4), %ymm4, %ymm4
	vinserti128	$1, 35(%rdi,%r9,4), %ymm3, %ymm3
	vpblendw	$170, %ymm4, %ymm3, %ymm3
	vextracti128	$1, %ymm3, %xmm4
	vpshufb	%xmm1, %xmm4, %xmm4
	vpshufb	%xmm1, %xmm3, %xmm3
	vpunpcklbw	%xmm4, %xmm3, %xmm3
	vinserti128	$1, %xmm3, %ymm0, %ymm3
	vpblendd	$240, %ymm3, %ymm5, %ymm3
	vpaddb	%ymm3, %ymm2, %ymm2
	vmovdqu	%ymm2, (%rsi)
	incq	%rcx
	addq	$32, %rsi
	addl	$32, %eax
	cmpq	%rdx, %rcx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	chroma.work.1, .Lfunc_end2-chroma.work.1

	.globl	chroma_argv
	.p2align	4, 0x90
	.type	chroma_argv,@function
chroma_argv:
.Lchroma_argv$local:
	.type	.Lchroma_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lchroma$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	chroma_argv, .Lfunc_end3-chroma_argv
	.size	.Lchroma_argv$local, .Lfunc_end3-chroma_argv

	.globl	chroma_metadata
	.p2align	4, 0x90
	.type	chroma_metadata,@function
chroma_metadata:
.Lchroma_metadata$local:
	.type	.Lchroma_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	chroma_metadata, .Lfunc_end4-chroma_metadata
	.size	.Lchroma_metadata$local, .Lfunc_end4-chroma_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"chroma"
	.size	.Lname.1, 7

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
	.long	1
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
	.asciz	"chroma"
	.size	.Lname.3, 7

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
