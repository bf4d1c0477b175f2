	.text
	.file	"plain"
	.globl	plain
	.p2align	4, 0x90
	.type	plain,@function
plain:
.Lplain$local:
	.type	.Lplain$local,@function
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
	movq	16(%rdi), %rdx
	movq	16(%rsi), %r8
	movq	%rdx, (%rsp)
	movq	%rdi, 8(%rsp)
	movq	%r8, 16(%rsp)
	movq	%rsi, 24(%rsp)
	movl	%ecx, 32(%rsp)
	movl	%eax, 36(%rsp)
	movq	%rsp, %rsi
	xorl	%edi, %edi
	callq	plain.work.0
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
	.size	plain, .Lfunc_end0-plain
	.size	.Lplain$local, .Lfunc_end0-plain

	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI1_0:
	.long	0x42b20000
.LCPI1_1:
	.long	0xc2d20000
.LCPI1_2:
	.long	0x3fb8aa3b
.LCPI1_3:
	.long	0xcb400000
.LCPI1_4:
	.long	0xbf317218
.LCPI1_5:
	.long	0xb102e308
.LCPI1_6:
	.long	0x3ab50d39
.LCPI1_7:
	.long	0x3c091fe3
.LCPI1_8:
	.long	0x3d2aac8b
.LCPI1_9:
	.long	0x3e2aaa45
.LCPI1_10:
	.long	0x3efffffe
.LCPI1_11:
	.long	0x3f800000
.LCPI1_12:
	.long	0xc2ac0000
.LCPI1_13:
	.long	0x42800000
.LCPI1_14:
	.long	0x1f800000
.LCPI1_15:
	.long	0x42b17218
.LCPI1_16:
	.long	0x7f800000
.LCPI1_17:
	.long	0x00800000
.LCPI1_18:
	.long	0x4b800000
.LCPI1_19:
	.long	3234528013
.LCPI1_20:
	.long	4286578688
.LCPI1_21:
	.long	0xbf800000
.LCPI1_22:
	.long	4294967272
.LCPI1_23:
	.long	0xbd9c5a29
.LCPI1_24:
	.long	0x3e02b7cd
.LCPI1_25:
	.long	0xbe06c768
.LCPI1_26:
	.long	0x3e116c09
.LCPI1_27:
	.long	0xbe2a3893
.LCPI1_28:
	.long	0x3e4cd00a
.LCPI1_29:
	.long	0xbe800115
.LCPI1_30:
	.long	0x3eaaaaaa
.LCPI1_31:
	.long	0x3f314000
.LCPI1_32:
	.long	0x3a485fdf
.LCPI1_33:
	.long	0xbf000000
.LCPI1_34:
	.long	0x7fc00000
.LCPI1_35:
	.long	0x41200000
.LCPI1_36:
	.long	0xc1200000
.LCPI1_51:
	.long	0x7fffffff
.LCPI1_65:
	.long	0x42b171aa
.LCPI1_66:
	.long	0xc2ae999a
.LCPI1_67:
	.long	0x3c090836
.LCPI1_68:
	.long	0x3ab68b03
.LCPI1_69:
	.long	0x3d2aaa8b
.LCPI1_70:
	.long	0x3e2aaa6c
.LCPI1_71:
	.long	0xbda1dddb
.LCPI1_72:
	.long	0x3e014460
.LCPI1_73:
	.long	0xbe051ac3
.LCPI1_74:
	.long	0x3e118e15
.LCPI1_75:
	.long	0xbe2a6808
.LCPI1_76:
	.long	0x3e4ccf8c
.LCPI1_77:
	.long	0xbe800067
.LCPI1_78:
	.long	0x3ee66666
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI1_37:
	.quad	0x7fffffffffffffff
.LCPI1_38:
	.quad	0x4000000000000000
.LCPI1_39:
	.quad	0x3ff71547652b82fe
.LCPI1_40:
	.quad	0xc338000000000000
.LCPI1_41:
	.quad	0xbfe62e42fefa39ef
.LCPI1_42:
	.quad	0x3f56d945bfce50cd
.LCPI1_43:
	.quad	0x3f29f02c9d23bac8
