	.text
	.file	"scaled"
	.globl	scaled
	.p2align	4, 0x90
	.type	scaled,@function
scaled:
.Lscaled$local:
	.type	.Lscaled$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-64, %rsp
	subq	$192, %rsp
	cmpq	$0, %rdi
	sete	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB0_2
	jmp	.LBB0_29
.LBB0_2:
	movl	32(%rdi), %edx
	cmpl	$73730, %edx
	sete	%al
	cmpq	$0, (%rdi)
	sete	%cl
	cmpq	$0, 16(%rdi)
	sete	%r11b
	andb	%cl, %r11b
	orb	%r11b, %al
	testb	$1, %al
	jne	.LBB0_3
	jmp	.LBB0_30
.LBB0_3:
	movl	36(%rdi), %edx
	cmpl	$2, %edx
	jne	.LBB0_31
	movq	40(%rdi), %rax
	movl	4(%rax), %ecx
	xorl	%eax, %eax
	cmpl	%ecx, %eax
	jg	.LBB0_32
	movq	40(%rdi), %rax
	movl	20(%rax), %r8d
	xorl	%eax, %eax
	cmpl	%r8d, %eax
	jg	.LBB0_33
	cmpq	$0, %rsi
	sete	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB0_7
	jmp	.LBB0_34
.LBB0_7:
	movl	32(%rsi), %edx
	cmpl	$73730, %edx
	sete	%al
	cmpq	$0, (%rsi)
	sete	%r9b
	cmpq	$0, 16(%rsi)
	sete	%r13b
	andb	%r9b, %r13b
	orb	%r13b, %al
	testb	$1, %al
	jne	.LBB0_8
	jmp	.LBB0_35
.LBB0_8:
	movl	36(%rsi), %edx
	cmpl	$2, %edx
	jne	.LBB0_36
	movq	40(%rsi), %rax
	movl	4(%rax), %eax
	xorl	%edx, %edx
	cmpl	%eax, %edx
	jg	.LBB0_37
	movq	40(%rsi), %rdx
	movl	20(%rdx), %r10d
	xorl	%edx, %edx
	cmpl	%r10d, %edx
	jg	.LBB0_38
	movq	40(%rsi), %rdx
	movl	(%rdx), %r15d
	movl	%r15d, %r12d
	addl	%eax, %r12d
	movl	%r12d, %r14d
	addl	$-1, %r14d
	movq	40(%rsi), %rdx
	movl	16(%rdx), %r9d
	movl	%r9d, %edx
	addl	%r10d, %edx
	movl	%edx, %ebx
	addl	$-1, %ebx
	orb	%r11b, %r13b
	testb	$1, %r13b
	jne	.LBB0_12
	jmp	.LBB0_13
.LBB0_12:
	testb	$1, %r11b
	jne	.LBB0_15
	jmp	.LBB0_16
.LBB0_13:
	movl	%r14d, 44(%rsp)
	cmpl	$2, %ecx
	setl	%r13b
	movq	40(%rdi), %r11
	movl	8(%r11), %r11d
	cmpl	$1, %r11d
	sete	%r14b
	orb	%r14b, %r13b
	testb	$1, %r13b
	jne	.LBB0_19
	jmp	.LBB0_39
.LBB0_14:
	xorl	%eax, %eax
	jmp	.LBB0_28
.LBB0_15:
	movl	$73730, 32(%rdi)
	movl	$2, 36(%rdi)
	movl	%r14d, %eax
	addl	$-7, %eax
	movl	%r15d, %ecx
	subl	%eax, %ecx
	cmovll	%r15d, %eax
	movl	%r15d, %ecx
	subl	%r14d, %ecx
	movl	%ecx, %edx
	subl	$-7, %edx
	movl	$-7, %edx
	cmovll	%ecx, %edx
	movl	$1, %ecx
	subl	%edx, %ecx
	movq	40(%rdi), %rdx
	movl	%eax, (%rdx)
	movl	%ecx, 4(%rdx)
	movl	$1, 8(%rdx)
	movl	%ebx, %eax
	subl	%r9d, %eax
	addl	$1, %eax
	movq	40(%rdi), %rdx
	movl	%r9d, 16(%rdx)
	movl	%eax, 20(%rdx)
	movl	%ecx, 24(%rdx)
