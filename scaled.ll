; ModuleID = 'scaled'
source_filename = "scaled"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@text = private unnamed_addr constant [3 x i8] c"in\00", align 1
@text.1 = private unnamed_addr constant [7 x i8] c"in.dim\00", align 1
@text.2 = private unnamed_addr constant [9 x i8] c"scale_it\00", align 1
@text.3 = private unnamed_addr constant [13 x i8] c"scale_it.dim\00", align 1
@text.4 = private unnamed_addr constant [1173 x i8] c"r 0\0Ak 1\0Ar 1\0A+ 0 2\0A- 3 1\0Ao 32 4\0AC 0 5|scale_it|what the buffer holds along dimension 0 (x)\0Ar 2\0Ar 3\0A+ 6 7\0A- 8 1\0Ao 32 9\0AC 6 10|scale_it|what the buffer holds along dimension 1 (y)\0Ar 4\0Ar 5\0A+ 11 12\0A- 13 1\0Ao 32 14\0AC 11 15|in|what the buffer holds along dimension 0\0Ar 6\0Ar 7\0A+ 16 17\0A- 18 1\0Ao 32 19\0AC 16 20|in|what the buffer holds along dimension 1\0Ak -7\0A+ 5 21\0Ao 32 22\0Am 0 23\0AC 24 5|scale_it|the region along x that is computed\0Ak 8\0A- 24 25\0A+ 5 25\0AC 26 27|scale_it|the region along x that is computed, with the ends of its splits,\0Av 6 10\0Av 24 5\0Ak 0\0A+ 30 25\0A- 31 1\0Ao 32 32\0AE 33|scale_it, stage 0|the last iteration of loop xv\0A- 5 0\0Ao 32 34\0A/ 35 25\0Ao 32 36\0A+ 37 1\0A+ 30 38\0A- 39 1\0Ao 32 40\0AE 41|scale_it, stage 0|the last iteration of loop x\0A- 10 6\0A+ 42 1\0A+ 6 43\0A- 44 1\0Ao 32 45\0AE 46|scale_it, stage 0|the last iteration of loop y\0AD 0 5|scale_it|what the buffer holds along dimension 0 (x)\0AD 6 10|scale_it|what the buffer holds along dimension 1 (y)\0AD 11 15|in|what the buffer holds along dimension 0\0AD 16 20|in|what the buffer holds along dimension 1\0AD 24 5|scale_it|the region along x that is computed\0AD 26 27|scale_it|the region along x that is computed, with the ends of its splits,\0A\00", align 1
@text.5 = private unnamed_addr constant [33 x i8] c"in: its stride along dimension 0\00", align 1
@text.6 = private unnamed_addr constant [2 x i8] c"1\00", align 1
@text.7 = private unnamed_addr constant [43 x i8] c"scale_it: its stride along dimension 0 (x)\00", align 1
@text.8 = private unnamed_addr constant [2 x i8] c"x\00", align 1
@text.9 = private unnamed_addr constant [2 x i8] c"y\00", align 1
@text.10 = private unnamed_addr constant [7 x i8] c"itself\00", align 1
@text.11 = private unnamed_addr constant [49 x i8] c"each element of an output has a place of its own\00", align 1
@text.12 = private unnamed_addr constant [89 x i8] c"the split of x may compute points twice; in place, its tail is TailStrategy::GuardWithIf\00", align 1
@name = private unnamed_addr constant [3 x i8] c"in\00", align 1
@name.13 = private unnamed_addr constant [5 x i8] c"gain\00", align 1
@name.14 = private unnamed_addr constant [9 x i8] c"scale_it\00", align 1
@args = private constant [3 x { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr }] [{ ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name, i32 1, i32 2, i32 73730, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }, { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name.13, i32 0, i32 0, i32 73730, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }, { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name.14, i32 2, i32 2, i32 73730, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }], align 16
@name.15 = private unnamed_addr constant [89 x i8] c"x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4\00", align 1
@name.16 = private unnamed_addr constant [7 x i8] c"scaled\00", align 1
@metadata = private constant { i32, i32, ptr, ptr, ptr } { i32 1, i32 3, ptr @args, ptr @name.15, ptr @name.16 }, align 16

; Function Attrs: noinline nounwind optnone
define dso_local i32 @scaled(ptr %in, float %gain, ptr %scale_it) #0 {
entry:
  %closure = alloca [1 x { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }], align 64
  %ranges = alloca [8 x double], align 16
  br label %body

body:                                             ; preds = %entry
  %0 = icmp eq ptr %in, null
  %1 = xor i1 %0, true
  br i1 %1, label %holds, label %failed, !prof !0