.LCPI1_44:
	.quad	0x3f811127f0bf0e0b
.LCPI1_45:
	.quad	0x3fa555485eb00272
.LCPI1_46:
	.quad	0x3fc55555432739b5
.LCPI1_47:
	.quad	0x3fe0000003d90cf0
.LCPI1_48:
	.quad	4607182418800017408
.LCPI1_49:
	.quad	0xbff0000000000000
.LCPI1_50:
	.quad	-9223372036854775808
.LCPI1_52:
	.quad	0x7ff0000000000000
.LCPI1_53:
	.quad	0xbf7df931478fe6a9
.LCPI1_54:
	.quad	0x3f523f602016059b
.LCPI1_55:
	.quad	0x3f971490246b3efa
.LCPI1_56:
	.quad	0xbfa6e1866709da09
.LCPI1_57:
	.quad	0x3fb1422581e50924
.LCPI1_58:
	.quad	0xbfb68e6cda0343af
.LCPI1_59:
	.quad	0x3fbc4f1d48088d60
.LCPI1_60:
	.quad	0xbfc24737286b375a
.LCPI1_61:
	.quad	0x3fc9997e01ddf824
.LCPI1_62:
	.quad	0xbfd55555103c5e27
.LCPI1_63:
	.quad	0x3ff921fb54442d18
.LCPI1_64:
	.quad	0x400921fb54442d18
	.text
	.p2align	4, 0x90
	.type	plain.work.0,@function
plain.work.0:
	movl	32(%rsi), %ecx
	movslq	36(%rsi), %rax
	subl	%eax, %ecx
	sarl	$4, %ecx
	js	.LBB1_3
	incl	%ecx
	movslq	%ecx, %rcx
	movq	8(%rsi), %rdx
	movq	24(%rsi), %rdi
	movq	40(%rdi), %rdi
	movslq	(%rdi), %rdi
	movq	40(%rdx), %rdx
	movslq	(%rdx), %r8
	movq	%rax, %rdx
	subq	%r8, %rdx
	shlq	$2, %rdx
	addq	(%rsi), %rdx
	#APP
	#NO_APP
	subq	%rdi, %rax
	shlq	$2, %rax
	addq	16(%rsi), %rax
	#APP
	#NO_APP
	xorl	%esi, %esi
	vxorps	%xmm31, %xmm31, %xmm31
	xorl	%edi, %edi
	vbroadcastss	.LCPI1_3(%rip), %zmm11
	vbroadcastss	.LCPI1_4(%rip), %zmm16
	vbroadcastsd	.LCPI1_37(%rip), %zmm12
	vpbroadcastd	.LCPI1_51(%rip), %zmm27
	.p2align	4, 0x90
