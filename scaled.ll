; ModuleID = 'scaled'
source_filename = "scaled"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@text = private unnamed_addr constant [3 x i8] c"in\00", align 1
@text.1 = private unnamed_addr constant [9 x i8] c"scale_it\00", align 1
@text.2 = private unnamed_addr constant [12 x i8] c"in.stride.0\00", align 1
@text.3 = private unnamed_addr constant [2 x i8] c"1\00", align 1
@text.4 = private unnamed_addr constant [18 x i8] c"scale_it.stride.0\00", align 1
@text.5 = private unnamed_addr constant [2 x i8] c"x\00", align 1
@text.6 = private unnamed_addr constant [2 x i8] c"y\00", align 1
@name = private unnamed_addr constant [3 x i8] c"in\00", align 1
@name.7 = private unnamed_addr constant [5 x i8] c"gain\00", align 1
@name.8 = private unnamed_addr constant [9 x i8] c"scale_it\00", align 1
@args = private constant [3 x { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr }] [{ ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name, i32 1, i32 2, i32 73730, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }, { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name.7, i32 0, i32 0, i32 73730, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }, { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name.8, i32 2, i32 2, i32 73730, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }], align 16
@name.9 = private unnamed_addr constant [111 x i8] c"x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4-avx512_sapphirerapids\00", align 1
@name.10 = private unnamed_addr constant [7 x i8] c"scaled\00", align 1
@metadata = private constant { i32, i32, ptr, ptr, ptr } { i32 1, i32 3, ptr @args, ptr @name.9, ptr @name.10 }, align 16

; Function Attrs: noinline nounwind optnone
define dso_local i32 @scaled(ptr %in, float %gain, ptr %scale_it) #0 {
entry:
  %closure = alloca [1 x { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }], align 64
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
  %dims = load ptr, ptr %12, align 8, !tbaa !1
  %13 = getelementptr inbounds i8, ptr %dims, i64 4
  %extent = load i32, ptr %13, align 4, !tbaa !1
  %14 = icmp sle i32 0, %extent
  br i1 %14, label %holds8, label %failed9, !prof !0

holds8:                                           ; preds = %holds6
  %15 = getelementptr inbounds i8, ptr %in, i64 40
  %dims10 = load ptr, ptr %15, align 8, !tbaa !1
  %16 = getelementptr inbounds i8, ptr %dims10, i64 20
  %extent11 = load i32, ptr %16, align 4, !tbaa !1
  %17 = icmp sle i32 0, %extent11
  br i1 %17, label %holds12, label %failed13, !prof !0

holds12:                                          ; preds = %holds8
  %18 = icmp eq ptr %scale_it, null
  %19 = xor i1 %18, true
  br i1 %19, label %holds14, label %failed15, !prof !0

holds14:                                          ; preds = %holds12
  %20 = getelementptr inbounds i8, ptr %scale_it, i64 32
  %field16 = load i32, ptr %20, align 4, !tbaa !1
  %21 = icmp eq i32 %field16, 73730
  %22 = getelementptr inbounds i8, ptr %scale_it, i64 0
  %field17 = load i64, ptr %22, align 4, !tbaa !1
  %23 = icmp eq i64 %field17, 0
  %24 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %field18 = load ptr, ptr %24, align 8, !tbaa !1
  %25 = icmp eq ptr %field18, null
  %26 = and i1 %25, %23
  %27 = or i1 %21, %26
  br i1 %27, label %holds19, label %failed20, !prof !0

holds19:                                          ; preds = %holds14
  %28 = getelementptr inbounds i8, ptr %scale_it, i64 36
  %field21 = load i32, ptr %28, align 4, !tbaa !1
  %29 = icmp eq i32 %field21, 2
  br i1 %29, label %holds22, label %failed23, !prof !0

