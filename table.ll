; ModuleID = 'looked_up'
source_filename = "looked_up"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@"b$469" = private constant [4 x i8] c"ABCD", align 128
@"b$469.1" = private constant [4 x i32] [i32 10, i32 4, i32 1, i32 0], align 16
@"b$469.2" = private global { i64, ptr, ptr, i64, i32, i32, ptr, ptr } { i64 0, ptr null, ptr @"b$469", i64 0, i32 67585, i32 1, ptr @"b$469.1", ptr null }, align 16
@text = private unnamed_addr constant [3 x i8] c"b0\00", align 1
@text.3 = private unnamed_addr constant [7 x i8] c"b0.dim\00", align 1
@text.4 = private unnamed_addr constant [10 x i8] c"looked_up\00", align 1
@text.5 = private unnamed_addr constant [14 x i8] c"looked_up.dim\00", align 1
@text.6 = private unnamed_addr constant [373 x i8] c"r 0\0Ak 1\0Ar 1\0A+ 0 2\0A- 3 1\0Ao 32 4\0AC 0 5|looked_up|what the buffer holds along dimension 0 (x)\0Ar 2\0Ar 3\0A+ 6 7\0A- 8 1\0Ao 32 9\0AC 6 10|b0|what the buffer holds along dimension 0\0Av 0 5\0A- 5 0\0A+ 12 1\0A+ 0 13\0A- 14 1\0Ao 32 15\0AE 16|looked_up, stage 0|the last iteration of loop x\0AD 0 5|looked_up|what the buffer holds along dimension 0 (x)\0AD 6 10|b0|what the buffer holds along dimension 0\0A\00", align 1
@text.7 = private unnamed_addr constant [33 x i8] c"b0: its stride along dimension 0\00", align 1
@text.8 = private unnamed_addr constant [2 x i8] c"1\00", align 1
@text.9 = private unnamed_addr constant [44 x i8] c"looked_up: its stride along dimension 0 (x)\00", align 1
@text.10 = private unnamed_addr constant [2 x i8] c"x\00", align 1
@text.11 = private unnamed_addr constant [7 x i8] c"itself\00", align 1
@text.12 = private unnamed_addr constant [49 x i8] c"each element of an output has a place of its own\00", align 1
@text.13 = private unnamed_addr constant [125 x i8] c"looked_up may only be computed in place where both buffers are the same one, as other points are read after they are written\00", align 1
@name = private unnamed_addr constant [10 x i8] c"looked_up\00", align 1
@args = private constant [1 x { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr }] [{ ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name, i32 2, i32 1, i32 67585, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }], align 16
@name.14 = private unnamed_addr constant [89 x i8] c"x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4\00", align 1
@name.15 = private unnamed_addr constant [10 x i8] c"looked_up\00", align 1
@metadata = private constant { i32, i32, ptr, ptr, ptr } { i32 1, i32 1, ptr @args, ptr @name.14, ptr @name.15 }, align 16

; Function Attrs: noinline nounwind optnone
define dso_local i32 @looked_up(ptr %looked_up) #0 {
entry:
  %closure = alloca [1 x { ptr, ptr, ptr, ptr, i32, i32 }], align 64
  %ranges = alloca [4 x double], align 16
  br label %body

body:                                             ; preds = %entry
  %field = load i64, ptr @"b$469.2", align 4, !tbaa !0
  %0 = icmp eq i64 %field, 0
  %field1 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 16), align 8, !tbaa !0
  %1 = icmp eq ptr %field1, null
  %2 = and i1 %1, %0
  %field2 = load i32, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 32), align 4, !tbaa !0
  %3 = icmp eq i32 %field2, 67585
  %4 = or i1 %2, %3
  br i1 %4, label %holds, label %failed, !prof !3

holds:                                            ; preds = %body
  %field3 = load i32, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 36), align 4, !tbaa !0
  %5 = icmp eq i32 %field3, 1
  br i1 %5, label %holds4, label %failed5, !prof !3

