	.text
	.file	"apart"
	.globl	apart
	.p2align	4, 0x90
	.type	apart,@function
apart:
.Lapart$local:
	.type	.Lapart$local,@function
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
	callq	apart.work.0
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
	callq	apart.work.1
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
	.size	apart, .Lfunc_end0-apart
	.size	.Lapart$local, .Lfunc_end0-apart

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI1_0:
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
.LCPI1_1:
	.zero	64,63
.LCPI1_2:
	.zero	64,127
.LCPI1_4:
	.byte	63
.LCPI1_5:
	.byte	127
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0
.LCPI1_3:
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
	.text
	.p2align	4, 0x90
	.type	apart.work.0,@function
apart.work.0:
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
	leaq	(%rcx,%rcx,2), %rdx
	leaq	(%r8,%r8,2), %r8
	addq	24(%rsi), %rdx
	subq	%r8, %rdx
	#APP
	#NO_APP
	subq	%rdi, %rcx
	addq	(%rsi), %rcx
	#APP
	#NO_APP
	vbroadcasti32x4	.LCPI1_3(%rip), %zmm0
	xorl	%esi, %esi
	movabsq	$-576188069258921984, %rdi
	kmovq	%rdi, %k1
	vpbroadcastb	.LCPI1_4(%rip), %zmm1
	vpbroadcastb	.LCPI1_5(%rip), %zmm2
	.p2align	4, 0x90
.LBB1_2:
	vmovdqu	(%rdx), %xmm3
	vmovdqu	16(%rdx), %xmm4
	vmovdqu	32(%rdx), %xmm5
	vmovdqu	96(%rdx), %xmm6
	vmovdqu	112(%rdx), %xmm7
	vmovdqu	128(%rdx), %xmm8
	vinserti128	$1, 144(%rdx), %ymm6, %ymm6
	vinserti128	$1, 48(%rdx), %ymm3, %ymm3
	vinserti64x4	$1, %ymm6, %zmm3, %zmm3
	vinserti128	$1, 160(%rdx), %ymm7, %ymm6
	vinserti128	$1, 64(%rdx), %ymm4, %ymm4
	vinserti64x4	$1, %ymm6, %zmm4, %zmm4
	vinserti128	$1, 176(%rdx), %ymm8, %ymm6
	vinserti128	$1, 80(%rdx), %ymm5, %ymm5
	vinserti64x4	$1, %ymm6, %zmm5, %zmm5
	vpshufb	%zmm0, %zmm3, %zmm3
	vpshufb	%zmm0, %zmm4, %zmm4
	vpshufb	%zmm0, %zmm5, %zmm5
	vpalignr	$11, %zmm5, %zmm3, %zmm6
	vpalignr	$11, %zmm3, %zmm4, %zmm3
	vpalignr	$11, %zmm4, %zmm5, %zmm4
	vpblendmb	%zmm4, %zmm3, %zmm5 {%k1}
	vpalignr	$11, %zmm6, %zmm4, %zmm4
	vpalignr	$11, %zmm3, %zmm6, %zmm3
	vpalignr	$10, %zmm3, %zmm3, %zmm3
	vpsrlw	$2, %zmm4, %zmm4
	vpandq	%zmm1, %zmm4, %zmm4
	vpsrlw	$2, %zmm3, %zmm3
	vpandq	%zmm1, %zmm3, %zmm3
	vpaddb	%zmm3, %zmm4, %zmm3
	vpsrlw	$1, %zmm5, %zmm4
	vpandq	%zmm2, %zmm4, %zmm4
	vpaddb	%zmm4, %zmm3, %zmm3
	vmovdqu64	%zmm3, (%rcx)
	incq	%rsi
	addq	$64, %rcx
	addq	$192, %rdx
	cmpq	%rax, %rsi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	apart.work.0, .Lfunc_end1-apart.work.0

	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI2_0:
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
.LCPI2_1:
	.zero	32,63
.LCPI2_2:
	.zero	32,127
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0
.LCPI2_3:
	.byte	0
	.byte	3
	.byte	6
	.byte	9
	.byte	12
	.byte	15
	.byte	2
	.byte	5
	.byte	8
	.byte	11
	.byte	14
	.byte	1
	.byte	4
	.byte	7
	.byte	10
	.byte	13
	.section	.rodata,"a",@progbits
