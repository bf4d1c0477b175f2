	.text
	.file	"bytes"
	.globl	bytes
	.p2align	4, 0x90
	.type	bytes,@function
bytes:
.Lbytes$local:
	.type	.Lbytes$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$256, %rsp
	movq	%rsi, %r14
	movq	40(%r14), %rax
	movl	(%rax), %r15d
	movq	40(%r14), %rax
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
	movq	16(%r14), %r13
	movq	16(%rdi), %rbx
	movq	%r13, 64(%rsp)
	movq	%r14, 72(%rsp)
	movl	%r15d, 80(%rsp)
	movl	%eax, 52(%rsp)
	movl	%eax, 84(%rsp)
	movq	%rbx, 88(%rsp)
	movq	%rdi, 56(%rsp)
	movq	%rdi, 96(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	bytes.work.0
	cmpl	$0, %eax
	jne	.LBB0_5
	movq	%r13, 128(%rsp)
	movq	%r14, 136(%rsp)
	movl	%r12d, 144(%rsp)
	movl	%r15d, 148(%rsp)
	movl	52(%rsp), %eax
	movl	%eax, 152(%rsp)
	movq	%rbx, 160(%rsp)
	movq	56(%rsp), %rax
	movq	%rax, 168(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	bytes.work.1
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
	.size	bytes, .Lfunc_end0-bytes
	.size	.Lbytes$local, .Lfunc_end0-bytes

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	0x437f0000
	.text
	.p2align	4, 0x90
	.type	bytes.work.0,@function
bytes.work.0:
	movslq	20(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	32(%rsi), %rdx
	movq	40(%rcx), %rcx
	movslq	(%rcx), %rdi
	movq	40(%rdx), %rcx
	movslq	(%rcx), %r8
	movslq	16(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%r8, %rdx
	shlq	$2, %rdx
	addq	24(%rsi), %rdx
	#APP
	#NO_APP
	subq	%rdi, %rcx
	addq	(%rsi), %rcx
	#APP
	#NO_APP
	xorl	%esi, %esi
	vxorps	%xmm0, %xmm0, %xmm0
	vbroadcastss	.LCPI1_0(%rip), %zmm1
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB1_2:
	vmovups	(%rdx,%rsi,4), %zmm2
	vmaxps	%zmm0, %zmm2, %zmm2
	vminps	%zmm1, %zmm2, %zmm2
	vcvttps2dq	%zmm2, %zmm2
	vpmovdb	%zmm2, (%rcx,%rsi)
	incq	%rdi
	addq	$16, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	bytes.work.0, .Lfunc_end1-bytes.work.0

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI2_0:
	.long	0x437f0000
	.text
	.p2align	4, 0x90
	.type	bytes.work.1,@function
bytes.work.1:
	movl	16(%rsi), %eax
	movl	20(%rsi), %ecx
	movslq	24(%rsi), %rdx
	movl	%eax, %edi
	subl	%ecx, %edi
	sarl	$4, %edi
	subl	%edx, %edi
	cmpl	$2147483646, %edi
	ja	.LBB2_3
	incl	%edi
	movslq	%edi, %rdi
	addq	%rdx, %rdi
	movq	(%rsi), %r8
	movq	8(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	subq	%r9, %r8
	movq	40(%rsi), %r9
	movq	40(%r9), %r9
	movslq	(%r9), %r9
	movq	32(%rsi), %rsi
	addl	$-15, %eax
	shlq	$2, %r9
	subq	%r9, %rsi
	#APP
	#NO_APP
	#APP
	#NO_APP
	movl	%edx, %r9d
	shll	$4, %r9d
	addl	%r9d, %ecx
	vxorps	%xmm0, %xmm0, %xmm0
	vbroadcastss	.LCPI2_0(%rip), %zmm1
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%eax, %ecx
	movl	%eax, %r9d
	cmovll	%ecx, %r9d
	movslq	%r9d, %r9
	vmovups	(%rsi,%r9,4), %zmm2
	vmaxps	%zmm0, %zmm2, %zmm2
	vminps	%zmm1, %zmm2, %zmm2
	vcvttps2dq	%zmm2, %zmm2
	vpmovdb	%zmm2, (%r8,%r9)
	incq	%rdx
	addl	$16, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	bytes.work.1, .Lfunc_end2-bytes.work.1

	.globl	bytes_argv
	.p2align	4, 0x90
	.type	bytes_argv,@function
bytes_argv:
.Lbytes_argv$local:
	.type	.Lbytes_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lbytes$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	bytes_argv, .Lfunc_end3-bytes_argv
	.size	.Lbytes_argv$local, .Lfunc_end3-bytes_argv

	.globl	bytes_metadata
	.p2align	4, 0x90
	.type	bytes_metadata,@function
bytes_metadata:
.Lbytes_metadata$local:
	.type	.Lbytes_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	bytes_metadata, .Lfunc_end4-bytes_metadata
	.size	.Lbytes_metadata$local, .Lfunc_end4-bytes_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"bytes"
	.size	.Lname.1, 6

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
	.long	67585
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
	.asciz	"bytes"
	.size	.Lname.3, 6

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
