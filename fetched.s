	.text
	.file	"fetched"
	.globl	fetched
	.p2align	4, 0x90
	.type	fetched,@function
fetched:
.Lfetched$local:
	.type	.Lfetched$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-64, %rsp
	subq	$64, %rsp
	movq	40(%rsi), %rax
	movl	4(%rax), %eax
	addl	$-1, %eax
	movq	40(%rsi), %rcx
	movl	16(%rcx), %ecx
	movq	40(%rsi), %rdx
	movl	20(%rdx), %edx
	movl	%ecx, %r8d
	addl	%edx, %r8d
	addl	$-1, %r8d
	movq	16(%rsi), %rdx
	movq	16(%rdi), %r9
	movq	%rdx, (%rsp)
	movq	%rsi, 8(%rsp)
	movl	%eax, 16(%rsp)
	movl	%r8d, 20(%rsp)
	movl	%ecx, 24(%rsp)
	movq	%r9, 32(%rsp)
	movq	%rdi, 40(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	fetched.work.0
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
	.size	fetched, .Lfunc_end0-fetched
	.size	.Lfetched$local, .Lfunc_end0-fetched

	.p2align	4, 0x90
	.type	fetched.work.0,@function
fetched.work.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movl	20(%rsi), %r9d
	movslq	24(%rsi), %rax
	subl	%eax, %r9d
	cmpl	$2147483646, %r9d
	ja	.LBB1_13
	movq	8(%rsi), %rdi
	movq	32(%rsi), %rcx
	movq	40(%rsi), %rdx
	movq	40(%rdx), %r10
	movslq	16(%r10), %rdx
	movq	40(%rdi), %r11
	movslq	(%r10), %rdi
	movslq	24(%r10), %r8
	movslq	24(%r11), %r12
	incl	%r9d
	movslq	%r9d, %r9
	addq	%rax, %r9
	movq	%r9, -8(%rsp)
	movslq	16(%r11), %r9
	movl	4(%r11), %r11d
	movl	4(%r10), %r13d
	movl	20(%r10), %r10d
	movl	16(%rsi), %ebp
	movq	(%rsi), %rbx
	leal	-2(%rdx,%r10), %esi
	movl	%esi, -44(%rsp)
	leal	15(%r11), %r14d
	movl	%r14d, %r15d
	sarl	$4, %r15d
	andl	$-16, %r14d
	leal	(%rdi,%r13), %esi
	incl	%esi
	cmpl	%esi, %r14d
	setl	%sil
	testl	%edi, %edi
	setle	%r10b
	andb	%sil, %r10b
	movb	%r10b, -45(%rsp)
	incl	%r15d
	xorl	%esi, %esi
	testl	%r11d, %r11d
	cmovlel	%esi, %r15d
	movq	%r8, %rsi
	imulq	%rdx, %rsi
	addq	%rdi, %rsi
	shlq	$2, %rsi
	movq	%rcx, %r10
	subq	%rsi, %r10
	movq	%r10, -40(%rsp)
	movslq	%r15d, %r13
	decl	%r14d
	sarl	$4, %ebp
	movq	%r12, -24(%rsp)
	imulq	%r12, %r9
	shlq	$2, %r9
	subq	%r9, %rbx
	movq	%rbx, -32(%rsp)
	movq	%rbp, -16(%rsp)
	leal	1(%rbp), %esi
	movslq	%esi, %r9
	jmp	.LBB1_2
	.p2align	4, 0x90
.LBB1_12:
	incq	%rax
	cmpq	-8(%rsp), %rax
	jge	.LBB1_13
.LBB1_2:
	cmpl	%eax, -44(%rsp)
	setg	%r10b
	leal	3(%rax), %esi
	cmpl	%esi, %edx
	setl	%sil
	andb	-45(%rsp), %r10b
	andb	%sil, %r10b
	cmpb	$1, %r10b
	jne	.LBB1_8
	leal	2(%rax), %esi
	movslq	%esi, %rsi
	movzbl	%r10b, %r12d
	addq	%rsi, %r12
	jmp	.LBB1_4
	.p2align	4, 0x90
.LBB1_7:
	incq	%rsi
	cmpq	%r12, %rsi
	jge	.LBB1_8
.LBB1_4:
	testl	%r15d, %r15d
	jle	.LBB1_7
	movl	%esi, %r10d
	subl	%edx, %r10d
	movslq	%r10d, %r10
	imulq	%r8, %r10
	xorl	%ebx, %ebx
	xorl	%r11d, %r11d
	.p2align	4, 0x90
.LBB1_6:
	cmpl	%r14d, %ebx
	movl	%r14d, %ebp
	cmovll	%ebx, %ebp
	subl	%edi, %ebp
	movslq	%ebp, %rbp
	addq	%r10, %rbp
	prefetcht0	(%rcx,%rbp,4)
	incq	%r11
	addl	$16, %ebx
	cmpq	%r13, %r11
	jl	.LBB1_6
	jmp	.LBB1_7
	.p2align	4, 0x90
.LBB1_8:
	cmpl	$0, -16(%rsp)
	js	.LBB1_12
	movq	%rax, %rsi
	imulq	%r8, %rsi
	movq	-40(%rsp), %r10
	leaq	(%r10,%rsi,4), %rsi
	#APP
	#NO_APP
	movq	%rax, %r10
	imulq	-24(%rsp), %r10
	movq	-32(%rsp), %r11
	leaq	(%r11,%r10,4), %r12
	#APP
	#NO_APP
	xorl	%r10d, %r10d
	xorl	%ebx, %ebx
	jmp	.LBB1_10
	.p2align	4, 0x90
.LBB1_14:
	vmovups	%zmm0, (%r12,%r10)
.LBB1_15:
	incq	%rbx
	addq	$64, %r10
	cmpq	%r9, %rbx
	jge	.LBB1_12
.LBB1_10:
	vmovups	(%rsi,%r10), %zmm0
	vaddps	%zmm0, %zmm0, %zmm0
	leal	(%r12,%r10), %r11d
	testb	$63, %r11b
	jne	.LBB1_14
	vmovntps	%zmm0, (%r12,%r10)
	jmp	.LBB1_15
.LBB1_13:
	sfence
	xorl	%eax, %eax
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end1:
	.size	fetched.work.0, .Lfunc_end1-fetched.work.0

	.globl	fetched_argv
	.p2align	4, 0x90
	.type	fetched_argv,@function
fetched_argv:
.Lfetched_argv$local:
	.type	.Lfetched_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lfetched$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	fetched_argv, .Lfunc_end2-fetched_argv
	.size	.Lfetched_argv$local, .Lfunc_end2-fetched_argv

	.globl	fetched_metadata
	.p2align	4, 0x90
	.type	fetched_metadata,@function
fetched_metadata:
.Lfetched_metadata$local:
	.type	.Lfetched_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	fetched_metadata, .Lfunc_end3-fetched_metadata
	.size	.Lfetched_metadata$local, .Lfunc_end3-fetched_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"fetched"
	.size	.Lname.1, 8

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
	.asciz	"fetched"
	.size	.Lname.3, 8

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