holds22:                                          ; preds = %holds19
  %30 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims24 = load ptr, ptr %30, align 8, !tbaa !1
  %31 = getelementptr inbounds i8, ptr %dims24, i64 4
  %extent25 = load i32, ptr %31, align 4, !tbaa !1
  %32 = icmp sle i32 0, %extent25
  br i1 %32, label %holds26, label %failed27, !prof !0

holds26:                                          ; preds = %holds22
  %33 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims28 = load ptr, ptr %33, align 8, !tbaa !1
  %34 = getelementptr inbounds i8, ptr %dims28, i64 20
  %extent29 = load i32, ptr %34, align 4, !tbaa !1
  %35 = icmp sle i32 0, %extent29
  br i1 %35, label %holds30, label %failed31, !prof !0

holds30:                                          ; preds = %holds26
  %36 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims32 = load ptr, ptr %36, align 8, !tbaa !1
  %37 = getelementptr inbounds i8, ptr %dims32, i64 0
  %min = load i32, ptr %37, align 4, !tbaa !1
  %38 = sext i32 %min to i64
  %39 = add i32 %min, %extent25
  %40 = add i32 %39, -1
  %41 = sext i32 %extent25 to i64
  %42 = sext i32 %min to i64
  %43 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims33 = load ptr, ptr %43, align 8, !tbaa !1
  %44 = getelementptr inbounds i8, ptr %dims33, i64 16
  %min34 = load i32, ptr %44, align 4, !tbaa !1
  %45 = sext i32 %min34 to i64
  %46 = add i32 %min34, %extent29
  %47 = add i32 %46, -1
  %48 = sext i32 %extent29 to i64
  %49 = sext i32 %min34 to i64
  %50 = or i1 %26, %8
  br i1 %50, label %then, label %else

then:                                             ; preds = %holds30
  br i1 %8, label %then35, label %after36

else:                                             ; preds = %holds30
  %51 = icmp slt i32 %extent, 2
  %52 = getelementptr inbounds i8, ptr %in, i64 40
  %dims45 = load ptr, ptr %52, align 8, !tbaa !1
  %53 = getelementptr inbounds i8, ptr %dims45, i64 8
  %stride = load i32, ptr %53, align 4, !tbaa !1
  %54 = icmp eq i32 %stride, 1
  %55 = or i1 %51, %54
  br i1 %55, label %holds46, label %failed47, !prof !0

after:                                            ; preds = %holds76, %after40
  br label %exit

then35:                                           ; preds = %then
  %56 = getelementptr inbounds i8, ptr %in, i64 32
  store i32 73730, ptr %56, align 4, !tbaa !1
  %57 = getelementptr inbounds i8, ptr %in, i64 36
  store i32 2, ptr %57, align 4, !tbaa !1
  %58 = add i32 %40, -7
  %59 = call i32 @llvm.smin.i32(i32 %min, i32 %58)
  %60 = sub i32 %min, %40
  %61 = call i32 @llvm.smin.i32(i32 %60, i32 -7)
  %62 = sub i32 1, %61
  %63 = getelementptr inbounds i8, ptr %in, i64 40
  %field37 = load ptr, ptr %63, align 8, !tbaa !1
  %64 = getelementptr inbounds i8, ptr %field37, i64 0
  store i32 %59, ptr %64, align 4, !tbaa !1
  %65 = getelementptr inbounds i8, ptr %field37, i64 4
  store i32 %62, ptr %65, align 4, !tbaa !1
  %66 = getelementptr inbounds i8, ptr %field37, i64 8
  store i32 1, ptr %66, align 4, !tbaa !1
  %67 = sub i32 %47, %min34
  %68 = add i32 %67, 1
  %69 = getelementptr inbounds i8, ptr %in, i64 40
  %field38 = load ptr, ptr %69, align 8, !tbaa !1
  %70 = getelementptr inbounds i8, ptr %field38, i64 16
  store i32 %min34, ptr %70, align 4, !tbaa !1
  %71 = getelementptr inbounds i8, ptr %field38, i64 20
  store i32 %68, ptr %71, align 4, !tbaa !1
  %72 = getelementptr inbounds i8, ptr %field38, i64 24
  store i32 %62, ptr %72, align 4, !tbaa !1
  br label %after36