holds4:                                           ; preds = %holds
  %field6 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 40), align 8, !tbaa !0
  %6 = icmp ne ptr %field6, null
  br i1 %6, label %holds7, label %failed8, !prof !3

holds7:                                           ; preds = %holds4
  %dims = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 40), align 8, !tbaa !0
  %7 = getelementptr inbounds i8, ptr %dims, i64 4
  %extent = load i32, ptr %7, align 4, !tbaa !0
  %8 = icmp sle i32 0, %extent
  br i1 %8, label %holds9, label %failed10, !prof !3

holds9:                                           ; preds = %holds7
  %9 = icmp eq ptr %looked_up, null
  %10 = xor i1 %9, true
  br i1 %10, label %holds11, label %failed12, !prof !3

holds11:                                          ; preds = %holds9
  %11 = getelementptr inbounds i8, ptr %looked_up, i64 0
  %field13 = load i64, ptr %11, align 4, !tbaa !0
  %12 = icmp eq i64 %field13, 0
  %13 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %field14 = load ptr, ptr %13, align 8, !tbaa !0
  %14 = icmp eq ptr %field14, null
  %15 = and i1 %14, %12
  %16 = getelementptr inbounds i8, ptr %looked_up, i64 32
  %field15 = load i32, ptr %16, align 4, !tbaa !0
  %17 = icmp eq i32 %field15, 67585
  %18 = or i1 %15, %17
  br i1 %18, label %holds16, label %failed17, !prof !3

holds16:                                          ; preds = %holds11
  %19 = getelementptr inbounds i8, ptr %looked_up, i64 36
  %field18 = load i32, ptr %19, align 4, !tbaa !0
  %20 = icmp eq i32 %field18, 1
  br i1 %20, label %holds19, label %failed20, !prof !3

holds19:                                          ; preds = %holds16
  %21 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %field21 = load ptr, ptr %21, align 8, !tbaa !0
  %22 = icmp ne ptr %field21, null
  br i1 %22, label %holds22, label %failed23, !prof !3

holds22:                                          ; preds = %holds19
  %23 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %dims24 = load ptr, ptr %23, align 8, !tbaa !0
  %24 = getelementptr inbounds i8, ptr %dims24, i64 4
  %extent25 = load i32, ptr %24, align 4, !tbaa !0
  %25 = sext i32 %extent25 to i64
  %26 = icmp sle i32 0, %extent25
  br i1 %26, label %holds26, label %failed27, !prof !3

holds26:                                          ; preds = %holds22
  %27 = icmp slt i32 %extent25, 536870913
  %28 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %dims28 = load ptr, ptr %28, align 8, !tbaa !0
  %29 = getelementptr inbounds i8, ptr %dims28, i64 0
  %min = load i32, ptr %29, align 4, !tbaa !0
  %30 = sext i32 %min to i64
  %31 = icmp sle i32 -536870912, %min
  %32 = icmp slt i32 %min, 536870913
  %33 = and i1 %31, %32
  %34 = and i1 %27, %33
  %dims29 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 40), align 8, !tbaa !0
  %35 = getelementptr inbounds i8, ptr %dims29, i64 0
  %min30 = load i32, ptr %35, align 4, !tbaa !0
  %36 = icmp slt i32 %min30, 536870913
  %37 = icmp sle i32 -536870912, %min30
  %38 = and i1 %36, %37
  %39 = and i1 %34, %38
  %40 = icmp slt i32 %extent, 536870913
  %41 = and i1 %39, %40
  %42 = xor i1 %41, true
  br i1 %42, label %then, label %after

