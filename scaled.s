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
	subq	$320, %rsp
	cmpq	$0, %rdi
	sete	%al
	xorb	$-1, %al
	testb	$1, %al
	jne	.LBB0_2
	jmp	.LBB0_37
.LBB0_2:
	movl	32(%rdi), %edx
	cmpl	$73730, %edx
	sete	%al
	cmpq	$0, (%rdi)
	sete	%cl
	cmpq	$0, 16(%rdi)
	sete	%r12b
	andb	%cl, %r12b
	orb	%r12b, %al
	testb	$1, %al
	jne	.LBB0_3
	jmp	.LBB0_38
.LBB0_3:
	movl	36(%rdi), %edx
	cmpl	$2, %edx
	jne	.LBB0_39
	cmpq	$0, 40(%rdi)
	je	.LBB0_40
	movq	40(%rdi), %rax
	movl	4(%rax), %ecx
	xorl	%eax, %eax
	cmpl	%ecx, %eax
	jg	.LBB0_41
	movq	40(%rdi), %rax
	movl	20(%rax), %eax
	xorl	%edx, %edx
	cmpl	%eax, %edx
	jg	.LBB0_42
	cmpq	$0, %rsi
	sete	%dl
	xorb	$-1, %dl
	testb	$1, %dl
	jne	.LBB0_8
	jmp	.LBB0_43
.LBB0_8:
	movl	32(%rsi), %edx
	cmpl	$73730, %edx
	sete	%r8b
	cmpq	$0, (%rsi)
	sete	%r9b
	cmpq	$0, 16(%rsi)
	sete	%r13b
	andb	%r9b, %r13b
	orb	%r13b, %r8b
	testb	$1, %r8b
	jne	.LBB0_9
	jmp	.LBB0_44
.LBB0_9:
	movl	36(%rsi), %edx
	cmpl	$2, %edx
	jne	.LBB0_45
	cmpq	$0, 40(%rsi)
	je	.LBB0_46
	movq	40(%rsi), %rdx
	movl	4(%rdx), %r8d
	xorl	%edx, %edx
	cmpl	%r8d, %edx
	jg	.LBB0_47
	movq	40(%rsi), %rdx
	movl	20(%rdx), %r10d
	xorl	%edx, %edx
	cmpl	%r10d, %edx
	jg	.LBB0_48
	movq	40(%rdi), %rdx
	movl	(%rdx), %r11d
	cmpl	$536870913, %r11d
	setl	%dl
	movl	$3758096384, %r9d
	movl	%r11d, 84(%rsp)
	cmpl	%r11d, %r9d
	setle	%r9b
	andb	%r9b, %dl
	cmpl	$536870913, %r10d
	setl	71(%rsp)
	movl	%r10d, 88(%rsp)
	movq	40(%rsi), %r10
	movl	16(%r10), %r9d
	movl	$3758096384, %r10d
	cmpl	%r9d, %r10d
	setle	%r10b
	cmpl	$536870913, %r9d
	setl	%r11b
	andb	%r11b, %r10b
	cmpl	$536870913, %r8d
	setl	%r11b
	movq	40(%rsi), %rbx
	movl	(%rbx), %r14d
	movl	$3758096384, %ebx
	cmpl	%r14d, %ebx
	setle	%bl
	cmpl	$536870913, %r14d
	setl	%r15b
	andb	%r15b, %bl
	movl	%r9d, %r15d
	andb	%bl, %r11b
	andb	%r11b, %r10b
	movb	71(%rsp), %r9b
	andb	%r10b, %r9b
	andb	%r9b, %dl
	cmpl	$536870913, %ecx
	setl	%r9b
	andb	%r9b, %dl
	movq	40(%rdi), %r9
	movl	16(%r9), %ebx
	movl	$3758096384, %r9d
	cmpl	%ebx, %r9d
	setle	%r9b
	cmpl	$536870913, %ebx
	setl	%r10b
	andb	%r10b, %r9b
	andb	%r9b, %dl
	cmpl	$536870913, %eax
	setl	%r9b
	andb	%r9b, %dl
	movl	88(%rsp), %r9d
	xorb	$-1, %dl
	testb	$1, %dl
	jne	.LBB0_14
	jmp	.LBB0_15