holds:                                            ; preds = %body
  %2 = getelementptr inbounds i8, ptr %in, i64 32
  %field = load i32, ptr %2, align 4, !tbaa !1
  %3 = icmp eq i32 %field, 73730
  %4 = getelementptr inbounds i8, ptr %in, i64 0
  %field1 = load i64, ptr %4, align 4, !tbaa !1
  %5 = icmp eq i64 %field1, 0
  %6 = getelementptr inbounds i8, ptr %in, i64 16
  %field2 = load ptr, ptr %6, align 8, !tbaa !1
  %7 = icmp eq ptr %field2, null
  %8 = and i1 %7, %5
  %9 = or i1 %3, %8
  br i1 %9, label %holds3, label %failed4, !prof !0

holds3:                                           ; preds = %holds
  %10 = getelementptr inbounds i8, ptr %in, i64 36
  %field5 = load i32, ptr %10, align 4, !tbaa !1
  %11 = icmp eq i32 %field5, 2
  br i1 %11, label %holds6, label %failed7, !prof !0

holds6:                                           ; preds = %holds3
  %12 = getelementptr inbounds i8, ptr %in, i64 40
  %field8 = load ptr, ptr %12, align 8, !tbaa !1
  %13 = icmp ne ptr %field8, null
  br i1 %13, label %holds9, label %failed10, !prof !0

holds9:                                           ; preds = %holds6
  %14 = getelementptr inbounds i8, ptr %in, i64 40
  %dims = load ptr, ptr %14, align 8, !tbaa !1
  %15 = getelementptr inbounds i8, ptr %dims, i64 4
  %extent = load i32, ptr %15, align 4, !tbaa !1
  %16 = icmp sle i32 0, %extent
  br i1 %16, label %holds11, label %failed12, !prof !0

holds11:                                          ; preds = %holds9
  %17 = getelementptr inbounds i8, ptr %in, i64 40
  %dims13 = load ptr, ptr %17, align 8, !tbaa !1
  %18 = getelementptr inbounds i8, ptr %dims13, i64 20
  %extent14 = load i32, ptr %18, align 4, !tbaa !1
  %19 = icmp sle i32 0, %extent14
  br i1 %19, label %holds15, label %failed16, !prof !0

holds15:                                          ; preds = %holds11
  %20 = icmp eq ptr %scale_it, null
  %21 = xor i1 %20, true
  br i1 %21, label %holds17, label %failed18, !prof !0

holds17:                                          ; preds = %holds15
  %22 = getelementptr inbounds i8, ptr %scale_it, i64 32
  %field19 = load i32, ptr %22, align 4, !tbaa !1
  %23 = icmp eq i32 %field19, 73730
  %24 = getelementptr inbounds i8, ptr %scale_it, i64 0
  %field20 = load i64, ptr %24, align 4, !tbaa !1
  %25 = icmp eq i64 %field20, 0
  %26 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %field21 = load ptr, ptr %26, align 8, !tbaa !1
  %27 = icmp eq ptr %field21, null
  %28 = and i1 %27, %25
  %29 = or i1 %23, %28
  br i1 %29, label %holds22, label %failed23, !prof !0

holds22:                                          ; preds = %holds17
  %30 = getelementptr inbounds i8, ptr %scale_it, i64 36
  %field24 = load i32, ptr %30, align 4, !tbaa !1
  %31 = icmp eq i32 %field24, 2
  br i1 %31, label %holds25, label %failed26, !prof !0

holds25:                                          ; preds = %holds22
  %32 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %field27 = load ptr, ptr %32, align 8, !tbaa !1
  %33 = icmp ne ptr %field27, null
  br i1 %33, label %holds28, label %failed29, !prof !0

holds28:                                          ; preds = %holds25
  %34 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims30 = load ptr, ptr %34, align 8, !tbaa !1
  %35 = getelementptr inbounds i8, ptr %dims30, i64 4
  %extent31 = load i32, ptr %35, align 4, !tbaa !1
  %36 = sext i32 %extent31 to i64
  %37 = icmp sle i32 0, %extent31
  br i1 %37, label %holds32, label %failed33, !prof !0

holds32:                                          ; preds = %holds28
  %38 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims34 = load ptr, ptr %38, align 8, !tbaa !1
  %39 = getelementptr inbounds i8, ptr %dims34, i64 20
  %extent35 = load i32, ptr %39, align 4, !tbaa !1
  %40 = sext i32 %extent35 to i64
  %41 = icmp sle i32 0, %extent35
  br i1 %41, label %holds36, label %failed37, !prof !0