then:                                             ; preds = %holds26
  %43 = sitofp i32 %min to double
  %44 = sitofp i32 %extent25 to double
  %45 = sitofp i32 %min30 to double
  %46 = sitofp i32 %extent to double
  %47 = getelementptr inbounds double, ptr %ranges, i64 0
  store double %43, ptr %47, align 8
  %48 = getelementptr inbounds double, ptr %ranges, i64 1
  store double %44, ptr %48, align 8
  %49 = getelementptr inbounds double, ptr %ranges, i64 2
  store double %45, ptr %49, align 8
  %50 = getelementptr inbounds double, ptr %ranges, i64 3
  store double %46, ptr %50, align 8
  %51 = call i32 @fluorite_check_ranges(ptr null, ptr @text.6, ptr %ranges, i32 4)
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %holds31, label %failed32, !prof !3

after:                                            ; preds = %holds31, %holds26
  %53 = add i32 %min, %extent25
  %54 = add i32 %53, -1
  %55 = or i1 %15, %2
  br i1 %55, label %then33, label %else

holds31:                                          ; preds = %then
  br label %after

then33:                                           ; preds = %after
  br i1 %2, label %then35, label %after36

else:                                             ; preds = %after
  %56 = icmp slt i32 %extent, 2
  %dims43 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 40), align 8, !tbaa !0
  %57 = getelementptr inbounds i8, ptr %dims43, i64 8
  %stride = load i32, ptr %57, align 4, !tbaa !0
  %58 = icmp eq i32 %stride, 1
  %59 = or i1 %56, %58
  br i1 %59, label %holds44, label %failed45, !prof !3

after34:                                          ; preds = %holds68, %after39
  br label %exit

then35:                                           ; preds = %then33
  store i32 67585, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 32), align 4, !tbaa !0
  store i32 1, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 36), align 4, !tbaa !0
  %60 = sub i32 %54, %min
  %61 = call i32 @llvm.smax.i32(i32 %60, i32 -1)
  %62 = add i32 %61, 1
  %field37 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 40), align 8, !tbaa !0
  %63 = getelementptr inbounds i8, ptr %field37, i64 0
  store i32 %min, ptr %63, align 4, !tbaa !0
  %64 = getelementptr inbounds i8, ptr %field37, i64 4
  store i32 %62, ptr %64, align 4, !tbaa !0
  %65 = getelementptr inbounds i8, ptr %field37, i64 8
  store i32 1, ptr %65, align 4, !tbaa !0
  br label %after36

after36:                                          ; preds = %then35, %then33
  %66 = getelementptr inbounds i8, ptr %looked_up, i64 0
  %field40 = load i64, ptr %66, align 4, !tbaa !0
  %67 = icmp eq i64 %field40, 0
  %68 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %field41 = load ptr, ptr %68, align 8, !tbaa !0
  %69 = icmp eq ptr %field41, null
  %70 = and i1 %69, %67
  br i1 %70, label %then38, label %after39

then38:                                           ; preds = %after36
  %71 = getelementptr inbounds i8, ptr %looked_up, i64 32
  store i32 67585, ptr %71, align 4, !tbaa !0
  %72 = getelementptr inbounds i8, ptr %looked_up, i64 36
  store i32 1, ptr %72, align 4, !tbaa !0
  %73 = sub i32 %54, %min
  %74 = call i32 @llvm.smax.i32(i32 %73, i32 -1)
  %75 = add i32 %74, 1
  %76 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %field42 = load ptr, ptr %76, align 8, !tbaa !0
  %77 = getelementptr inbounds i8, ptr %field42, i64 0
  store i32 %min, ptr %77, align 4, !tbaa !0
  %78 = getelementptr inbounds i8, ptr %field42, i64 4
  store i32 %75, ptr %78, align 4, !tbaa !0
  %79 = getelementptr inbounds i8, ptr %field42, i64 8
  store i32 1, ptr %79, align 4, !tbaa !0
  br label %after39

after39:                                          ; preds = %then38, %after36
  br label %after34