.LBB0_14:
	vmovss	%xmm0, 92(%rsp)
	movq	%rdi, 96(%rsp)
	movq	%rsi, 104(%rsp)
	vcvtsi2sd	%r14d, %xmm0, %xmm0
	movl	%r8d, 124(%rsp)
	vcvtsi2sd	%r8d, %xmm0, %xmm1
	vcvtsi2sd	%r15d, %xmm0, %xmm2
	vcvtsi2sd	%r9d, %xmm0, %xmm3
	vcvtsi2sdl	84(%rsp), %xmm0, %xmm4
	movl	%ecx, 120(%rsp)
	vcvtsi2sd	%ecx, %xmm0, %xmm5
	vcvtsi2sd	%ebx, %xmm0, %xmm6
	movl	%eax, 116(%rsp)
	vcvtsi2sd	%eax, %xmm0, %xmm7
	vmovsd	%xmm0, 192(%rsp)
	vmovsd	%xmm1, 200(%rsp)
	vmovsd	%xmm2, 208(%rsp)
	vmovsd	%xmm3, 216(%rsp)
	vmovsd	%xmm4, 224(%rsp)
	vmovsd	%xmm5, 232(%rsp)
	vmovsd	%xmm6, 240(%rsp)
	vmovsd	%xmm7, 248(%rsp)
	leaq	.Ltext.4(%rip), %rsi
	leaq	192(%rsp), %rdx
	xorl	%edi, %edi
	movl	$8, %ecx
	callq	fluorite_check_ranges@PLT
	cmpl	$0, %eax
	je	.LBB0_16
	jmp	.LBB0_49
.LBB0_15:
	movl	%r14d, %r10d
	addl	%r8d, %r10d
	movl	%r10d, %r11d
	addl	$-1, %r11d
	movl	%r15d, %edx
	addl	%r9d, %edx
	movl	%edx, %r9d
	addl	$-1, %r9d
	orb	%r12b, %r13b
	testb	$1, %r13b
	jne	.LBB0_17
	jmp	.LBB0_18
.LBB0_16:
	movq	104(%rsp), %rsi
	movq	96(%rsp), %rdi
	movl	124(%rsp), %r8d
	movl	120(%rsp), %ecx
	movl	116(%rsp), %eax
	vmovss	92(%rsp), %xmm0
	movl	88(%rsp), %r9d
	jmp	.LBB0_15
.LBB0_17:
	testb	$1, %r12b
	jne	.LBB0_20
	jmp	.LBB0_21
.LBB0_18:
	movl	%r11d, 72(%rsp)
	movl	%r9d, 76(%rsp)
	vmovss	%xmm0, 92(%rsp)
	movl	%r15d, 80(%rsp)
	movl	%eax, %r12d
	movl	%ecx, %r11d
	cmpl	$2, %ecx
	setl	%cl
	movq	%rdi, 96(%rsp)
	movq	40(%rdi), %rax
	movl	8(%rax), %eax
	cmpl	$1, %eax
	sete	%dil
	orb	%dil, %cl
	testb	$1, %cl
	jne	.LBB0_24
	jmp	.LBB0_50
.LBB0_19:
	xorl	%eax, %eax
	jmp	.LBB0_36
.LBB0_20:
	movl	$73730, 32(%rdi)
	movl	$2, 36(%rdi)
	movl	%r11d, %eax
	addl	$-7, %eax
	movl	%r14d, %ecx
	subl	%eax, %ecx
	cmovll	%r14d, %eax
	movl	%r14d, %ecx
	subl	%r11d, %ecx
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
	movl	%r9d, %eax
	subl	%r15d, %eax
	testl	%eax, %eax
	movl	$-1, %edx
	cmovnsl	%eax, %edx
	addl	$1, %edx
	movq	40(%rdi), %rax
	movl	%r15d, 16(%rax)
	movl	%edx, 20(%rax)
	movl	%ecx, 24(%rax)
