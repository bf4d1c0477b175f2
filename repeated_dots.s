	.text
	.file	"repeated_dots"
	.globl	repeated_dots
	.p2align	4, 0x90
	.type	repeated_dots,@function
repeated_dots:
.Lrepeated_dots$local:
	.type	.Lrepeated_dots$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	andq	$-64, %rsp
	subq	$256, %rsp
	movq	%rsi, %rbx
	movq	%rdi, %r14
	movq	40(%rbx), %rax
	movl	4(%rax), %eax
	movq	40(%rbx), %rcx
	movl	(%rcx), %r9d
	addl	%r9d, %eax
	cmpl	$65, %eax
	setl	%cl
	xorl	%edx, %edx
	cmpl	%r9d, %edx
	setle	%dl
	andb	%dl, %cl
	testb	$1, %cl
	jne	.LBB0_2
	jmp	.LBB0_6
.LBB0_2:
	movq	16(%rbx), %r15
	movq	%r15, 64(%rsp)
	movq	%rbx, 72(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	repeated_dots.work.0
	cmpl	$0, %eax
	jne	.LBB0_7
	movq	16(%r14), %rax
	movq	%rax, 128(%rsp)
	movq	%r14, 136(%rsp)
	movq	%r15, 144(%rsp)
	movq	%rbx, 152(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	repeated_dots.work.1
	cmpl	$0, %eax
	jne	.LBB0_8
	xorl	%eax, %eax
	jmp	.LBB0_5
.LBB0_5:
	leaq	-24(%rbp), %rsp
	popq	%rbx
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_6:
	addl	$-1, %eax
	leaq	.Ltext(%rip), %rsi
	leaq	.Ltext.1(%rip), %rdx
	xorl	%edi, %edi
	xorl	%ecx, %ecx
	movl	$63, %r8d
	movl	%eax, (%rsp)
	callq	fluorite_error_explicit_bounds_too_small@PLT
	jmp	.LBB0_5
.LBB0_7:
	jmp	.LBB0_5
.LBB0_8:
	jmp	.LBB0_5
.Lfunc_end0:
	.size	repeated_dots, .Lfunc_end0-repeated_dots
	.size	.Lrepeated_dots$local, .Lfunc_end0-repeated_dots

	.p2align	4, 0x90
	.type	repeated_dots.work.0,@function
repeated_dots.work.0:
	movq	8(%rsi), %rcx
	movq	(%rsi), %rax
	movq	40(%rcx), %rcx
	movslq	(%rcx), %rcx
	shlq	$2, %rcx
	subq	%rcx, %rax
	movq	$-1, %rcx
	#APP
	#NO_APP
	.p2align	4, 0x90
.LBB1_1:
	movl	$0, 4(%rax,%rcx,4)
	incq	%rcx
	cmpq	$63, %rcx
	jb	.LBB1_1
	xorl	%eax, %eax
	retq
.Lfunc_end1:
	.size	repeated_dots.work.0, .Lfunc_end1-repeated_dots.work.0

	.p2align	4, 0x90
	.type	repeated_dots.work.1,@function
repeated_dots.work.1:
	movq	8(%rsi), %rdx
	movq	(%rsi), %rax
	movq	16(%rsi), %rcx
	movq	24(%rsi), %rsi
	movq	40(%rdx), %rdx
	movslq	(%rdx), %rdx
	subq	%rdx, %rax
	movq	40(%rsi), %rdx
	movslq	(%rdx), %rsi
	movq	.Lb$10.3+40(%rip), %rdx
	movslq	32(%rdx), %rdi
	movslq	(%rdx), %r8
	movslq	16(%rdx), %rdx
	shlq	$2, %rsi
	subq	%rsi, %rcx
	xorl	%esi, %esi
	#APP
	#NO_APP
	shlq	$8, %rdi
	addq	%r8, %rdi
	leaq	(%rdi,%rdx,4), %rdi
	movq	.Lb$10.3+16(%rip), %rdx
	subq	%rdi, %rdx
	.p2align	4, 0x90
.LBB2_1:
	vpbroadcastd	(%rax,%rsi,4), %zmm0
	movq	%rsi, %rdi
	shlq	$8, %rdi
	movq	$-1, %r8
	xorl	%r9d, %r9d
	addq	%rdx, %rdi
	#APP
	#NO_APP
	.p2align	4, 0x90
.LBB2_2:
	vmovdqu64	(%rcx,%r9), %zmm1
	incq	%r8
	vpdpbusd	(%rdi,%r9), %zmm0, %zmm1
	vmovdqu64	%zmm1, (%rcx,%r9)
	addq	$64, %r9
	cmpq	$3, %r8
	jb	.LBB2_2
	leaq	1(%rsi), %rdi
	cmpq	$15, %rsi
	movq	%rdi, %rsi
	jb	.LBB2_1
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	repeated_dots.work.1, .Lfunc_end2-repeated_dots.work.1

	.globl	repeated_dots_argv
	.p2align	4, 0x90
	.type	repeated_dots_argv,@function
repeated_dots_argv:
.Lrepeated_dots_argv$local:
	.type	.Lrepeated_dots_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lrepeated_dots$local
	popq	%rcx
	retq
.Lfunc_end3:
	.size	repeated_dots_argv, .Lfunc_end3-repeated_dots_argv
	.size	.Lrepeated_dots_argv$local, .Lfunc_end3-repeated_dots_argv

	.globl	repeated_dots_metadata
	.p2align	4, 0x90
	.type	repeated_dots_metadata,@function
repeated_dots_metadata:
.Lrepeated_dots_metadata$local:
	.type	.Lrepeated_dots_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end4:
	.size	repeated_dots_metadata, .Lfunc_end4-repeated_dots_metadata
	.size	.Lrepeated_dots_metadata$local, .Lfunc_end4-repeated_dots_metadata

	.type	.Ltext,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Ltext:
	.asciz	"repeated_dots"
	.size	.Ltext, 14

	.type	.Ltext.1,@object
.Ltext.1:
	.asciz	"x"
	.size	.Ltext.1, 2

	.type	.Lb$10,@object
	.section	.rodata,"a",@progbits
	.p2align	7, 0x0
.Lb$10:
	.zero	4096,1
	.size	.Lb$10, 4096

	.type	.Lb$10.2,@object
	.p2align	4, 0x0
.Lb$10.2:
	.long	0
	.long	4
	.long	1
	.long	0
	.long	0
	.long	64
	.long	4
	.long	0
	.long	0
	.long	16
	.long	256
	.long	0
	.size	.Lb$10.2, 48

	.type	.Lb$10.3,@object
	.data
	.p2align	4, 0x0
.Lb$10.3:
	.quad	0
	.quad	0
	.quad	.Lb$10
	.quad	0
	.long	67584
	.long	3
	.quad	.Lb$10.2
	.quad	0
	.size	.Lb$10.3, 56

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.4,@object
.Lname.4:
	.asciz	"repeated_dots"
	.size	.Lname.4, 14

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
	.quad	.Lname.4
	.long	2
	.long	1
	.long	73728
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.size	.Largs, 128

	.type	.Lname.5,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname.5:
	.asciz	"x86-64-linux-no_asserts-no_bounds_query-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4"
	.size	.Lname.5, 116

	.type	.Lname.6,@object
.Lname.6:
	.asciz	"repeated_dots"
	.size	.Lname.6, 14

	.type	.Lmetadata,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Lmetadata:
	.long	1
	.long	2
	.quad	.Largs
	.quad	.Lname.5
	.quad	.Lname.6
	.size	.Lmetadata, 32

	.section	".note.GNU-stack","",@progbits
