	.text
	.file	"shorts"
	.globl	shorts
	.p2align	4, 0x90
	.type	shorts,@function
shorts:
.Lshorts$local:
	.type	.Lshorts$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$192, %rsp
	movq	%rdx, %rbx
	movq	%rsi, %r14
	movq	%rdi, %r15
	movq	16(%rbx), %r12
	movq	%r12, (%rsp)
	movq	%rbx, 8(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	shorts.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	16(%r15), %rax
	movq	16(%r14), %rcx
	movq	%rax, 64(%rsp)
	movq	%r15, 72(%rsp)
	movq	%rcx, 80(%rsp)
	movq	%r14, 88(%rsp)
	movq	%r12, 96(%rsp)
	movq	%rbx, 104(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	shorts.work.1
	cmpl	$0, %eax
	jne	.LBB0_6
	xorl	%eax, %eax
	jmp	.LBB0_4
.LBB0_4:
	leaq	-32(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_5:
	jmp	.LBB0_4
.LBB0_6:
	jmp	.LBB0_4
.Lfunc_end0:
	.size	shorts, .Lfunc_end0-shorts
	.size	.Lshorts$local, .Lfunc_end0-shorts

	.p2align	4, 0x90
	.type	shorts.work.0,@function
shorts.work.0:
	movq	(%rsi), %rax
	movl	$0, (%rax)
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	shorts.work.0, .Lfunc_end1-shorts.work.0

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
	.type	shorts.work.1,@function
shorts.work.1:
	movq	(%rsi), %rcx
	movq	8(%rsi), %rdi
	movq	16(%rsi), %rdx
	movq	24(%rsi), %r8
	movq	32(%rsi), %rax
	movq	40(%rdi), %rsi
	movslq	(%rsi), %rsi
	movq	40(%r8), %rdi
	movslq	(%rdi), %rdi
	addq	%rsi, %rsi
	subq	%rsi, %rcx
	#APP
	#NO_APP
	addq	%rdi, %rdi
	subq	%rdi, %rdx
	#APP
	#NO_APP
	vpxor	%xmm0, %xmm0, %xmm0
	movq	$-1, %rsi
	xorl	%edi, %edi
	vpxor	%xmm1, %xmm1, %xmm1
	.p2align	4, 0x90
.LBB2_1:
	vmovdqu64	(%rcx,%rdi), %zmm2
	vmovdqu64	64(%rcx,%rdi), %zmm3
	vpmaddwd	(%rdx,%rdi), %zmm2, %zmm2
	vpaddd	%zmm2, %zmm0, %zmm0
	vpmaddwd	64(%rdx,%rdi), %zmm3, %zmm2
	vpaddd	%zmm2, %zmm1, %zmm1
	incq	%rsi
	subq	$-128, %rdi
	cmpq	$15, %rsi
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
	.size	shorts.work.1, .Lfunc_end2-shorts.work.1

	.globl	shorts_argv
	.p2align	4, 0x90
	.type	shorts_argv,@function
shorts_argv:
.Lshorts_argv$local:
	.type	.Lshorts_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Lshorts$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	shorts_argv, .Lfunc_end3-shorts_argv
	.size	.Lshorts_argv$local, .Lfunc_end3-shorts_argv

	.globl	shorts_metadata
	.p2align	4, 0x90
	.type	shorts_metadata,@function
shorts_metadata:
.Lshorts_metadata$local:
	.type	.Lshorts_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	shorts_metadata, .Lfunc_end4-shorts_metadata
	.size	.Lshorts_metadata$local, .Lfunc_end4-shorts_metadata

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
	.asciz	"shorts"
	.size	.Lname.2, 7

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	69632
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	1
	.long	1
	.long	69632
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.2
	.long	2
	.long	0
	.long	73728
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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake"
	.size	.Lname.3, 86

	.type	.Lname.4,@object
.Lname.4:
	.asciz	"shorts"
	.size	.Lname.4, 7

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