.LBB0_21:
	cmpq	$0, (%rsi)
	sete	%al
	cmpq	$0, 16(%rsi)
	sete	%cl
	andb	%al, %cl
	testb	$1, %cl
	jne	.LBB0_22
	jmp	.LBB0_23
.LBB0_22:
	movl	$73730, 32(%rsi)
	movl	$2, 36(%rsi)
	movl	%r11d, %eax
	addl	$-7, %eax
	movl	%r14d, %ecx
	subl	%eax, %ecx
	cmovll	%r14d, %eax
	subl	%r11d, %r14d
	movl	%r14d, %ecx
	subl	$-7, %ecx
	movl	$-7, %ecx
	cmovll	%r14d, %ecx
	movl	$1, %edx
	subl	%ecx, %edx
	movq	40(%rsi), %rcx
	movl	%eax, (%rcx)
	movl	%edx, 4(%rcx)
	movl	$1, 8(%rcx)
	subl	%r15d, %r9d
	testl	%r9d, %r9d
	movl	$-1, %eax
	cmovnsl	%r9d, %eax
	addl	$1, %eax
	movq	40(%rsi), %rcx
	movl	%r15d, 16(%rcx)
	movl	%eax, 20(%rcx)
	movl	%edx, 24(%rcx)
.LBB0_23:
	jmp	.LBB0_19
.LBB0_24:
	movl	%r8d, %eax
	cmpl	$2, %r8d
	setl	%dil
	movq	%rsi, 104(%rsp)
	movq	40(%rsi), %rcx
	movl	8(%rcx), %ecx
	cmpl	$1, %ecx
	sete	%sil
	orb	%sil, %dil
	testb	$1, %dil
	jne	.LBB0_25
	jmp	.LBB0_51
.LBB0_25:
	movl	72(%rsp), %edi
	movl	%edi, %r9d
	addl	$-7, %r9d
	movl	%r14d, %esi
	movl	%esi, %ecx
	subl	%r9d, %ecx
	cmovll	%esi, %r9d
	movl	84(%rsp), %r13d
	cmpl	%r9d, %r13d
	setle	%cl
	addl	%r11d, %r13d
	cmpl	%r13d, %edi
	setl	%sil
	andb	%sil, %cl
	testb	$1, %cl
	jne	.LBB0_26
	jmp	.LBB0_52
.LBB0_26:
	movl	80(%rsp), %esi
	movl	76(%rsp), %edi
	cmpl	%esi, %edi
	setl	%cl
	cmpl	%esi, %ebx
	setle	%sil
	movl	%r12d, %r15d
	addl	%ebx, %r15d
	cmpl	%r15d, %edi
	setl	%dil
	andb	%dil, %sil
	movb	%cl, %dil
	orb	%sil, %dil
	testb	$1, %dil
	jne	.LBB0_27
	jmp	.LBB0_53
.LBB0_27:
	cmpl	$0, %r12d
	setle	%dil
	cmpl	$0, %r11d
	setle	%r8b
	movq	96(%rsp), %rsi
	movq	16(%rsi), %rsi
	cmpq	$0, %rsi
	setne	%sil
	orb	%sil, %r8b
	orb	%r8b, %dil
	testb	$1, %dil
	jne	.LBB0_28
	jmp	.LBB0_54
.LBB0_28:
	movq	96(%rsp), %rsi
	movq	24(%rsi), %rsi
	andq	$2, %rsi
	cmpq	$0, %rsi
	setne	%sil
	xorb	$-1, %sil
	testb	$1, %sil
	jne	.LBB0_29
	jmp	.LBB0_55
.LBB0_29:
	cmpl	%r9d, %r14d
	setle	%sil
	cmpl	%r10d, 72(%rsp)
	setl	%dil
	andb	%dil, %sil
	testb	$1, %sil
	jne	.LBB0_30
	jmp	.LBB0_56