.LBB0_16:
	cmpq	$0, (%rsi)
	sete	%al
	cmpq	$0, 16(%rsi)
	sete	%cl
	andb	%al, %cl
	testb	$1, %cl
	jne	.LBB0_17
	jmp	.LBB0_18
.LBB0_17:
	movl	$73730, 32(%rsi)
	movl	$2, 36(%rsi)
	movl	%r14d, %eax
	addl	$-7, %eax
	movl	%r15d, %ecx
	subl	%eax, %ecx
	cmovll	%r15d, %eax
	subl	%r14d, %r15d
	movl	%r15d, %ecx
	subl	$-7, %ecx
	movl	$-7, %ecx
	cmovll	%r15d, %ecx
	movl	$1, %edx
	subl	%ecx, %edx
	movq	40(%rsi), %rcx
	movl	%eax, (%rcx)
	movl	%edx, 4(%rcx)
	movl	$1, 8(%rcx)
	subl	%r9d, %ebx
	addl	$1, %ebx
	movq	40(%rsi), %rax
	movl	%r9d, 16(%rax)
	movl	%ebx, 20(%rax)
	movl	%edx, 24(%rax)
.LBB0_18:
	jmp	.LBB0_14
.LBB0_19:
	cmpl	$2, %eax
	setl	%r14b
	movq	40(%rsi), %r11
	movl	8(%r11), %r11d
	cmpl	$1, %r11d
	sete	%r13b
	orb	%r13b, %r14b
	testb	$1, %r14b
	jne	.LBB0_20
	jmp	.LBB0_40
.LBB0_20:
	movl	%r9d, 48(%rsp)
	movq	40(%rdi), %r11
	movl	(%r11), %r9d
	movl	44(%rsp), %r11d
	movl	%r11d, %r13d
	addl	$-7, %r13d
	movl	%r15d, %r14d
	subl	%r13d, %r14d
	cmovll	%r15d, %r13d
	movl	%r13d, 52(%rsp)
	cmpl	%r13d, %r9d
	setle	%r14b
	movl	%r9d, 60(%rsp)
	movl	%r9d, %r13d
	addl	%ecx, %r13d
	cmpl	%r13d, %r11d
	setl	%r11b
	andb	%r11b, %r14b
	testb	$1, %r14b
	jne	.LBB0_21
	jmp	.LBB0_41
.LBB0_21:
	movl	48(%rsp), %r9d
	cmpl	%r9d, %ebx
	setl	43(%rsp)
	movq	40(%rdi), %r11
	movl	16(%r11), %r14d
	cmpl	%r9d, %r14d
	setle	%r11b
	movl	%r8d, %r13d
	movl	%r14d, 56(%rsp)
	addl	%r14d, %r13d
	cmpl	%r13d, %ebx
	setl	%r14b
	andb	%r14b, %r11b
	movb	43(%rsp), %r14b
	orb	%r11b, %r14b
	testb	$1, %r14b
	jne	.LBB0_22
	jmp	.LBB0_42
.LBB0_22:
	cmpl	$0, %r8d
	setle	%r8b
	cmpl	$0, %ecx
	setle	%cl
	movq	16(%rdi), %r11
	cmpq	$0, %r11
	setne	%r11b
	orb	%r11b, %cl
	orb	%cl, %r8b
	testb	$1, %r8b
	jne	.LBB0_23
	jmp	.LBB0_43
.LBB0_23:
	cmpl	52(%rsp), %r15d
	setle	%cl
	cmpl	%r12d, 44(%rsp)
	setl	%r8b
	andb	%r8b, %cl
	testb	$1, %cl
	jne	.LBB0_24
	jmp	.LBB0_44
.LBB0_24:
	cmpl	%edx, %ebx
	setl	%cl
	movb	$1, %dl
	andb	%dl, %cl
	movb	43(%rsp), %dl
	orb	%cl, %dl
	testb	$1, %dl
	jne	.LBB0_25
	jmp	.LBB0_45
.LBB0_25:
	cmpl	$0, %r10d
	setle	%cl
	movq	16(%rsi), %rdx
	cmpq	$0, %rdx
	setne	%dl
	cmpl	$0, %eax
	setle	%al
	orb	%al, %dl
	orb	%dl, %cl
	testb	$1, %cl
	jne	.LBB0_26
	jmp	.LBB0_46
