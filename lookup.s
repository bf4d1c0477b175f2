	.text
	.file	"lookup"
	.globl	lookup
	.p2align	4, 0x90
	.type	lookup,@function
lookup:
.Llookup$local:
	.type	.Llookup$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$320, %rsp
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
	sarl	$5, %ecx
	addl	$1, %ecx
	addl	$1, %eax
	sarl	$5, %eax
	movl	%ecx, %edx
	subl	%eax, %edx
	cmovll	%ecx, %eax
	movl	%eax, %ecx
	sarl	$31, %ecx
	andnl	%eax, %ecx, %r15d
	movl	%r15d, 28(%rsp)
	sarl	%r15d
	movq	16(%rdi), %rbx
	movq	16(%r14), %rcx
	movq	16(%rsi), %rax
	movq	%rbx, 64(%rsp)
	movq	%rdi, 40(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%rcx, 32(%rsp)
	movq	%rcx, 80(%rsp)
	movq	%r14, 88(%rsp)
	movl	%r12d, 96(%rsp)
	movl	%r15d, 100(%rsp)
	movq	%rax, 56(%rsp)
	movq	%rax, 104(%rsp)
	movq	%rsi, 48(%rsp)
	movq	%rsi, 112(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	lookup.work.0
	cmpl	$0, %eax
	jne	.LBB0_6
	movq	%rbx, 128(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 136(%rsp)
	movq	32(%rsp), %rax
	movq	%rax, 144(%rsp)
	movq	%r14, 152(%rsp)
	movl	%r12d, 160(%rsp)
	movl	28(%rsp), %eax
	movl	%eax, 164(%rsp)
	movl	%r15d, 168(%rsp)
	movq	56(%rsp), %r15
	movq	%r15, 176(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 184(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	lookup.work.1
	cmpl	$0, %eax
	jne	.LBB0_7
	movq	%rbx, 192(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 200(%rsp)
	movq	32(%rsp), %rax
	movq	%rax, 208(%rsp)
	movq	%r14, 216(%rsp)
	movl	%r13d, 224(%rsp)
	movl	%r12d, 228(%rsp)
	movl	28(%rsp), %eax
	movl	%eax, 232(%rsp)
	movq	%r15, 240(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 248(%rsp)
	leaq	192(%rsp), %rsi
	xorl	%edi, %edi
	callq	lookup.work.2
	cmpl	$0, %eax
	jne	.LBB0_8
	xorl	%eax, %eax
	jmp	.LBB0_5
.LBB0_5:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_6:
	jmp	.LBB0_5
.LBB0_7:
	jmp	.LBB0_5
.LBB0_8:
	jmp	.LBB0_5
.Lfunc_end0:
	.size	lookup, .Lfunc_end0-lookup
	.size	.Llookup$local, .Lfunc_end0-lookup

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	24
	.text
	.p2align	4, 0x90
	.type	lookup.work.0,@function
lookup.work.0:
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
	addq	(%rsi), %rdi
	vpbroadcastd	(%r9), %zmm0
	#APP
	#NO_APP
	movl	%ecx, %r9d
	andl	$3, %r9d
	andq	$-4, %rcx
	subq	%r8, %rdx
	addq	16(%rsi), %rdx
	vpbroadcastd	%r9d, %zmm1
	#APP
	#NO_APP
	xorl	%esi, %esi
	vpbroadcastd	.LCPI1_0(%rip), %zmm2
	xorl	%r8d, %r8d
	.p2align	4, 0x90
.LBB1_2:
	vpmovzxbd	32(%rdi,%rsi), %zmm3
	vpmovzxbd	48(%rdi,%rsi), %zmm4
	vpmovzxbd	(%rdi,%rsi), %zmm5
	vpmovzxbd	16(%rdi,%rsi), %zmm6
	vpsubd	%zmm0, %zmm6, %zmm6
	vpsubd	%zmm0, %zmm5, %zmm5
	vpsubd	%zmm0, %zmm4, %zmm4
	vpsubd	%zmm0, %zmm3, %zmm3
	vpaddd	%zmm1, %zmm3, %zmm3
	vpaddd	%zmm1, %zmm4, %zmm4
	vpsrad	$2, %zmm4, %zmm7
	vpsrad	$2, %zmm3, %zmm8
	kxnorw	%k0, %k0, %k1
	vpxor	%xmm9, %xmm9, %xmm9
	vpgatherdd	(%rcx,%zmm8,4), %zmm9 {%k1}
	kxnorw	%k0, %k0, %k1
	vpxor	%xmm8, %xmm8, %xmm8
	vpgatherdd	(%rcx,%zmm7,4), %zmm8 {%k1}
	vpaddd	%zmm1, %zmm5, %zmm5
	vpaddd	%zmm1, %zmm6, %zmm6
	vpsrad	$2, %zmm6, %zmm7
	vpsrad	$2, %zmm5, %zmm10
	kxnorw	%k0, %k0, %k1
	vpxor	%xmm11, %xmm11, %xmm11
	vpgatherdd	(%rcx,%zmm10,4), %zmm11 {%k1}
	kxnorw	%k0, %k0, %k1
	vpxor	%xmm10, %xmm10, %xmm10
	vpgatherdd	(%rcx,%zmm7,4), %zmm10 {%k1}
	vpslld	$3, %zmm6, %zmm6
	vpslld	$3, %zmm5, %zmm5
	vpslld	$3, %zmm4, %zmm4
	vpslld	$3, %zmm3, %zmm3
	vpandd	%zmm2, %zmm3, %zmm3
	vpsrlvd	%zmm3, %zmm9, %zmm3
	vpandd	%zmm2, %zmm4, %zmm4
	vpsrlvd	%zmm4, %zmm8, %zmm4
	vpandd	%zmm2, %zmm5, %zmm5
	vpsrlvd	%zmm5, %zmm11, %zmm5
	vpandd	%zmm2, %zmm6, %zmm6
	vpsrlvd	%zmm6, %zmm10, %zmm6
	vpmovdb	%zmm3, %xmm3
	vpmovdb	%zmm4, %xmm4
	vinserti128	$1, %xmm4, %ymm3, %ymm3
	vpmovdb	%zmm5, %xmm4
	vpmovdb	%zmm6, %xmm5
	vinserti128	$1, %xmm5, %ymm4, %ymm4
	vinserti64x4	$1, %ymm3, %zmm4, %zmm3
	vmovdqu64	%zmm3, (%rdx,%rsi)
	incq	%r8
	addq	$64, %rsi
	cmpq	%rax, %r8
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	lookup.work.0, .Lfunc_end1-lookup.work.0

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI2_0:
	.long	24
	.text
	.p2align	4, 0x90
	.type	lookup.work.1,@function
lookup.work.1:
	movl	36(%rsi), %ecx
	movl	40(%rsi), %eax
	addl	%eax, %eax
	subl	%eax, %ecx
	testl	%ecx, %ecx
	jle	.LBB2_3
	cltq
	movslq	%ecx, %rcx
	addq	%rax, %rcx
	movq	8(%rsi), %rdx
	movq	24(%rsi), %rdi
	movq	40(%rdi), %rdi
	movslq	(%rdi), %r9
	movq	56(%rsi), %rdi
	movq	40(%rdi), %r10
	movq	40(%rdx), %rdx
	movslq	(%rdx), %r11
	movq	48(%rsi), %rdx
	movslq	32(%rsi), %rdi
	movq	%rdi, %r8
	subq	%r11, %r8
	addq	(%rsi), %r8
	#APP
	#NO_APP
	vpbroadcastd	(%r10), %zmm0
	movl	%edx, %r10d
	andl	$3, %r10d
	andq	$-4, %rdx
	vpbroadcastd	%r10d, %zmm1
	subq	%r9, %rdi
	addq	16(%rsi), %rdi
	#APP
	#NO_APP
	movq	%rax, %rsi
	shlq	$5, %rsi
	vpbroadcastd	.LCPI2_0(%rip), %zmm2
	.p2align	4, 0x90
.LBB2_2:
	vpmovzxbd	16(%r8,%rsi), %zmm3
	vpmovzxbd	(%r8,%rsi), %zmm4
	vpsubd	%zmm0, %zmm4, %zmm4
	vpsubd	%zmm0, %zmm3, %zmm3
	vpaddd	%zmm1, %zmm3, %zmm3
	vpaddd	%zmm1, %zmm4, %zmm4
	vpsrad	$2, %zmm4, %zmm5
	vpsrad	$2, %zmm3, %zmm6
	kxnorw	%k0, %k0, %k1
	vpxor	%xmm7, %xmm7, %xmm7
	vpgatherdd	(%rdx,%zmm6,4), %zmm7 {%k1}
	kxnorw	%k0, %k0, %k1
	vpxor	%xmm6, %xmm6, %xmm6
	vpgatherdd	(%rdx,%zmm5,4), %zmm6 {%k1}
	vpslld	$3, %zmm4, %zmm4
	vpslld	$3, %zmm3, %zmm3
	vpandd	%zmm2, %zmm3, %zmm3
	vpsrlvd	%zmm3, %zmm7, %zmm3
	vpmovdb	%zmm3, 16(%rdi,%rsi)
	vpandd	%zmm2, %zmm4, %zmm3
	vpsrlvd	%zmm3, %zmm6, %zmm3
	vpmovdb	%zmm3, (%rdi,%rsi)
	incq	%rax
	addq	$32, %rsi
	cmpq	%rcx, %rax
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	lookup.work.1, .Lfunc_end2-lookup.work.1

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI3_0:
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
.LCPI3_1:
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
.LCPI3_2:
	.long	1
.LCPI3_3:
	.long	24
	.section	.rodata.cst16,"aM",@progbits,16
.LCPI3_4:
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
.LCPI3_5:
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
	.type	lookup.work.2,@function
lookup.work.2:
	movl	32(%rsi), %r9d
	movslq	36(%rsi), %r10
	movslq	40(%rsi), %rax
	movl	%r9d, %ecx
	subl	%r10d, %ecx
	sarl	$5, %ecx
	subl	%eax, %ecx
	cmpl	$2147483646, %ecx
	ja	.LBB3_4
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
	addq	(%rsi), %rdi
	#APP
	#NO_APP
	vpbroadcastd	(%r11), %zmm0
	movl	%edx, %r11d
	andl	$3, %r11d
	andq	$-4, %rdx
	vpbroadcastd	%r11d, %zmm1
	movq	%r10, %r11
	subq	%r8, %r11
	addq	16(%rsi), %r11
	#APP
	#NO_APP
	movq	%rax, %rsi
	shlq	$5, %rsi
	addq	%rsi, %rdi
	addq	%r11, %rsi
	movl	%eax, %r8d
	shll	$5, %r8d
	addl	%r10d, %r8d
	subl	%r9d, %r8d
	xorl	%r9d, %r9d
	vpmovsxbd	.LCPI3_4(%rip), %zmm2
	vpmovsxbd	.LCPI3_5(%rip), %zmm3
	vpbroadcastd	.LCPI3_2(%rip), %zmm4
	vpbroadcastd	.LCPI3_3(%rip), %zmm5
	.p2align	4, 0x90
.LBB3_2:
	leal	(%r8,%r9), %r10d
	vpbroadcastd	%r10d, %zmm6
	vpaddd	%zmm2, %zmm6, %zmm7
	vpaddd	%zmm3, %zmm6, %zmm6
	vpcmpgtd	%zmm6, %zmm4, %k3
	vpcmpgtd	%zmm7, %zmm4, %k2
	kunpckwd	%k3, %k2, %k1
	vmovdqu8	(%rdi,%r9), %ymm6 {%k1} {z}
	vpmovzxbd	%xmm6, %zmm7
	vextracti128	$1, %ymm6, %xmm6
	vpmovzxbd	%xmm6, %zmm6
	vpsubd	%zmm0, %zmm6, %zmm6
	vpsubd	%zmm0, %zmm7, %zmm7
	vpaddd	%zmm1, %zmm7, %zmm7
	vpaddd	%zmm1, %zmm6, %zmm6
	vpsrad	$2, %zmm6, %zmm8
	vpsrad	$2, %zmm7, %zmm9
	vpxor	%xmm10, %xmm10, %xmm10
	vpgatherdd	(%rdx,%zmm9,4), %zmm10 {%k3}
	vpxor	%xmm9, %xmm9, %xmm9
	vpgatherdd	(%rdx,%zmm8,4), %zmm9 {%k2}
	vpslld	$3, %zmm6, %zmm6
	vpslld	$3, %zmm7, %zmm7
	vpandd	%zmm5, %zmm7, %zmm7
	vpsrlvd	%zmm7, %zmm10, %zmm7
	vpandd	%zmm5, %zmm6, %zmm6
	vpsrlvd	%zmm6, %zmm9, %zmm6
	vpmovdb	%zmm7, %xmm7
	vpmovdb	%zmm6, %xmm6
	vinserti128	$1, %xmm6, %ymm7, %ymm6
	vmovdqu8	%ymm6, (%rsi,%r9) {%k1}
	incq	%rax
	addq	$32, %r9
	cmpq	%rcx, %rax
	jl	.LBB3_2
	popq	%rbx
.LBB3_4:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end3:
	.size	lookup.work.2, .Lfunc_end3-lookup.work.2

	.globl	lookup_argv
	.p2align	4, 0x90
	.type	lookup_argv,@function
lookup_argv:
.Llookup_argv$local:
	.type	.Llookup_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	16(%rdi), %rdx
	movq	%rax, %rdi
	callq	.Llookup$local
	popq	%rcx
	retq
.Lfunc_end4:
	.size	lookup_argv, .Lfunc_end4-lookup_argv
	.size	.Llookup_argv$local, .Lfunc_end4-lookup_argv

	.globl	lookup_metadata
	.p2align	4, 0x90
	.type	lookup_metadata,@function
lookup_metadata:
.Llookup_metadata$local:
	.type	.Llookup_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end5:
	.size	lookup_metadata, .Lfunc_end5-lookup_metadata
	.size	.Llookup_metadata$local, .Lfunc_end5-lookup_metadata

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
	.asciz	"lookup"
	.size	.Lname.2, 7

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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake"
	.size	.Lname.3, 86

	.type	.Lname.4,@object
.Lname.4:
	.asciz	"lookup"
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