holds36:                                          ; preds = %holds32
  %42 = getelementptr inbounds i8, ptr %in, i64 40
  %dims38 = load ptr, ptr %42, align 8, !tbaa !1
  %43 = getelementptr inbounds i8, ptr %dims38, i64 0
  %min = load i32, ptr %43, align 4, !tbaa !1
  %44 = icmp slt i32 %min, 536870913
  %45 = icmp sle i32 -536870912, %min
  %46 = and i1 %44, %45
  %47 = icmp slt i32 %extent35, 536870913
  %48 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims39 = load ptr, ptr %48, align 8, !tbaa !1
  %49 = getelementptr inbounds i8, ptr %dims39, i64 16
  %min40 = load i32, ptr %49, align 4, !tbaa !1
  %50 = sext i32 %min40 to i64
  %51 = icmp sle i32 -536870912, %min40
  %52 = icmp slt i32 %min40, 536870913
  %53 = and i1 %51, %52
  %54 = icmp slt i32 %extent31, 536870913
  %55 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims41 = load ptr, ptr %55, align 8, !tbaa !1
  %56 = getelementptr inbounds i8, ptr %dims41, i64 0
  %min42 = load i32, ptr %56, align 4, !tbaa !1
  %57 = sext i32 %min42 to i64
  %58 = icmp sle i32 -536870912, %min42
  %59 = icmp slt i32 %min42, 536870913
  %60 = and i1 %58, %59
  %61 = and i1 %54, %60
  %62 = and i1 %53, %61
  %63 = and i1 %47, %62
  %64 = and i1 %46, %63
  %65 = icmp slt i32 %extent, 536870913
  %66 = and i1 %64, %65
  %67 = getelementptr inbounds i8, ptr %in, i64 40
  %dims43 = load ptr, ptr %67, align 8, !tbaa !1
  %68 = getelementptr inbounds i8, ptr %dims43, i64 16
  %min44 = load i32, ptr %68, align 4, !tbaa !1
  %69 = icmp sle i32 -536870912, %min44
  %70 = icmp slt i32 %min44, 536870913
  %71 = and i1 %69, %70
  %72 = and i1 %66, %71
  %73 = icmp slt i32 %extent14, 536870913
  %74 = and i1 %72, %73
  %75 = xor i1 %74, true
  br i1 %75, label %then, label %after

then:                                             ; preds = %holds36
  %76 = sitofp i32 %min42 to double
  %77 = sitofp i32 %extent31 to double
  %78 = sitofp i32 %min40 to double
  %79 = sitofp i32 %extent35 to double
  %80 = sitofp i32 %min to double
  %81 = sitofp i32 %extent to double
  %82 = sitofp i32 %min44 to double
  %83 = sitofp i32 %extent14 to double
  %84 = getelementptr inbounds double, ptr %ranges, i64 0
  store double %76, ptr %84, align 8
  %85 = getelementptr inbounds double, ptr %ranges, i64 1
  store double %77, ptr %85, align 8
  %86 = getelementptr inbounds double, ptr %ranges, i64 2
  store double %78, ptr %86, align 8
  %87 = getelementptr inbounds double, ptr %ranges, i64 3
  store double %79, ptr %87, align 8
  %88 = getelementptr inbounds double, ptr %ranges, i64 4
  store double %80, ptr %88, align 8
  %89 = getelementptr inbounds double, ptr %ranges, i64 5
  store double %81, ptr %89, align 8
  %90 = getelementptr inbounds double, ptr %ranges, i64 6
  store double %82, ptr %90, align 8
  %91 = getelementptr inbounds double, ptr %ranges, i64 7
  store double %83, ptr %91, align 8
  %92 = call i32 @fluorite_check_ranges(ptr null, ptr @text.4, ptr %ranges, i32 8)
  %93 = icmp eq i32 %92, 0
  br i1 %93, label %holds45, label %failed46, !prof !0

after:                                            ; preds = %holds45, %holds36
  %94 = add i32 %min42, %extent31
  %95 = add i32 %94, -1
  %96 = add i32 %min40, %extent35
  %97 = add i32 %96, -1
  %98 = or i1 %28, %8
  br i1 %98, label %then47, label %else

holds45:                                          ; preds = %then
  br label %after

then47:                                           ; preds = %after
  br i1 %8, label %then49, label %after50

else:                                             ; preds = %after
  %99 = icmp slt i32 %extent, 2
  %100 = getelementptr inbounds i8, ptr %in, i64 40
  %dims59 = load ptr, ptr %100, align 8, !tbaa !1
  %101 = getelementptr inbounds i8, ptr %dims59, i64 8
  %stride = load i32, ptr %101, align 4, !tbaa !1
  %102 = icmp eq i32 %stride, 1
  %103 = or i1 %99, %102
  br i1 %103, label %holds60, label %failed61, !prof !0

after48:                                          ; preds = %holds89, %after54
  br label %exit

