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
	.long	0x42b40000
.LCPI1_1:
	.long	0xc2dc0000
.LCPI1_11:
	.long	0x00800000
.LCPI1_12:
	.long	0x4b800000
.LCPI1_13:
	.long	3234528013
.LCPI1_14:
	.long	4286578688
.LCPI1_16:
	.long	4294967272
.LCPI1_27:
	.long	0x7f800000
.LCPI1_28:
	.long	0x7fc00000
.LCPI1_29:
	.long	0x41200000
.LCPI1_30:
	.long	0xc1200000
.LCPI1_40:
	.long	0x7fffffff
.LCPI1_54:
	.long	0x42b171aa
.LCPI1_55:
	.long	0xc2ae999a
.LCPI1_56:
	.long	0x3fb8aa3b
.LCPI1_57:
	.long	0xcb400000
.LCPI1_58:
	.long	0xbf317218
.LCPI1_59:
	.long	0xb102e308
.LCPI1_60:
	.long	0x3c090836
.LCPI1_61:
	.long	0x3ab68b03
.LCPI1_62:
	.long	0x3d2aaa8b
.LCPI1_63:
	.long	0x3e2aaa6c
.LCPI1_64:
	.long	0xbf000000
.LCPI1_65:
	.long	0x3f800000
.LCPI1_66:
	.long	0xbf800000
.LCPI1_67:
	.long	0xbda1dddb
.LCPI1_68:
	.long	0x3e014460
.LCPI1_69:
	.long	0xbe051ac3
.LCPI1_70:
	.long	0x3e118e15
.LCPI1_71:
	.long	0xbe2a6808
.LCPI1_72:
	.long	0x3e4ccf8c
.LCPI1_73:
	.long	0xbe800067
.LCPI1_74:
	.long	0x3eaaaaaa
.LCPI1_75:
	.long	0x3ee66666
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI1_2:
	.quad	0x3ff71547652b82fe
.LCPI1_3:
	.quad	0xc338000000000000
.LCPI1_4:
	.quad	0xbfe62e42fefa39ef
.LCPI1_5:
	.quad	0x3f8123fc61dc12d7
.LCPI1_6:
	.quad	0x3f56a1a715e995be
.LCPI1_7:
	.quad	0x3fa55591665fb9fc
.LCPI1_8:
	.quad	0x3fc5554897d58ded
.LCPI1_9:
	.quad	0x3fdfffffb561f18e
.LCPI1_10:
	.quad	0x3ff0000000000000
.LCPI1_15:
	.quad	0xbff0000000000000
.LCPI1_17:
	.quad	0xbfbde65e8386ffe9
.LCPI1_18:
	.quad	0x3fb1456b43e6d1e0
.LCPI1_19:
	.quad	0x3fbe7073db535c0f
.LCPI1_20:
	.quad	0xbfbfc1d4e97fb93b
.LCPI1_21:
	.quad	0x3fc2335ad7e49fc3
.LCPI1_22:
	.quad	0xbfc555c5bd112e03
.LCPI1_23:
	.quad	0x3fc99a4c96009688
.LCPI1_24:
	.quad	0xbfd0000067896eef
.LCPI1_25:
	.quad	0x3fd5555474b56c85
.LCPI1_26:
	.quad	0xbfe0000000000000
.LCPI1_31:
	.quad	0x7fffffffffffffff
.LCPI1_32:
	.quad	0x4000000000000000
.LCPI1_33:
	.quad	0x3f56d945bfce50cd
.LCPI1_34:
	.quad	0x3f29f02c9d23bac8
.LCPI1_35:
	.quad	0x3f811127f0bf0e0b
.LCPI1_36:
	.quad	0x3fa555485eb00272
.LCPI1_37:
	.quad	0x3fc55555432739b5
.LCPI1_38:
	.quad	0x3fe0000003d90cf0
.LCPI1_39:
	.quad	-9223372036854775808
