	.text
	.file	"summed"
	.globl	summed
	.p2align	4, 0x90
	.type	summed,@function
summed:
.Lsummed$local:
	.type	.Lsummed$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	andq	$-64, %rsp
	subq	$192, %rsp
	movq	%rsi, %rbx
	movq	%rdi, %r14
	movq	16(%rbx), %r15
	movq	%r15, (%rsp)
	movq	%rbx, 8(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	summed.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	16(%r14), %rax
	movq	%rax, 64(%rsp)
	movq	%r14, 72(%rsp)
	movq	%r15, 80(%rsp)
	movq	%rbx, 88(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	summed.work.1
	cmpl	$0, %eax
	jne	.LBB0_6
	xorl	%eax, %eax
	jmp	.LBB0_4
.LBB0_4:
	leaq	-24(%rbp), %rsp
	popq	%rbx
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_5:
	jmp	.LBB0_4
.LBB0_6:
	jmp	.LBB0_4
.Lfunc_end0:
	.size	summed, .Lfunc_end0-summed
	.size	.Lsummed$local, .Lfunc_end0-summed

	.p2align	4, 0x90
	.type	summed.work.0,@function
summed.work.0:
	movq	(%rsi), %rax
	movl	$0, (%rax)
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	summed.work.0, .Lfunc_end1-summed.work.0

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI2_0:
	.long	1
	.long	3
	.long	5
	.long	7
	.long	9
	.long	11
	.long	13
	.long	15
	.long	17
	.long	19
	.long	21
	.long	23
	.long	25
	.long	27
	.long	29
	.long	31
.LCPI2_1:
	.long	0
	.long	2
	.long	4
	.long	6
	.long	8
	.long	10
	.long	12
	.long	14
	.long	16
	.long	18
	.long	20
	.long	22
	.long	24
	.long	26
	.long	28
	.long	30
	.section	.rodata.cst16,"aM",@progbits,16
.LCPI2_2:
	.byte	1
	.byte	3
	.byte	5
	.byte	7
	.byte	9
	.byte	11
	.byte	13
	.byte	15
	.byte	17
	.byte	19
	.byte	21
	.byte	23
	.byte	25
	.byte	27
	.byte	29
	.byte	31
.LCPI2_3:
	.byte	0
	.byte	2
	.byte	4
	.byte	6
	.byte	8
	.byte	10
	.byte	12
	.byte	14
	.byte	16
	.byte	18
	.byte	20
	.byte	22
	.byte	24
	.byte	26
	.byte	28
	.byte	30
	.text
	.p2align	4, 0x90
	.type	summed.work.1,@function
summed.work.1:
	movq	(%rsi), %rcx
	movq	8(%rsi), %rdx
	movq	16(%rsi), %rax
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rdx
	shlq	$2, %rdx
	subq	%rdx, %rcx
	#APP
	#NO_APP
	vpxor	%xmm0, %xmm0, %xmm0
	movq	$-1, %rdx
	vpxor	%xmm1, %xmm1, %xmm1
	.p2align	4, 0x90
.LBB2_1:
	vpaddd	(%rcx), %zmm0, %zmm0
	vpaddd	64(%rcx), %zmm1, %zmm1
	incq	%rdx
	subq	$-128, %rcx
	cmpq	$31, %rdx
	jb	.LBB2_1
	vpmovsxbd	.LCPI2_2(%rip), %zmm2
	vpermi2d	%zmm1, %zmm0, %zmm2
	vpmovsxbd	.LCPI2_3(%rip), %zmm3
	vpermi2d	%zmm1, %zmm0, %zmm3
	vpaddd	%zmm2, %zmm3, %zmm0
	vextracti64x4	$1, %zmm0, %ymm1
	vphaddd	%ymm1, %ymm0, %ymm0
	vextracti128	$1, %ymm0, %xmm1
	vphaddd	%xmm1, %xmm0, %xmm0
	vpshufd	$216, %xmm0, %xmm0
	vphaddd	%xmm0, %xmm0, %xmm0
	vpextrd	$1, %xmm0, %ecx
	vmovd	%xmm0, %edx
	addl	%ecx, %edx
	addl	%edx, (%rax)
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	summed.work.1, .Lfunc_end2-summed.work.1

	.globl	summed_argv
	.p2align	4, 0x90
	.type	summed_argv,@function
summed_argv:
.Lsummed_argv$local:
	.type	.Lsummed_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lsummed$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	summed_argv, .Lfunc_end3-summed_argv
	.size	.Lsummed_argv$local, .Lfunc_end3-summed_argv

	.globl	summed_metadata
	.p2align	4, 0x90
	.type	summed_metadata,@function
summed_metadata:
.Lsummed_metadata$local:
	.type	.Lsummed_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	summed_metadata, .Lfunc_end4-summed_metadata
	.size	.Lsummed_metadata$local, .Lfunc_end4-summed_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"summed"
	.size	.Lname.1, 7

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	73728
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	2
	.long	0
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
	.asciz	"summed"
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