holds44:                                          ; preds = %else
  %80 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %dims46 = load ptr, ptr %80, align 8, !tbaa !0
  %81 = getelementptr inbounds i8, ptr %dims46, i64 8
  %stride47 = load i32, ptr %81, align 4, !tbaa !0
  %82 = icmp eq i32 %stride47, 1
  %83 = icmp slt i32 %extent25, 2
  %84 = or i1 %82, %83
  br i1 %84, label %holds48, label %failed49, !prof !3

holds48:                                          ; preds = %holds44
  %85 = icmp slt i32 %54, %min
  %86 = icmp sle i32 %min30, %min
  %87 = add i32 %min30, %extent
  %88 = icmp slt i32 %54, %87
  %89 = and i1 %86, %88
  %90 = or i1 %85, %89
  br i1 %90, label %holds50, label %failed51, !prof !3

holds50:                                          ; preds = %holds48
  %field52 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 16), align 8, !tbaa !0
  %91 = ptrtoint ptr %field52 to i64
  %92 = icmp ne i64 %91, 0
  %93 = icmp sle i32 %extent, 0
  %94 = or i1 %92, %93
  br i1 %94, label %holds53, label %failed54, !prof !3

holds53:                                          ; preds = %holds50
  %field55 = load i64, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 24), align 4, !tbaa !0
  %95 = and i64 %field55, 2
  %96 = icmp ne i64 %95, 0
  %97 = xor i1 %96, true
  br i1 %97, label %holds56, label %failed57, !prof !3

holds56:                                          ; preds = %holds53
  %98 = icmp slt i32 %54, %53
  %99 = icmp sle i32 %min, %min
  %100 = and i1 %98, %99
  %101 = or i1 %100, %85
  br i1 %101, label %holds58, label %failed59, !prof !3

holds58:                                          ; preds = %holds56
  %102 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %field60 = load ptr, ptr %102, align 8, !tbaa !0
  %103 = ptrtoint ptr %field60 to i64
  %104 = icmp ne i64 %103, 0
  %105 = icmp sle i32 %extent25, 0
  %106 = or i1 %104, %105
  br i1 %106, label %holds61, label %failed62, !prof !3

holds61:                                          ; preds = %holds58
  %107 = call i32 @fluorite_buffer_overlaps_itself(ptr %looked_up)
  %108 = icmp eq i32 %107, 0
  br i1 %108, label %holds63, label %failed64, !prof !3

holds63:                                          ; preds = %holds61
  %109 = call i32 @fluorite_buffers_overlap(ptr %looked_up, ptr @"b$469.2", i32 1)
  %110 = icmp eq i32 %109, 0
  br i1 %110, label %holds65, label %failed66, !prof !3

holds65:                                          ; preds = %holds63
  %b0 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$469.2", i64 16), align 8, !tbaa !0
  %111 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %looked_up67 = load ptr, ptr %111, align 8, !tbaa !0
  %112 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 0
  store ptr %b0, ptr %112, align 8
  %113 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 1
  store ptr @"b$469.2", ptr %113, align 8
  %114 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 2
  store ptr %looked_up67, ptr %114, align 8
  %115 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 3
  store ptr %looked_up, ptr %115, align 8
  %116 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 4
  store i32 %54, ptr %116, align 4
  %117 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 5
  store i32 %min, ptr %117, align 4
  %118 = call i32 @looked_up.work.0(ptr null, ptr %closure)
  %119 = icmp eq i32 %118, 0
  br i1 %119, label %holds68, label %failed69, !prof !3

holds68:                                          ; preds = %holds65
  br label %after34