.LBB0_30:
	cmpl	%edx, 76(%rsp)
	setl	%dl
	movb	$1, %sil
	andb	%sil, %dl
	orb	%dl, %cl
	testb	$1, %cl
	jne	.LBB0_31
	jmp	.LBB0_57
.LBB0_31:
	cmpl	$0, 88(%rsp)
	setle	%dl
	movq	104(%rsp), %rcx
	movq	16(%rcx), %rcx
	cmpq	$0, %rcx
	setne	%cl
	cmpl	$0, %eax
	setle	%al
	orb	%al, %cl
	orb	%cl, %dl
	testb	$1, %dl
	jne	.LBB0_32
	jmp	.LBB0_58
.LBB0_32:
	movq	104(%rsp), %rdi
	callq	fluorite_buffer_overlaps_itself@PLT
	cmpl	$0, %eax
	jne	.LBB0_59
	movq	104(%rsp), %rdi
	movq	96(%rsp), %rsi
	xorl	%edx, %edx
	callq	fluorite_buffers_overlap@PLT
	cmpl	$0, %eax
	jne	.LBB0_60
	movl	72(%rsp), %r8d
	movl	%r8d, %eax
	subl	%r14d, %eax
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
	sarl	%eax
	movq	96(%rsp), %rcx
	movq	16(%rcx), %rdx
	movq	104(%rsp), %rsi
	movq	16(%rsi), %rdi
	vmovss	92(%rsp), %xmm0
	vmovss	%xmm0, 128(%rsp)
	movq	%rdx, 136(%rsp)
	movq	%rcx, 144(%rsp)
	movq	%rdi, 152(%rsp)
	movq	%rsi, 160(%rsp)
	movl	%r8d, 168(%rsp)
	movl	%r14d, 172(%rsp)
	movl	%eax, 176(%rsp)
	movl	76(%rsp), %eax
	movl	%eax, 180(%rsp)
	movl	80(%rsp), %eax
	movl	%eax, 184(%rsp)
	leaq	128(%rsp), %rsi
	xorl	%edi, %edi
	callq	scaled.work.0
	cmpl	$0, %eax
	jne	.LBB0_61
	jmp	.LBB0_19
.LBB0_36:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_37:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_buffer_argument_is_null@PLT
	jmp	.LBB0_36
.LBB0_38:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	movl	$73730, %ecx
	callq	fluorite_error_bad_type@PLT
	jmp	.LBB0_36
.LBB0_39:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	movl	$2, %ecx
	callq	fluorite_error_bad_dimensions@PLT
	jmp	.LBB0_36