.LBB0_26:
	movl	44(%rsp), %r8d
	movl	%r8d, %eax
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
	andnl	%eax, %ecx, %eax
	movq	16(%rdi), %rcx
	movq	16(%rsi), %rdx
	vmovss	%xmm0, 64(%rsp)
	movq	%rcx, 72(%rsp)
	movq	%rdi, 80(%rsp)
	movq	%rdx, 88(%rsp)
	movq	%rsi, 96(%rsp)
	movl	%r8d, 104(%rsp)
	movl	%r15d, 108(%rsp)
	movl	%eax, 112(%rsp)
	movl	%ebx, 116(%rsp)
	movl	48(%rsp), %eax
	movl	%eax, 120(%rsp)
	leaq	64(%rsp), %rsi
	xorl	%edi, %edi
	callq	scaled.work.0
	cmpl	$0, %eax
	jne	.LBB0_47
	jmp	.LBB0_14
.LBB0_28:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_29:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_buffer_argument_is_null@PLT
	jmp	.LBB0_28
.LBB0_30:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	movl	$73730, %ecx
	callq	fluorite_error_bad_type@PLT
	jmp	.LBB0_28
.LBB0_31:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	movl	$2, %ecx
	callq	fluorite_error_bad_dimensions@PLT
	jmp	.LBB0_28
.LBB0_32:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	xorl	%edx, %edx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_28
.LBB0_33:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	movl	$1, %edx
	movl	%r8d, %ecx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_28
