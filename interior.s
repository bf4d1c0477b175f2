	.text
	.file	"interior"
	.globl	interior
	.p2align	4, 0x90
	.type	interior,@function
interior:
.Linterior$local:
	.type	.Linterior$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$320, %rsp
	movq	40(%rsi), %rax
	movl	(%rax), %r15d
	movq	40(%rsi), %rax
	movl	4(%rax), %r12d
	addl	%r15d, %r12d
	addl	$-1, %r12d
	movq	40(%rdi), %rax
	movl	(%rax), %eax
	movl	%r12d, %ecx
	addl	$-13, %ecx
	cmpl	%ecx, %eax
	setl	%dl
	movl	%r12d, %ecx
	addl	$-15, %ecx
	cmpl	%ecx, %eax
	setl	%cl
	andb	%cl, %dl
	movl	%eax, %ecx
	subl	%r15d, %ecx
	movl	%ecx, %r8d
	sarl	$4, %r8d
	addl	$1, %r8d
	addl	$14, %ecx
	sarl	$4, %ecx
	movl	%ecx, %r9d
	sarl	$31, %r9d
	andnl	%ecx, %r9d, %r9d
	movl	%r8d, %ecx
	subl	%r9d, %ecx
	cmovgl	%r8d, %r9d
	movl	%r12d, %r13d
	subl	%r15d, %r13d
	movl	%r13d, %ecx
	sarl	$4, %ecx
	addl	$1, %ecx
	testb	$1, %dl
	movl	%ecx, %edx
	cmovnel	%r9d, %edx
	movl	%edx, %r8d
	subl	%ecx, %r8d
	movl	%ecx, %ebx
	cmovll	%edx, %ebx
	movq	40(%rdi), %rdx
	addl	4(%rdx), %eax
	subl	%r15d, %eax
	movl	%eax, %edx
	addl	$15, %edx
	sarl	$4, %edx
	addl	$-1, %edx
	addl	$1, %eax
	sarl	$4, %eax
	movl	%eax, %r8d
	subl	%ecx, %r8d
	cmovll	%eax, %ecx
	movl	%edx, %eax
	subl	%ecx, %eax
	cmovll	%edx, %ecx
	addl	$1, %r13d
	sarl	$4, %r13d
	movl	%ecx, %eax
	subl	%r13d, %eax
	cmovll	%ecx, %r13d
	movl	%ebx, %eax
	subl	%r13d, %eax
	cmovgl	%ebx, %r13d
	movq	16(%rdi), %r14
	movq	16(%rsi), %rax
	movq	%r14, 64(%rsp)
	movq	%rdi, 48(%rsp)
	movq	%rdi, 72(%rsp)
	movq	%rax, 40(%rsp)
	movq	%rax, 80(%rsp)
	movq	%rsi, 56(%rsp)
	movq	%rsi, 88(%rsp)
	movl	%r12d, 96(%rsp)
	movl	%r15d, 100(%rsp)
	movl	%ebx, 104(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	interior.work.0
	cmpl	$0, %eax
	jne	.LBB0_6
	movq	%r14, 128(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 136(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 144(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 152(%rsp)
	movl	%r15d, 160(%rsp)
	movl	%ebx, 164(%rsp)
	movl	%r13d, 168(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	interior.work.1
	cmpl	$0, %eax
	jne	.LBB0_7
	movq	%r14, 192(%rsp)
	movq	48(%rsp), %rax
	movq	%rax, 200(%rsp)
	movq	40(%rsp), %rax
	movq	%rax, 208(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 216(%rsp)
	movl	%r12d, 224(%rsp)
	movl	%r15d, 228(%rsp)
	movl	%r13d, 232(%rsp)
	leaq	192(%rsp), %rsi
	xorl	%edi, %edi
	callq	interior.work.2
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
	.size	interior, .Lfunc_end0-interior
	.size	.Linterior$local, .Lfunc_end0-interior

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI1_0:
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
.LCPI1_1:
	.long	4294967295
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
	.section	.rodata.cst16,"aM",@progbits,16
.LCPI1_2:
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
.LCPI1_3:
	.byte	255
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
	.text
	.p2align	4, 0x90
	.type	interior.work.0,@function
interior.work.0:
	movslq	40(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_4
	pushq	%rbp
	pushq	%rbx
	movq	(%rsi), %rcx
	movq	8(%rsi), %rdi
	movl	36(%rsi), %edx
	movq	40(%rdi), %r9
	movl	(%r9), %edi
	movq	16(%rsi), %r8
	movq	24(%rsi), %r10
	movq	40(%r10), %r10
	movslq	(%r10), %r10
	movl	4(%r9), %r9d
	movl	32(%rsi), %esi
	addl	$-15, %esi
	decl	%r9d
	vpbroadcastd	%r9d, %zmm0
	shlq	$2, %r10
	subq	%r10, %r8
	#APP
	#NO_APP
	xorl	%r9d, %r9d
	vpmovsxbd	.LCPI1_2(%rip), %zmm1
	vpxor	%xmm2, %xmm2, %xmm2
	vpmovsxbd	.LCPI1_3(%rip), %zmm3
	.p2align	4, 0x90
.LBB1_2:
	cmpl	%edx, %esi
	movl	%edx, %r10d
	cmovll	%esi, %r10d
	movslq	%r10d, %r10
	movl	%r10d, %r11d
	subl	%edi, %r11d
	leal	-1(%r11), %ebx
	vpbroadcastd	%ebx, %zmm4
	vpaddd	%zmm1, %zmm4, %zmm4
	vpminsd	%zmm4, %zmm0, %zmm4
	vpmaxsd	%zmm2, %zmm4, %zmm4
	vmovd	%xmm4, %ebx
	vextracti32x4	$3, %zmm4, %xmm5
	vpextrd	$3, %xmm5, %ebp
	subl	%ebx, %ebp
	vpbroadcastd	%ebp, %zmm5
	vpcmpgtd	%zmm3, %zmm5, %k1
	vmovups	(%rcx,%rbx,4), %zmm5 {%k1} {z}
	vpbroadcastd	%xmm4, %zmm6
	vpsubd	%zmm6, %zmm4, %zmm4
	vpermd	%zmm5, %zmm4, %zmm4
	incl	%r11d
	vpbroadcastd	%r11d, %zmm5
	vpaddd	%zmm1, %zmm5, %zmm5
	vpminsd	%zmm0, %zmm5, %zmm5
	vpmaxsd	%zmm2, %zmm5, %zmm5
	vmovd	%xmm5, %r11d
	vextracti32x4	$3, %zmm5, %xmm6
	vpextrd	$3, %xmm6, %ebx
	subl	%r11d, %ebx
	vpbroadcastd	%ebx, %zmm6
	vpcmpgtd	%zmm3, %zmm6, %k1
	vmovups	(%rcx,%r11,4), %zmm6 {%k1} {z}
	vpbroadcastd	%xmm5, %zmm7
	vpsubd	%zmm7, %zmm5, %zmm5
	vpermd	%zmm6, %zmm5, %zmm5
	vaddps	%zmm5, %zmm4, %zmm4
	vmovups	%zmm4, (%r8,%r10,4)
	incq	%r9
	addl	$16, %edx
	cmpq	%rax, %r9
	jl	.LBB1_2
	popq	%rbx
	popq	%rbp
.LBB1_4:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	interior.work.0, .Lfunc_end1-interior.work.0

	.p2align	4, 0x90
	.type	interior.work.1,@function
interior.work.1:
	movslq	36(%rsi), %rax
	movl	40(%rsi), %ecx
	subl	%eax, %ecx
	testl	%ecx, %ecx
	jle	.LBB2_3
	movslq	%ecx, %rcx
	addq	%rax, %rcx
	movq	8(%rsi), %rdx
	movq	24(%rsi), %rdi
	movq	40(%rdi), %rdi
	movslq	(%rdi), %r8
	movq	40(%rdx), %rdx
	movslq	(%rdx), %r9
	movslq	32(%rsi), %rdx
	movq	%rdx, %rdi
	subq	%r9, %rdi
	shlq	$2, %rdi
	addq	(%rsi), %rdi
	#APP
	#NO_APP
	subq	%r8, %rdx
	shlq	$2, %rdx
	addq	16(%rsi), %rdx
	#APP
	#NO_APP
	movq	%rax, %rsi
	shlq	$6, %rsi
	.p2align	4, 0x90
.LBB2_2:
	vmovups	-4(%rdi,%rsi), %zmm0
	vaddps	4(%rdi,%rsi), %zmm0, %zmm0
	vmovups	%zmm0, (%rdx,%rsi)
	incq	%rax
	addq	$64, %rsi
	cmpq	%rcx, %rax
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	interior.work.1, .Lfunc_end2-interior.work.1

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI3_0:
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
.LCPI3_1:
	.long	4294967295
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
	.section	.rodata.cst16,"aM",@progbits,16
.LCPI3_2:
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
.LCPI3_3:
	.byte	255
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
	.text
	.p2align	4, 0x90
	.type	interior.work.2,@function
interior.work.2:
	movl	32(%rsi), %eax
	movl	36(%rsi), %ecx
	movslq	40(%rsi), %rdx
	movl	%eax, %r9d
	subl	%ecx, %r9d
	sarl	$4, %r9d
	subl	%edx, %r9d
	cmpl	$2147483646, %r9d
	ja	.LBB3_4
	pushq	%rbp
	pushq	%rbx
	movq	(%rsi), %rdi
	movq	8(%rsi), %r8
	movq	40(%r8), %r11
	movl	(%r11), %r8d
	incl	%r9d
	movslq	%r9d, %r9
	addq	%rdx, %r9
	movq	16(%rsi), %r10
	movq	24(%rsi), %rsi
	movq	40(%rsi), %rsi
	movslq	(%rsi), %rsi
	movl	4(%r11), %r11d
	addl	$-15, %eax
	decl	%r11d
	vpbroadcastd	%r11d, %zmm0
	shlq	$2, %rsi
	subq	%rsi, %r10
	#APP
	#NO_APP
	movl	%edx, %esi
	shll	$4, %esi
	addl	%esi, %ecx
	vpmovsxbd	.LCPI3_2(%rip), %zmm1
	vpxor	%xmm2, %xmm2, %xmm2
	vpmovsxbd	.LCPI3_3(%rip), %zmm3
	.p2align	4, 0x90
.LBB3_2:
	cmpl	%ecx, %eax
	movl	%ecx, %esi
	cmovll	%eax, %esi
	movslq	%esi, %rsi
	movl	%esi, %r11d
	subl	%r8d, %r11d
	leal	-1(%r11), %ebx
	vpbroadcastd	%ebx, %zmm4
	vpaddd	%zmm1, %zmm4, %zmm4
	vpminsd	%zmm4, %zmm0, %zmm4
	vpmaxsd	%zmm2, %zmm4, %zmm4
	vmovd	%xmm4, %ebx
	vextracti32x4	$3, %zmm4, %xmm5
	vpextrd	$3, %xmm5, %ebp
	subl	%ebx, %ebp
	vpbroadcastd	%ebp, %zmm5
	vpcmpgtd	%zmm3, %zmm5, %k1
	vmovups	(%rdi,%rbx,4), %zmm5 {%k1} {z}
	vpbroadcastd	%xmm4, %zmm6
	vpsubd	%zmm6, %zmm4, %zmm4
	vpermd	%zmm5, %zmm4, %zmm4
	incl	%r11d
	vpbroadcastd	%r11d, %zmm5
	vpaddd	%zmm1, %zmm5, %zmm5
	vpminsd	%zmm0, %zmm5, %zmm5
	vpmaxsd	%zmm2, %zmm5, %zmm5
	vmovd	%xmm5, %r11d
	vextracti32x4	$3, %zmm5, %xmm6
	vpextrd	$3, %xmm6, %ebx
	subl	%r11d, %ebx
	vpbroadcastd	%ebx, %zmm6
	vpcmpgtd	%zmm3, %zmm6, %k1
	vmovups	(%rdi,%r11,4), %zmm6 {%k1} {z}
	vpbroadcastd	%xmm5, %zmm7
	vpsubd	%zmm7, %zmm5, %zmm5
	vpermd	%zmm6, %zmm5, %zmm5
	vaddps	%zmm5, %zmm4, %zmm4
	vmovups	%zmm4, (%r10,%rsi,4)
	incq	%rdx
	addl	$16, %ecx
	cmpq	%r9, %rdx
	jl	.LBB3_2
	popq	%rbx
	popq	%rbp
.LBB3_4:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end3:
	.size	interior.work.2, .Lfunc_end3-interior.work.2

	.globl	interior_argv
	.p2align	4, 0x90
	.type	interior_argv,@function
interior_argv:
.Linterior_argv$local:
	.type	.Linterior_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Linterior$local
	popq	%rcx
	retq
.Lfunc_end4:
	.size	interior_argv, .Lfunc_end4-interior_argv
	.size	.Linterior_argv$local, .Lfunc_end4-interior_argv

	.globl	interior_metadata
	.p2align	4, 0x90
	.type	interior_metadata,@function
interior_metadata:
.Linterior_metadata$local:
	.type	.Linterior_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end5:
	.size	interior_metadata, .Lfunc_end5-interior_metadata
	.size	.Linterior_metadata$local, .Lfunc_end5-interior_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"interior"
	.size	.Lname.1, 9

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
	.asciz	"interior"
	.size	.Lname.3, 9

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