.LBB0_40:
	leaq	.Ltext.1(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_buffer_argument_is_null@PLT
	jmp	.LBB0_36
.LBB0_41:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	xorl	%edx, %edx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_36
.LBB0_42:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	movl	$1, %edx
	movl	%eax, %ecx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_36
.LBB0_43:
	leaq	.Ltext.2(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_buffer_argument_is_null@PLT
	jmp	.LBB0_36
.LBB0_44:
	leaq	.Ltext.2(%rip), %rsi
	xorl	%edi, %edi
	movl	$73730, %ecx
	callq	fluorite_error_bad_type@PLT
	jmp	.LBB0_36
.LBB0_45:
	leaq	.Ltext.2(%rip), %rsi
	xorl	%edi, %edi
	movl	$2, %ecx
	callq	fluorite_error_bad_dimensions@PLT
	jmp	.LBB0_36
.LBB0_46:
	leaq	.Ltext.3(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_buffer_argument_is_null@PLT
	jmp	.LBB0_36
.LBB0_47:
	leaq	.Ltext.2(%rip), %rsi
	xorl	%edi, %edi
	xorl	%edx, %edx
	movl	%r8d, %ecx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_36
.LBB0_48:
	leaq	.Ltext.2(%rip), %rsi
	xorl	%edi, %edi
	movl	$1, %edx
	movl	%r10d, %ecx
	callq	fluorite_error_buffer_extents_negative@PLT
	jmp	.LBB0_36
.LBB0_49:
	jmp	.LBB0_36
.LBB0_50:
	movslq	%eax, %rdx
	leaq	.Ltext.5(%rip), %rsi
	leaq	.Ltext.6(%rip), %rcx
	xorl	%edi, %edi
	movl	$1, %r8d
	callq	fluorite_error_constraint_violated@PLT
	jmp	.LBB0_36
.LBB0_51:
	movslq	%ecx, %rdx
	leaq	.Ltext.7(%rip), %rsi
	leaq	.Ltext.6(%rip), %rcx
	xorl	%edi, %edi
	movl	$1, %r8d
	callq	fluorite_error_constraint_violated@PLT
	jmp	.LBB0_36
.LBB0_52:
	addl	$-1, %r13d
	leaq	.Ltext(%rip), %rsi
	leaq	.Ltext.2(%rip), %rdx
	xorl	%edi, %edi
	xorl	%ecx, %ecx
	xorl	%r8d, %r8d
	movl	72(%rsp), %eax
	movl	%eax, (%rsp)
	movl	84(%rsp), %eax
	movl	%eax, 8(%rsp)
	movl	%r13d, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_36
.LBB0_53:
	addl	$-1, %r15d
	leaq	.Ltext(%rip), %rsi
	leaq	.Ltext.2(%rip), %rdx
	xorl	%edi, %edi
	movl	$1, %ecx
	xorl	%r8d, %r8d
	movl	80(%rsp), %r9d
	movl	76(%rsp), %eax
	movl	%eax, (%rsp)
	movl	%ebx, 8(%rsp)
	movl	%r15d, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_36
.LBB0_54:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_host_is_null@PLT
	jmp	.LBB0_36
.LBB0_55:
	leaq	.Ltext(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_device_dirty_with_no_device_support@PLT
	jmp	.LBB0_36
.LBB0_56:
	leaq	.Ltext.2(%rip), %rsi
	leaq	.Ltext.8(%rip), %r8
	xorl	%edi, %edi
	xorl	%edx, %edx
	xorl	%ecx, %ecx
	movl	72(%rsp), %eax
	movl	%eax, (%rsp)
	movl	%r14d, 8(%rsp)
	movl	%eax, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_36
.LBB0_57:
	leaq	.Ltext.2(%rip), %rsi
	leaq	.Ltext.9(%rip), %r8
	xorl	%edi, %edi
	xorl	%edx, %edx
	movl	$1, %ecx
	movl	80(%rsp), %r9d
	movl	76(%rsp), %eax
	movl	%eax, (%rsp)
	movl	%r9d, 8(%rsp)
	movl	%eax, 16(%rsp)
	callq	fluorite_error_access_out_of_bounds@PLT
	jmp	.LBB0_36
.LBB0_58:
	leaq	.Ltext.2(%rip), %rsi
	xorl	%edi, %edi
	callq	fluorite_error_host_is_null@PLT
	jmp	.LBB0_36
.LBB0_59:
	leaq	.Ltext.2(%rip), %rsi
	leaq	.Ltext.10(%rip), %rdx
	leaq	.Ltext.11(%rip), %rcx
	xorl	%edi, %edi
	callq	fluorite_error_buffers_overlap@PLT
	jmp	.LBB0_36
.LBB0_60:
	leaq	.Ltext.2(%rip), %rsi
	leaq	.Ltext(%rip), %rdx
	leaq	.Ltext.12(%rip), %rcx
	xorl	%edi, %edi
	callq	fluorite_error_buffers_overlap@PLT
	jmp	.LBB0_36
.LBB0_61:
	jmp	.LBB0_36
.Lfunc_end0:
	.size	scaled, .Lfunc_end0-scaled
	.size	.Lscaled$local, .Lfunc_end0-scaled

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
.Lfunc_end1:
	.size	scaled_argv, .Lfunc_end1-scaled_argv
	.size	.Lscaled_argv$local, .Lfunc_end1-scaled_argv

	.p2align	4, 0x90
	.type	scaled.work.0,@function
scaled.work.0:
	movl	52(%rsi), %r8d
	movslq	56(%rsi), %rax
	subl	%eax, %r8d
	cmpl	$2147483646, %r8d
	ja	.LBB2_10
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movq	32(%rsi), %rdi
	movq	16(%rsi), %rdx
	movslq	44(%rsi), %r14
	movslq	48(%rsi), %rcx
	movq	24(%rsi), %r11
	vbroadcastss	(%rsi), %zmm0
	movq	8(%rsi), %rbx
	incl	%r8d
	movslq	%r8d, %r8
	addq	%rax, %r8
	movq	40(%rdi), %r10
	movq	40(%rdx), %r9
	movq	%r14, %r12
	movslq	24(%r10), %rdi
	movslq	16(%r10), %r13
	movslq	24(%r9), %rdx
	movslq	16(%r9), %rbp
	movslq	(%r10), %r15
	movl	40(%rsi), %r10d
	movslq	(%r9), %r9
	imulq	%rdi, %r13
	imulq	%rdx, %rbp
	movl	%r10d, %esi
	subl	%r14d, %esi
	addl	$-7, %r10d
	sarl	$3, %esi
	addq	%r15, %r13
	addq	%r9, %rbp
	movl	%ecx, %r9d
	shll	$4, %r9d
	subq	%r13, %r12
	addl	%r14d, %r9d
	subq	%rbp, %r14
	shlq	$2, %rbp
	shlq	$2, %r13
	leaq	(%r11,%r12,4), %r15
	movq	%r11, %r12
	leaq	(%rbx,%r14,4), %r14
	subq	%rbp, %rbx
	movl	%r9d, -20(%rsp)
	subl	%ecx, %esi
	subl	%ecx, %esi
	movq	%rbx, -8(%rsp)
	leal	1(%rsi), %r11d
	movslq	%r11d, %r9
	movq	%r12, %r11
	subq	%r13, %r11
	movq	%r9, -16(%rsp)
	jmp	.LBB2_2
	.p2align	6, 0x90
.LBB2_8:
	incq	%rax
	cmpq	%r8, %rax
	je	.LBB2_9
.LBB2_2:
	testl	%ecx, %ecx
	jle	.LBB2_5
	movq	%rax, %rbx
	imulq	%rdx, %rbx
	xorl	%r12d, %r12d
	leaq	(%r14,%rbx,4), %r13
	movq	%rax, %rbx
	imulq	%rdi, %rbx
	#APP
	#NO_APP
	leaq	(%r15,%rbx,4), %rbp
	#APP
	#NO_APP
	movq	%rcx, %rbx
	.p2align	6, 0x90
.LBB2_4:
	vmulps	(%r13,%r12), %zmm0, %zmm1
	vmovups	%zmm1, (%rbp,%r12)
	addq	$64, %r12
	decq	%rbx
	jne	.LBB2_4
.LBB2_5:
	cmpl	$2147483646, %esi
	ja	.LBB2_8
	movq	-8(%rsp), %r9
	movq	%rax, %rbx
	imulq	%rdx, %rbx
	movq	-16(%rsp), %r12
	leaq	(%r9,%rbx,4), %r13
	movq	%rax, %rbx
	imulq	%rdi, %rbx
	#APP
	#NO_APP
	leaq	(%r11,%rbx,4), %rbp
	movl	-20(%rsp), %ebx
	#APP
	#NO_APP
	.p2align	6, 0x90
.LBB2_7:
	cmpl	%r10d, %ebx
	movl	%r10d, %r9d
	cmovll	%ebx, %r9d
	addl	$8, %ebx
	decq	%r12
	movslq	%r9d, %r9
	vmulps	(%r13,%r9,4), %ymm0, %ymm1
	vmovups	%ymm1, (%rbp,%r9,4)
	jne	.LBB2_7
	jmp	.LBB2_8
.LBB2_9:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB2_10:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end2:
	.size	scaled.work.0, .Lfunc_end2-scaled.work.0

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
	.asciz	"in.dim"
	.size	.Ltext.1, 7

	.type	.Ltext.2,@object
.Ltext.2:
	.asciz	"scale_it"
	.size	.Ltext.2, 9

	.type	.Ltext.3,@object
.Ltext.3:
	.asciz	"scale_it.dim"
	.size	.Ltext.3, 13

	.type	.Ltext.4,@object
.Ltext.4:
	.asciz	"r 0\nk 1\nr 1\n+ 0 2\n- 3 1\no 32 4\nC 0 5|scale_it|what the buffer holds along dimension 0 (x)\nr 2\nr 3\n+ 6 7\n- 8 1\no 32 9\nC 6 10|scale_it|what the buffer holds along dimension 1 (y)\nr 4\nr 5\n+ 11 12\n- 13 1\no 32 14\nC 11 15|in|what the buffer holds along dimension 0\nr 6\nr 7\n+ 16 17\n- 18 1\no 32 19\nC 16 20|in|what the buffer holds along dimension 1\nk -7\n+ 5 21\no 32 22\nm 0 23\nC 24 5|scale_it|the region along x that is computed\nk 8\n- 24 25\n+ 5 25\nC 26 27|scale_it|the region along x that is computed, with the ends of its splits,\nv 6 10\nv 24 5\nk 0\n+ 30 25\n- 31 1\no 32 32\nE 33|scale_it, stage 0|the last iteration of loop xv\n- 5 0\no 32 34\n/ 35 25\no 32 36\n+ 37 1\n+ 30 38\n- 39 1\no 32 40\nE 41|scale_it, stage 0|the last iteration of loop x\n- 10 6\n+ 42 1\n+ 6 43\n- 44 1\no 32 45\nE 46|scale_it, stage 0|the last iteration of loop y\nD 0 5|scale_it|what the buffer holds along dimension 0 (x)\nD 6 10|scale_it|what the buffer holds along dimension 1 (y)\nD 11 15|in|what the buffer holds along dimension 0\nD 16 20|in|what the buffer holds along dimension 1\nD 24 5|scale_it|the region along x that is computed\nD 26 27|scale_it|the region along x that is computed, with the ends of its splits,\n"
	.size	.Ltext.4, 1173

	.type	.Ltext.5,@object
.Ltext.5:
	.asciz	"in: its stride along dimension 0"
	.size	.Ltext.5, 33

	.type	.Ltext.6,@object
.Ltext.6:
	.asciz	"1"
	.size	.Ltext.6, 2

	.type	.Ltext.7,@object
.Ltext.7:
	.asciz	"scale_it: its stride along dimension 0 (x)"
	.size	.Ltext.7, 43

	.type	.Ltext.8,@object
.Ltext.8:
	.asciz	"x"
	.size	.Ltext.8, 2

	.type	.Ltext.9,@object
.Ltext.9:
	.asciz	"y"
	.size	.Ltext.9, 2

	.type	.Ltext.10,@object
.Ltext.10:
	.asciz	"itself"
	.size	.Ltext.10, 7

	.type	.Ltext.11,@object
.Ltext.11:
	.asciz	"each element of an output has a place of its own"
	.size	.Ltext.11, 49

	.type	.Ltext.12,@object
.Ltext.12:
	.asciz	"the split of x may compute points twice; in place, its tail is TailStrategy::GuardWithIf"
	.size	.Ltext.12, 89

	.type	.Lname,@object
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.13,@object
.Lname.13:
	.asciz	"gain"
	.size	.Lname.13, 5

	.type	.Lname.14,@object
.Lname.14:
	.asciz	"scale_it"
	.size	.Lname.14, 9

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
	.quad	.Lname.13
	.long	0
	.long	0
	.long	73730
	.long	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	.Lname.14
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

	.type	.Lname.15,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname.15:
	.asciz	"x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4"
	.size	.Lname.15, 89

	.type	.Lname.16,@object
.Lname.16:
	.asciz	"scaled"
	.size	.Lname.16, 7

	.type	.Lmetadata,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
.Lmetadata:
	.long	1
	.long	3
	.quad	.Largs
	.quad	.Lname.15
	.quad	.Lname.16
	.size	.Lmetadata, 32

	.section	".note.GNU-stack","",@progbits
