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
	movl	44(%rsi), %r11d
	movslq	48(%rsi), %rax
	subl	%eax, %r11d
	cmpl	$2147483646, %r11d
	ja	.LBB1_10
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movslq	36(%rsi), %rbx
	movq	24(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	(%rcx), %rdx
	movq	%rdx, -80(%rsp)
	movslq	24(%rcx), %r13
	movslq	16(%rcx), %r14
	movq	(%rsi), %r9
	movq	8(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	16(%rcx), %r12
	movslq	24(%rcx), %r15
	movslq	(%rcx), %rdi
	movslq	40(%rsi), %rcx
	movl	32(%rsi), %r8d
	imulq	%r15, %r12
	addq	%rdi, %r12
	leaq	(%rbx,%r15,2), %rdi
	movl	%r8d, %edx
	subl	%ebx, %edx
	movq	%rbx, %r10
	subq	%r12, %r10
	leaq	(%r9,%r10,4), %r10
	leaq	(%r15,%r15), %rbp
	subq	%r12, %rdi
	leaq	(%r9,%rdi,4), %rdi
	movq	%rdi, -8(%rsp)
	movq	%r13, -64(%rsp)
	imulq	%r13, %r14
	addq	-80(%rsp), %r14
	movq	%r15, %rdi
	subq	%r12, %rdi
	subq	%r12, %rbp
	leaq	(,%r12,4), %r12
	leaq	(%r9,%rdi,4), %rdi
	movq	%rdi, -32(%rsp)
	leaq	(%r9,%rbp,4), %rdi
	movq	%rdi, -40(%rsp)
	subq	%r12, %r9
	movq	%r9, -48(%rsp)
	movl	%ecx, %edi
	shll	$4, %edi
	addl	%ebx, %edi
	movl	%edi, -68(%rsp)
	incl	%r11d
	movslq	%r11d, %rdi
	addq	%rax, %rdi
	movq	%rdi, -80(%rsp)
	movq	16(%rsi), %rsi
	subq	%r14, %rbx
	leaq	(%rsi,%rbx,4), %rdi
	movq	%rdi, -16(%rsp)
	sarl	$4, %edx
	subl	%ecx, %edx
	shlq	$2, %r14
	subq	%r14, %rsi
	movq	%rsi, -56(%rsp)
	movq	%rdx, %r12
	leal	1(%rdx), %esi
	movslq	%esi, %rbx
	addq	%rcx, %rbx
	addl	$-15, %r8d
	vmovaps	.LCPI1_0(%rip), %zmm0
	vmovapd	.LCPI1_1(%rip), %zmm1
	vmovaps	.LCPI1_2(%rip), %zmm2
	leaq	(%r10,%r15,4), %r14
	movq	%r15, %r9
	leaq	(%r10,%r15,8), %rdx
	movq	%rdx, -24(%rsp)
	jmp	.LBB1_2
	.p2align	4, 0x90
.LBB1_8:
	incq	%rax
	cmpq	-80(%rsp), %rax
	jge	.LBB1_9
.LBB1_2:
	testl	%ecx, %ecx
	jle	.LBB1_5
	movq	%rax, %rdi
	imulq	%r9, %rdi
	leaq	(%r10,%rdi,4), %rsi
	vmovups	(%r10,%rdi,4), %zmm3
	leaq	(%r14,%rdi,4), %r15
	vmulps	(%r14,%rdi,4), %zmm3, %zmm3
	movq	-24(%rsp), %rdx
	vmulps	(%rdx,%rdi,4), %zmm3, %zmm3
	vpermpd	%zmm3, %zmm0, %zmm3
	#APP
	#NO_APP
	#APP
	#NO_APP
	movq	-8(%rsp), %rdx
	leaq	(%rdx,%rdi,4), %rbp
	#APP
	#NO_APP
	movq	%rax, %rdi
	imulq	-64(%rsp), %rdi
	movq	-16(%rsp), %rdx
	leaq	(%rdx,%rdi,4), %r13
	#APP
	#NO_APP
	xorl	%edi, %edi
	xorl	%r11d, %r11d
	.p2align	4, 0x90
.LBB1_4:
	vmovups	8(%rsi,%rdi), %zmm4
	vmulps	8(%r15,%rdi), %zmm4, %zmm4
	vmulps	8(%rbp,%rdi), %zmm4, %zmm4
	vmovaps	%zmm4, %zmm5
	vpermt2pd	%zmm3, %zmm1, %zmm5
	vmovaps	%zmm4, %zmm6
	vpermt2ps	%zmm3, %zmm2, %zmm6
	vaddps	%zmm6, %zmm5, %zmm3
	vaddps	%zmm4, %zmm3, %zmm3
	vmovups	%zmm3, (%r13,%rdi)
	incq	%r11
	addq	$64, %rdi
	vmovaps	%zmm4, %zmm3
	cmpq	%rcx, %r11
	jb	.LBB1_4
.LBB1_5:
	cmpl	$2147483646, %r12d
	ja	.LBB1_8
	movq	%rax, %rdi
	imulq	%r9, %rdi
	movq	-48(%rsp), %rdx
	leaq	(%rdx,%rdi,4), %rsi
	#APP
	#NO_APP
	movq	-32(%rsp), %rdx
	leaq	(%rdx,%rdi,4), %r15
	#APP
	#NO_APP
	movq	-40(%rsp), %rdx
	leaq	(%rdx,%rdi,4), %rbp
	#APP
	#NO_APP
	movq	%rax, %rdi
	imulq	-64(%rsp), %rdi
	movq	-56(%rsp), %rdx
	leaq	(%rdx,%rdi,4), %r13
	#APP
	#NO_APP
	movl	-68(%rsp), %edx
	movq	%rcx, %rdi
	.p2align	4, 0x90
.LBB1_7:
	cmpl	%edx, %r8d
	movl	%edx, %r11d
	cmovll	%r8d, %r11d
	movslq	%r11d, %r11
	vmovups	(%rsi,%r11,4), %zmm3
	vmovups	4(%rsi,%r11,4), %zmm4
	vmovups	8(%rsi,%r11,4), %zmm5
	vmulps	(%r15,%r11,4), %zmm3, %zmm3
	vmulps	(%rbp,%r11,4), %zmm3, %zmm3
	vmulps	4(%r15,%r11,4), %zmm4, %zmm4
	vmulps	4(%rbp,%r11,4), %zmm4, %zmm4
	vaddps	%zmm4, %zmm3, %zmm3
	vmulps	8(%r15,%r11,4), %zmm5, %zmm4
	vmulps	8(%rbp,%r11,4), %zmm4, %zmm4
	vaddps	%zmm4, %zmm3, %zmm3
	vmovups	%zmm3, (%r13,%r11,4)
	incq	%rdi
	addl	$16, %edx
	cmpq	%rbx, %rdi
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
