	.text
	.file	"transposed_floats"
	.globl	transposed_floats
	.p2align	4, 0x90
	.type	transposed_floats,@function
transposed_floats:
.Ltransposed_floats$local:
	.type	.Ltransposed_floats$local,@function
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
	movq	40(%rsi), %rdx
	movl	16(%rdx), %edx
	movq	40(%rsi), %r8
	movl	20(%r8), %r8d
	movl	%edx, %r9d
	addl	%r8d, %r9d
	addl	$-1, %r9d
	movq	16(%rdi), %r8
	movq	16(%rsi), %r10
	movq	%r8, (%rsp)
	movq	%rdi, 8(%rsp)
	movq	%r10, 16(%rsp)
	movq	%rsi, 24(%rsp)
	movl	%ecx, 32(%rsp)
	movl	%eax, 36(%rsp)
	movl	%r9d, 40(%rsp)
	movl	%edx, 44(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	transposed_floats.work.0
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
	.size	transposed_floats, .Lfunc_end0-transposed_floats
	.size	.Ltransposed_floats$local, .Lfunc_end0-transposed_floats

	.p2align	4, 0x90
	.type	transposed_floats.work.0,@function
transposed_floats.work.0:
	movl	40(%rsi), %r9d
	movslq	44(%rsi), %rcx
	subl	%ecx, %r9d
	sarl	$3, %r9d
	js	.LBB1_7
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$88, %rsp
	movq	8(%rsi), %rax
	movq	24(%rsi), %rdx
	movq	40(%rax), %rax
	movslq	24(%rax), %rbp
	movq	40(%rdx), %rdx
	movslq	16(%rax), %rdi
	movslq	(%rax), %r8
	movslq	36(%rsi), %rax
	movq	%rcx, %r11
	subq	%r8, %r11
	movq	%rbp, %r10
	imulq	%rax, %r10
	addq	%r11, %r10
	imulq	%rbp, %rdi
	leaq	(%r10,%rbp), %r8
	leaq	(%r10,%rbp,2), %r11
	leaq	(,%rbp,2), %r12
	addq	%rbp, %r12
	leaq	(%r10,%r12), %rbx
	leaq	(%r10,%rbp,4), %r14
	leaq	(,%rbp,4), %r15
	addq	%rbp, %r15
	addq	%r10, %r15
	leaq	(%r10,%r12,2), %r12
	leaq	(,%rbp,8), %r13
	subq	%rbp, %r13
	addq	%r10, %r13
	subq	%rdi, %r10
	subq	%rdi, %r8
	subq	%rdi, %r11
	subq	%rdi, %rbx
	subq	%rdi, %r14
	subq	%rdi, %r15
	subq	%rdi, %r12
	subq	%rdi, %r13
	movq	(%rsi), %rdi
	leaq	(%rdi,%r10,4), %r10
	movq	%r10, 8(%rsp)
	leaq	(%rdi,%r8,4), %r8
	movq	%r8, (%rsp)
	leaq	(%rdi,%r11,4), %r8
	movq	%r8, -8(%rsp)
	leaq	(%rdi,%rbx,4), %r8
	movq	%r8, -16(%rsp)
	leaq	(%rdi,%r14,4), %r8
	movq	%r8, -24(%rsp)
	leaq	(%rdi,%r15,4), %r8
	movq	%r8, -32(%rsp)
	leaq	(%rdi,%r12,4), %r8
	movq	%r8, -40(%rsp)
	leaq	(%rdi,%r13,4), %rdi
	movq	%rdi, -48(%rsp)
	movl	32(%rsi), %r15d
	subl	%eax, %r15d
	movslq	24(%rdx), %r12
	imulq	%r12, %rcx
	addq	%rax, %rcx
	movslq	(%rdx), %rax
	subq	%rax, %rcx
	movslq	16(%rdx), %rax
	imulq	%r12, %rax
	movq	%rcx, %rdx
	subq	%rax, %rdx
	leaq	(%rcx,%r12), %rdi
	subq	%rax, %rdi
	leaq	(%rcx,%r12,2), %r8
	subq	%rax, %r8
	leaq	(%r12,%r12,2), %r11
	leaq	(%rcx,%r11), %r10
	subq	%rax, %r10
	leaq	(%r12,%r12,4), %rbx
	addq	%rcx, %rbx
	leaq	(%rcx,%r11,2), %r11
	leaq	(,%r12,8), %r14
	subq	%r12, %r14
	addq	%rcx, %r14
	movq	%r12, -56(%rsp)
	leaq	(%rcx,%r12,4), %rcx
	subq	%rax, %rcx
	subq	%rax, %rbx
	subq	%rax, %r11
	subq	%rax, %r14
	movq	16(%rsi), %rax
	leaq	(%rax,%rdx,4), %rdx
	movq	%rdx, -64(%rsp)
	leaq	(%rax,%rdi,4), %rdx
	movq	%rdx, -72(%rsp)
	leaq	(%rax,%r8,4), %rdx
	movq	%rdx, -80(%rsp)
	leaq	(%rax,%r10,4), %rdx
	movq	%rdx, -88(%rsp)
	leaq	(%rax,%rcx,4), %rcx
	movq	%rcx, -96(%rsp)
	leaq	(%rax,%rbx,4), %rcx
	movq	%rcx, -104(%rsp)
	leaq	(%rax,%r11,4), %rcx
	movq	%rcx, -112(%rsp)
	leaq	(%rax,%r14,4), %rax
	movq	%rax, -120(%rsp)
	incl	%r9d
	movslq	%r9d, %rax
	movq	%rax, 16(%rsp)
	sarl	$3, %r15d
	movq	%r15, 24(%rsp)
	leal	1(%r15), %eax
	cltq
	movq	%rax, 32(%rsp)
	shlq	$5, %rbp
	movq	%rbp, 40(%rsp)
	movq	$0, -128(%rsp)
	jmp	.LBB1_2
	.p2align	4, 0x90
.LBB1_5:
	movq	-128(%rsp), %rcx
	incq	%rcx
	movq	%rcx, -128(%rsp)
	cmpq	16(%rsp), %rcx
	jge	.LBB1_6
.LBB1_2:
	cmpl	$0, 24(%rsp)
	js	.LBB1_5
	movq	-128(%rsp), %rbx
	movq	%rbx, %r11
	shlq	$5, %r11
	movq	8(%rsp), %rax
	addq	%r11, %rax
	#APP
	#NO_APP
	movq	%rax, 80(%rsp)
	movq	(%rsp), %rax
	leaq	(%rax,%r11), %rax
	#APP
	#NO_APP
	movq	%rax, 72(%rsp)
	movq	-8(%rsp), %rax
	leaq	(%rax,%r11), %rax
	#APP
	#NO_APP
	movq	%rax, 64(%rsp)
	movq	-16(%rsp), %rax
	leaq	(%rax,%r11), %rax
	#APP
	#NO_APP
	movq	%rax, 56(%rsp)
	movq	-24(%rsp), %rax
	addq	%r11, %rax
	#APP
	#NO_APP
	movq	%rax, 48(%rsp)
	movq	-32(%rsp), %rax
	leaq	(%rax,%r11), %rdx
	#APP
	#NO_APP
	movq	-40(%rsp), %rax
	leaq	(%rax,%r11), %rdi
	#APP
	#NO_APP
	addq	-48(%rsp), %r11
	#APP
	#NO_APP
	imulq	-56(%rsp), %rbx
	shlq	$5, %rbx
	movq	-64(%rsp), %rax
	leaq	(%rax,%rbx), %r15
	#APP
	#NO_APP
	movq	-72(%rsp), %rax
	leaq	(%rax,%rbx), %r14
	#APP
	#NO_APP
	movq	-80(%rsp), %rax
	leaq	(%rax,%rbx), %r9
	#APP
	#NO_APP
	movq	-88(%rsp), %rax
	leaq	(%rax,%rbx), %r8
	#APP
	#NO_APP
	movq	-96(%rsp), %rax
	addq	%rbx, %rax
	#APP
	#NO_APP
	movq	-104(%rsp), %rsi
	leaq	(%rsi,%rbx), %r10
	#APP
	#NO_APP
	movq	-112(%rsp), %rsi
	addq	%rbx, %rsi
	#APP
	#NO_APP
	addq	-120(%rsp), %rbx
	#APP
	#NO_APP
	xorl	%r12d, %r12d
	xorl	%r13d, %r13d
	xorl	%ebp, %ebp
	.p2align	4, 0x90
.LBB1_4:
	movq	80(%rsp), %rcx
	vmovups	(%rcx,%r12), %ymm0
	movq	72(%rsp), %rcx
	vmovups	(%rcx,%r12), %ymm1
	movq	64(%rsp), %rcx
	vmovups	(%rcx,%r12), %ymm2
	movq	56(%rsp), %rcx
	vmovups	(%rcx,%r12), %ymm3
	movq	48(%rsp), %rcx
	vmovups	(%rcx,%r12), %ymm4
	vmovups	(%rdx,%r12), %ymm5
	vmovups	(%rdi,%r12), %ymm6
	vmovups	(%r11,%r12), %ymm7
	vunpcklps	%ymm2, %ymm0, %ymm8
	vunpckhps	%ymm2, %ymm0, %ymm0
	vunpcklps	%ymm3, %ymm1, %ymm2
	vunpckhps	%ymm3, %ymm1, %ymm1
	vunpcklps	%ymm6, %ymm4, %ymm3
	vunpckhps	%ymm6, %ymm4, %ymm4
	vunpcklps	%ymm7, %ymm5, %ymm6
	vunpckhps	%ymm7, %ymm5, %ymm5
	vunpcklps	%ymm2, %ymm8, %ymm7
	vunpckhps	%ymm2, %ymm8, %ymm2
	vunpcklps	%ymm1, %ymm0, %ymm8
	vunpckhps	%ymm1, %ymm0, %ymm0
	vunpcklps	%ymm6, %ymm3, %ymm1
	vunpckhps	%ymm6, %ymm3, %ymm3
	vunpcklps	%ymm5, %ymm4, %ymm6
	vunpckhps	%ymm5, %ymm4, %ymm4
	vinsertf128	$1, %xmm1, %ymm7, %ymm5
	vperm2f128	$49, %ymm1, %ymm7, %ymm1
	vinsertf128	$1, %xmm3, %ymm2, %ymm7
	vperm2f128	$49, %ymm3, %ymm2, %ymm2
	vinsertf128	$1, %xmm6, %ymm8, %ymm3
	vperm2f128	$49, %ymm6, %ymm8, %ymm6
	vinsertf128	$1, %xmm4, %ymm0, %ymm8
	vperm2f128	$49, %ymm4, %ymm0, %ymm0
	vmovups	%ymm5, (%r15,%r13)
	vmovups	%ymm7, (%r14,%r13)
	vmovups	%ymm3, (%r9,%r13)
	vmovups	%ymm8, (%r8,%r13)
	vmovups	%ymm1, (%rax,%r13)
	vmovups	%ymm2, (%r10,%r13)
	vmovups	%ymm6, (%rsi,%r13)
	vmovups	%ymm0, (%rbx,%r13)
	incq	%rbp
	addq	$32, %r13
	addq	40(%rsp), %r12
	cmpq	32(%rsp), %rbp
	jl	.LBB1_4
	jmp	.LBB1_5
.LBB1_6:
	addq	$88, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB1_7:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	transposed_floats.work.0, .Lfunc_end1-transposed_floats.work.0

	.globl	transposed_floats_argv
	.p2align	4, 0x90
	.type	transposed_floats_argv,@function
transposed_floats_argv:
.Ltransposed_floats_argv$local:
	.type	.Ltransposed_floats_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Ltransposed_floats$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	transposed_floats_argv, .Lfunc_end2-transposed_floats_argv
	.size	.Ltransposed_floats_argv$local, .Lfunc_end2-transposed_floats_argv

	.globl	transposed_floats_metadata
	.p2align	4, 0x90
	.type	transposed_floats_metadata,@function
transposed_floats_metadata:
.Ltransposed_floats_metadata$local:
	.type	.Ltransposed_floats_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	transposed_floats_metadata, .Lfunc_end3-transposed_floats_metadata
	.size	.Ltransposed_floats_metadata$local, .Lfunc_end3-transposed_floats_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"transposed_floats"
	.size	.Lname.1, 18

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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2"
	.size	.Lname.2, 55

	.type	.Lname.3,@object
.Lname.3:
	.asciz	"transposed_floats"
	.size	.Lname.3, 18

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
