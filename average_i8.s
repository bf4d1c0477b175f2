	.text
	.file	"average_i8"
	.globl	average_i8
	.p2align	4, 0x90
	.type	average_i8,@function
average_i8:
.Laverage_i8$local:
	.type	.Laverage_i8$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$256, %rsp
	movq	%rdx, %r14
	movq	40(%r14), %rax
	movl	(%rax), %r12d
	movq	40(%r14), %rax
	movl	4(%rax), %eax
	movl	%r12d, %r13d
	addl	%eax, %r13d
	addl	$-1, %r13d
	movl	%r13d, %eax
	subl	%r12d, %eax
	movl	%eax, %ecx
	addl	$1, %ecx
	sarl	$6, %ecx
	sarl	$6, %eax
	addl	$1, %eax
	movl	%ecx, %edx
	subl	%eax, %edx
	cmovll	%ecx, %eax
	movl	%eax, %ecx
	sarl	$31, %ecx
	andnl	%eax, %ecx, %eax
	movq	16(%rdi), %r15
	movq	16(%r14), %rbx
	movq	16(%rsi), %rcx
	movq	%r15, 64(%rsp)
	movq	%rdi, 48(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%rbx, 80(%rsp)
	movq	%r14, 88(%rsp)
	movl	%r12d, 96(%rsp)
	movl	%eax, 36(%rsp)
	movl	%eax, 100(%rsp)
	movq	%rcx, 40(%rsp)
	movq	%rcx, 104(%rsp)
	movq	%rsi, 56(%rsp)
	movq	%rsi, 112(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	average_i8.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	%r15, 128(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 136(%rsp)
	movq	%rbx, 144(%rsp)
	movq	%r14, 152(%rsp)
	movl	%r13d, 160(%rsp)
	movl	%r12d, 164(%rsp)
	movl	36(%rsp), %eax
	movl	%eax, 168(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 176(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 184(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	average_i8.work.1
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
	.size	average_i8, .Lfunc_end0-average_i8
	.size	.Laverage_i8$local, .Lfunc_end0-average_i8

	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI1_0:
	.zero	32,128
	.section	.rodata,"a",@progbits
.LCPI1_1:
	.byte	128
	.text
	.p2align	4, 0x90
	.type	average_i8.work.0,@function
average_i8.work.0:
	movslq	36(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movq	40(%rdx), %rdx
	movslq	(%rdx), %r8
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r9
	movq	48(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	(%rcx), %rdi
	movslq	32(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%rdi, %rdx
	addq	40(%rsi), %rdx
	#APP
	#NO_APP
	movq	%rcx, %rdi
	subq	%r9, %rdi
	addq	(%rsi), %rdi
	#APP
	#NO_APP
	subq	%r8, %rcx
	addq	16(%rsi), %rcx
	#APP
	#NO_APP
	xorl	%esi, %esi
	vpbroadcastb	.LCPI1_1(%rip), %ymm0
	xorl	%r8d, %r8d
	.p2align	4, 0x90
.LBB1_2:
	vpxor	(%rdi,%rsi), %ymm0, %ymm1
	vpxor	(%rdx,%rsi), %ymm0, %ymm2
	vpavgb	%ymm1, %ymm2, %ymm1
	vpxor	%ymm0, %ymm1, %ymm1
	vpxor	32(%rdi,%rsi), %ymm0, %ymm2
	vpxor	32(%rdx,%rsi), %ymm0, %ymm3
	vpavgb	%ymm2, %ymm3, %ymm2
	vpxor	%ymm0, %ymm2, %ymm2
	vmovdqu	%ymm2, 32(%rcx,%rsi)
	vmovdqu	%ymm1, (%rcx,%rsi)
	incq	%r8
	addq	$64, %rsi
	cmpq	%rax, %r8
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	average_i8.work.0, .Lfunc_end1-average_i8.work.0

	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI2_0:
	.zero	32,128
	.section	.rodata,"a",@progbits
.LCPI2_1:
	.byte	128
	.text
	.p2align	4, 0x90
	.type	average_i8.work.1,@function
average_i8.work.1:
	movl	32(%rsi), %eax
	movl	36(%rsi), %ecx
	movslq	40(%rsi), %rdx
	movl	%eax, %edi
	subl	%ecx, %edi
	sarl	$6, %edi
	subl	%edx, %edi
	cmpl	$2147483646, %edi
	ja	.LBB2_3
	incl	%edi
	movslq	%edi, %rdi
	addq	%rdx, %rdi
	movq	24(%rsi), %r8
	movq	40(%r8), %r8
	movslq	(%r8), %r10
	movq	(%rsi), %r8
	movq	8(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	subq	%r9, %r8
	movq	56(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r11
	movq	48(%rsi), %r9
	subq	%r11, %r9
	movq	16(%rsi), %rsi
	subq	%r10, %rsi
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
	vpbroadcastb	.LCPI2_1(%rip), %ymm0
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%ecx, %eax
	movl	%ecx, %r10d
	cmovll	%eax, %r10d
	movslq	%r10d, %r10
	vpxor	(%r8,%r10), %ymm0, %ymm1
	vpxor	(%r9,%r10), %ymm0, %ymm2
	vpavgb	%ymm1, %ymm2, %ymm1
	vpxor	%ymm0, %ymm1, %ymm1
	vpxor	32(%r8,%r10), %ymm0, %ymm2
	vpxor	32(%r9,%r10), %ymm0, %ymm3
	vpavgb	%ymm2, %ymm3, %ymm2
	vpxor	%ymm0, %ymm2, %ymm2
	vmovdqu	%ymm2, 32(%rsi,%r10)
	vmovdqu	%ymm1, (%rsi,%r10)
	incq	%rdx
	addl	$64, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	average_i8.work.1, .Lfunc_end2-average_i8.work.1

	.globl	average_i8_argv
	.p2align	4, 0x90
	.type	average_i8_argv,@function
average_i8_argv:
.Laverage_i8_argv$local:
	.type	.Laverage_i8_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Laverage_i8$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	average_i8_argv, .Lfunc_end3-average_i8_argv
	.size	.Laverage_i8_argv$local, .Lfunc_end3-average_i8_argv

	.globl	average_i8_metadata
	.p2align	4, 0x90
	.type	average_i8_metadata,@function
average_i8_metadata:
.Laverage_i8_metadata$local:
	.type	.Laverage_i8_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	average_i8_metadata, .Lfunc_end4-average_i8_metadata
	.size	.Laverage_i8_metadata$local, .Lfunc_end4-average_i8_metadata

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
	.asciz	"average_i8"
	.size	.Lname.2, 11

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	67584
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
	.long	1
	.long	67584
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
	.asciz	"average_i8"
	.size	.Lname.4, 11

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
