	.text
	.file	"shared"
	.globl	shared
	.p2align	4, 0x90
	.type	shared,@function
shared:
.Lshared$local:
	.type	.Lshared$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-64, %rsp
	subq	$128, %rsp
	movq	40(%rsi), %rax
	movl	(%rax), %eax
	movq	40(%rsi), %rcx
	movl	4(%rcx), %ecx
	addl	%eax, %ecx
	addl	$-1, %ecx
	movq	40(%rsi), %rdx
	movl	16(%rdx), %edx
	movq	40(%rsi), %r8
	movl	20(%r8), %r9d
	movl	%edx, %r8d
	addl	%r9d, %r8d
	addl	$-1, %r8d
	movl	%ecx, %r9d
	subl	%eax, %r9d
	movl	%r9d, %r10d
	addl	$1, %r10d
	sarl	$4, %r10d
	sarl	$4, %r9d
	addl	$1, %r9d
	movl	%r10d, %r11d
	subl	%r9d, %r11d
	cmovll	%r10d, %r9d
	movl	%r9d, %r10d
	sarl	$31, %r10d
	andnl	%r9d, %r10d, %r9d
	movq	16(%rdi), %r10
	movq	16(%rsi), %r11
	movq	%r10, (%rsp)
	movq	%rdi, 8(%rsp)
	movq	%r11, 16(%rsp)
	movq	%rsi, 24(%rsp)
	movl	%ecx, 32(%rsp)
	movl	%eax, 36(%rsp)
	movl	%r9d, 40(%rsp)
	movl	%r8d, 44(%rsp)
	movl	%edx, 48(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	shared.work.0
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
	.size	shared, .Lfunc_end0-shared
	.size	.Lshared$local, .Lfunc_end0-shared

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI1_0:
	.quad	1
	.quad	2
	.quad	3
	.quad	4
	.quad	5
	.quad	6
	.quad	7
	.quad	0
.LCPI1_1:
	.quad	15
	.quad	0
	.quad	1
	.quad	2
	.quad	3
	.quad	4
	.quad	5
	.quad	6
.LCPI1_2:
	.long	31
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.long	8
	.long	9
	.long	10
	.long	11
	.long	12
	.long	13
	.long	14
	.text
	.p2align	4, 0x90
	.type	shared.work.0,@function
shared.work.0:
	movl	44(%rsi), %r9d
	movslq	48(%rsi), %rax
	subl	%eax, %r9d
	cmpl	$2147483646, %r9d
	ja	.LBB1_10
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movslq	36(%rsi), %r13
	movq	40(%rcx), %rcx
	movslq	24(%rcx), %r8
	movq	40(%rdx), %rdx
	movslq	24(%rdx), %r11
	movslq	(%rdx), %rdi
	movq	%rdi, -72(%rsp)
	movslq	16(%rdx), %r14
	movslq	16(%rcx), %r12
	movslq	(%rcx), %rdx
	movq	%rdx, -64(%rsp)
	movl	32(%rsi), %edi
	movq	(%rsi), %r15
	movl	%edi, %ebp
	subl	%r13d, %ebp
	movq	%r13, %rcx
	subq	%rdx, %rcx
	imulq	%r8, %r12
	leaq	(%rcx,%r8), %rdx
	leaq	(%rcx,%r8,2), %rbx
	subq	%r12, %rcx
	leaq	(%r15,%rcx,4), %rcx
	movq	%rcx, -8(%rsp)
	subq	%r12, %rdx
	leaq	(%r15,%rdx,4), %r10
	movq	%r11, -48(%rsp)
	imulq	%r11, %r14
	addq	-72(%rsp), %r14
	leaq	(%r8,%r8), %rcx
	subq	%r12, %rbx
	leaq	(%r15,%rbx,4), %r11
	addq	-64(%rsp), %r12
	movq	%r8, -72(%rsp)
	movq	%r8, %rdx
	subq	%r12, %rdx
	subq	%r12, %rcx
	leaq	(,%r12,4), %rbx
	leaq	(%r15,%rdx,4), %rdx
	movq	%rdx, -16(%rsp)
	leaq	(%r15,%rcx,4), %rcx
	movq	%rcx, -24(%rsp)
	subq	%rbx, %r15
	movq	%r15, -32(%rsp)
	movslq	40(%rsi), %rcx
	movl	%ecx, %edx
	shll	$4, %edx
	addl	%r13d, %edx
	movl	%edx, -52(%rsp)
	movq	16(%rsi), %rdx
	subq	%r14, %r13
	leaq	(%rdx,%r13,4), %rsi
	movq	%rsi, -64(%rsp)
	shlq	$2, %r14
	subq	%r14, %rdx
	movq	%rdx, -40(%rsp)
	incl	%r9d
	movslq	%r9d, %rbx
	addq	%rax, %rbx
	sarl	$4, %ebp
	subl	%ecx, %ebp
	movq	%rbp, %r9
	leal	1(%rbp), %edx
	movslq	%edx, %r14
	addq	%rcx, %r14
	addl	$-15, %edi
	vmovaps	.LCPI1_0(%rip), %zmm0
	vmovapd	.LCPI1_1(%rip), %zmm1
	vmovaps	.LCPI1_2(%rip), %zmm2
	jmp	.LBB1_2
	.p2align	4, 0x90
.LBB1_8:
	incq	%rax
	cmpq	%rbx, %rax
	jge	.LBB1_9
.LBB1_2:
	testl	%ecx, %ecx
	jle	.LBB1_5
	movq	%rax, %rdx
	imulq	-72(%rsp), %rdx
	movq	-8(%rsp), %r8
	leaq	(%r8,%rdx,4), %rsi
	vmovups	(%r8,%rdx,4), %zmm3
	leaq	(%r10,%rdx,4), %r15
	vmulps	(%r10,%rdx,4), %zmm3, %zmm3
	leaq	(%r11,%rdx,4), %rbp
	vmulps	(%r11,%rdx,4), %zmm3, %zmm3
	vpermpd	%zmm3, %zmm0, %zmm3
	#APP
	#NO_APP
	#APP
	#NO_APP
	#APP
	#NO_APP
	movq	%rax, %rdx
	imulq	-48(%rsp), %rdx
	movq	-64(%rsp), %r8
	leaq	(%r8,%rdx,4), %r13
	#APP
	#NO_APP
	xorl	%edx, %edx
	xorl	%r12d, %r12d
	.p2align	4, 0x90
.LBB1_4:
	vmovups	8(%rsi,%rdx), %zmm4
	vmulps	8(%r15,%rdx), %zmm4, %zmm4
	vmulps	8(%rbp,%rdx), %zmm4, %zmm4
	vmovaps	%zmm4, %zmm5
	vpermt2pd	%zmm3, %zmm1, %zmm5
	vmovaps	%zmm4, %zmm6
	vpermt2ps	%zmm3, %zmm2, %zmm6
	vaddps	%zmm6, %zmm5, %zmm3
	vaddps	%zmm4, %zmm3, %zmm3
	vmovups	%zmm3, (%r13,%rdx)
	incq	%r12
	addq	$64, %rdx
	vmovaps	%zmm4, %zmm3
	cmpq	%rcx, %r12
	jl	.LBB1_4
.LBB1_5:
	cmpl	$2147483646, %r9d
	ja	.LBB1_8
	movq	%rax, %rdx
	imulq	-72(%rsp), %rdx
	movq	-32(%rsp), %rsi
	leaq	(%rsi,%rdx,4), %rsi
	#APP
	#NO_APP
	movq	-16(%rsp), %r8
	leaq	(%r8,%rdx,4), %r15
	#APP
	#NO_APP
	movq	-24(%rsp), %r8
	leaq	(%r8,%rdx,4), %rbp
	#APP
	#NO_APP
	movq	%rax, %rdx
	imulq	-48(%rsp), %rdx
	movq	-40(%rsp), %r8
	leaq	(%r8,%rdx,4), %r13
	#APP
	#NO_APP
	movl	-52(%rsp), %r8d
	movq	%rcx, %r12
	.p2align	4, 0x90
.LBB1_7:
	cmpl	%r8d, %edi
	movl	%r8d, %edx
	cmovll	%edi, %edx
	movslq	%edx, %rdx
	vmovups	(%rsi,%rdx,4), %zmm3
	vmovups	4(%rsi,%rdx,4), %zmm4
	vmovups	8(%rsi,%rdx,4), %zmm5
	vmulps	(%r15,%rdx,4), %zmm3, %zmm3
	vmulps	(%rbp,%rdx,4), %zmm3, %zmm3
	vmulps	4(%r15,%rdx,4), %zmm4, %zmm4
	vmulps	4(%rbp,%rdx,4), %zmm4, %zmm4
	vaddps	%zmm4, %zmm3, %zmm3
	vmulps	8(%r15,%rdx,4), %zmm5, %zmm4
	vmulps	8(%rbp,%rdx,4), %zmm4, %zmm4
	vaddps	%zmm4, %zmm3, %zmm3
	vmovups	%zmm3, (%r13,%rdx,4)
	incq	%r12
	addl	$16, %r8d
	cmpq	%r14, %r12
	jl	.LBB1_7
	jmp	.LBB1_8
.LBB1_9:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB1_10:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	shared.work.0, .Lfunc_end1-shared.work.0

	.globl	shared_argv
	.p2align	4, 0x90
	.type	shared_argv,@function
shared_argv:
.Lshared_argv$local:
	.type	.Lshared_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lshared$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	shared_argv, .Lfunc_end2-shared_argv
	.size	.Lshared_argv$local, .Lfunc_end2-shared_argv

	.globl	shared_metadata
	.p2align	4, 0x90
	.type	shared_metadata,@function
shared_metadata:
.Lshared_metadata$local:
	.type	.Lshared_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	shared_metadata, .Lfunc_end3-shared_metadata
	.size	.Lshared_metadata$local, .Lfunc_end3-shared_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"shared"
	.size	.Lname.1, 7

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	2
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	2
	.long	2
	.long	73730
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
	.asciz	"shared"
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