exit:                                             ; preds = %after34, %failed69, %failed66, %failed64, %failed62, %failed59, %failed57, %failed54, %failed51, %failed49, %failed45, %failed32, %failed27, %failed23, %failed20, %failed17, %failed12, %failed10, %failed8, %failed5, %failed
  %code = phi i32 [ %120, %failed ], [ %121, %failed5 ], [ %122, %failed8 ], [ %123, %failed10 ], [ %124, %failed12 ], [ %125, %failed17 ], [ %126, %failed20 ], [ %127, %failed23 ], [ %128, %failed27 ], [ %51, %failed32 ], [ %130, %failed45 ], [ %132, %failed49 ], [ %134, %failed51 ], [ %135, %failed54 ], [ %136, %failed57 ], [ %137, %failed59 ], [ %138, %failed62 ], [ %139, %failed64 ], [ %140, %failed66 ], [ %118, %failed69 ], [ 0, %after34 ]
  ret i32 %code

failed:                                           ; preds = %body
  %120 = call i32 @fluorite_error_bad_type(ptr null, ptr @text, i32 %field2, i32 67585)
  br label %exit

failed5:                                          ; preds = %holds
  %121 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text, i32 %field3, i32 1)
  br label %exit

failed8:                                          ; preds = %holds4
  %122 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.3)
  br label %exit

failed10:                                         ; preds = %holds7
  %123 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text, i32 0, i32 %extent)
  br label %exit

failed12:                                         ; preds = %holds9
  %124 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.4)
  br label %exit

failed17:                                         ; preds = %holds11
  %125 = call i32 @fluorite_error_bad_type(ptr null, ptr @text.4, i32 %field15, i32 67585)
  br label %exit

failed20:                                         ; preds = %holds16
  %126 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text.4, i32 %field18, i32 1)
  br label %exit

failed23:                                         ; preds = %holds19
  %127 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.5)
  br label %exit

failed27:                                         ; preds = %holds22
  %128 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text.4, i32 0, i32 %extent25)
  br label %exit

failed32:                                         ; preds = %then
  br label %exit

failed45:                                         ; preds = %else
  %129 = sext i32 %stride to i64
  %130 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.7, i64 %129, ptr @text.8, i64 1)
  br label %exit

failed49:                                         ; preds = %holds44
  %131 = sext i32 %stride47 to i64
  %132 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.9, i64 %131, ptr @text.8, i64 1)
  br label %exit

failed51:                                         ; preds = %holds48
  %133 = add i32 %87, -1
  %134 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text, ptr @text.4, i32 0, ptr null, i32 %min, i32 %54, i32 %min30, i32 %133)
  br label %exit

failed54:                                         ; preds = %holds50
  %135 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text)
  br label %exit

failed57:                                         ; preds = %holds53
  %136 = call i32 @fluorite_error_device_dirty_with_no_device_support(ptr null, ptr @text)
  br label %exit

failed59:                                         ; preds = %holds56
  %137 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text.4, ptr null, i32 0, ptr @text.10, i32 %min, i32 %54, i32 %min, i32 %54)
  br label %exit

failed62:                                         ; preds = %holds58
  %138 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text.4)
  br label %exit

failed64:                                         ; preds = %holds61
  %139 = call i32 @fluorite_error_buffers_overlap(ptr null, ptr @text.4, ptr @text.11, ptr @text.12)
  br label %exit

failed66:                                         ; preds = %holds63
  %140 = call i32 @fluorite_error_buffers_overlap(ptr null, ptr @text.4, ptr @text, ptr @text.13)
  br label %exit

failed69:                                         ; preds = %holds65
  br label %exit
}

; Function Attrs: noinline nounwind optnone
define dso_local i32 @looked_up_argv(ptr %0) #0 {
entry:
  %1 = getelementptr inbounds ptr, ptr %0, i64 0
  %2 = load ptr, ptr %1, align 8
  %3 = call i32 @looked_up(ptr %2)
  ret i32 %3
}