then49:                                           ; preds = %then47
  %104 = getelementptr inbounds i8, ptr %in, i64 32
  store i32 73730, ptr %104, align 4, !tbaa !1
  %105 = getelementptr inbounds i8, ptr %in, i64 36
  store i32 2, ptr %105, align 4, !tbaa !1
  %106 = add i32 %95, -7
  %107 = call i32 @llvm.smin.i32(i32 %min42, i32 %106)
  %108 = sub i32 %min42, %95
  %109 = call i32 @llvm.smin.i32(i32 %108, i32 -7)
  %110 = sub i32 1, %109
  %111 = getelementptr inbounds i8, ptr %in, i64 40
  %field51 = load ptr, ptr %111, align 8, !tbaa !1
  %112 = getelementptr inbounds i8, ptr %field51, i64 0
  store i32 %107, ptr %112, align 4, !tbaa !1
  %113 = getelementptr inbounds i8, ptr %field51, i64 4
  store i32 %110, ptr %113, align 4, !tbaa !1
  %114 = getelementptr inbounds i8, ptr %field51, i64 8
  store i32 1, ptr %114, align 4, !tbaa !1
  %115 = sub i32 %97, %min40
  %116 = call i32 @llvm.smax.i32(i32 %115, i32 -1)
  %117 = add i32 %116, 1
  %118 = getelementptr inbounds i8, ptr %in, i64 40
  %field52 = load ptr, ptr %118, align 8, !tbaa !1
  %119 = getelementptr inbounds i8, ptr %field52, i64 16
  store i32 %min40, ptr %119, align 4, !tbaa !1
  %120 = getelementptr inbounds i8, ptr %field52, i64 20
  store i32 %117, ptr %120, align 4, !tbaa !1
  %121 = getelementptr inbounds i8, ptr %field52, i64 24
  store i32 %110, ptr %121, align 4, !tbaa !1
  br label %after50

after50:                                          ; preds = %then49, %then47
  %122 = getelementptr inbounds i8, ptr %scale_it, i64 0
  %field55 = load i64, ptr %122, align 4, !tbaa !1
  %123 = icmp eq i64 %field55, 0
  %124 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %field56 = load ptr, ptr %124, align 8, !tbaa !1
  %125 = icmp eq ptr %field56, null
  %126 = and i1 %125, %123
  br i1 %126, label %then53, label %after54

then53:                                           ; preds = %after50
  %127 = getelementptr inbounds i8, ptr %scale_it, i64 32
  store i32 73730, ptr %127, align 4, !tbaa !1
  %128 = getelementptr inbounds i8, ptr %scale_it, i64 36
  store i32 2, ptr %128, align 4, !tbaa !1
  %129 = add i32 %95, -7
  %130 = call i32 @llvm.smin.i32(i32 %min42, i32 %129)
  %131 = sub i32 %min42, %95
  %132 = call i32 @llvm.smin.i32(i32 %131, i32 -7)
  %133 = sub i32 1, %132
  %134 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %field57 = load ptr, ptr %134, align 8, !tbaa !1
  %135 = getelementptr inbounds i8, ptr %field57, i64 0
  store i32 %130, ptr %135, align 4, !tbaa !1
  %136 = getelementptr inbounds i8, ptr %field57, i64 4
  store i32 %133, ptr %136, align 4, !tbaa !1
  %137 = getelementptr inbounds i8, ptr %field57, i64 8
  store i32 1, ptr %137, align 4, !tbaa !1
  %138 = sub i32 %97, %min40
  %139 = call i32 @llvm.smax.i32(i32 %138, i32 -1)
  %140 = add i32 %139, 1
  %141 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %field58 = load ptr, ptr %141, align 8, !tbaa !1
  %142 = getelementptr inbounds i8, ptr %field58, i64 16
  store i32 %min40, ptr %142, align 4, !tbaa !1
  %143 = getelementptr inbounds i8, ptr %field58, i64 20
  store i32 %140, ptr %143, align 4, !tbaa !1
  %144 = getelementptr inbounds i8, ptr %field58, i64 24
  store i32 %133, ptr %144, align 4, !tbaa !1
  br label %after54

after54:                                          ; preds = %then53, %after50
  br label %after48

holds60:                                          ; preds = %else
  %145 = icmp slt i32 %extent31, 2
  %146 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims62 = load ptr, ptr %146, align 8, !tbaa !1
  %147 = getelementptr inbounds i8, ptr %dims62, i64 8
  %stride63 = load i32, ptr %147, align 4, !tbaa !1
  %148 = icmp eq i32 %stride63, 1
  %149 = or i1 %145, %148
  br i1 %149, label %holds64, label %failed65, !prof !0

holds64:                                          ; preds = %holds60
  %150 = add i32 %95, -7
  %151 = call i32 @llvm.smin.i32(i32 %min42, i32 %150)
  %152 = icmp sle i32 %min, %151
  %153 = add i32 %min, %extent
  %154 = icmp slt i32 %95, %153
  %155 = and i1 %152, %154
  br i1 %155, label %holds66, label %failed67, !prof !0

holds66:                                          ; preds = %holds64
  %156 = icmp slt i32 %97, %min40
  %157 = icmp sle i32 %min44, %min40
  %158 = add i32 %extent14, %min44
  %159 = icmp slt i32 %97, %158
  %160 = and i1 %157, %159
  %161 = or i1 %156, %160
  br i1 %161, label %holds68, label %failed69, !prof !0