after36:                                          ; preds = %then35, %then
  %73 = getelementptr inbounds i8, ptr %scale_it, i64 0
  %field41 = load i64, ptr %73, align 4, !tbaa !1
  %74 = icmp eq i64 %field41, 0
  %75 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %field42 = load ptr, ptr %75, align 8, !tbaa !1
  %76 = icmp eq ptr %field42, null
  %77 = and i1 %76, %74
  br i1 %77, label %then39, label %after40

then39:                                           ; preds = %after36
  %78 = getelementptr inbounds i8, ptr %scale_it, i64 32
  store i32 73730, ptr %78, align 4, !tbaa !1
  %79 = getelementptr inbounds i8, ptr %scale_it, i64 36
  store i32 2, ptr %79, align 4, !tbaa !1
  %80 = add i32 %40, -7
  %81 = call i32 @llvm.smin.i32(i32 %min, i32 %80)
  %82 = sub i32 %min, %40
  %83 = call i32 @llvm.smin.i32(i32 %82, i32 -7)
  %84 = sub i32 1, %83
  %85 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %field43 = load ptr, ptr %85, align 8, !tbaa !1
  %86 = getelementptr inbounds i8, ptr %field43, i64 0
  store i32 %81, ptr %86, align 4, !tbaa !1
  %87 = getelementptr inbounds i8, ptr %field43, i64 4
  store i32 %84, ptr %87, align 4, !tbaa !1
  %88 = getelementptr inbounds i8, ptr %field43, i64 8
  store i32 1, ptr %88, align 4, !tbaa !1
  %89 = sub i32 %47, %min34
  %90 = add i32 %89, 1
  %91 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %field44 = load ptr, ptr %91, align 8, !tbaa !1
  %92 = getelementptr inbounds i8, ptr %field44, i64 16
  store i32 %min34, ptr %92, align 4, !tbaa !1
  %93 = getelementptr inbounds i8, ptr %field44, i64 20
  store i32 %90, ptr %93, align 4, !tbaa !1
  %94 = getelementptr inbounds i8, ptr %field44, i64 24
  store i32 %84, ptr %94, align 4, !tbaa !1
  br label %after40

after40:                                          ; preds = %then39, %after36
  br label %after

holds46:                                          ; preds = %else
  %95 = icmp slt i32 %extent25, 2
  %96 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims48 = load ptr, ptr %96, align 8, !tbaa !1
  %97 = getelementptr inbounds i8, ptr %dims48, i64 8
  %stride49 = load i32, ptr %97, align 4, !tbaa !1
  %98 = icmp eq i32 %stride49, 1
  %99 = or i1 %95, %98
  br i1 %99, label %holds50, label %failed51, !prof !0

holds50:                                          ; preds = %holds46
  %100 = getelementptr inbounds i8, ptr %in, i64 40
  %dims52 = load ptr, ptr %100, align 8, !tbaa !1
  %101 = getelementptr inbounds i8, ptr %dims52, i64 0
  %min53 = load i32, ptr %101, align 4, !tbaa !1
  %102 = add i32 %40, -7
  %103 = call i32 @llvm.smin.i32(i32 %min, i32 %102)
  %104 = icmp sle i32 %min53, %103
  %105 = add i32 %min53, %extent
  %106 = icmp slt i32 %40, %105
  %107 = and i1 %104, %106
  br i1 %107, label %holds54, label %failed55, !prof !0