.LCPI1_41:
	.quad	0x7ff0000000000000
.LCPI1_42:
	.quad	0xbf7df931478fe6a9
.LCPI1_43:
	.quad	0x3f523f602016059b
.LCPI1_44:
	.quad	0x3f971490246b3efa
.LCPI1_45:
	.quad	0xbfa6e1866709da09
.LCPI1_46:
	.quad	0x3fb1422581e50924
.LCPI1_47:
	.quad	0xbfb68e6cda0343af
.LCPI1_48:
	.quad	0x3fbc4f1d48088d60
.LCPI1_49:
	.quad	0xbfc24737286b375a
.LCPI1_50:
	.quad	0x3fc9997e01ddf824
.LCPI1_51:
	.quad	0xbfd55555103c5e27
.LCPI1_52:
	.quad	0x3ff921fb54442d18
.LCPI1_53:
	.quad	0x400921fb54442d18
	.text
	.p2align	4, 0x90
	.type	plain.work.0,@function
plain.work.0:
	movl	32(%rsi), %ecx
	movslq	36(%rsi), %rax
	subl	%eax, %ecx
	sarl	$4, %ecx
	js	.LBB1_4
	pushq	%rax
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
	xorl	%edi, %edi
	vbroadcastsd	.LCPI1_10(%rip), %zmm16
	vbroadcastss	.LCPI1_65(%rip), %zmm10
	.p2align	4, 0x90
