	.text
	.file	"pack_u8_of_i32"
	.globl	pack_u8_of_i32
	.p2align	4, 0x90
	.type	pack_u8_of_i32,@function
pack_u8_of_i32:
.Lpack_u8_of_i32$local:
	.type	.Lpack_u8_of_i32$local,@function
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
	callq	pack_u8_of_i32.work.0
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
	callq	pack_u8_of_i32.work.1
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
	.size	pack_u8_of_i32, .Lfunc_end0-pack_u8_of_i32
	.size	.Lpack_u8_of_i32$local, .Lfunc_end0-pack_u8_of_i32

	.p2align	4, 0x90
	.type	pack_u8_of_i32.work.0,@function
pack_u8_of_i32.work.0:
	movslq	36(%rsi), %rax
	testq	%rax, %rax
	jle	.LBB1_3
	movq	8(%rsi), %rcx
	movq	24(%rsi), %rdx
	movq	40(%rdx), %rdi
	movq	40(%rcx), %rcx
	movslq	(%rcx), %r8
	movslq	32(%rsi), %rcx
	movq	%rcx, %rdx
	subq	%r8, %rdx
	shlq	$2, %rdx
	addq	(%rsi), %rdx
	movslq	(%rdi), %rdi
	subq	%rdi, %rcx
	addq	16(%rsi), %rcx
	#APP
	#NO_APP
	#APP
	#NO_APP
	xorl	%esi, %esi
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB1_2:
	vmovdqu	(%rdx,%rsi,4), %ymm0
	vmovdqu	64(%rdx,%rsi,4), %ymm1
	vmovdqu	128(%rdx,%rsi,4), %ymm2
	vmovdqu	192(%rdx,%rsi,4), %ymm3
	vpackssdw	96(%rdx,%rsi,4), %ymm1, %ymm1
	vpackssdw	32(%rdx,%rsi,4), %ymm0, %ymm0
	vpermq	$216, %ymm1, %ymm1
	vpermq	$216, %ymm0, %ymm0
	vpackuswb	%ymm1, %ymm0, %ymm0
	vpermq	$216, %ymm0, %ymm0
	vpackssdw	224(%rdx,%rsi,4), %ymm3, %ymm1
	vpackssdw	160(%rdx,%rsi,4), %ymm2, %ymm2
	vpermq	$216, %ymm1, %ymm1
	vpermq	$216, %ymm2, %ymm2
	vpackuswb	%ymm1, %ymm2, %ymm1
	vpermq	$216, %ymm1, %ymm1
	vmovdqu	%ymm1, 32(%rcx,%rsi)
	vmovdqu	%ymm0, (%rcx,%rsi)
	incq	%rdi
	addq	$64, %rsi
	cmpq	%rax, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	pack_u8_of_i32.work.0, .Lfunc_end1-pack_u8_of_i32.work.0

	.p2align	4, 0x90
	.type	pack_u8_of_i32.work.1,@function
pack_u8_of_i32.work.1:
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
	movslq	(%r8), %r9
	movq	(%rsi), %r8
	movq	8(%rsi), %r10
	movq	40(%r10), %r10
	movslq	(%r10), %r10
	movq	16(%rsi), %rsi
	subq	%r9, %rsi
	addl	$-63, %eax
	shlq	$2, %r10
	subq	%r10, %r8
	#APP
	#NO_APP
	#APP
	#NO_APP
	movl	%edx, %r9d
	shll	$6, %r9d
	addl	%r9d, %ecx
	.p2align	4, 0x90
.LBB2_2:
	cmpl	%ecx, %eax
	movl	%ecx, %r9d
	cmovll	%eax, %r9d
	movslq	%r9d, %r9
	vmovdqu	(%r8,%r9,4), %ymm0
	vmovdqu	64(%r8,%r9,4), %ymm1
	vmovdqu	128(%r8,%r9,4), %ymm2
	vmovdqu	192(%r8,%r9,4), %ymm3
	vpackssdw	96(%r8,%r9,4), %ymm1, %ymm1
	vpackssdw	32(%r8,%r9,4), %ymm0, %ymm0
	vpermq	$216, %ymm1, %ymm1
	vpermq	$216, %ymm0, %ymm0
	vpackuswb	%ymm1, %ymm0, %ymm0
	vpermq	$216, %ymm0, %ymm0
	vpackssdw	224(%r8,%r9,4), %ymm3, %ymm1
	vpackssdw	160(%r8,%r9,4), %ymm2, %ymm2
	vpermq	$216, %ymm1, %ymm1
	vpermq	$216, %ymm2, %ymm2
	vpackuswb	%ymm1, %ymm2, %ymm1
	vpermq	$216, %ymm1, %ymm1
	vmovdqu	%ymm1, 32(%rsi,%r9)
	vmovdqu	%ymm0, (%rsi,%r9)
	incq	%rdx
	addl	$64, %ecx
	cmpq	%rdi, %rdx
	jl	.LBB2_2
.LBB2_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	pack_u8_of_i32.work.1, .Lfunc_end2-pack_u8_of_i32.work.1

	.globl	pack_u8_of_i32_argv
	.p2align	4, 0x90
	.type	pack_u8_of_i32_argv,@function
pack_u8_of_i32_argv:
.Lpack_u8_of_i32_argv$local:
	.type	.Lpack_u8_of_i32_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lpack_u8_of_i32$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	pack_u8_of_i32_argv, .Lfunc_end3-pack_u8_of_i32_argv
	.size	.Lpack_u8_of_i32_argv$local, .Lfunc_end3-pack_u8_of_i32_argv

	.globl	pack_u8_of_i32_metadata
	.p2align	4, 0x90
	.type	pack_u8_of_i32_metadata,@function
pack_u8_of_i32_metadata:
.Lpack_u8_of_i32_metadata$local:
	.type	.Lpack_u8_of_i32_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	pack_u8_of_i32_metadata, .Lfunc_end4-pack_u8_of_i32_metadata
	.size	.Lpack_u8_of_i32_metadata$local, .Lfunc_end4-pack_u8_of_i32_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"a"
	.size	.Lname, 2

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"pack_u8_of_i32"
	.size	.Lname.1, 15

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
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2"
	.size	.Lname.2, 55

	.type	.Lname.3,@object
.Lname.3:
	.asciz	"pack_u8_of_i32"
	.size	.Lname.3, 15

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