holds54:                                          ; preds = %holds50
  %108 = icmp slt i32 %47, %min34
  %109 = getelementptr inbounds i8, ptr %in, i64 40
  %dims56 = load ptr, ptr %109, align 8, !tbaa !1
  %110 = getelementptr inbounds i8, ptr %dims56, i64 16
  %min57 = load i32, ptr %110, align 4, !tbaa !1
  %111 = icmp sle i32 %min57, %min34
  %112 = add i32 %extent11, %min57
  %113 = icmp slt i32 %47, %112
  %114 = and i1 %111, %113
  %115 = or i1 %108, %114
  br i1 %115, label %holds58, label %failed59, !prof !0

holds58:                                          ; preds = %holds54
  %116 = icmp sle i32 %extent11, 0
  %117 = icmp sle i32 %extent, 0
  %118 = getelementptr inbounds i8, ptr %in, i64 16
  %field60 = load ptr, ptr %118, align 8, !tbaa !1
  %119 = ptrtoint ptr %field60 to i64
  %120 = icmp ne i64 %119, 0
  %121 = or i1 %117, %120
  %122 = or i1 %116, %121
  br i1 %122, label %holds61, label %failed62, !prof !0

holds61:                                          ; preds = %holds58
  %123 = icmp sle i32 %min, %103
  %124 = icmp slt i32 %40, %39
  %125 = and i1 %123, %124
  br i1 %125, label %holds63, label %failed64, !prof !0

holds63:                                          ; preds = %holds61
  %126 = icmp slt i32 %47, %46
  %127 = icmp sle i32 %min34, %min34
  %128 = and i1 %126, %127
  %129 = or i1 %108, %128
  br i1 %129, label %holds65, label %failed66, !prof !0

holds65:                                          ; preds = %holds63
  %130 = icmp sle i32 %extent29, 0
  %131 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %field67 = load ptr, ptr %131, align 8, !tbaa !1
  %132 = ptrtoint ptr %field67 to i64
  %133 = icmp ne i64 %132, 0
  %134 = icmp sle i32 %extent25, 0
  %135 = or i1 %133, %134
  %136 = or i1 %130, %135
  br i1 %136, label %holds68, label %failed69, !prof !0

holds68:                                          ; preds = %holds65
  %137 = sub i32 %40, %min
  %138 = ashr i32 %137, 3
  %139 = add i32 %138, 1
  %140 = add i32 %137, 1
  %141 = ashr i32 %140, 3
  %142 = call i32 @llvm.smin.i32(i32 %139, i32 %141)
  %143 = call i32 @llvm.smax.i32(i32 %142, i32 0)
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds i8, ptr %in, i64 16
  %in70 = load ptr, ptr %145, align 8, !tbaa !1
  %146 = getelementptr inbounds i8, ptr %scale_it, i64 16
  %scale_it71 = load ptr, ptr %146, align 8, !tbaa !1
  %147 = getelementptr inbounds i8, ptr %in, i64 40
  %dims72 = load ptr, ptr %147, align 8, !tbaa !1
  %148 = getelementptr inbounds i8, ptr %dims72, i64 24
  %stride73 = load i32, ptr %148, align 4, !tbaa !1
  %149 = getelementptr inbounds i8, ptr %scale_it, i64 40
  %dims74 = load ptr, ptr %149, align 8, !tbaa !1
  %150 = getelementptr inbounds i8, ptr %dims74, i64 24
  %stride75 = load i32, ptr %150, align 4, !tbaa !1
  %151 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 0
  store float %gain, ptr %151, align 4
  %152 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 1
  store ptr %in70, ptr %152, align 8
  %153 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 2
  store ptr %in, ptr %153, align 8
  %154 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 3
  store ptr %scale_it71, ptr %154, align 8
  %155 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 4
  store ptr %scale_it, ptr %155, align 8
  %156 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 5
  store i32 %40, ptr %156, align 4
  %157 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 6
  store i32 %min, ptr %157, align 4
  %158 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 7
  store i32 %143, ptr %158, align 4
  %159 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 8
  store i32 %47, ptr %159, align 4
  %160 = getelementptr inbounds { float, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32 }, ptr %closure, i32 0, i32 9
  store i32 %min34, ptr %160, align 4
  %161 = call i32 @scaled.work.0(ptr null, ptr %closure)
  %162 = icmp eq i32 %161, 0
  br i1 %162, label %holds76, label %failed77, !prof !0