.LBB1_2:
	vmovups	(%rdx,%rsi), %zmm21
	vbroadcastss	.LCPI1_11(%rip), %zmm7
	vcmpltps	%zmm7, %zmm21, %k1
	vmovaps	%zmm21, %zmm18
	vmulps	.LCPI1_12(%rip){1to16}, %zmm21, %zmm18 {%k1}
	vpbroadcastd	.LCPI1_13(%rip), %zmm14
	vpaddd	%zmm14, %zmm18, %zmm19
	vpbroadcastd	.LCPI1_14(%rip), %zmm20
	vpandd	%zmm20, %zmm19, %zmm22
	vpsubd	%zmm22, %zmm18, %zmm18
	vextracti64x4	$1, %zmm18, %ymm22
	vcvtps2pd	%ymm22, %zmm22
	vpsrad	$23, %zmm19, %zmm19
	vcvtps2pd	%ymm18, %zmm18
	vbroadcastsd	.LCPI1_15(%rip), %zmm1
	vaddpd	%zmm1, %zmm18, %zmm18
	vaddpd	%zmm1, %zmm22, %zmm22
	vpaddd	.LCPI1_16(%rip){1to16}, %zmm19, %zmm19 {%k1}
	vcvtdq2pd	%ymm19, %zmm23
	vextracti64x4	$1, %zmm19, %ymm19
	vcvtdq2pd	%ymm19, %zmm19
	vbroadcastsd	.LCPI1_18(%rip), %zmm25
	vmovapd	%zmm25, %zmm24
	vbroadcastsd	.LCPI1_17(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vbroadcastsd	.LCPI1_19(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vbroadcastsd	.LCPI1_20(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vbroadcastsd	.LCPI1_21(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vbroadcastsd	.LCPI1_22(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vbroadcastsd	.LCPI1_23(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vbroadcastsd	.LCPI1_24(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vbroadcastsd	.LCPI1_25(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vbroadcastsd	.LCPI1_26(%rip), %zmm0
	vfmadd213pd	%zmm0, %zmm22, %zmm24
	vfmadd213pd	%zmm0, %zmm18, %zmm25
	vmulpd	%zmm22, %zmm22, %zmm26
	vmulpd	%zmm18, %zmm18, %zmm28
	vfmadd213pd	%zmm18, %zmm25, %zmm28
	vfmadd213pd	%zmm22, %zmm24, %zmm26
	vbroadcastsd	.LCPI1_4(%rip), %zmm24
	vfnmadd231pd	%zmm23, %zmm24, %zmm28
	vcvtpd2ps	%zmm28, %ymm18
	vfnmadd231pd	%zmm19, %zmm24, %zmm26
	vcvtpd2ps	%zmm26, %ymm19
	vbroadcastss	.LCPI1_27(%rip), %zmm27
	vcmpneq_oqps	%zmm27, %zmm21, %k3
	vxorps	%xmm7, %xmm7, %xmm7
	vcmpltps	%zmm21, %zmm7, %k4 {%k3}
	vcmpltps	%zmm7, %zmm21, %k2
	vbroadcastss	.LCPI1_28(%rip), %zmm14
	vblendmps	%zmm14, %zmm21, %zmm22 {%k2}
	vcmpeqps	%zmm7, %zmm21, %k2
	vbroadcastss	.LCPI1_14(%rip), %zmm30
	vmovaps	%zmm30, %zmm22 {%k2}
	vcvtps2pd	(%rdx,%rsi), %zmm0
	vmovupd	%zmm0, -128(%rsp)
	vinsertf32x8	$1, %ymm19, %zmm18, %zmm22 {%k4}
	vcvtps2pd	32(%rdx,%rsi), %zmm1
	vmovupd	%zmm1, -64(%rsp)
	vbroadcastsd	.LCPI1_31(%rip), %zmm23
	vandpd	%zmm23, %zmm1, %zmm19
	vmovdqu64	4(%rdx,%rsi), %zmm25
	vpbroadcastd	.LCPI1_40(%rip), %zmm2
	vpandd	%zmm2, %zmm25, %zmm18
	vextracti64x4	$1, %zmm18, %ymm26
	vcvtps2pd	%ymm26, %zmm29
	vcvtps2pd	%ymm18, %zmm18
	vandpd	%zmm23, %zmm0, %zmm26
	vminpd	%zmm26, %zmm18, %zmm28
	vmaxpd	%zmm18, %zmm26, %zmm9
	vmaxpd	%zmm29, %zmm19, %zmm0
	vbroadcastsd	.LCPI1_41(%rip), %zmm11
	vcmpeqpd	%zmm11, %zmm9, %k0
	vcmpeqpd	%zmm7, %zmm9, %k4
	vblendmpd	%zmm7, %zmm16, %zmm13 {%k4}
	vdivpd	%zmm9, %zmm28, %zmm28
	korb	%k0, %k4, %k4
	vcmpeqpd	%zmm11, %zmm0, %k0
	vcmpeqpd	%zmm18, %zmm26, %k4 {%k4}
	vmovapd	%zmm13, %zmm28 {%k4}
	vcmpeqpd	%zmm7, %zmm0, %k4
	vblendmpd	%zmm7, %zmm16, %zmm9 {%k4}
	korb	%k0, %k4, %k4
	vminpd	%zmm19, %zmm29, %zmm13
	vdivpd	%zmm0, %zmm13, %zmm0
	vcmpeqpd	%zmm29, %zmm19, %k4 {%k4}
	vmovapd	%zmm9, %zmm0 {%k4}
	vcmpltpd	%zmm19, %zmm29, %k4
	vmulpd	%zmm0, %zmm0, %zmm9
	vbroadcastsd	.LCPI1_43(%rip), %zmm12
	vmovapd	%zmm12, %zmm13
	vbroadcastsd	.LCPI1_42(%rip), %zmm11
	vfmadd213pd	%zmm11, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_44(%rip), %zmm15
	vfmadd213pd	%zmm15, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_45(%rip), %zmm17
	vfmadd213pd	%zmm17, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_46(%rip), %zmm29
	vfmadd213pd	%zmm29, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_47(%rip), %zmm5
	vfmadd213pd	%zmm5, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_48(%rip), %zmm4
	vfmadd213pd	%zmm4, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_49(%rip), %zmm1
	vfmadd213pd	%zmm1, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_50(%rip), %zmm3
	vfmadd213pd	%zmm3, %zmm9, %zmm13
	vbroadcastsd	.LCPI1_51(%rip), %zmm31
	vfmadd213pd	%zmm31, %zmm9, %zmm13
	vfmadd213pd	%zmm16, %zmm9, %zmm13
	vmulpd	%zmm13, %zmm0, %zmm19
	vbroadcastsd	.LCPI1_52(%rip), %zmm13
	vsubpd	%zmm19, %zmm13, %zmm19 {%k4}
	vcmpltpd	%zmm26, %zmm18, %k4
	vmulpd	%zmm28, %zmm28, %zmm0
	vmovapd	%zmm12, %zmm9
	vfmadd213pd	%zmm11, %zmm0, %zmm9
	vfmadd213pd	%zmm15, %zmm0, %zmm9
	vfmadd213pd	%zmm17, %zmm0, %zmm9
	vfmadd213pd	%zmm29, %zmm0, %zmm9
	vfmadd213pd	%zmm5, %zmm0, %zmm9
	vfmadd213pd	%zmm4, %zmm0, %zmm9
	vfmadd213pd	%zmm1, %zmm0, %zmm9
	vfmadd213pd	%zmm3, %zmm0, %zmm9
	vfmadd213pd	%zmm31, %zmm0, %zmm9
	vfmadd213pd	%zmm16, %zmm0, %zmm9
	vmulpd	%zmm9, %zmm28, %zmm18
	vsubpd	%zmm18, %zmm13, %zmm18 {%k4}
	vpmovd2m	%zmm25, %k4
	vbroadcastsd	.LCPI1_53(%rip), %zmm0
	vsubpd	%zmm18, %zmm0, %zmm18 {%k4}
	kshiftrw	$8, %k4, %k4
	vsubpd	%zmm19, %zmm0, %zmm19 {%k4}
	vbroadcastss	.LCPI1_54(%rip), %zmm1
	vcmpltps	%zmm21, %zmm1, %k4
	vminps	%zmm21, %zmm1, %zmm0
	vbroadcastss	.LCPI1_55(%rip), %zmm3
	vmaxps	%zmm0, %zmm3, %zmm0
	vbroadcastss	.LCPI1_56(%rip), %zmm8
	vmovaps	%zmm8, %zmm9
	vbroadcastss	.LCPI1_57(%rip), %zmm5
	vfmsub213ps	%zmm5, %zmm0, %zmm9
	vaddps	%zmm5, %zmm9, %zmm13
	vbroadcastss	.LCPI1_58(%rip), %zmm11
	vfmadd231ps	%zmm11, %zmm13, %zmm0
	vbroadcastss	.LCPI1_59(%rip), %zmm12
	vfnmadd231ps	%zmm13, %zmm12, %zmm0
	vbroadcastss	.LCPI1_61(%rip), %zmm17
	vmovaps	%zmm17, %zmm13
	vbroadcastss	.LCPI1_60(%rip), %zmm15
	vfmadd213ps	%zmm15, %zmm0, %zmm13
	vbroadcastss	.LCPI1_62(%rip), %zmm31
	vfmadd213ps	%zmm31, %zmm0, %zmm13
	vbroadcastss	.LCPI1_63(%rip), %zmm6
	vfmadd213ps	%zmm6, %zmm0, %zmm13
	vbroadcastss	.LCPI1_64(%rip), %zmm4
	vfmsub213ps	%zmm4, %zmm0, %zmm13
	vmulps	%zmm0, %zmm0, %zmm25
	vfmadd213ps	%zmm0, %zmm13, %zmm25
	vaddps	%zmm10, %zmm25, %zmm0
	vpslld	$23, %zmm9, %zmm9
	vpaddd	%zmm0, %zmm9, %zmm0
	vmovaps	%zmm27, %zmm0 {%k4}
	vcmpnltps	%zmm3, %zmm21, %k4
	vmovaps	%zmm21, %zmm25 {%k4} {z}
	vcmpleps	%zmm21, %zmm3, %k4
	vmovaps	%zmm0, %zmm25 {%k4}
	vandps	%zmm2, %zmm21, %zmm0
	vbroadcastss	.LCPI1_11(%rip), %zmm29
	vcmpltps	%zmm29, %zmm0, %k4
	vblendmps	%zmm30, %zmm14, %zmm0 {%k4}
	vbroadcastss	.LCPI1_0(%rip), %zmm2
	vminps	%zmm21, %zmm2, %zmm9
	vbroadcastss	.LCPI1_29(%rip), %zmm2
	vminps	%zmm21, %zmm2, %zmm26
	vpaddd	.LCPI1_13(%rip){1to16}, %zmm21, %zmm13
	vpandd	%zmm20, %zmm13, %zmm28
	vpsubd	%zmm28, %zmm21, %zmm28
	vcmpleps	%zmm21, %zmm29, %k3 {%k3}
	vmovaps	%zmm0, %zmm21 {%k1}
	vpsrad	$23, %zmm13, %zmm0
	vaddps	.LCPI1_66(%rip){1to16}, %zmm28, %zmm13
	vcvtdq2ps	%zmm0, %zmm0
	vbroadcastss	.LCPI1_67(%rip), %zmm28
	vfmadd213ps	.LCPI1_68(%rip){1to16}, %zmm13, %zmm28
	vfmadd213ps	.LCPI1_69(%rip){1to16}, %zmm13, %zmm28
	vfmadd213ps	.LCPI1_70(%rip){1to16}, %zmm13, %zmm28
	vfmadd213ps	.LCPI1_71(%rip){1to16}, %zmm13, %zmm28
	vfmadd213ps	.LCPI1_72(%rip){1to16}, %zmm13, %zmm28
	vfmadd213ps	.LCPI1_73(%rip){1to16}, %zmm13, %zmm28
	vfmadd213ps	.LCPI1_74(%rip){1to16}, %zmm13, %zmm28
	vmulps	%zmm12, %zmm0, %zmm29
	vmulps	%zmm13, %zmm13, %zmm14
	vfmadd213ps	%zmm4, %zmm13, %zmm28
	vfmadd213ps	%zmm29, %zmm14, %zmm28
	vaddps	%zmm13, %zmm28, %zmm13
	vfnmadd231ps	%zmm0, %zmm11, %zmm13
	vmovaps	%zmm13, %zmm21 {%k3}
	vmulps	.LCPI1_75(%rip){1to16}, %zmm21, %zmm0
	vcmpltps	%zmm0, %zmm1, %k1
	vminps	%zmm0, %zmm1, %zmm13
	vmaxps	%zmm13, %zmm3, %zmm13
	vfmsub213ps	%zmm5, %zmm13, %zmm8
	vaddps	%zmm5, %zmm8, %zmm21
	vfmadd231ps	%zmm11, %zmm21, %zmm13
	vfnmadd231ps	%zmm21, %zmm12, %zmm13
	vmovaps	%zmm17, %zmm21
	vfmadd213ps	%zmm15, %zmm13, %zmm21
	vfmadd213ps	%zmm31, %zmm13, %zmm21
	vfmadd213ps	%zmm6, %zmm13, %zmm21
	vfmsub213ps	%zmm4, %zmm13, %zmm21
	vmulps	%zmm13, %zmm13, %zmm28
	vfmadd213ps	%zmm13, %zmm21, %zmm28
	vaddps	%zmm10, %zmm28, %zmm13
	vpslld	$23, %zmm8, %zmm14
	vpaddd	%zmm13, %zmm14, %zmm13
	vmovaps	%zmm27, %zmm13 {%k1}
	vcmpnltps	%zmm3, %zmm0, %k1
	vmovaps	%zmm0, %zmm21 {%k1} {z}
	vcmpleps	%zmm0, %zmm3, %k1
	vmovaps	%zmm13, %zmm21 {%k1}
	vbroadcastss	.LCPI1_1(%rip), %zmm0
	vmaxps	%zmm9, %zmm0, %zmm0
	vextractf64x4	$1, %zmm0, %ymm9
	vcvtps2pd	%ymm9, %zmm9
	vmovaps	%zmm7, %zmm21 {%k2}
	vcvtps2pd	%ymm0, %zmm0
	vbroadcastsd	.LCPI1_2(%rip), %zmm7
	vmovapd	%zmm7, %zmm13
	vbroadcastsd	.LCPI1_3(%rip), %zmm1
	vfmsub213pd	%zmm1, %zmm0, %zmm13
	vmovapd	%zmm7, %zmm14
	vfmsub213pd	%zmm1, %zmm9, %zmm14
	vaddpd	%zmm1, %zmm14, %zmm28
	vaddpd	%zmm1, %zmm13, %zmm29
	vfmadd213pd	%zmm0, %zmm24, %zmm29
	vfmadd213pd	%zmm9, %zmm24, %zmm28
	vbroadcastsd	.LCPI1_6(%rip), %zmm9
	vmovapd	%zmm9, %zmm0
	vbroadcastsd	.LCPI1_5(%rip), %zmm2
	vfmadd213pd	%zmm2, %zmm28, %zmm0
	vfmadd213pd	%zmm2, %zmm29, %zmm9
	vbroadcastsd	.LCPI1_7(%rip), %zmm2
	vfmadd213pd	%zmm2, %zmm29, %zmm9
	vfmadd213pd	%zmm2, %zmm28, %zmm0
	vbroadcastsd	.LCPI1_8(%rip), %zmm2
	vfmadd213pd	%zmm2, %zmm28, %zmm0
	vfmadd213pd	%zmm2, %zmm29, %zmm9
	vbroadcastsd	.LCPI1_9(%rip), %zmm2
	vfmadd213pd	%zmm2, %zmm29, %zmm9
	vfmadd213pd	%zmm2, %zmm28, %zmm0
	vmulpd	%zmm29, %zmm29, %zmm20
	vmulpd	%zmm28, %zmm28, %zmm30
	vfmadd213pd	%zmm28, %zmm0, %zmm30
	vfmadd213pd	%zmm29, %zmm9, %zmm20
	vbroadcastss	.LCPI1_30(%rip), %zmm0
	vmaxps	%zmm26, %zmm0, %zmm0
	vcvtps2pd	%ymm0, %zmm9
	vextractf64x4	$1, %zmm0, %ymm0
	vcvtps2pd	%ymm0, %zmm0
	vandpd	%zmm23, %zmm0, %zmm26
	vandpd	%zmm23, %zmm9, %zmm28
	vaddpd	%zmm28, %zmm28, %zmm28
	vaddpd	%zmm26, %zmm26, %zmm26
	vmovapd	%zmm7, %zmm29
	vfmsub213pd	%zmm1, %zmm26, %zmm29
	vmovapd	%zmm7, %zmm2
	vfmsub213pd	%zmm1, %zmm28, %zmm2
	vaddpd	%zmm1, %zmm2, %zmm27
	vaddpd	%zmm1, %zmm29, %zmm7
	vfmadd213pd	%zmm26, %zmm24, %zmm7
	vfmadd213pd	%zmm28, %zmm24, %zmm27
	vbroadcastsd	.LCPI1_34(%rip), %zmm17
	vmovapd	%zmm17, %zmm26
	vbroadcastsd	.LCPI1_33(%rip), %zmm8
	vfmadd213pd	%zmm8, %zmm7, %zmm26
	vbroadcastsd	.LCPI1_35(%rip), %zmm11
	vfmadd213pd	%zmm11, %zmm7, %zmm26
	vbroadcastsd	.LCPI1_36(%rip), %zmm15
	vfmadd213pd	%zmm15, %zmm7, %zmm26
	vbroadcastsd	.LCPI1_37(%rip), %zmm6
	vfmadd213pd	%zmm6, %zmm7, %zmm26
	vbroadcastsd	.LCPI1_38(%rip), %zmm12
	vfmadd213pd	%zmm12, %zmm7, %zmm26
	vmulpd	%zmm7, %zmm7, %zmm28
	vfmadd213pd	%zmm7, %zmm26, %zmm28
	vfmadd213pd	%zmm8, %zmm27, %zmm17
	vfmadd213pd	%zmm11, %zmm27, %zmm17
	vfmadd213pd	%zmm15, %zmm27, %zmm17
	vfmadd213pd	%zmm6, %zmm27, %zmm17
	vfmadd213pd	%zmm12, %zmm27, %zmm17
	vmulpd	%zmm27, %zmm27, %zmm26
	vfmadd213pd	%zmm27, %zmm17, %zmm26
	vpsllq	$52, %zmm2, %zmm2
	vpbroadcastq	.LCPI1_10(%rip), %zmm6
	vpaddq	%zmm6, %zmm2, %zmm2
	vbroadcastsd	.LCPI1_15(%rip), %zmm1
	vaddpd	%zmm1, %zmm2, %zmm7
	vfmadd231pd	%zmm26, %zmm2, %zmm7
	vpsllq	$52, %zmm13, %zmm2
	vaddpd	%zmm16, %zmm20, %zmm13
	vpaddq	%zmm13, %zmm2, %zmm2
	vpsllq	$52, %zmm14, %zmm13
	vaddpd	%zmm16, %zmm30, %zmm14
	vpaddq	%zmm14, %zmm13, %zmm13
	vcvtpd2ps	%zmm2, %ymm2
	vcvtpd2ps	%zmm13, %ymm13
	vpsllq	$52, %zmm29, %zmm14
	vpaddq	%zmm6, %zmm14, %zmm14
	vbroadcastsd	.LCPI1_32(%rip), %zmm26
	vaddpd	%zmm26, %zmm7, %zmm20
	vdivpd	%zmm20, %zmm7, %zmm7
	vaddpd	%zmm1, %zmm14, %zmm20
	vfmadd231pd	%zmm28, %zmm14, %zmm20
	vinsertf64x4	$1, %ymm13, %zmm2, %zmm2
	vaddpd	%zmm26, %zmm20, %zmm13
	vdivpd	%zmm13, %zmm20, %zmm13
	vpbroadcastq	.LCPI1_39(%rip), %zmm1
	vpternlogq	$248, %zmm1, %zmm0, %zmm13
	vpternlogq	$248, %zmm1, %zmm9, %zmm7
	vcvtpd2ps	%zmm7, %ymm0
	vcvtpd2ps	%zmm13, %ymm7
	vaddps	%zmm2, %zmm22, %zmm2
	vinsertf64x4	$1, %ymm7, %zmm0, %zmm0
	vaddps	%zmm0, %zmm2, %zmm0
	vpternlogq	$248, -128(%rsp), %zmm1, %zmm18
	vcvtpd2ps	%zmm18, %ymm2
	vpternlogq	$248, -64(%rsp), %zmm1, %zmm19
	vcvtpd2ps	%zmm19, %ymm7
	vinsertf64x4	$1, %ymm7, %zmm2, %zmm2
	vaddps	%zmm2, %zmm0, %zmm0
	vaddps	%zmm25, %zmm0, %zmm0
	vaddps	%zmm21, %zmm0, %zmm0
	vmovups	%zmm0, (%rax,%rsi)
	incq	%rdi
	addq	$64, %rsi
	cmpq	%rcx, %rdi
	jl	.LBB1_2
	addq	$8, %rsp
.LBB1_4:
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
