	.text
	.file	"masked_tail"
	.globl	masked_tail
	.p2align	4, 0x90
	.type	masked_tail,@function
masked_tail:
.Lmasked_tail$local:
	.type	.Lmasked_tail$local,@function
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
	movl	4(%rax), %eax
	movl	%r15d, %r12d
	addl	%eax, %r12d
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
	callq	masked_tail.work.0
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
	callq	masked_tail.work.1
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
	.size	masked_tail, .Lfunc_end0-masked_tail
	.size	.Lmasked_tail$local, .Lfunc_end0-masked_tail

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	0x40400000
	.text
	.p2align	4, 0x90
	.type	masked_tail.work.0,@function
masked_tail.work.0:
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
	subq	%rdi, %rcx
	shlq	$2, %rcx
	addq	16(%rsi), %rcx
	#APP
	#NO_APP
	#APP
	#NO_APP
	xorl	%esi, %esi
	vbroadcastss	.LCPI1_0(%rip), %zmm0
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB1_2:
	vmulps	(%rdx,%rsi), %zmm0, %zmm1
	vmovups	%zmm1, (%rcx,%rsi)
	incq	%rdi
	addq	$64, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	masked_tail.work.0, .Lfunc_end1-masked_tail.work.0

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI2_0:
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
	.long	15
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI2_1:
	.long	1
.LCPI2_2:
	.long	0x40400000
	.section	.rodata.cst16,"aM",@progbits,16
.LCPI2_3:
	.byte	0
	.byte	1
	.byte	2
	.byte	3
	.byte	4
	.byte	5
	.byte	6
	.byte	7
	.byte	8
	.byte	9
	.byte	10
	.byte	11
	.byte	12
	.byte	13
	.byte	14
	.byte	15
	.text
	.p2align	4, 0x90
	.type	masked_tail.work.1,@function
masked_tail.work.1:
	movl	32(%rsi), %edi
	movslq	36(%rsi), %r8
	movslq	40(%rsi), %rax
	movl	%edi, %ecx
	subl	%r8d, %ecx
	sarl	$4, %ecx
	subl	%eax, %ecx
	cmpl	$2147483646, %ecx
	ja	.LBB2_3
	incl	%ecx
	movslq	%ecx, %rcx
	addq	%rax, %rcx
	movq	8(%rsi), %rdx
	movq	24(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	movq	40(%rdx), %rdx
	movslq	(%rdx), %r10
	movq	%r8, %rdx
	subq	%r10, %rdx
	shlq	$2, %rdx
	addq	(%rsi), %rdx
	#APP
	#NO_APP
	movq	%r8, %r10
	subq	%r9, %r10
	shlq	$2, %r10
	addq	16(%rsi), %r10
	#APP
	#NO_APP
	movq	%rax, %rsi
	shlq	$6, %rsi
	addq	%rsi, %rdx
	addq	%r10, %rsi
	movl	%eax, %r9d
	shll	$4, %r9d
	addl	%r8d, %r9d
	subl	%edi, %r9d
	xorl	%edi, %edi
	vpmovsxbd	.LCPI2_3(%rip), %zmm0
	vpbroadcastd	.LCPI2_1(%rip), %zmm1
	vbroadcastss	.LCPI2_2(%rip), %zmm2
	.p2align	4, 0x90
.LBB2_2:
	leal	(%r9,%rdi), %r8d
	vpbroadcastd	%r8d, %zmm3
	vpaddd	%zmm0, %zmm3, %zmm3
	vpcmpltd	%zmm1, %zmm3, %k1
	vmovups	(%rdx,%rdi,4), %zmm3 {%k1} {z}
	vmulps	%zmm2, %zmm3, %zmm3
	vmovups	%zmm3, (%rsi,%rdi,4) {%k1}
	incq	%rax
	addq	$16, %rdi
	cmpq	%rcx, %rax
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	masked_tail.work.1, .Lfunc_end2-masked_tail.work.1

	.globl	masked_tail_argv
	.p2align	4, 0x90
	.type	masked_tail_argv,@function
masked_tail_argv:
.Lmasked_tail_argv$local:
	.type	.Lmasked_tail_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lmasked_tail$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	masked_tail_argv, .Lfunc_end3-masked_tail_argv
	.size	.Lmasked_tail_argv$local, .Lfunc_end3-masked_tail_argv

	.globl	masked_tail_metadata
	.p2align	4, 0x90
	.type	masked_tail_metadata,@function
masked_tail_metadata:
.Lmasked_tail_metadata$local:
	.type	.Lmasked_tail_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	masked_tail_metadata, .Lfunc_end4-masked_tail_metadata
	.size	.Lmasked_tail_metadata$local, .Lfunc_end4-masked_tail_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"masked_tail"
	.size	.Lname.1, 12

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
	.asciz	"masked_tail"
	.size	.Lname.3, 12

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