holds76:                                          ; preds = %holds68
  br label %after

exit:                                             ; preds = %after, %failed77, %failed69, %failed66, %failed64, %failed62, %failed59, %failed55, %failed51, %failed47, %failed31, %failed27, %failed23, %failed20, %failed15, %failed13, %failed9, %failed7, %failed4, %failed
  %code = phi i32 [ %163, %failed ], [ %164, %failed4 ], [ %165, %failed7 ], [ %166, %failed9 ], [ %167, %failed13 ], [ %168, %failed15 ], [ %169, %failed20 ], [ %170, %failed23 ], [ %171, %failed27 ], [ %172, %failed31 ], [ %174, %failed47 ], [ %176, %failed51 ], [ %178, %failed55 ], [ %180, %failed59 ], [ %181, %failed62 ], [ %182, %failed64 ], [ %183, %failed66 ], [ %184, %failed69 ], [ %161, %failed77 ], [ 0, %after ]
  ret i32 %code

failed:                                           ; preds = %body
  %163 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text)
  br label %exit

failed4:                                          ; preds = %holds
  %164 = call i32 @fluorite_error_bad_type(ptr null, ptr @text, i32 %field, i32 73730)
  br label %exit

failed7:                                          ; preds = %holds3
  %165 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text, i32 %field5, i32 2)
  br label %exit

failed9:                                          ; preds = %holds6
  %166 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text, i32 0, i32 %extent)
  br label %exit

failed13:                                         ; preds = %holds8
  %167 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text, i32 1, i32 %extent11)
  br label %exit

failed15:                                         ; preds = %holds12
  %168 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.1)
  br label %exit

failed20:                                         ; preds = %holds14
  %169 = call i32 @fluorite_error_bad_type(ptr null, ptr @text.1, i32 %field16, i32 73730)
  br label %exit

failed23:                                         ; preds = %holds19
  %170 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text.1, i32 %field21, i32 2)
  br label %exit

failed27:                                         ; preds = %holds22
  %171 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text.1, i32 0, i32 %extent25)
  br label %exit

failed31:                                         ; preds = %holds26
  %172 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text.1, i32 1, i32 %extent29)
  br label %exit

failed47:                                         ; preds = %else
  %173 = sext i32 %stride to i64
  %174 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.2, i64 %173, ptr @text.3, i64 1)
  br label %exit

failed51:                                         ; preds = %holds46
  %175 = sext i32 %stride49 to i64
  %176 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.4, i64 %175, ptr @text.3, i64 1)
  br label %exit

failed55:                                         ; preds = %holds50
  %177 = add i32 %105, -1
  %178 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text, ptr @text.1, i32 0, ptr null, i32 %103, i32 %40, i32 %min53, i32 %177)
  br label %exit

failed59:                                         ; preds = %holds54
  %179 = add i32 %112, -1
  %180 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text, ptr @text.1, i32 1, ptr null, i32 %min34, i32 %47, i32 %min57, i32 %179)
  br label %exit

failed62:                                         ; preds = %holds58
  %181 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text)
  br label %exit

failed64:                                         ; preds = %holds61
  %182 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text.1, ptr null, i32 0, ptr @text.5, i32 %103, i32 %40, i32 %min, i32 %40)
  br label %exit

failed66:                                         ; preds = %holds63
  %183 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text.1, ptr null, i32 1, ptr @text.6, i32 %min34, i32 %47, i32 %min34, i32 %47)
  br label %exit

failed69:                                         ; preds = %holds65
  %184 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text.1)
  br label %exit

failed77:                                         ; preds = %holds68
  br label %exit
}

declare i32 @fluorite_error_buffer_argument_is_null(ptr, ptr)

declare i32 @fluorite_error_bad_type(ptr, ptr, i32, i32)