holds68:                                          ; preds = %holds66
  %162 = icmp sle i32 %extent14, 0
  %163 = icmp sle i32 %extent, 0
  %164 = getelementptr inbounds i8, ptr %in, i64 16
  %field70 = load ptr, ptr %164, align 8, !tbaa !1
  %165 = ptrtoint ptr %field70 to i64
  %166 = icmp ne i64 %165, 0
  %167 = or i1 %163, %166
  %168 = or i1 %162, %167
  br i1 %168, label %holds71, label %failed72, !prof !0

holds71:                                          ; preds = %holds68
  %169 = getelementptr inbounds i8, ptr %in, i64 24
  %field73 = load i64, ptr %169, align 4, !tbaa !1
  %170 = and i64 %field73, 2
  %171 = icmp ne i64 %170, 0
  %172 = xor i1 %171, true
  br i1 %172, label %holds74, label %failed75, !prof !0

holds74:                                          ; preds = %holds71
  %173 = icmp sle i32 %min42, %151
  %174 = icmp slt i32 %95, %94
  %175 = and i1 %173, %174
  br i1 %175, label %holds76, label %failed77, !prof !0

holds76:                                          ; preds = %holds74
  %176 = icmp slt i32 %97, %96
  %177 = icmp sle i32 %min40, %min40
  %178 = and i1 %176, %177
  %179 = or i1 %156, %178
  br i1 %179, label %holds78, label %failed79, !prof !0

holds78:                                          ; preds = %holds76
  %180 = icmp sle i32 %extent35, 0
  %181 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %field80 = load ptr, ptr %181, align 8, !tbaa !1
  %182 = ptrtoint ptr %field80 to i64
  %183 = icmp ne i64 %182, 0
  %184 = icmp sle i32 %extent31, 0
  %185 = or i1 %183, %184
  %186 = or i1 %180, %185
  br i1 %186, label %holds81, label %failed82, !prof !0

holds81:                                          ; preds = %holds78
  %187 = call i32 @fluorite_buffer_overlaps_itself(ptr %scale_it)
  %188 = icmp eq i32 %187, 0
  br i1 %188, label %holds83, label %failed84, !prof !0

holds83:                                          ; preds = %holds81
  %189 = call i32 @fluorite_buffers_overlap(ptr %scale_it, ptr %in, i32 0)
  %190 = icmp eq i32 %189, 0
  br i1 %190, label %holds85, label %failed86, !prof !0

holds85:                                          ; preds = %holds83
  %191 = sub i32 %95, %min42
  %192 = ashr i32 %191, 3
  %193 = add i32 %192, 1
  %194 = add i32 %191, 1
  %195 = ashr i32 %194, 3
  %196 = call i32 @llvm.smin.i32(i32 %193, i32 %195)
  %197 = call i32 @llvm.smax.i32(i32 %196, i32 0)
  %198 = sext i32 %197 to i64
  %199 = ashr i32 %197, 1
  %200 = sext i32 %199 to i64
  %201 = getelementptr inbounds i8, ptr %in, i64 16
  %in87 = load ptr, ptr %201, align 8, !tbaa !1
  %202 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %scale_it88 = load ptr, ptr %202, align 8, !tbaa !1
  %203 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 0
  store float %gain, ptr %203, align 4
  %204 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 1
  store ptr %in87, ptr %204, align 8
  %205 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 2
  store ptr %in, ptr %205, align 8
  %206 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 3
  store ptr %scale_it88, ptr %206, align 8
  %207 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 4
  store ptr %scale_it, ptr %207, align 8
  %208 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 5
  store i32 %95, ptr %208, align 4
  %209 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 6
  store i32 %min42, ptr %209, align 4
  %210 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 7
  store i32 %199, ptr %210, align 4
  %211 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 8
  store i32 %97, ptr %211, align 4
  %212 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 9
  store i32 %min40, ptr %212, align 4
  %213 = call i32 @scaled.work.0(ptr null, ptr %closure)
  %214 = icmp eq i32 %213, 0
  br i1 %214, label %holds89, label %failed90, !prof !0

holds89:                                          ; preds = %holds85
  br label %after48

exit:                                             ; preds = %after48, %failed90, %failed86, %failed84, %failed82, %failed79, %failed77, %failed75, %failed72, %failed69, %failed67, %failed65, %failed61, %failed46, %failed37, %failed33, %failed29, %failed26, %failed23, %failed18, %failed16, %failed12, %failed10, %failed7, %failed4, %failed
  %code = phi i32 [ %215, %failed ], [ %216, %failed4 ], [ %217, %failed7 ], [ %218, %failed10 ], [ %219, %failed12 ], [ %220, %failed16 ], [ %221, %failed18 ], [ %222, %failed23 ], [ %223, %failed26 ], [ %224, %failed29 ], [ %225, %failed33 ], [ %226, %failed37 ], [ %92, %failed46 ], [ %228, %failed61 ], [ %230, %failed65 ], [ %232, %failed67 ], [ %234, %failed69 ], [ %235, %failed72 ], [ %236, %failed75 ], [ %237, %failed77 ], [ %238, %failed79 ], [ %239, %failed82 ], [ %240, %failed84 ], [ %241, %failed86 ], [ %213, %failed90 ], [ 0, %after48 ]
  ret i32 %code

