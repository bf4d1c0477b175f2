	.text
	.file	"angles"
	.globl	angles
	.p2align	4, 0x90
	.type	angles,@function
angles:
.Langles$local:
	.type	.Langles$local,@function
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-64, %rsp
	subq	$64, %rsp
	movq	40(%rsi), %rax
	movl	(%rax), %eax
	movq	40(%rsi), %rcx
	movl	4(%rcx), %ecx
	addl	%eax, %ecx
	addl	$-1, %ecx
	movq	16(%rsi), %rdx
	movq	16(%rdi), %r8
	movq	%rdx, (%rsp)
	movq	%rsi, 8(%rsp)
	movl	%ecx, 16(%rsp)
	movl	%eax, 20(%rsp)
	movq	%r8, 24(%rsp)
	movq	%rdi, 32(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	angles.work.0
	cmpl	$0, %eax
	jne	.LBB0_4
	xorl	%eax, %eax
	jmp	.LBB0_3
.LBB0_3:
	movq	%rbp, %rsp
	popq	%rbp
	retq
.LBB0_4:
	jmp	.LBB0_3
.Lfunc_end0:
	.size	angles, .Lfunc_end0-angles
	.size	.Langles$local, .Lfunc_end0-angles

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	0x7fffffff
.LCPI1_1:
	.long	0x53800000
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI1_2:
	.quad	0x3fe45f306dc9c883
.LCPI1_3:
	.quad	0xc338000000000000
.LCPI1_4:
	.quad	0xbff921fb54442d18
.LCPI1_5:
	.quad	0xbc91a62633145c07
.LCPI1_6:
	.quad	0xbf2a00b94b26a5f1
.LCPI1_7:
	.quad	0x3ec6bf4f6cf5f779
.LCPI1_8:
	.quad	0x3f811110323dee2b
.LCPI1_9:
	.quad	0xbfc555555448a47f
.LCPI1_10:
	.quad	0xbf56c0834c396aee
.LCPI1_11:
	.quad	0x3ef98d9893970859
.LCPI1_12:
	.quad	0x3fa5555430f00ad0
.LCPI1_13:
	.quad	0x3ff0000000000000
.LCPI1_14:
	.quad	0xbfe0000000000000
.LCPI1_15:
	.quad	1
.LCPI1_16:
	.quad	-9223372036854775808
	.text
	.p2align	4, 0x90
	.type	angles.work.0,@function
angles.work.0:
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$304, %rsp
	movl	16(%rsi), %eax
	movslq	20(%rsi), %rbx
	subl	%ebx, %eax
	sarl	$4, %eax
	js	.LBB1_5
	incl	%eax
	movslq	%eax, %r14
	movq	8(%rsi), %rax
	movq	32(%rsi), %rcx
	movq	40(%rax), %rax
	movslq	(%rax), %rax
	movq	40(%rcx), %rcx
	movslq	(%rcx), %rcx
	movq	%rbx, %r15
	subq	%rcx, %r15
	shlq	$2, %r15
	addq	24(%rsi), %r15
	#APP
	#NO_APP
	subq	%rax, %rbx
	shlq	$2, %rbx
	addq	(%rsi), %rbx
	#APP
	#NO_APP
	vbroadcastss	.LCPI1_0(%rip), %zmm12
	vbroadcastss	.LCPI1_1(%rip), %zmm13
	vbroadcastsd	.LCPI1_2(%rip), %zmm14
	vbroadcastsd	.LCPI1_3(%rip), %zmm15
	vbroadcastsd	.LCPI1_4(%rip), %zmm16
	vbroadcastsd	.LCPI1_5(%rip), %zmm17
	vbroadcastsd	.LCPI1_6(%rip), %zmm18
	vbroadcastsd	.LCPI1_7(%rip), %zmm19
	vbroadcastsd	.LCPI1_8(%rip), %zmm20
	vbroadcastsd	.LCPI1_9(%rip), %zmm21
	vbroadcastsd	.LCPI1_10(%rip), %zmm22
	vbroadcastsd	.LCPI1_11(%rip), %zmm23
	vbroadcastsd	.LCPI1_12(%rip), %zmm24
	vbroadcastsd	.LCPI1_13(%rip), %zmm25
	vbroadcastsd	.LCPI1_14(%rip), %zmm26
	xorl	%r12d, %r12d
	vpbroadcastq	.LCPI1_15(%rip), %zmm27
	vpbroadcastq	.LCPI1_16(%rip), %zmm28
	xorl	%r13d, %r13d
	.p2align	4, 0x90
.LBB1_2:
	vmovups	(%r15,%r12), %zmm0
	vandps	%zmm12, %zmm0, %zmm1
	vcmpnltps	%zmm13, %zmm1, %k0
	kortestw	%k0, %k0
	jne	.LBB1_6
	vcvtps2pd	%ymm0, %zmm29
	vextractf64x4	$1, %zmm0, %ymm1
	vcvtps2pd	%ymm1, %zmm1
	vmovapd	%zmm14, %zmm2
	vfmsub213pd	%zmm15, %zmm1, %zmm2
	vmovapd	%zmm14, %zmm3
	vfmsub213pd	%zmm15, %zmm29, %zmm3
	vaddpd	%zmm15, %zmm3, %zmm4
	vaddpd	%zmm15, %zmm2, %zmm5
	vfmadd231pd	%zmm16, %zmm5, %zmm1
	vfmadd231pd	%zmm16, %zmm4, %zmm29
	vfmadd231pd	%zmm4, %zmm17, %zmm29
	vfmadd231pd	%zmm5, %zmm17, %zmm1
	vmulpd	%zmm1, %zmm1, %zmm4
	vmulpd	%zmm29, %zmm29, %zmm5
	vmovapd	%zmm19, %zmm6
	vfmadd213pd	%zmm18, %zmm5, %zmm6
	vmovapd	%zmm19, %zmm7
	vfmadd213pd	%zmm18, %zmm4, %zmm7
	vfmadd213pd	%zmm20, %zmm4, %zmm7
	vfmadd213pd	%zmm20, %zmm5, %zmm6
	vfmadd213pd	%zmm21, %zmm5, %zmm6
	vfmadd213pd	%zmm21, %zmm4, %zmm7
	vmovapd	%zmm23, %zmm8
	vfmadd213pd	%zmm22, %zmm4, %zmm8
	vmovapd	%zmm23, %zmm9
	vfmadd213pd	%zmm22, %zmm5, %zmm9
	vfmadd213pd	%zmm24, %zmm5, %zmm9
	vfmadd213pd	%zmm24, %zmm4, %zmm8
	vfmadd213pd	%zmm25, %zmm4, %zmm7
	vfmadd213pd	%zmm25, %zmm5, %zmm6
	vmovapd	%zmm26, %zmm10
	vfmadd213pd	%zmm25, %zmm5, %zmm10
	vmovapd	%zmm26, %zmm11
	vfmadd213pd	%zmm25, %zmm4, %zmm11
	vmulpd	%zmm5, %zmm5, %zmm5
	vfmadd213pd	%zmm10, %zmm9, %zmm5
	vmulpd	%zmm4, %zmm4, %zmm4
	vfmadd213pd	%zmm11, %zmm8, %zmm4
	vptestnmq	%zmm27, %zmm2, %k1
	vptestnmq	%zmm27, %zmm3, %k2
	vmulpd	%zmm6, %zmm29, %zmm5 {%k2}
	vmulpd	%zmm7, %zmm1, %zmm4 {%k1}
	vpsllq	$62, %zmm3, %zmm0
	vpsllq	$62, %zmm2, %zmm1
	vpternlogq	$108, %zmm28, %zmm4, %zmm1
	vpternlogq	$108, %zmm28, %zmm5, %zmm0
	vcvtpd2ps	%zmm0, %ymm0
	vcvtpd2ps	%zmm1, %ymm1
	vinsertf64x4	$1, %ymm1, %zmm0, %zmm0
.LBB1_4:
	vmovups	%zmm0, (%rbx,%r12)
	incq	%r13
	addq	$64, %r12
	cmpq	%r14, %r13
	jl	.LBB1_2
	jmp	.LBB1_5
.LBB1_6:
	vmovups	%zmm0, 16(%rsp)
	vzeroupper
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 288(%rsp)
	vmovshdup	16(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 272(%rsp)
	vpermilpd	$1, 16(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovapd	%xmm0, 256(%rsp)
	vpermilps	$255, 16(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 240(%rsp)
	vmovups	16(%rsp), %zmm0
	vextractf128	$1, %ymm0, %xmm0
	vmovaps	%xmm0, (%rsp)
	vzeroupper
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 224(%rsp)
	vmovshdup	(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 208(%rsp)
	vpermilpd	$1, (%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovapd	%xmm0, 192(%rsp)
	vpermilps	$255, (%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 176(%rsp)
	vmovups	16(%rsp), %zmm0
	vextractf32x4	$2, %zmm0, %xmm0
	vmovaps	%xmm0, (%rsp)
	vzeroupper
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 160(%rsp)
	vmovshdup	(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 144(%rsp)
	vpermilpd	$1, (%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovapd	%xmm0, 128(%rsp)
	vpermilps	$255, (%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, (%rsp)
	vmovups	16(%rsp), %zmm0
	vextractf32x4	$3, %zmm0, %xmm0
	vmovaps	%xmm0, 16(%rsp)
	vzeroupper
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 112(%rsp)
	vmovshdup	16(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovaps	%xmm0, 96(%rsp)
	vpermilpd	$1, 16(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vmovapd	%xmm0, 80(%rsp)
	vpermilps	$255, 16(%rsp), %xmm0
	callq	fluorite_sin_f32@PLT
	vpbroadcastq	.LCPI1_16(%rip), %zmm28
	vpbroadcastq	.LCPI1_15(%rip), %zmm27
	vbroadcastsd	.LCPI1_14(%rip), %zmm26
	vbroadcastsd	.LCPI1_13(%rip), %zmm25
	vbroadcastsd	.LCPI1_12(%rip), %zmm24
	vbroadcastsd	.LCPI1_11(%rip), %zmm23
	vbroadcastsd	.LCPI1_10(%rip), %zmm22
	vbroadcastsd	.LCPI1_9(%rip), %zmm21
	vbroadcastsd	.LCPI1_8(%rip), %zmm20
	vbroadcastsd	.LCPI1_7(%rip), %zmm19
	vbroadcastsd	.LCPI1_6(%rip), %zmm18
	vbroadcastsd	.LCPI1_5(%rip), %zmm17
	vbroadcastsd	.LCPI1_4(%rip), %zmm16
	vbroadcastsd	.LCPI1_3(%rip), %zmm15
	vbroadcastsd	.LCPI1_2(%rip), %zmm14
	vbroadcastss	.LCPI1_1(%rip), %zmm13
	vbroadcastss	.LCPI1_0(%rip), %zmm12
	vmovaps	288(%rsp), %xmm1
	vinsertps	$16, 272(%rsp), %xmm1, %xmm1
	vinsertps	$32, 256(%rsp), %xmm1, %xmm1
	vinsertps	$48, 240(%rsp), %xmm1, %xmm1
	vmovaps	224(%rsp), %xmm2
	vinsertps	$16, 208(%rsp), %xmm2, %xmm2
	vinsertps	$32, 192(%rsp), %xmm2, %xmm2
	vinsertps	$48, 176(%rsp), %xmm2, %xmm2
	vinsertf128	$1, %xmm2, %ymm1, %ymm1
	vmovaps	160(%rsp), %xmm2
	vinsertps	$16, 144(%rsp), %xmm2, %xmm2
	vinsertps	$32, 128(%rsp), %xmm2, %xmm2
	vinsertps	$48, (%rsp), %xmm2, %xmm2
	vmovaps	112(%rsp), %xmm3
	vinsertps	$16, 96(%rsp), %xmm3, %xmm3
	vinsertps	$32, 80(%rsp), %xmm3, %xmm3
	vinsertps	$48, %xmm0, %xmm3, %xmm0
	vinsertf128	$1, %xmm0, %ymm2, %ymm0
	vinsertf64x4	$1, %ymm0, %zmm1, %zmm0
	jmp	.LBB1_4
.LBB1_5:
	xorl	%eax, %eax
	addq	$304, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	vzeroupper
	retq
.Lfunc_end1:
	.size	angles.work.0, .Lfunc_end1-angles.work.0

	.globl	angles_argv
	.p2align	4, 0x90
	.type	angles_argv,@function
angles_argv:
.Langles_argv$local:
	.type	.Langles_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Langles$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	angles_argv, .Lfunc_end2-angles_argv
	.size	.Langles_argv$local, .Lfunc_end2-angles_argv

	.globl	angles_metadata
	.p2align	4, 0x90
	.type	angles_metadata,@function
angles_metadata:
.Langles_metadata$local:
	.type	.Langles_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	angles_metadata, .Lfunc_end3-angles_metadata
	.size	.Langles_metadata$local, .Lfunc_end3-angles_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"angles"
	.size	.Lname.1, 7

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
	.asciz	"angles"
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
