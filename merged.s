	.text
	.file	"merged"
	.globl	merged
	.p2align	4, 0x90
	.type	merged,@function
merged:
.Lmerged$local:
	.type	.Lmerged$local,@function
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
	sarl	$3, %ecx
	addl	$1, %ecx
	addl	$1, %eax
	sarl	$3, %eax
	movl	%ecx, %edx
	subl	%eax, %edx
	cmovll	%ecx, %eax
	movl	%eax, %ecx
	sarl	$31, %ecx
	andnl	%eax, %ecx, %r13d
	sarl	%r13d
	movq	16(%rdi), %r14
	movq	16(%rbx), %rax
	movq	%r14, 64(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%rax, 48(%rsp)
	movq	%rax, 80(%rsp)
	movq	%rbx, 88(%rsp)
	movl	%r15d, 96(%rsp)
	movl	%r13d, 100(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	merged.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	%r14, 128(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 136(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 144(%rsp)
	movq	%rbx, 152(%rsp)
	movl	%r12d, 160(%rsp)
	movl	%r15d, 164(%rsp)
	movl	%r13d, 168(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	merged.work.1
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
	.size	merged, .Lfunc_end0-merged
	.size	.Lmerged$local, .Lfunc_end0-merged

	.p2align	4, 0x90
	.type	merged.work.0,@function
merged.work.0:
	movslq	36(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rdi
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r8
	movslq	32(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%r8, %rdx
	shlq	$2, %rdx
	addq	(%rsi), %rdx
	#APP
	#NO_APP
	subq	%rdi, %rcx
	shlq	$2, %rcx
	addq	16(%rsi), %rcx
	#APP
	#NO_APP
	xorl	%esi, %esi
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB1_2:
	vmovups	(%rdx,%rsi), %zmm0
	vmulps	4(%rdx,%rsi), %zmm0, %zmm0
	vmovups	%zmm0, (%rcx,%rsi)
	incq	%rdi
	addq	$64, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	merged.work.0, .Lfunc_end1-merged.work.0

	.p2align	4, 0x90
	.type	merged.work.1,@function
merged.work.1:
	movl	32(%rsi), %eax
	movl	36(%rsi), %ecx
	movl	40(%rsi), %r8d
	leal	(%r8,%r8), %edx
	movl	%eax, %edi
	subl	%ecx, %edi
	sarl	$3, %edi
	subl	%edx, %edi
	cmpl	$2147483646, %edi
	ja	.LBB2_3
	movslq	%edx, %rdx
	incl	%edi
	movslq	%edi, %rdi
	addq	%rdx, %rdi
	movq	24(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r10
	movq	(%rsi), %r9
	movq	8(%rsi), %r11
	movq	40(%r11), %r11
	movslq	(%r11), %r11
	movq	16(%rsi), %rsi
	addl	$-7, %eax
	shlq	$2, %r11
	subq	%r11, %r9
	#APP
	#NO_APP
	shlq	$2, %r10
	subq	%r10, %rsi
	#APP
	#NO_APP
	shll	$4, %r8d
	addl	%r8d, %ecx
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%ecx, %eax
	movl	%ecx, %r8d
	cmovll	%eax, %r8d
	movslq	%r8d, %r8
	vmovups	(%r9,%r8,4), %ymm0
	vmulps	4(%r9,%r8,4), %ymm0, %ymm0
	vmovups	%ymm0, (%rsi,%r8,4)
	incq	%rdx
	addl	$8, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	merged.work.1, .Lfunc_end2-merged.work.1

	.globl	merged_argv
	.p2align	4, 0x90
	.type	merged_argv,@function
merged_argv:
.Lmerged_argv$local:
	.type	.Lmerged_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lmerged$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	merged_argv, .Lfunc_end3-merged_argv
	.size	.Lmerged_argv$local, .Lfunc_end3-merged_argv

	.globl	merged_metadata
	.p2align	4, 0x90
	.type	merged_metadata,@function
merged_metadata:
.Lmerged_metadata$local:
	.type	.Lmerged_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	merged_metadata, .Lfunc_end4-merged_metadata
	.size	.Lmerged_metadata$local, .Lfunc_end4-merged_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"merged"
	.size	.Lname.1, 7

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
	.asciz	"merged"
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