declare i32 @fluorite_error_bad_dimensions(ptr, ptr, i32, i32)

declare i32 @fluorite_error_buffer_extents_negative(ptr, ptr, i32, i32)

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #1

declare i32 @fluorite_error_constraint_violated(ptr, ptr, i64, ptr, i64)

declare i32 @fluorite_error_access_out_of_bounds(ptr, ptr, ptr, i32, ptr, i32, i32, i32, i32)

declare i32 @fluorite_error_host_is_null(ptr, ptr)

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #1

; Function Attrs: nounwind
define internal i32 @scaled.work.0(ptr %0, ptr noalias readonly %1) #2 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 44
  %scale_it.s0.x.min = load i32, ptr %2, align 4, !invariant.load !4
  %3 = getelementptr inbounds i8, ptr %1, i64 52
  %scale_it.s0.y.max = load i32, ptr %3, align 4, !invariant.load !4
  %4 = getelementptr inbounds i8, ptr %1, i64 56
  %scale_it.s0.y.min = load i32, ptr %4, align 4, !invariant.load !4
  %5 = sext i32 %scale_it.s0.y.min to i64
  %6 = sub i32 %scale_it.s0.y.max, %scale_it.s0.y.min
  %7 = add i32 %6, 1
  %8 = sext i32 %7 to i64
  %9 = add nsw i64 %5, %8
  %10 = icmp ult i32 %6, 2147483647
  br i1 %10, label %loop.preheader, label %exit

loop.preheader:                                   ; preds = %entry
  %11 = getelementptr inbounds i8, ptr %1, i64 32
  %scale_it2 = load ptr, ptr %11, align 8, !invariant.load !4
  %12 = getelementptr inbounds i8, ptr %scale_it2, i64 40
  %dims6 = load ptr, ptr %12, align 8, !tbaa !1
  %13 = getelementptr inbounds i8, ptr %dims6, i64 24
  %stride11 = load i32, ptr %13, align 4, !tbaa !1
  %14 = getelementptr inbounds i8, ptr %dims6, i64 16
  %min9 = load i32, ptr %14, align 4, !tbaa !1
  %min7 = load i32, ptr %dims6, align 4, !tbaa !1
  %15 = getelementptr inbounds i8, ptr %1, i64 16
  %in1 = load ptr, ptr %15, align 8, !invariant.load !4
  %16 = getelementptr inbounds i8, ptr %in1, i64 40
  %dims = load ptr, ptr %16, align 8, !tbaa !1
  %17 = getelementptr inbounds i8, ptr %dims, i64 16
  %min5 = load i32, ptr %17, align 4, !tbaa !1
  %18 = getelementptr inbounds i8, ptr %dims, i64 24
  %stride = load i32, ptr %18, align 4, !tbaa !1
  %min = load i32, ptr %dims, align 4, !tbaa !1
  %19 = getelementptr inbounds i8, ptr %1, i64 48
  %scale_it.s0.x.steady_end.t1 = load i32, ptr %19, align 4, !invariant.load !4
  %20 = getelementptr inbounds i8, ptr %1, i64 40
  %scale_it.s0.x.max = load i32, ptr %20, align 4, !invariant.load !4
  %21 = getelementptr inbounds i8, ptr %1, i64 24
  %scale_it = load ptr, ptr %21, align 8, !invariant.load !4
  %22 = getelementptr inbounds i8, ptr %1, i64 8
  %in = load ptr, ptr %22, align 8, !invariant.load !4
  %gain = load float, ptr %1, align 4, !invariant.load !4
  %23 = ashr i32 %scale_it.s0.x.steady_end.t1, 1
  %24 = sext i32 %23 to i64
  %25 = icmp sgt i32 %23, 0
  %26 = sext i32 %stride to i64
  %27 = sext i32 %min5 to i64
  %28 = sext i32 %min to i64
  %29 = sext i32 %scale_it.s0.x.min to i64
  %30 = mul nsw i64 %26, %27
  %31 = add i64 %30, %28
  %32 = sub i64 %29, %31
  %33 = getelementptr float, ptr %in, i64 %32
  %.splatinsert = insertelement <16 x float> poison, float %gain, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  %34 = sext i32 %min9 to i64
  %35 = sext i32 %stride11 to i64
  %36 = sext i32 %min7 to i64
  %37 = mul nsw i64 %34, %35
  %38 = add i64 %37, %36
  %39 = sub i64 %29, %38
  %40 = getelementptr float, ptr %scale_it, i64 %39
  %41 = and i32 %scale_it.s0.x.steady_end.t1, -2
  %42 = sext i32 %41 to i64
  %43 = and i32 %scale_it.s0.x.steady_end.t1, 1
  %44 = zext nneg i32 %43 to i64
  %45 = or disjoint i64 %42, %44
  %.not = icmp eq i32 %43, 0
  %.splatinsert16 = insertelement <8 x float> poison, float %gain, i64 0
  %.splat17 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> zeroinitializer
  %46 = sext i32 %scale_it.s0.x.steady_end.t1 to i64
  %47 = sub i32 %scale_it.s0.x.max, %scale_it.s0.x.min
  %48 = ashr i32 %47, 3
  %49 = sub i32 %48, %scale_it.s0.x.steady_end.t1
  %50 = add i32 %49, 1
  %51 = sext i32 %50 to i64
  %52 = add nsw i64 %46, %51
  %53 = icmp ult i32 %49, 2147483647
  %54 = add i32 %scale_it.s0.x.max, -7
  %55 = sub i64 0, %31
  %56 = getelementptr float, ptr %in, i64 %55
  %57 = sub i64 0, %38
  %58 = getelementptr float, ptr %scale_it, i64 %57
  br label %loop