failed:                                           ; preds = %body
  %215 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text)
  br label %exit

failed4:                                          ; preds = %holds
  %216 = call i32 @fluorite_error_bad_type(ptr null, ptr @text, i32 %field, i32 73730)
  br label %exit

failed7:                                          ; preds = %holds3
  %217 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text, i32 %field5, i32 2)
  br label %exit

failed10:                                         ; preds = %holds6
  %218 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.1)
  br label %exit

failed12:                                         ; preds = %holds9
  %219 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text, i32 0, i32 %extent)
  br label %exit

failed16:                                         ; preds = %holds11
  %220 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text, i32 1, i32 %extent14)
  br label %exit

failed18:                                         ; preds = %holds15
  %221 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.2)
  br label %exit

failed23:                                         ; preds = %holds17
  %222 = call i32 @fluorite_error_bad_type(ptr null, ptr @text.2, i32 %field19, i32 73730)
  br label %exit

failed26:                                         ; preds = %holds22
  %223 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text.2, i32 %field24, i32 2)
  br label %exit

failed29:                                         ; preds = %holds25
  %224 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.3)
  br label %exit

failed33:                                         ; preds = %holds28
  %225 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text.2, i32 0, i32 %extent31)
  br label %exit

failed37:                                         ; preds = %holds32
  %226 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text.2, i32 1, i32 %extent35)
  br label %exit

failed46:                                         ; preds = %then
  br label %exit

failed61:                                         ; preds = %else
  %227 = sext i32 %stride to i64
  %228 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.5, i64 %227, ptr @text.6, i64 1)
  br label %exit

failed65:                                         ; preds = %holds60
  %229 = sext i32 %stride63 to i64
  %230 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.7, i64 %229, ptr @text.6, i64 1)
  br label %exit

failed67:                                         ; preds = %holds64
  %231 = add i32 %153, -1
  %232 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text, ptr @text.2, i32 0, ptr null, i32 %151, i32 %95, i32 %min, i32 %231)
  br label %exit

failed69:                                         ; preds = %holds66
  %233 = add i32 %158, -1
  %234 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text, ptr @text.2, i32 1, ptr null, i32 %min40, i32 %97, i32 %min44, i32 %233)
  br label %exit

failed72:                                         ; preds = %holds68
  %235 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text)
  br label %exit

failed75:                                         ; preds = %holds71
  %236 = call i32 @fluorite_error_device_dirty_with_no_device_support(ptr null, ptr @text)
  br label %exit

failed77:                                         ; preds = %holds74
  %237 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text.2, ptr null, i32 0, ptr @text.8, i32 %151, i32 %95, i32 %min42, i32 %95)
  br label %exit

failed79:                                         ; preds = %holds76
  %238 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text.2, ptr null, i32 1, ptr @text.9, i32 %min40, i32 %97, i32 %min40, i32 %97)
  br label %exit

failed82:                                         ; preds = %holds78
  %239 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text.2)
  br label %exit

failed84:                                         ; preds = %holds81
  %240 = call i32 @fluorite_error_buffers_overlap(ptr null, ptr @text.2, ptr @text.10, ptr @text.11)
  br label %exit

failed86:                                         ; preds = %holds83
  %241 = call i32 @fluorite_error_buffers_overlap(ptr null, ptr @text.2, ptr @text, ptr @text.12)
  br label %exit

failed90:                                         ; preds = %holds85
  br label %exit
}

; Function Attrs: noinline nounwind optnone
define dso_local i32 @scaled_argv(ptr %0) #0 {
entry:
  %1 = getelementptr inbounds ptr, ptr %0, i64 0
  %2 = load ptr, ptr %1, align 8
  %3 = getelementptr inbounds ptr, ptr %0, i64 1
  %4 = load ptr, ptr %3, align 8
  %5 = load float, ptr %4, align 4
  %6 = getelementptr inbounds ptr, ptr %0, i64 2
  %7 = load ptr, ptr %6, align 8
  %8 = call i32 @scaled(ptr %2, float %5, ptr %7)
  ret i32 %8
}