; Function Attrs: nounwind
define internal i32 @looked_up.work.0(ptr %0, ptr noalias readonly %1) #1 {
entry:
  %2 = getelementptr inbounds i8, ptr %1, i64 32
  %looked_up.s0.x.max = load i32, ptr %2, align 4, !invariant.load !4
  %3 = getelementptr inbounds i8, ptr %1, i64 36
  %looked_up.s0.x.min = load i32, ptr %3, align 4, !invariant.load !4
  %4 = sext i32 %looked_up.s0.x.min to i64
  %5 = sub i32 %looked_up.s0.x.max, %looked_up.s0.x.min
  %6 = add i32 %5, 1
  %7 = sext i32 %6 to i64
  %8 = add nsw i64 %4, %7
  %9 = icmp ult i32 %5, 2147483647
  br i1 %9, label %loop.preheader, label %exit

loop.preheader:                                   ; preds = %entry
  %10 = getelementptr inbounds i8, ptr %1, i64 24
  %looked_up2 = load ptr, ptr %10, align 8, !invariant.load !4
  %11 = getelementptr inbounds i8, ptr %looked_up2, i64 40
  %dims3 = load ptr, ptr %11, align 8, !tbaa !0
  %min4 = load i32, ptr %dims3, align 4, !tbaa !0
  %12 = sext i32 %min4 to i64
  %13 = getelementptr inbounds i8, ptr %1, i64 8
  %b01 = load ptr, ptr %13, align 8, !invariant.load !4
  %14 = getelementptr inbounds i8, ptr %b01, i64 40
  %dims = load ptr, ptr %14, align 8, !tbaa !0
  %min = load i32, ptr %dims, align 4, !tbaa !0
  %15 = sext i32 %min to i64
  %16 = getelementptr inbounds i8, ptr %1, i64 16
  %looked_up = load ptr, ptr %16, align 8, !invariant.load !4
  %b0 = load ptr, ptr %1, align 8, !invariant.load !4
  %17 = sub nsw i64 0, %15
  %18 = getelementptr i8, ptr %b0, i64 %17
  %19 = call ptr asm "", "=r,0"(ptr %18) #3
  %20 = sub nsw i64 0, %12
  %21 = getelementptr i8, ptr %looked_up, i64 %20
  %22 = call ptr asm "", "=r,0"(ptr %21) #3
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %looked_up.s0.x = phi i64 [ %27, %loop ], [ %4, %loop.preheader ]
  %23 = getelementptr i8, ptr %19, i64 %looked_up.s0.x
  %24 = load i8, ptr %23, align 1, !tbaa !5
  %25 = add i8 %24, 4
  %26 = getelementptr i8, ptr %22, i64 %looked_up.s0.x
  store i8 %25, ptr %26, align 1, !tbaa !7
  %27 = add nsw i64 %looked_up.s0.x, 1
  %.not = icmp eq i64 %27, %8
  br i1 %.not, label %exit.loopexit, label %loop, !llvm.loop !9

exit.loopexit:                                    ; preds = %loop
  br label %exit

exit:                                             ; preds = %exit.loopexit, %entry
  ret i32 0
}

declare i32 @fluorite_error_bad_type(ptr, ptr, i32, i32)

declare i32 @fluorite_error_bad_dimensions(ptr, ptr, i32, i32)

declare i32 @fluorite_error_buffer_argument_is_null(ptr, ptr)

declare i32 @fluorite_error_buffer_extents_negative(ptr, ptr, i32, i32)

declare i32 @fluorite_check_ranges(ptr, ptr, ptr, i32)

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
define dso_local ptr @looked_up_metadata() #1 {
entry:
  ret ptr @metadata
}

attributes #0 = { noinline nounwind optnone "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="znver4" }
attributes #1 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="znver4" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind memory(none) }

!0 = !{!1, !1, i64 0}
!1 = !{!"buffer header", !2, i64 0}
!2 = !{!"fluorite"}
!3 = !{!"branch_weights", i32 1048576, i32 1}
!4 = !{}
!5 = !{!6, !6, i64 0}
!6 = !{!"buffer b0", !2, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"buffer looked_up", !2, i64 0}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = !{!"llvm.loop.vectorize.enable", i1 false}