loop:                                             ; preds = %loop.preheader, %looped19
  %scale_it.s0.y = phi i64 [ %102, %looped19 ], [ %5, %loop.preheader ]
  br i1 %25, label %loop12.preheader, label %looped13

loop12.preheader:                                 ; preds = %loop
  %59 = mul nsw i64 %scale_it.s0.y, %26
  %60 = getelementptr float, ptr %33, i64 %59
  %61 = call ptr asm "", "=r,0"(ptr %60) #3
  %62 = mul nsw i64 %scale_it.s0.y, %35
  %63 = getelementptr float, ptr %40, i64 %62
  %64 = call ptr asm "", "=r,0"(ptr %63) #3
  br label %loop12

loop12:                                           ; preds = %loop12.preheader, %loop12
  %scale_it.s0.x.wide.t1 = phi i64 [ %70, %loop12 ], [ 0, %loop12.preheader ]
  %65 = shl nsw i64 %scale_it.s0.x.wide.t1, 4
  %66 = getelementptr float, ptr %61, i64 %65
  %67 = load <16 x float>, ptr %66, align 4, !tbaa !5
  %68 = fmul <16 x float> %67, %.splat
  %69 = getelementptr float, ptr %64, i64 %65
  store <16 x float> %68, ptr %69, align 4, !tbaa !7
  %70 = add nuw nsw i64 %scale_it.s0.x.wide.t1, 1
  %71 = icmp slt i64 %70, %24
  br i1 %71, label %loop12, label %looped13.loopexit, !llvm.loop !9

looped13.loopexit:                                ; preds = %loop12
  br label %looped13

looped13:                                         ; preds = %looped13.loopexit, %loop
  br i1 %.not, label %looped15, label %loop14.preheader

loop14.preheader:                                 ; preds = %looped13
  %72 = mul nsw i64 %scale_it.s0.y, %26
  %73 = getelementptr float, ptr %33, i64 %72
  %74 = call ptr asm "", "=r,0"(ptr %73) #3
  %75 = mul nsw i64 %scale_it.s0.y, %35
  %76 = getelementptr float, ptr %40, i64 %75
  %77 = call ptr asm "", "=r,0"(ptr %76) #3
  br label %loop14