; Function Attrs: nounwind
define internal i32 @scaled.work.0(ptr %0, ptr noalias readonly %1) #1 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 16
  %in1 = load ptr, ptr %2, align 8, !invariant.load !4
  %3 = getelementptr inbounds i8, ptr %1, i64 32
  %scale_it2 = load ptr, ptr %3, align 8, !invariant.load !4
  %4 = getelementptr inbounds i8, ptr %1, i64 44
  %scale_it.s0.x.min = load i32, ptr %4, align 4, !invariant.load !4
  %5 = getelementptr inbounds i8, ptr %1, i64 48
  %scale_it.s0.x.whole.t1 = load i32, ptr %5, align 4, !invariant.load !4
  %6 = sext i32 %scale_it.s0.x.whole.t1 to i64
  %7 = getelementptr inbounds i8, ptr %1, i64 52
  %scale_it.s0.y.max = load i32, ptr %7, align 4, !invariant.load !4
  %8 = getelementptr inbounds i8, ptr %1, i64 56
  %scale_it.s0.y.min = load i32, ptr %8, align 4, !invariant.load !4
  %9 = sext i32 %scale_it.s0.y.min to i64
  %10 = getelementptr inbounds i8, ptr %in1, i64 40
  %dims = load ptr, ptr %10, align 8, !tbaa !1
  %11 = getelementptr inbounds i8, ptr %dims, i64 24
  %stride = load i32, ptr %11, align 4, !tbaa !1
  %12 = sext i32 %stride to i64
  %13 = getelementptr inbounds i8, ptr %scale_it2, i64 40
  %dims6 = load ptr, ptr %13, align 8, !tbaa !1
  %14 = getelementptr inbounds i8, ptr %dims6, i64 24
  %stride11 = load i32, ptr %14, align 4, !tbaa !1
  %15 = sext i32 %stride11 to i64
  %16 = sub i32 %scale_it.s0.y.max, %scale_it.s0.y.min
  %17 = add i32 %16, 1
  %18 = sext i32 %17 to i64
  %19 = add nsw i64 %9, %18
  %20 = icmp ult i32 %16, 2147483647
  br i1 %20, label %loop.preheader, label %exit

loop.preheader:                                   ; preds = %entry
  %21 = getelementptr inbounds i8, ptr %dims6, i64 16
  %min9 = load i32, ptr %21, align 4, !tbaa !1
  %22 = sext i32 %min9 to i64
  %min7 = load i32, ptr %dims6, align 4, !tbaa !1
  %23 = sext i32 %min7 to i64
  %24 = getelementptr inbounds i8, ptr %dims, i64 16
  %min5 = load i32, ptr %24, align 4, !tbaa !1
  %25 = sext i32 %min5 to i64
  %min = load i32, ptr %dims, align 4, !tbaa !1
  %26 = sext i32 %min to i64
  %27 = sext i32 %scale_it.s0.x.min to i64
  %28 = getelementptr inbounds i8, ptr %1, i64 40
  %scale_it.s0.x.max = load i32, ptr %28, align 4, !invariant.load !4
  %29 = getelementptr inbounds i8, ptr %1, i64 24
  %scale_it = load ptr, ptr %29, align 8, !invariant.load !4
  %30 = getelementptr inbounds i8, ptr %1, i64 8
  %in = load ptr, ptr %30, align 8, !invariant.load !4
  %gain = load float, ptr %1, align 4, !invariant.load !4
  %31 = icmp sgt i32 %scale_it.s0.x.whole.t1, 0
  %32 = mul nsw i64 %12, %25
  %33 = add i64 %32, %26
  %34 = sub i64 %27, %33
  %35 = getelementptr float, ptr %in, i64 %34
  %.splatinsert = insertelement <16 x float> poison, float %gain, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  %36 = mul nsw i64 %15, %22
  %37 = add i64 %36, %23
  %38 = sub i64 %27, %37
  %39 = getelementptr float, ptr %scale_it, i64 %38
  %40 = shl i32 %scale_it.s0.x.whole.t1, 1
  %41 = sext i32 %40 to i64
  %42 = sub i32 %scale_it.s0.x.max, %scale_it.s0.x.min
  %43 = ashr i32 %42, 3
  %44 = sub i32 %43, %40
  %45 = add i32 %44, 1
  %46 = sext i32 %45 to i64
  %47 = add nsw i64 %41, %46
  %48 = icmp ult i32 %44, 2147483647
  %49 = add i32 %scale_it.s0.x.max, -7
  %50 = sub i64 0, %33
  %51 = getelementptr float, ptr %in, i64 %50
  %.splatinsert16 = insertelement <8 x float> poison, float %gain, i64 0
  %.splat17 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> zeroinitializer
  %52 = sub i64 0, %37
  %53 = getelementptr float, ptr %scale_it, i64 %52
  br label %loop

loop:                                             ; preds = %loop.preheader, %looped15
  %scale_it.s0.y = phi i64 [ %82, %looped15 ], [ %9, %loop.preheader ]
  br i1 %31, label %loop12.preheader, label %looped13

loop12.preheader:                                 ; preds = %loop
  %54 = mul nsw i64 %scale_it.s0.y, %12
  %55 = getelementptr float, ptr %35, i64 %54
  %56 = call ptr asm "", "=r,0"(ptr %55) #3
  %57 = mul nsw i64 %scale_it.s0.y, %15
  %58 = getelementptr float, ptr %39, i64 %57
  %59 = call ptr asm "", "=r,0"(ptr %58) #3
  br label %loop12