.LBB0_34:
	leaq	.Ltext.1(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_buffer_argument_is_null@PLT
	jmp	.LBB0_28
.LBB0_35:
	leaq	.Ltext.1(%rip), %rsi
	xorl	%edi, %edi
	movl	$73730, %ecx
	callq	fluorite_error_bad_type@PLT
	jmp	.LBB0_28
.LBB0_36:
	leaq	.Ltext.1(%rip), %rsi
	xorl	%edi, %edi
	movl	$2, %ecx
	callq	fluorite_error_bad_dimensions@PLT
	jmp	.LBB0_28
.LBB0_37:
	leaq	.Ltext.1(%rip), %rsi
	xorl	%edi, %edi
	xorl	%edx, %edx
	movl	%eax, %ecx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_28
.LBB0_38:
	leaq	.Ltext.1(%rip), %rsi
	xorl	%edi, %edi
	movl	$1, %edx
	movl	%r10d, %ecx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_28
.LBB0_39:
	movslq	%r11d, %rdx
	leaq	.Ltext.2(%rip), %rsi
	leaq	.Ltext.3(%rip), %rcx
	xorl	%edi, %edi
	movl	$1, %r8d
	callq	fluorite_error_constraint_violated@PLT
	jmp	.LBB0_28
.LBB0_40:
	movslq	%r11d, %rdx
	leaq	.Ltext.4(%rip), %rsi
	leaq	.Ltext.3(%rip), %rcx
	xorl	%edi, %edi
	movl	$1, %r8d
	callq	fluorite_error_constraint_violated@PLT
	jmp	.LBB0_28
.LBB0_41:
	addl	$-1, %r13d
	leaq	.Ltext(%rip), %rsi
	leaq	.Ltext.1(%rip), %rdx
	xorl	%edi, %edi
	xorl	%ecx, %ecx
	xorl	%r8d, %r8d
	movl	52(%rsp), %r9d
	movl	44(%rsp), %eax
	movl	%eax, (%rsp)
	movl	60(%rsp), %eax
	movl	%eax, 8(%rsp)
	movl	%r13d, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_28
.LBB0_42:
	addl	$-1, %r13d
	leaq	.Ltext(%rip), %rsi
	leaq	.Ltext.1(%rip), %rdx
	xorl	%edi, %edi
	movl	$1, %ecx
	xorl	%r8d, %r8d
	movl	48(%rsp), %r9d
	movl	%ebx, (%rsp)
	movl	56(%rsp), %eax
	movl	%eax, 8(%rsp)
	movl	%r13d, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_28
.LBB0_43:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_host_is_null@PLT
	jmp	.LBB0_28
.LBB0_44:
	leaq	.Ltext.1(%rip), %rsi
	leaq	.Ltext.5(%rip), %r8
	xorl	%edi, %edi
	xorl	%edx, %edx
	xorl	%ecx, %ecx
	movl	52(%rsp), %r9d
	movl	44(%rsp), %eax
	movl	%eax, (%rsp)
	movl	%r15d, 8(%rsp)
	movl	%eax, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_28
.LBB0_45:
	leaq	.Ltext.1(%rip), %rsi
	leaq	.Ltext.6(%rip), %r8
	xorl	%edi, %edi
	xorl	%edx, %edx
	movl	$1, %ecx
	movl	48(%rsp), %r9d
	movl	%ebx, (%rsp)
	movl	%r9d, 8(%rsp)
	movl	%ebx, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_28
.LBB0_46:
	leaq	.Ltext.1(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_host_is_null@PLT
	jmp	.LBB0_28
.LBB0_47:
	jmp	.LBB0_28
.Lfunc_end0:
	.size	scaled, .Lfunc_end0-scaled
	.size	.Lscaled$local, .Lfunc_end0-scaled

	.p2align	4, 0x90
	.type	scaled.work.0,@function
scaled.work.0:
	movl	52(%rsi), %ecx
	movslq	56(%rsi), %rax
	subl	%eax, %ecx
	cmpl	$2147483646, %ecx
	ja	.LBB1_13
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movslq	44(%rsi), %rdi
	incl	%ecx
	movslq	%ecx, %rcx
	addq	%rax, %rcx
	movq	%rcx, -8(%rsp)
	movq	32(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	24(%rcx), %rdx
	movslq	16(%rcx), %r11
	movslq	(%rcx), %r15
	movq	8(%rsi), %r13
	movq	16(%rsi), %rcx
	movq	40(%rcx), %rcx
	movslq	16(%rcx), %rbx
	movslq	24(%rcx), %r8
	movslq	(%rcx), %rcx
	movl	48(%rsi), %r10d
	movslq	%r10d, %r10
	movl	40(%rsi), %r9d
	movq	24(%rsi), %rbp
	movl	%r10d, %r14d
	sarl	%r14d
	movl	%r14d, -72(%rsp)
	imulq	%r8, %rbx
	addq	%rcx, %rbx
	vbroadcastss	(%rsi), %zmm0
	movq	%rdi, %r12
	movl	%r9d, %ecx
	subl	%edi, %ecx
	leal	(%rdi,%r10,8), %esi
	movl	%esi, -68(%rsp)
	subq	%rbx, %rdi
	leaq	(%r13,%rdi,4), %r14
	imulq	%rdx, %r11
	addq	%r15, %r11
	subq	%r11, %r12
	leaq	(%rbp,%r12,4), %r15
	movq	%r10, %rsi
	andq	$-2, %rsi
	shlq	$2, %rbx
	subq	%rbx, %r13
	movq	%r13, -48(%rsp)
	movl	%r10d, %r13d
	andl	$1, %r13d
	shlq	$2, %r11
	subq	%r11, %rbp
	movq	%rbp, -64(%rsp)
	movq	%r13, -24(%rsp)
	orq	%rsi, %r13
	sarl	$3, %ecx
	subl	%r10d, %ecx
	movq	%rcx, -16(%rsp)
	incl	%ecx
	movslq	%ecx, %r11
	movq	%r10, -56(%rsp)
	addq	%r10, %r11
	addl	$-7, %r9d
	movq	%rsi, -32(%rsp)
	shlq	$5, %rsi
	movq	%rsi, -40(%rsp)
	movl	-72(%rsp), %ecx
	movl	%ecx, %esi
	movslq	%ecx, %rbp
	jmp	.LBB1_2
	.p2align	4, 0x90
.LBB1_11:
	incq	%rax
	cmpq	-8(%rsp), %rax
	jge	.LBB1_12
.LBB1_2:
	testl	%esi, %esi
	jle	.LBB1_5
	movq	%rax, %rcx
	imulq	%r8, %rcx
	leaq	(%r14,%rcx,4), %rcx
	#APP
	#NO_APP
	movq	%rax, %rdi
	imulq	%rdx, %rdi
	leaq	(%r15,%rdi,4), %rdi
	#APP
	#NO_APP
	xorl	%ebx, %ebx
	xorl	%r12d, %r12d
	.p2align	4, 0x90
.LBB1_4:
	vmulps	(%rcx,%rbx), %zmm0, %zmm1
	vmovups	%zmm1, (%rdi,%rbx)
	incq	%r12
	addq	$64, %rbx
	cmpq	%rbp, %r12
	jl	.LBB1_4
.LBB1_5:
	cmpl	$0, -24(%rsp)
	je	.LBB1_8
	movq	%rax, %rcx
	imulq	%r8, %rcx
	leaq	(%r14,%rcx,4), %rcx
	#APP
	#NO_APP
	movq	%rax, %rdi
	imulq	%rdx, %rdi
	leaq	(%r15,%rdi,4), %rdi
	#APP
	#NO_APP
	movq	-40(%rsp), %rbx
	movq	-32(%rsp), %r12
	.p2align	4, 0x90
.LBB1_7:
	vmulps	(%rcx,%rbx), %ymm0, %ymm1
	vmovups	%ymm1, (%rdi,%rbx)
	incq	%r12
	addq	$32, %rbx
	cmpq	%r13, %r12
	jl	.LBB1_7
.LBB1_8:
	cmpl	$2147483646, -16(%rsp)
	ja	.LBB1_11
	movq	%rax, %rcx
	imulq	%r8, %rcx
	movq	-48(%rsp), %rdi
	leaq	(%rdi,%rcx,4), %rcx
	#APP
	#NO_APP
	movq	%rax, %rdi
	imulq	%rdx, %rdi
	movq	-64(%rsp), %r10
	leaq	(%r10,%rdi,4), %rdi
	#APP
	#NO_APP
	movl	-68(%rsp), %r12d
	movq	-56(%rsp), %rbx
	.p2align	4, 0x90
.LBB1_10:
	cmpl	%r9d, %r12d
	movl	%r9d, %r10d
	cmovll	%r12d, %r10d
	movslq	%r10d, %r10
	vmulps	(%rcx,%r10,4), %ymm0, %ymm1
	vmovups	%ymm1, (%rdi,%r10,4)
	incq	%rbx
	addl	$8, %r12d
	cmpq	%r11, %rbx
	jl	.LBB1_10
	jmp	.LBB1_11
.LBB1_12:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB1_13:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	scaled.work.0, .Lfunc_end1-scaled.work.0

	.globl	scaled_argv
	.p2align	4, 0x90
	.type	scaled_argv,@function
scaled_argv:
.Lscaled_argv$local:
	.type	.Lscaled_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rcx
	vmovss	(%rcx), %xmm0
	movq	16(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lscaled$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	scaled_argv, .Lfunc_end2-scaled_argv
	.size	.Lscaled_argv$local, .Lfunc_end2-scaled_argv

	.globl	scaled_metadata
	.p2align	4, 0x90
	.type	scaled_metadata,@function
scaled_metadata:
.Lscaled_metadata$local:
	.type	.Lscaled_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	scaled_metadata, .Lfunc_end3-scaled_metadata
	.size	.Lscaled_metadata$local, .Lfunc_end3-scaled_metadata

	.type	.Ltext,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Ltext:
	.asciz	"in"
	.size	.Ltext, 3

	.type	.Ltext.1,@object
.Ltext.1:
	.asciz	"scale_it"
	.size	.Ltext.1, 9

	.type	.Ltext.2,@object
.Ltext.2:
	.asciz	"in.stride.0"
	.size	.Ltext.2, 12

	.type	.Ltext.3,@object
.Ltext.3:
	.asciz	"1"
	.size	.Ltext.3, 2

	.type	.Ltext.4,@object
.Ltext.4:
	.asciz	"scale_it.stride.0"
	.size	.Ltext.4, 18

	.type	.Ltext.5,@object
.Ltext.5:
	.asciz	"x"
	.size	.Ltext.5, 2

	.type	.Ltext.6,@object
.Ltext.6:
	.asciz	"y"
	.size	.Ltext.6, 2

	.type	.Lname,@object
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.7,@object
.Lname.7:
	.asciz	"gain"
	.size	.Lname.7, 5

	.type	.Lname.8,@object
.Lname.8:
	.asciz	"scale_it"
	.size	.Lname.8, 9

	.type	.Largs,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Largs:
	.quad	.Lname
	.long	1
	.long	2
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.7
	.long	0
	.long	0
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.8
	.long	2
	.long	2
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.size	.Largs, 192

	.type	.Lname.9,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname.9:
	.asciz	"x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4-avx512_sapphirerapids"
	.size	.Lname.9, 111

	.type	.Lname.10,@object
.Lname.10:
	.asciz	"scaled"
	.size	.Lname.10, 7

	.type	.Lmetadata,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Lmetadata:
	.long	1
	.long	3
	.quad	.Largs
	.quad	.Lname.9
	.quad	.Lname.10
	.size	.Lmetadata, 32

	.section	".note.GNU-stack","",@progbits
