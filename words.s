	.text
	.file	"words"
	.globl	words
	.p2align	4, 0x90
	.type	words,@function
words:
.Lwords$local:
	.type	.Lwords$local,@function
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
	callq	words.work.0
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
	callq	words.work.1
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
	.size	words, .Lfunc_end0-words
	.size	.Lwords$local, .Lfunc_end0-words

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	0x4f000000
.LCPI1_1:
	.long	2147483647
	.text
	.p2align	4, 0x90
	.type	words.work.0,@function
words.work.0:
	movslq	36(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movq	40(%rdx), %rdi
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r8
	movslq	32(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%r8, %rdx
	shlq	$2, %rdx
	addq	(%rsi), %rdx
	movslq	(%rdi), %rdi
	#APP
	#NO_APP
	subq	%rdi, %rcx
	shlq	$2, %rcx
	addq	16(%rsi), %rcx
	#APP
	#NO_APP
	xorl	%esi, %esi
	vbroadcastss	.LCPI1_0(%rip), %zmm0
	vxorps	%xmm1, %xmm1, %xmm1
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB1_2:
	vmovups	(%rdx,%rsi), %zmm2
	vcmpgeps	%zmm0, %zmm2, %k1
	vcmpordps	%zmm1, %zmm2, %k2
	vcvttps2dq	%zmm2, %zmm2 {%k2} {z}
	vpbroadcastd	.LCPI1_1(%rip), %zmm2 {%k1}
	vmovdqu64	%zmm2, (%rcx,%rsi)
	incq	%rdi
	addq	$64, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	words.work.0, .Lfunc_end1-words.work.0

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI2_0:
	.long	0x4f000000
.LCPI2_1:
	.long	2147483647
	.text
	.p2align	4, 0x90
	.type	words.work.1,@function
words.work.1:
	movl	32(%rsi), %eax
	movl	36(%rsi), %ecx
	movslq	40(%rsi), %rdx
	movl	%eax, %edi
	subl	%ecx, %edi
	sarl	$4, %edi
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
	addl	$-15, %eax
	shlq	$2, %r10
	subq	%r10, %r8
	#APP
	#NO_APP
	shlq	$2, %r9
	subq	%r9, %rsi
	#APP
	#NO_APP
	movl	%edx, %r9d
	shll	$4, %r9d
	addl	%r9d, %ecx
	vbroadcastss	.LCPI2_0(%rip), %zmm0
	vxorps	%xmm1, %xmm1, %xmm1
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%eax, %ecx
	movl	%eax, %r9d
	cmovll	%ecx, %r9d
	movslq	%r9d, %r9
	vmovups	(%r8,%r9,4), %zmm2
	vcmpgeps	%zmm0, %zmm2, %k1
	vcmpordps	%zmm1, %zmm2, %k2
	vcvttps2dq	%zmm2, %zmm2 {%k2} {z}
	vpbroadcastd	.LCPI2_1(%rip), %zmm2 {%k1}
	vmovdqu64	%zmm2, (%rsi,%r9,4)
	incq	%rdx
	addl	$16, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	words.work.1, .Lfunc_end2-words.work.1

	.globl	words_argv
	.p2align	4, 0x90
	.type	words_argv,@function
words_argv:
.Lwords_argv$local:
	.type	.Lwords_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lwords$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	words_argv, .Lfunc_end3-words_argv
	.size	.Lwords_argv$local, .Lfunc_end3-words_argv

	.globl	words_metadata
	.p2align	4, 0x90
	.type	words_metadata,@function
words_metadata:
.Lwords_metadata$local:
	.type	.Lwords_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	words_metadata, .Lfunc_end4-words_metadata
	.size	.Lwords_metadata$local, .Lfunc_end4-words_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"words"
	.size	.Lname.1, 6

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	2
	.long	1
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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake"
	.size	.Lname.2, 86

	.type	.Lname.3,@object
.Lname.3:
	.asciz	"words"
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
