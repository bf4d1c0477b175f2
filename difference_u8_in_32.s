	.text
	.file	"difference_u8_in_32"
	.globl	difference_u8_in_32
	.p2align	4, 0x90
	.type	difference_u8_in_32,@function
difference_u8_in_32:
.Ldifference_u8_in_32$local:
	.type	.Ldifference_u8_in_32$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$256, %rsp
	movq	%rdx, %rbx
	movq	40(%rbx), %rax
	movl	(%rax), %r12d
	movq	40(%rbx), %rax
	movl	4(%rax), %r13d
	addl	%r12d, %r13d
	addl	$-1, %r13d
	movl	%r13d, %eax
	subl	%r12d, %eax
	movl	%eax, %ecx
	sarl	$6, %ecx
	addl	$1, %ecx
	addl	$1, %eax
	sarl	$6, %eax
	movl	%ecx, %edx
	subl	%eax, %edx
	cmovll	%ecx, %eax
	movl	%eax, %ecx
	sarl	$31, %ecx
	andnl	%eax, %ecx, %eax
	movq	16(%rdi), %r14
	movq	16(%rsi), %r15
	movq	16(%rbx), %rcx
	movq	%r14, 64(%rsp)
	movq	%rdi, 48(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%r15, 80(%rsp)
	movq	%rsi, 56(%rsp)
	movq	%rsi, 88(%rsp)
	movq	%rcx, 40(%rsp)
	movq	%rcx, 96(%rsp)
	movq	%rbx, 104(%rsp)
	movl	%r12d, 112(%rsp)
	movl	%eax, 36(%rsp)
	movl	%eax, 116(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	difference_u8_in_32.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	%r14, 128(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 136(%rsp)
	movq	%r15, 144(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 152(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 160(%rsp)
	movq	%rbx, 168(%rsp)
	movl	%r13d, 176(%rsp)
	movl	%r12d, 180(%rsp)
	movl	36(%rsp), %eax
	movl	%eax, 184(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	difference_u8_in_32.work.1
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
	.size	difference_u8_in_32, .Lfunc_end0-difference_u8_in_32
	.size	.Ldifference_u8_in_32$local, .Lfunc_end0-difference_u8_in_32

	.p2align	4, 0x90
	.type	difference_u8_in_32.work.0,@function
difference_u8_in_32.work.0:
	movslq	52(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	40(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r8
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movq	40(%rdx), %rdi
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r9
	movslq	48(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%r9, %rdx
	addq	(%rsi), %rdx
	movslq	(%rdi), %r9
	movq	%rcx, %rdi
	subq	%r9, %rdi
	addq	16(%rsi), %rdi
	#APP
	#NO_APP
	subq	%r8, %rcx
	addq	32(%rsi), %rcx
	#APP
	#NO_APP
	#APP
	#NO_APP
	xorl	%esi, %esi
	xorl	%r8d, %r8d
	.p2align	4, 0x90
.LBB1_2:
	vmovdqu	(%rdx,%rsi), %ymm0
	vmovdqu	32(%rdx,%rsi), %ymm1
	vmovdqu	(%rdi,%rsi), %ymm2
	vmovdqu	32(%rdi,%rsi), %ymm3
	vpminub	%ymm2, %ymm0, %ymm4
	vpmaxub	%ymm2, %ymm0, %ymm0
	vpsubb	%ymm4, %ymm0, %ymm0
	vpminub	%ymm3, %ymm1, %ymm2
	vpmaxub	%ymm3, %ymm1, %ymm1
	vpsubb	%ymm2, %ymm1, %ymm1
	vmovdqu	%ymm1, 32(%rcx,%rsi)
	vmovdqu	%ymm0, (%rcx,%rsi)
	incq	%r8
	addq	$64, %rsi
	cmpq	%rax, %r8
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	difference_u8_in_32.work.0, .Lfunc_end1-difference_u8_in_32.work.0

	.p2align	4, 0x90
	.type	difference_u8_in_32.work.1,@function
difference_u8_in_32.work.1:
	movl	48(%rsi), %eax
	movl	52(%rsi), %ecx
	movslq	56(%rsi), %rdx
	movl	%eax, %edi
	subl	%ecx, %edi
	sarl	$6, %edi
	subl	%edx, %edi
	cmpl	$2147483646, %edi
	ja	.LBB2_3
	incl	%edi
	movslq	%edi, %rdi
	addq	%rdx, %rdi
	movq	40(%rsi), %r8
	movq	40(%r8), %r8
	movslq	(%r8), %r10
	movq	24(%rsi), %r8
	movq	40(%r8), %r8
	movslq	(%r8), %r11
	movq	(%rsi), %r8
	movq	8(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	subq	%r9, %r8
	movq	32(%rsi), %r9
	subq	%r10, %r9
	movq	16(%rsi), %rsi
	subq	%r11, %rsi
	addl	$-63, %eax
	#APP
	#NO_APP
	#APP
	#NO_APP
	#APP
	#NO_APP
	movl	%edx, %r10d
	shll	$6, %r10d
	addl	%r10d, %ecx
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%eax, %ecx
	movl	%eax, %r10d
	cmovll	%ecx, %r10d
	movslq	%r10d, %r10
	vmovdqu	(%r8,%r10), %ymm0
	vmovdqu	32(%r8,%r10), %ymm1
	vmovdqu	(%rsi,%r10), %ymm2
	vmovdqu	32(%rsi,%r10), %ymm3
	vpminub	%ymm2, %ymm0, %ymm4
	vpmaxub	%ymm2, %ymm0, %ymm0
	vpsubb	%ymm4, %ymm0, %ymm0
	vpminub	%ymm3, %ymm1, %ymm2
	vpmaxub	%ymm3, %ymm1, %ymm1
	vpsubb	%ymm2, %ymm1, %ymm1
	vmovdqu	%ymm1, 32(%r9,%r10)
	vmovdqu	%ymm0, (%r9,%r10)
	incq	%rdx
	addl	$64, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	difference_u8_in_32.work.1, .Lfunc_end2-difference_u8_in_32.work.1

	.globl	difference_u8_in_32_argv
	.p2align	4, 0x90
	.type	difference_u8_in_32_argv,@function
difference_u8_in_32_argv:
.Ldifference_u8_in_32_argv$local:
	.type	.Ldifference_u8_in_32_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Ldifference_u8_in_32$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	difference_u8_in_32_argv, .Lfunc_end3-difference_u8_in_32_argv
	.size	.Ldifference_u8_in_32_argv$local, .Lfunc_end3-difference_u8_in_32_argv

	.globl	difference_u8_in_32_metadata
	.p2align	4, 0x90
	.type	difference_u8_in_32_metadata,@function
difference_u8_in_32_metadata:
.Ldifference_u8_in_32_metadata$local:
	.type	.Ldifference_u8_in_32_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	difference_u8_in_32_metadata, .Lfunc_end4-difference_u8_in_32_metadata
	.size	.Ldifference_u8_in_32_metadata$local, .Lfunc_end4-difference_u8_in_32_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"a"
	.size	.Lname, 2

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"b"
	.size	.Lname.1, 2

	.type	.Lname.2,@object
.Lname.2:
	.asciz	"difference_u8_in_32"
	.size	.Lname.2, 20

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
	.long	67585
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.2
	.long	2
	.long	1
	.long	67585
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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2"
	.size	.Lname.3, 55

	.type	.Lname.4,@object
.Lname.4:
	.asciz	"difference_u8_in_32"
	.size	.Lname.4, 20

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
