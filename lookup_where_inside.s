	.text
	.file	"lookup_where_inside"
	.globl	lookup_where_inside
	.p2align	4, 0x90
	.type	lookup_where_inside,@function
lookup_where_inside:
.Llookup_where_inside$local:
	.type	.Llookup_where_inside$local,@function
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
	movl	4(%rax), %r13d
	addl	%r12d, %r13d
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
	callq	lookup_where_inside.work.0
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
	callq	lookup_where_inside.work.1
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
	.size	lookup_where_inside, .Lfunc_end0-lookup_where_inside
	.size	.Llookup_where_inside$local, .Lfunc_end0-lookup_where_inside

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	16
	.text
	.p2align	4, 0x90
	.type	lookup_where_inside.work.0,@function
lookup_where_inside.work.0:
	movslq	36(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movq	40(%rdx), %rdx
	movslq	(%rdx), %r8
	movq	48(%rsi), %rdx
	movq	40(%rdx), %r9
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r10
	movq	40(%rsi), %rcx
	movslq	32(%rsi), %rdx
	movq	%rdx, %rdi
	subq	%r10, %rdi
	addq	%rdi, %rdi
	addq	(%rsi), %rdi
	#APP
	#NO_APP
	vpbroadcastd	(%r9), %zmm0
	movl	%ecx, %r9d
	andl	$2, %r9d
	andq	$-4, %rcx
	shrl	%r9d
	subq	%r8, %rdx
	addq	%rdx, %rdx
	addq	16(%rsi), %rdx
	vpbroadcastd	%r9d, %zmm1
	#APP
	#NO_APP
	xorl	%esi, %esi
	vpbroadcastd	.LCPI1_0(%rip), %zmm2
	xorl	%r8d, %r8d
	.p2align	4, 0x90
.LBB1_2:
	vpmovzxwd	64(%rdi,%rsi), %zmm3
	vpmovzxwd	96(%rdi,%rsi), %zmm4
	vpmovzxwd	(%rdi,%rsi), %zmm5
	vpmovzxwd	32(%rdi,%rsi), %zmm6
	vpsubd	%zmm0, %zmm6, %zmm6
	vpsubd	%zmm0, %zmm5, %zmm5
	vpsubd	%zmm0, %zmm4, %zmm4
	vpsubd	%zmm0, %zmm3, %zmm3
	vpaddd	%zmm1, %zmm3, %zmm3
	vpaddd	%zmm1, %zmm4, %zmm4
	vpsrad	$1, %zmm4, %zmm7
	vpsrad	$1, %zmm3, %zmm8
	vpxor	%xmm9, %xmm9, %xmm9
	kxnorw	%k0, %k0, %k1
	vpgatherdd	(%rcx,%zmm8,4), %zmm9 {%k1}
	vpxor	%xmm8, %xmm8, %xmm8
	kxnorw	%k0, %k0, %k1
	vpgatherdd	(%rcx,%zmm7,4), %zmm8 {%k1}
	vpaddd	%zmm1, %zmm5, %zmm5
	vpaddd	%zmm1, %zmm6, %zmm6
	vpsrad	$1, %zmm6, %zmm7
	vpsrad	$1, %zmm5, %zmm10
	vpxor	%xmm11, %xmm11, %xmm11
	kxnorw	%k0, %k0, %k1
	vpgatherdd	(%rcx,%zmm10,4), %zmm11 {%k1}
	vpxor	%xmm10, %xmm10, %xmm10
	kxnorw	%k0, %k0, %k1
	vpgatherdd	(%rcx,%zmm7,4), %zmm10 {%k1}
	vpslld	$4, %zmm6, %zmm6
	vpslld	$4, %zmm5, %zmm5
	vpslld	$4, %zmm4, %zmm4
	vpslld	$4, %zmm3, %zmm3
	vpandd	%zmm2, %zmm3, %zmm3
	vpsrlvd	%zmm3, %zmm9, %zmm3
	vpandd	%zmm2, %zmm4, %zmm4
	vpsrlvd	%zmm4, %zmm8, %zmm4
	vpandd	%zmm2, %zmm5, %zmm5
	vpsrlvd	%zmm5, %zmm11, %zmm5
	vpandd	%zmm2, %zmm6, %zmm6
	vpmovdw	%zmm3, %ymm3
	vpmovdw	%zmm4, %ymm4
	vpmovdw	%zmm5, %ymm5
	vpsrlvd	%zmm6, %zmm10, %zmm6
	vpmovdw	%zmm6, %ymm6
	vinserti64x4	$1, %ymm6, %zmm5, %zmm5
	vmovdqu64	%zmm5, (%rdx,%rsi)
	vinserti64x4	$1, %ymm4, %zmm3, %zmm3
	vmovdqu64	%zmm3, 64(%rdx,%rsi)
	incq	%r8
	subq	$-128, %rsi
	cmpq	%rax, %r8
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	lookup_where_inside.work.0, .Lfunc_end1-lookup_where_inside.work.0

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI2_0:
	.long	48
	.long	49
	.long	50
	.long	51
	.long	52
	.long	53
	.long	54
	.long	55
	.long	56
	.long	57
	.long	58
	.long	59
	.long	60
	.long	61
	.long	62
	.long	63
.LCPI2_1:
	.long	32
	.long	33
	.long	34
	.long	35
	.long	36
	.long	37
	.long	38
	.long	39
	.long	40
	.long	41
	.long	42
	.long	43
	.long	44
	.long	45
	.long	46
	.long	47
.LCPI2_2:
	.long	16
	.long	17
	.long	18
	.long	19
	.long	20
	.long	21
	.long	22
	.long	23
	.long	24
	.long	25
	.long	26
	.long	27
	.long	28
	.long	29
	.long	30
	.long	31
.LCPI2_3:
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
.LCPI2_4:
	.long	1
.LCPI2_5:
	.long	16
	.section	.rodata.cst16,"aM",@progbits,16
.LCPI2_6:
	.byte	48
	.byte	49
	.byte	50
	.byte	51
	.byte	52
	.byte	53
	.byte	54
	.byte	55
	.byte	56
	.byte	57
	.byte	58
	.byte	59
	.byte	60
	.byte	61
	.byte	62
	.byte	63
.LCPI2_7:
	.byte	32
	.byte	33
	.byte	34
	.byte	35
	.byte	36
	.byte	37
	.byte	38
	.byte	39
	.byte	40
	.byte	41
	.byte	42
	.byte	43
	.byte	44
	.byte	45
	.byte	46
	.byte	47
.LCPI2_8:
	.byte	16
	.byte	17
	.byte	18
	.byte	19
	.byte	20
	.byte	21
	.byte	22
	.byte	23
	.byte	24
	.byte	25
	.byte	26
	.byte	27
	.byte	28
	.byte	29
	.byte	30
	.byte	31
.LCPI2_9:
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
	.type	lookup_where_inside.work.1,@function
lookup_where_inside.work.1:
	movl	32(%rsi), %r9d
	movslq	36(%rsi), %r10
	movslq	40(%rsi), %rax
	movl	%r9d, %ecx
	subl	%r10d, %ecx
	sarl	$6, %ecx
	subl	%eax, %ecx
	cmpl	$2147483646, %ecx
	ja	.LBB2_4
	pushq	%rbx
	incl	%ecx
	movslq	%ecx, %rcx
	addq	%rax, %rcx
	movq	8(%rsi), %rdx
	movq	24(%rsi), %rdi
	movq	40(%rdi), %rdi
	movslq	(%rdi), %r8
	movq	56(%rsi), %rdi
	movq	40(%rdi), %r11
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rbx
	movq	48(%rsi), %rdx
	movq	%r10, %rdi
	subq	%rbx, %rdi
	addq	%rdi, %rdi
	addq	(%rsi), %rdi
	#APP
	#NO_APP
	vpbroadcastd	(%r11), %zmm0
	movl	%edx, %r11d
	andl	$2, %r11d
	andq	$-4, %rdx
	shrl	%r11d
	vpbroadcastd	%r11d, %zmm1
	movq	%r10, %r11
	subq	%r8, %r11
	addq	%r11, %r11
	addq	16(%rsi), %r11
	#APP
	#NO_APP
	movq	%rax, %rsi
	shlq	$7, %rsi
	addq	%rsi, %rdi
	addq	%r11, %rsi
	movl	%eax, %r8d
	shll	$6, %r8d
	addl	%r10d, %r8d
	subl	%r9d, %r8d
	xorl	%r9d, %r9d
	vpmovsxbd	.LCPI2_6(%rip), %zmm2
	vpmovsxbd	.LCPI2_7(%rip), %zmm3
	vpmovsxbd	.LCPI2_8(%rip), %zmm4
	vpmovsxbd	.LCPI2_9(%rip), %zmm5
	vpbroadcastd	.LCPI2_4(%rip), %zmm6
	vpbroadcastd	.LCPI2_5(%rip), %zmm7
	.p2align	4, 0x90
.LBB2_2:
	leal	(%r8,%r9), %r10d
	vpbroadcastd	%r10d, %zmm8
	vpaddd	%zmm2, %zmm8, %zmm9
	vpaddd	%zmm3, %zmm8, %zmm10
	vpaddd	%zmm4, %zmm8, %zmm11
	vpaddd	%zmm5, %zmm8, %zmm8
	vpcmpgtd	%zmm8, %zmm6, %k6
	vpcmpgtd	%zmm11, %zmm6, %k5
	kunpckwd	%k6, %k5, %k1
	vpcmpgtd	%zmm10, %zmm6, %k4
	vpcmpgtd	%zmm9, %zmm6, %k3
	kunpckwd	%k4, %k3, %k2
	vmovdqu16	64(%rdi,%r9,2), %zmm8 {%k2} {z}
	vmovdqu16	(%rdi,%r9,2), %zmm9 {%k1} {z}
	vpmovzxwd	%ymm9, %zmm10
	vextracti64x4	$1, %zmm9, %ymm9
	vpmovzxwd	%ymm9, %zmm9
	vpmovzxwd	%ymm8, %zmm11
	vextracti64x4	$1, %zmm8, %ymm8
	vpmovzxwd	%ymm8, %zmm8
	vpsubd	%zmm0, %zmm8, %zmm8
	vpsubd	%zmm0, %zmm11, %zmm11
	vpsubd	%zmm0, %zmm9, %zmm9
	vpsubd	%zmm0, %zmm10, %zmm10
	vpaddd	%zmm1, %zmm10, %zmm10
	vpaddd	%zmm1, %zmm9, %zmm9
	vpaddd	%zmm1, %zmm11, %zmm11
	vpaddd	%zmm1, %zmm8, %zmm8
	vpsrad	$1, %zmm8, %zmm12
	vpsrad	$1, %zmm11, %zmm13
	vpsrad	$1, %zmm9, %zmm14
	vpsrad	$1, %zmm10, %zmm15
	vpxord	%xmm16, %xmm16, %xmm16
	vpgatherdd	(%rdx,%zmm15,4), %zmm16 {%k6}
	vpxor	%xmm15, %xmm15, %xmm15
	vpgatherdd	(%rdx,%zmm14,4), %zmm15 {%k5}
	vpxor	%xmm14, %xmm14, %xmm14
	vpgatherdd	(%rdx,%zmm13,4), %zmm14 {%k4}
	vpxor	%xmm13, %xmm13, %xmm13
	vpgatherdd	(%rdx,%zmm12,4), %zmm13 {%k3}
	vpslld	$4, %zmm8, %zmm8
	vpslld	$4, %zmm11, %zmm11
	vpslld	$4, %zmm9, %zmm9
	vpslld	$4, %zmm10, %zmm10
	vpandd	%zmm7, %zmm10, %zmm10
	vpsrlvd	%zmm10, %zmm16, %zmm10
	vpandd	%zmm7, %zmm9, %zmm9
	vpsrlvd	%zmm9, %zmm15, %zmm9
	vpandd	%zmm7, %zmm11, %zmm11
	vpsrlvd	%zmm11, %zmm14, %zmm11
	vpandd	%zmm7, %zmm8, %zmm8
	vpmovdw	%zmm10, %ymm10
	vpmovdw	%zmm9, %ymm9
	vpmovdw	%zmm11, %ymm11
	vpsrlvd	%zmm8, %zmm13, %zmm8
	vpmovdw	%zmm8, %ymm8
	vinserti64x4	$1, %ymm8, %zmm11, %zmm8
	vmovdqu16	%zmm8, 64(%rsi,%r9,2) {%k2}
	vinserti64x4	$1, %ymm9, %zmm10, %zmm8
	vmovdqu16	%zmm8, (%rsi,%r9,2) {%k1}
	incq	%rax
	addq	$64, %r9
	cmpq	%rcx, %rax
	jl	.LBB2_2
	popq	%rbx
.LBB2_4:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	lookup_where_inside.work.1, .Lfunc_end2-lookup_where_inside.work.1

	.globl	lookup_where_inside_argv
	.p2align	4, 0x90
	.type	lookup_where_inside_argv,@function
lookup_where_inside_argv:
.Llookup_where_inside_argv$local:
	.type	.Llookup_where_inside_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Llookup_where_inside$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	lookup_where_inside_argv, .Lfunc_end3-lookup_where_inside_argv
	.size	.Llookup_where_inside_argv$local, .Lfunc_end3-lookup_where_inside_argv

	.globl	lookup_where_inside_metadata
	.p2align	4, 0x90
	.type	lookup_where_inside_metadata,@function
lookup_where_inside_metadata:
.Llookup_where_inside_metadata$local:
	.type	.Llookup_where_inside_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	lookup_where_inside_metadata, .Lfunc_end4-lookup_where_inside_metadata
	.size	.Llookup_where_inside_metadata$local, .Lfunc_end4-lookup_where_inside_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"table"
	.size	.Lname.1, 6

	.type	.Lname.2,@object
.Lname.2:
	.asciz	"lookup_where_inside"
	.size	.Lname.2, 20

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	1
	.long	69633
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.1
	.long	1
	.long	1
	.long	69633
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.2
	.long	2
	.long	1
	.long	69633
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
	.asciz	"lookup_where_inside"
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