.LBB1_2:
	vmovups	(%rdx,%rsi), %zmm21
	vbroadcastss	.LCPI1_0(%rip), %zmm1
	vminps	%zmm21, %zmm1, %zmm8
	vbroadcastss	.LCPI1_1(%rip), %zmm1
	vmaxps	%zmm8, %zmm1, %zmm8
	vbroadcastss	.LCPI1_2(%rip), %zmm9
	vfmsub213ps	%zmm11, %zmm8, %zmm9
	vaddps	%zmm11, %zmm9, %zmm10
	vmovaps	%zmm16, %zmm13
	vfmadd213ps	%zmm8, %zmm10, %zmm13
	vbroadcastss	.LCPI1_5(%rip), %zmm4
	vfnmadd231ps	%zmm10, %zmm4, %zmm13
	vbroadcastss	.LCPI1_6(%rip), %zmm10
	vfmadd213ps	.LCPI1_7(%rip){1to16}, %zmm13, %zmm10
	vfmadd213ps	.LCPI1_8(%rip){1to16}, %zmm13, %zmm10
	vfmadd213ps	.LCPI1_9(%rip){1to16}, %zmm13, %zmm10
	vfmadd213ps	.LCPI1_10(%rip){1to16}, %zmm13, %zmm10
	vmulps	%zmm13, %zmm13, %zmm18
	vfmadd213ps	%zmm13, %zmm10, %zmm18
	vbroadcastss	.LCPI1_11(%rip), %zmm17
	vaddps	%zmm17, %zmm18, %zmm10
	vcmpltps	.LCPI1_12(%rip){1to16}, %zmm8, %k1
	vaddps	.LCPI1_13(%rip){1to16}, %zmm9, %zmm9 {%k1}
	vpslld	$23, %zmm9, %zmm8
	vpaddd	%zmm10, %zmm8, %zmm8
	vmulps	.LCPI1_14(%rip){1to16}, %zmm8, %zmm8 {%k1}
	vcmpordps	%zmm31, %zmm21, %k1
	vblendmps	%zmm8, %zmm21, %zmm10 {%k1}
	vcmpgtps	.LCPI1_15(%rip){1to16}, %zmm21, %k1
	vbroadcastss	.LCPI1_16(%rip), %zmm7
	vmovaps	%zmm7, %zmm10 {%k1}
	vbroadcastss	.LCPI1_17(%rip), %zmm5
	vcmpltps	%zmm5, %zmm21, %k2
	vmovaps	%zmm21, %zmm8
	vmulps	.LCPI1_18(%rip){1to16}, %zmm21, %zmm8 {%k2}
	vpbroadcastd	.LCPI1_19(%rip), %zmm1
	vpaddd	%zmm1, %zmm8, %zmm9
	vpsrad	$23, %zmm9, %zmm13
	vpbroadcastd	.LCPI1_20(%rip), %zmm29
	vpandd	%zmm29, %zmm9, %zmm9
	vpsubd	%zmm9, %zmm8, %zmm8
	vbroadcastss	.LCPI1_21(%rip), %zmm24
	vaddps	%zmm24, %zmm8, %zmm18
	vpaddd	.LCPI1_22(%rip){1to16}, %zmm13, %zmm13 {%k2}
	vcvtdq2ps	%zmm13, %zmm13
	vbroadcastss	.LCPI1_23(%rip), %zmm8
	vfmadd213ps	.LCPI1_24(%rip){1to16}, %zmm18, %zmm8
	vfmadd213ps	.LCPI1_25(%rip){1to16}, %zmm18, %zmm8
	vfmadd213ps	.LCPI1_26(%rip){1to16}, %zmm18, %zmm8
	vfmadd213ps	.LCPI1_27(%rip){1to16}, %zmm18, %zmm8
	vfmadd213ps	.LCPI1_28(%rip){1to16}, %zmm18, %zmm8
	vfmadd213ps	.LCPI1_29(%rip){1to16}, %zmm18, %zmm8
	vbroadcastss	.LCPI1_30(%rip), %zmm2
	vfmadd213ps	%zmm2, %zmm18, %zmm8
	vmulps	.LCPI1_31(%rip){1to16}, %zmm13, %zmm19
	vaddps	%zmm18, %zmm19, %zmm9
	vsubps	%zmm9, %zmm19, %zmm19
	vaddps	%zmm19, %zmm18, %zmm19
	vfmadd231ps	.LCPI1_32(%rip){1to16}, %zmm13, %zmm19
	vmulps	%zmm18, %zmm18, %zmm13
	vbroadcastss	.LCPI1_33(%rip), %zmm6
	vfmadd213ps	%zmm6, %zmm18, %zmm8
	vfmadd213ps	%zmm19, %zmm13, %zmm8
	vcmpltps	%zmm31, %zmm21, %k1
	vbroadcastss	.LCPI1_34(%rip), %zmm15
	vblendmps	%zmm15, %zmm21, %zmm19 {%k1}
	vcmpneq_oqps	%zmm7, %zmm21, %k3
	vcmpltps	%zmm21, %zmm31, %k4 {%k3}
	vcmpeqps	%zmm31, %zmm21, %k1
	vbroadcastss	.LCPI1_20(%rip), %zmm0
	vmovaps	%zmm0, %zmm19 {%k1}
	vcvtps2pd	(%rdx,%rsi), %zmm30
	vaddps	%zmm8, %zmm9, %zmm19 {%k4}
	vcvtps2pd	32(%rdx,%rsi), %zmm8
	vandpd	%zmm12, %zmm8, %zmm9
	vmovdqu64	4(%rdx,%rsi), %zmm20
	vpandd	%zmm27, %zmm20, %zmm13
	vextracti64x4	$1, %zmm13, %ymm18
	vcvtps2pd	%ymm18, %zmm25
	vcvtps2pd	%ymm13, %zmm13
	vandpd	%zmm12, %zmm30, %zmm18
	vminpd	%zmm18, %zmm13, %zmm22
	vmaxpd	%zmm13, %zmm18, %zmm14
	vmaxpd	%zmm25, %zmm9, %zmm26
	vbroadcastsd	.LCPI1_52(%rip), %zmm3
	vcmpeqpd	%zmm3, %zmm14, %k0
	vcmpeqpd	%zmm31, %zmm14, %k4
	vbroadcastsd	.LCPI1_48(%rip), %zmm0
	vblendmpd	%zmm31, %zmm0, %zmm23 {%k4}
	vdivpd	%zmm14, %zmm22, %zmm22
	korb	%k0, %k4, %k4
	vcmpeqpd	%zmm3, %zmm26, %k0
	vcmpeqpd	%zmm13, %zmm18, %k4 {%k4}
	vmovapd	%zmm23, %zmm22 {%k4}
	vcmpeqpd	%zmm31, %zmm26, %k4
	vblendmpd	%zmm31, %zmm0, %zmm14 {%k4}
	korb	%k0, %k4, %k4
	vminpd	%zmm9, %zmm25, %zmm23
	vdivpd	%zmm26, %zmm23, %zmm23
	vcmpeqpd	%zmm25, %zmm9, %k4 {%k4}
	vmovapd	%zmm14, %zmm23 {%k4}
	vcmpltpd	%zmm9, %zmm25, %k4
	vmulpd	%zmm23, %zmm23, %zmm9
	vbroadcastsd	.LCPI1_54(%rip), %zmm25
	vmovapd	%zmm25, %zmm14
	vbroadcastsd	.LCPI1_53(%rip), %zmm3
	vfmadd213pd	%zmm3, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_55(%rip), %zmm26
	vfmadd213pd	%zmm26, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_56(%rip), %zmm24
	vfmadd213pd	%zmm24, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_57(%rip), %zmm29
	vfmadd213pd	%zmm29, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_58(%rip), %zmm2
	vfmadd213pd	%zmm2, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_59(%rip), %zmm17
	vfmadd213pd	%zmm17, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_60(%rip), %zmm15
	vfmadd213pd	%zmm15, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_61(%rip), %zmm1
	vfmadd213pd	%zmm1, %zmm9, %zmm14
	vbroadcastsd	.LCPI1_62(%rip), %zmm28
	vfmadd213pd	%zmm28, %zmm9, %zmm14
	vfmadd213pd	%zmm0, %zmm9, %zmm14
	vmulpd	%zmm14, %zmm23, %zmm9
	vbroadcastsd	.LCPI1_63(%rip), %zmm23
	vsubpd	%zmm9, %zmm23, %zmm9 {%k4}
	vcmpltpd	%zmm18, %zmm13, %k4
	vmulpd	%zmm22, %zmm22, %zmm13
	vmovapd	%zmm25, %zmm14
	vfmadd213pd	%zmm3, %zmm13, %zmm14
	vfmadd213pd	%zmm26, %zmm13, %zmm14
	vfmadd213pd	%zmm24, %zmm13, %zmm14
	vfmadd213pd	%zmm29, %zmm13, %zmm14
	vfmadd213pd	%zmm2, %zmm13, %zmm14
	vfmadd213pd	%zmm17, %zmm13, %zmm14
	vfmadd213pd	%zmm15, %zmm13, %zmm14
	vfmadd213pd	%zmm1, %zmm13, %zmm14
	vfmadd213pd	%zmm28, %zmm13, %zmm14
	vfmadd213pd	%zmm0, %zmm13, %zmm14
	vmulpd	%zmm14, %zmm22, %zmm13
	vsubpd	%zmm13, %zmm23, %zmm13 {%k4}
	vpmovd2m	%zmm20, %k4
	vbroadcastsd	.LCPI1_64(%rip), %zmm0
	vsubpd	%zmm13, %zmm0, %zmm13 {%k4}
	kshiftrw	$8, %k4, %k4
	vsubpd	%zmm9, %zmm0, %zmm9 {%k4}
	vbroadcastss	.LCPI1_65(%rip), %zmm1
	vcmpltps	%zmm21, %zmm1, %k4
	vminps	%zmm21, %zmm1, %zmm14
	vbroadcastss	.LCPI1_66(%rip), %zmm2
	vmaxps	%zmm14, %zmm2, %zmm14
	vbroadcastss	.LCPI1_2(%rip), %zmm28
	vmovaps	%zmm28, %zmm18
	vfmsub213ps	%zmm11, %zmm14, %zmm18
	vaddps	%zmm11, %zmm18, %zmm20
	vfmadd231ps	%zmm16, %zmm20, %zmm14
	vfnmadd231ps	%zmm20, %zmm4, %zmm14
	vbroadcastss	.LCPI1_68(%rip), %zmm15
	vmovaps	%zmm15, %zmm20
	vbroadcastss	.LCPI1_67(%rip), %zmm3
	vfmadd213ps	%zmm3, %zmm14, %zmm20
	vbroadcastss	.LCPI1_69(%rip), %zmm17
	vfmadd213ps	%zmm17, %zmm14, %zmm20
	vbroadcastss	.LCPI1_70(%rip), %zmm24
	vfmadd213ps	%zmm24, %zmm14, %zmm20
	vfmsub213ps	%zmm6, %zmm14, %zmm20
	vmulps	%zmm14, %zmm14, %zmm22
	vfmadd213ps	%zmm14, %zmm20, %zmm22
	vbroadcastss	.LCPI1_11(%rip), %zmm29
	vaddps	%zmm29, %zmm22, %zmm14
	vpslld	$23, %zmm18, %zmm18
	vpaddd	%zmm14, %zmm18, %zmm14
	vmovaps	%zmm7, %zmm14 {%k4}
	vcmpnltps	%zmm2, %zmm21, %k4
	vmovaps	%zmm21, %zmm20 {%k4} {z}
	vcmpleps	%zmm21, %zmm2, %k4
	vmovaps	%zmm14, %zmm20 {%k4}
	vandps	%zmm27, %zmm21, %zmm14
	vcmpltps	%zmm5, %zmm14, %k4
	vbroadcastss	.LCPI1_34(%rip), %zmm0
	vblendmps	.LCPI1_20(%rip){1to16}, %zmm0, %zmm14 {%k4}
	vbroadcastss	.LCPI1_35(%rip), %zmm0
	vminps	%zmm21, %zmm0, %zmm18
	vpaddd	.LCPI1_19(%rip){1to16}, %zmm21, %zmm22
	vpandd	.LCPI1_20(%rip){1to16}, %zmm22, %zmm23
	vpsubd	%zmm23, %zmm21, %zmm23
	vcmpleps	%zmm21, %zmm5, %k3 {%k3}
	vmovaps	%zmm14, %zmm21 {%k2}
	vpsrad	$23, %zmm22, %zmm14
	vaddps	.LCPI1_21(%rip){1to16}, %zmm23, %zmm22
	vcvtdq2ps	%zmm14, %zmm14
	vbroadcastss	.LCPI1_71(%rip), %zmm23
	vfmadd213ps	.LCPI1_72(%rip){1to16}, %zmm22, %zmm23
	vfmadd213ps	.LCPI1_73(%rip){1to16}, %zmm22, %zmm23
	vfmadd213ps	.LCPI1_74(%rip){1to16}, %zmm22, %zmm23
	vfmadd213ps	.LCPI1_75(%rip){1to16}, %zmm22, %zmm23
	vfmadd213ps	.LCPI1_76(%rip){1to16}, %zmm22, %zmm23
	vfmadd213ps	.LCPI1_77(%rip){1to16}, %zmm22, %zmm23
	vfmadd213ps	.LCPI1_30(%rip){1to16}, %zmm22, %zmm23
	vmulps	%zmm4, %zmm14, %zmm25
	vmulps	%zmm22, %zmm22, %zmm26
	vfmadd213ps	%zmm6, %zmm22, %zmm23
	vfmadd213ps	%zmm25, %zmm26, %zmm23
	vaddps	%zmm22, %zmm23, %zmm22
	vfnmadd231ps	%zmm14, %zmm16, %zmm22
	vmovaps	%zmm22, %zmm21 {%k3}
	vmulps	.LCPI1_78(%rip){1to16}, %zmm21, %zmm14
	vcmpltps	%zmm14, %zmm1, %k2
	vminps	%zmm14, %zmm1, %zmm21
	vmaxps	%zmm21, %zmm2, %zmm21
	vmovaps	%zmm28, %zmm22
	vfmsub213ps	%zmm11, %zmm21, %zmm22
	vaddps	%zmm11, %zmm22, %zmm23
	vfmadd231ps	%zmm16, %zmm23, %zmm21
	vfnmadd231ps	%zmm23, %zmm4, %zmm21
	vmovaps	%zmm15, %zmm23
	vfmadd213ps	%zmm3, %zmm21, %zmm23
	vfmadd213ps	%zmm17, %zmm21, %zmm23
	vfmadd213ps	%zmm24, %zmm21, %zmm23
	vfmsub213ps	%zmm6, %zmm21, %zmm23
	vmulps	%zmm21, %zmm21, %zmm25
	vfmadd213ps	%zmm21, %zmm23, %zmm25
	vaddps	%zmm29, %zmm25, %zmm21
	vpslld	$23, %zmm22, %zmm22
	vpaddd	%zmm21, %zmm22, %zmm21
	vmovaps	%zmm7, %zmm21 {%k2}
	vcmpnltps	%zmm2, %zmm14, %k2
	vmovaps	%zmm14, %zmm22 {%k2} {z}
	vcmpleps	%zmm14, %zmm2, %k2
	vmovaps	%zmm21, %zmm22 {%k2}
	vmovaps	%zmm31, %zmm22 {%k1}
	vbroadcastss	.LCPI1_36(%rip), %zmm0
	vmaxps	%zmm18, %zmm0, %zmm14
	vcvtps2pd	%ymm14, %zmm18
	vextractf64x4	$1, %zmm14, %ymm14
	vcvtps2pd	%ymm14, %zmm14
	vandpd	%zmm12, %zmm14, %zmm21
	vandpd	%zmm12, %zmm18, %zmm23
	vaddpd	%zmm23, %zmm23, %zmm23
	vaddpd	%zmm21, %zmm21, %zmm21
	vbroadcastsd	.LCPI1_39(%rip), %zmm26
	vmovapd	%zmm26, %zmm25
	vbroadcastsd	.LCPI1_40(%rip), %zmm0
	vfmsub213pd	%zmm0, %zmm21, %zmm25
	vfmsub213pd	%zmm0, %zmm23, %zmm26
	vaddpd	%zmm0, %zmm26, %zmm29
	vaddpd	%zmm0, %zmm25, %zmm1
	vbroadcastsd	.LCPI1_41(%rip), %zmm0
	vfmadd213pd	%zmm21, %zmm0, %zmm1
	vfmadd213pd	%zmm23, %zmm0, %zmm29
	vbroadcastsd	.LCPI1_43(%rip), %zmm2
	vmovapd	%zmm2, %zmm21
	vbroadcastsd	.LCPI1_42(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm1, %zmm21
	vbroadcastsd	.LCPI1_44(%rip), %zmm4
	vfmadd213pd	%zmm4, %zmm1, %zmm21
	vbroadcastsd	.LCPI1_45(%rip), %zmm5
	vfmadd213pd	%zmm5, %zmm1, %zmm21
	vbroadcastsd	.LCPI1_46(%rip), %zmm6
	vfmadd213pd	%zmm6, %zmm1, %zmm21
	vbroadcastsd	.LCPI1_47(%rip), %zmm7
	vfmadd213pd	%zmm7, %zmm1, %zmm21
	vmulpd	%zmm1, %zmm1, %zmm23
	vfmadd213pd	%zmm1, %zmm21, %zmm23
	vmovapd	%zmm2, %zmm1
	vfmadd213pd	%zmm0, %zmm29, %zmm1
	vfmadd213pd	%zmm4, %zmm29, %zmm1
	vfmadd213pd	%zmm5, %zmm29, %zmm1
	vfmadd213pd	%zmm6, %zmm29, %zmm1
	vfmadd213pd	%zmm7, %zmm29, %zmm1
	vmulpd	%zmm29, %zmm29, %zmm21
	vfmadd213pd	%zmm29, %zmm1, %zmm21
	vpsllq	$52, %zmm26, %zmm1
	vpbroadcastq	.LCPI1_48(%rip), %zmm0
	vpaddq	%zmm0, %zmm1, %zmm1
	vbroadcastsd	.LCPI1_49(%rip), %zmm2
	vaddpd	%zmm2, %zmm1, %zmm26
	vfmadd231pd	%zmm21, %zmm1, %zmm26
	vpsllq	$52, %zmm25, %zmm1
	vpaddq	%zmm0, %zmm1, %zmm1
	vbroadcastsd	.LCPI1_38(%rip), %zmm0
	vaddpd	%zmm0, %zmm26, %zmm21
	vdivpd	%zmm21, %zmm26, %zmm21
	vaddpd	%zmm2, %zmm1, %zmm25
	vfmadd231pd	%zmm23, %zmm1, %zmm25
	vaddpd	%zmm0, %zmm25, %zmm1
	vdivpd	%zmm1, %zmm25, %zmm1
	vpbroadcastq	.LCPI1_50(%rip), %zmm0
	vpternlogq	$248, %zmm0, %zmm14, %zmm1
	vpternlogq	$248, %zmm0, %zmm18, %zmm21
	vcvtpd2ps	%zmm21, %ymm14
	vcvtpd2ps	%zmm1, %ymm1
	vaddps	%zmm19, %zmm10, %zmm10
	vinsertf64x4	$1, %ymm1, %zmm14, %zmm1
	vaddps	%zmm1, %zmm10, %zmm1
	vpternlogq	$248, %zmm0, %zmm30, %zmm13
	vcvtpd2ps	%zmm13, %ymm10
	vpternlogq	$248, %zmm0, %zmm8, %zmm9
	vcvtpd2ps	%zmm9, %ymm8
	vinsertf64x4	$1, %ymm8, %zmm10, %zmm8
	vaddps	%zmm8, %zmm1, %zmm1
	vaddps	%zmm20, %zmm1, %zmm1
	vaddps	%zmm22, %zmm1, %zmm1
	vmovups	%zmm1, (%rax,%rsi)
	incq	%rdi
	addq	$64, %rsi
	cmpq	%rcx, %rdi
	jl	.LBB1_2
.LBB1_3:
	xorl	%eax, %eax
	vzeroupper
	retq
.Lfunc_end1:
	.size	plain.work.0, .Lfunc_end1-plain.work.0

	.globl	plain_argv
	.p2align	4, 0x90
	.type	plain_argv,@function
plain_argv:
.Lplain_argv$local:
	.type	.Lplain_argv$local,@function
	pushq	%rax
	movq	(%rdi), %rax
	movq	8(%rdi), %rsi
	movq	%rax, %rdi
	callq	.Lplain$local
	popq	%rcx
	retq
.Lfunc_end2:
	.size	plain_argv, .Lfunc_end2-plain_argv
	.size	.Lplain_argv$local, .Lfunc_end2-plain_argv

	.globl	plain_metadata
	.p2align	4, 0x90
	.type	plain_metadata,@function
plain_metadata:
.Lplain_metadata$local:
	.type	.Lplain_metadata$local,@function
	leaq	.Lmetadata(%rip), %rax
	retq
.Lfunc_end3:
	.size	plain_metadata, .Lfunc_end3-plain_metadata
	.size	.Lplain_metadata$local, .Lfunc_end3-plain_metadata

	.type	.Lname,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.Lname:
	.asciz	"in"
	.size	.Lname, 3

	.type	.Lname.1,@object
.Lname.1:
	.asciz	"plain"
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
	.asciz	"plain"
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