.LCPI2_4:
	.byte	63
.LCPI2_5:
	.byte	127
	.text
	.p2align	4, 0x90
	.type	apart.work.1,@function
apart.work.1:
	movslq	20(%rsi), %rdi
	movl	16(%rsi), %edx
	movl	24(%rsi), %eax
	addl	%eax, %eax
	subl	%edi, %edx
	sarl	$5, %edx
	movl	$-1, %ecx
	cmovnsl	%edx, %ecx
	subl	%eax, %ecx
	cmpl	$2147483646, %ecx
	ja	.LBB2_3
	cltq
	incl	%ecx
	movslq	%ecx, %rcx
	addq	%rax, %rcx
	movq	8(%rsi), %rdx
	movq	40(%rsi), %r8
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rdx
	movq	40(%r8), %r8
	movslq	(%r8), %r8
	leaq	(%rdi,%rdi,2), %r9
	leaq	(%r8,%r8,2), %r8
	addq	32(%rsi), %r9
	subq	%r8, %r9
	#APP
	#NO_APP
	subq	%rdx, %rdi
	addq	(%rsi), %rdi
	#APP
	#NO_APP
	movq	%rax, %rdx
	shlq	$5, %rdx
	addq	%rdi, %rdx
	leaq	(%rax,%rax,2), %rsi
	shlq	$5, %rsi
	vbroadcasti128	.LCPI2_3(%rip), %ymm0
	addq	%r9, %rsi
	movl	$-134154240, %edi
	kmovd	%edi, %k1
	vpbroadcastb	.LCPI2_4(%rip), %ymm1
	vpbroadcastb	.LCPI2_5(%rip), %ymm2
	.p2align	4, 0x90
.LBB2_2:
	vmovdqu	(%rsi), %xmm3
	vmovdqu	16(%rsi), %xmm4
	vmovdqu	32(%rsi), %xmm5
	vinserti128	$1, 48(%rsi), %ymm3, %ymm3
	vinserti128	$1, 64(%rsi), %ymm4, %ymm4
	vinserti128	$1, 80(%rsi), %ymm5, %ymm5
	vpshufb	%ymm0, %ymm3, %ymm3
	vpshufb	%ymm0, %ymm4, %ymm4
	vpshufb	%ymm0, %ymm5, %ymm5
	vpalignr	$11, %ymm5, %ymm3, %ymm6
	vpalignr	$11, %ymm3, %ymm4, %ymm3
	vpalignr	$11, %ymm4, %ymm5, %ymm4
	vpblendmb	%ymm4, %ymm3, %ymm5 {%k1}
	vpalignr	$11, %ymm6, %ymm4, %ymm4
	vpalignr	$11, %ymm3, %ymm6, %ymm3
	vpalignr	$10, %ymm3, %ymm3, %ymm3
	vpsrlw	$2, %ymm3, %ymm3
	vpand	%ymm1, %ymm3, %ymm3
	vpsrlw	$1, %ymm5, %ymm5
	vpand	%ymm2, %ymm5, %ymm5
	vpsrlw	$2, %ymm4, %ymm4
	vpand	%ymm1, %ymm4, %ymm4
	vpaddb	%ymm4, %ymm3, %ymm3
	vpaddb	%ymm5, %ymm3, %ymm3
	vmovdqu	%ymm3, (%rdx)
	incq	%rax
	addq	$32, %rdx
	addq	$96, %rsi
	cmpq	%rcx, %rax
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	apart.work.1, .Lfunc_end2-apart.work.1

	.globl	apart_argv
	.p2align	4, 0x90
	.type	apart_argv,@function
apart_argv:
.Lapart_argv$local:
	.type	.Lapart_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lapart$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	apart_argv, .Lfunc_end3-apart_argv
	.size	.Lapart_argv$local, .Lfunc_end3-apart_argv

	.globl	apart_metadata
	.p2align	4, 0x90
	.type	apart_metadata,@function
apart_metadata:
.Lapart_metadata$local:
	.type	.Lapart_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	apart_metadata, .Lfunc_end4-apart_metadata
	.size	.Lapart_metadata$local, .Lfunc_end4-apart_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"apart"
	.size	.Lname.1, 6

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
	.asciz	"apart"
	.size	.Lname.3, 6

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