loop14:                                           ; preds = %loop14.preheader, %loop14
  %scale_it.s0.x = phi i64 [ %83, %loop14 ], [ %42, %loop14.preheader ]
  %78 = shl nsw i64 %scale_it.s0.x, 3
  %79 = getelementptr float, ptr %74, i64 %78
  %80 = load <8 x float>, ptr %79, align 4, !tbaa !5
  %81 = fmul <8 x float> %80, %.splat17
  %82 = getelementptr float, ptr %77, i64 %78
  store <8 x float> %81, ptr %82, align 4, !tbaa !7
  %83 = add nsw i64 %scale_it.s0.x, 1
  %84 = icmp slt i64 %83, %45
  br i1 %84, label %loop14, label %looped15.loopexit, !llvm.loop !12

looped15.loopexit:                                ; preds = %loop14
  br label %looped15

looped15:                                         ; preds = %looped15.loopexit, %looped13
  br i1 %53, label %loop18.preheader, label %looped19

loop18.preheader:                                 ; preds = %looped15
  %85 = mul nsw i64 %scale_it.s0.y, %26
  %86 = getelementptr float, ptr %56, i64 %85
  %87 = call ptr asm "", "=r,0"(ptr %86) #3
  %88 = mul nsw i64 %scale_it.s0.y, %35
  %89 = getelementptr float, ptr %58, i64 %88
  %90 = call ptr asm "", "=r,0"(ptr %89) #3
  br label %loop18

loop18:                                           ; preds = %loop18.preheader, %loop18
  %scale_it.s0.x20 = phi i64 [ %100, %loop18 ], [ %46, %loop18.preheader ]
  %91 = trunc i64 %scale_it.s0.x20 to i32
  %92 = shl i32 %91, 3
  %93 = add i32 %92, %scale_it.s0.x.min
  %94 = call i32 @llvm.smin.i32(i32 %93, i32 %54)
  %95 = sext i32 %94 to i64
  %96 = getelementptr float, ptr %87, i64 %95
  %97 = load <8 x float>, ptr %96, align 4, !tbaa !5
  %98 = fmul <8 x float> %97, %.splat17
  %99 = getelementptr float, ptr %90, i64 %95
  store <8 x float> %98, ptr %99, align 4, !tbaa !7
  %100 = add nsw i64 %scale_it.s0.x20, 1
  %101 = icmp slt i64 %100, %52
  br i1 %101, label %loop18, label %looped19.loopexit, !llvm.loop !13

looped19.loopexit:                                ; preds = %loop18
  br label %looped19

looped19:                                         ; preds = %looped19.loopexit, %looped15
  %102 = add nsw i64 %scale_it.s0.y, 1
  %103 = icmp slt i64 %102, %9
  br i1 %103, label %loop, label %exit.loopexit, !llvm.loop !14

exit.loopexit:                                    ; preds = %looped19
  br label %exit

exit:                                             ; preds = %exit.loopexit, %entry
  ret i32 0
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
define dso_local ptr @scaled_metadata() #2 {
entry:
  ret ptr @metadata
}

attributes #0 = { noinline nounwind optnone "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="sapphirerapids" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="sapphirerapids" }
attributes #3 = { nounwind memory(none) }

!0 = !{!"branch_weights", i32 1048576, i32 1}
!1 = !{!2, !2, i64 0}
!2 = !{!"buffer header", !3, i64 0}
!3 = !{!"fluorite"}
!4 = !{}
!5 = !{!6, !6, i64 0}
!6 = !{!"buffer in", !3, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"buffer scale_it", !3, i64 0}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = !{!"llvm.loop.vectorize.enable", i1 false}
!12 = distinct !{!12, !10, !11}
!13 = distinct !{!13, !10, !11}
!14 = distinct !{!14, !10, !11}