loop12:                                           ; preds = %loop12.preheader, %loop12
  %scale_it.s0.x.wide.t1 = phi i64 [ %65, %loop12 ], [ 0, %loop12.preheader ]
  %60 = shl nsw i64 %scale_it.s0.x.wide.t1, 4
  %61 = getelementptr float, ptr %56, i64 %60
  %62 = load <16 x float>, ptr %61, align 4, !tbaa !5
  %63 = fmul <16 x float> %62, %.splat
  %64 = getelementptr float, ptr %59, i64 %60
  store <16 x float> %63, ptr %64, align 4, !tbaa !8
  %65 = add nuw nsw i64 %scale_it.s0.x.wide.t1, 1
  %.not = icmp eq i64 %65, %6
  br i1 %.not, label %looped13.loopexit, label %loop12, !llvm.loop !10

looped13.loopexit:                                ; preds = %loop12
  br label %looped13

looped13:                                         ; preds = %looped13.loopexit, %loop
  br i1 %48, label %loop14.preheader, label %looped15

loop14.preheader:                                 ; preds = %looped13
  %66 = mul nsw i64 %scale_it.s0.y, %12
  %67 = getelementptr float, ptr %51, i64 %66
  %68 = call ptr asm "", "=r,0"(ptr %67) #3
  %69 = mul nsw i64 %scale_it.s0.y, %15
  %70 = getelementptr float, ptr %53, i64 %69
  %71 = call ptr asm "", "=r,0"(ptr %70) #3
  br label %loop14

loop14:                                           ; preds = %loop14.preheader, %loop14
  %scale_it.s0.x = phi i64 [ %81, %loop14 ], [ %41, %loop14.preheader ]
  %72 = trunc i64 %scale_it.s0.x to i32
  %73 = shl i32 %72, 3
  %74 = add i32 %73, %scale_it.s0.x.min
  %75 = call i32 @llvm.smin.i32(i32 %74, i32 %49)
  %76 = sext i32 %75 to i64
  %77 = getelementptr float, ptr %68, i64 %76
  %78 = load <8 x float>, ptr %77, align 4, !tbaa !13
  %79 = fmul <8 x float> %78, %.splat17
  %80 = getelementptr float, ptr %71, i64 %76
  store <8 x float> %79, ptr %80, align 4, !tbaa !8
  %81 = add nsw i64 %scale_it.s0.x, 1
  %.not18 = icmp eq i64 %81, %47
  br i1 %.not18, label %looped15.loopexit, label %loop14, !llvm.loop !15

looped15.loopexit:                                ; preds = %loop14
  br label %looped15

looped15:                                         ; preds = %looped15.loopexit, %looped13
  %82 = add nsw i64 %scale_it.s0.y, 1
  %.not19 = icmp eq i64 %82, %19
  br i1 %.not19, label %exit.loopexit, label %loop, !llvm.loop !16

exit.loopexit:                                    ; preds = %looped15
  br label %exit

exit:                                             ; preds = %exit.loopexit, %entry
  ret i32 0
}

declare i32 @fluorite_error_buffer_argument_is_null(ptr, ptr)

declare i32 @fluorite_error_bad_type(ptr, ptr, i32, i32)

declare i32 @fluorite_error_bad_dimensions(ptr, ptr, i32, i32)

declare i32 @fluorite_error_buffer_extents_negative(ptr, ptr, i32, i32)

declare i32 @fluorite_check_ranges(ptr, ptr, ptr, i32)

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #2

declare i32 @fluorite_error_constraint_violated(ptr, ptr, i64, ptr, i64)

declare i32 @fluorite_error_access_out_of_bounds(ptr, ptr, ptr, i32, ptr, i32, i32, i32, i32)

declare i32 @fluorite_error_host_is_null(ptr, ptr)

declare i32 @fluorite_error_device_dirty_with_no_device_support(ptr, ptr)

declare i32 @fluorite_buffer_overlaps_itself(ptr)

declare i32 @fluorite_error_buffers_overlap(ptr, ptr, ptr, ptr)

declare i32 @fluorite_buffers_overlap(ptr, ptr, i32)

; Function Attrs: nounwind
define dso_local ptr @scaled_metadata() #1 {
entry:
  ret ptr @metadata
}

attributes #0 = { noinline nounwind optnone "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="znver4" }
attributes #1 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="znver4" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind memory(none) }

!0 = !{!"branch_weights", i32 1048576, i32 1}
!1 = !{!2, !2, i64 0}
!2 = !{!"buffer header", !3, i64 0}
!3 = !{!"fluorite"}
!4 = !{}
!5 = !{!6, !6, i64 0}
!6 = !{!"buffer in by vectors of 64", !7, i64 0}
!7 = !{!"buffer in", !3, i64 0}
!8 = !{!9, !9, i64 0}
!9 = !{!"buffer scale_it", !3, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = !{!"llvm.loop.vectorize.enable", i1 false}
!13 = !{!14, !14, i64 0}
!14 = !{!"buffer in by vectors of 32", !7, i64 0}
!15 = distinct !{!15, !11, !12}
!16 = distinct !{!16, !11, !12}
