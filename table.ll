; ModuleID = 'looked_up'
source_filename = "looked_up"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@"b$6" = private constant [4 x i8] c"ABCD", align 128
@"b$6.1" = private constant [4 x i32] [i32 10, i32 4, i32 1, i32 0], align 16
@"b$6.2" = private global { i64, ptr, ptr, i64, i32, i32, ptr, ptr } { i64 0, ptr null, ptr @"b$6", i64 0, i32 67585, i32 1, ptr @"b$6.1", ptr null }, align 16
@text = private unnamed_addr constant [3 x i8] c"b0\00", align 1
@text.3 = private unnamed_addr constant [10 x i8] c"looked_up\00", align 1
@text.4 = private unnamed_addr constant [12 x i8] c"b0.stride.0\00", align 1
@text.5 = private unnamed_addr constant [2 x i8] c"1\00", align 1
@text.6 = private unnamed_addr constant [19 x i8] c"looked_up.stride.0\00", align 1
@text.7 = private unnamed_addr constant [2 x i8] c"x\00", align 1
@name = private unnamed_addr constant [10 x i8] c"looked_up\00", align 1
@args = private constant [1 x { ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr }] [{ ptr, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr } { ptr @name, i32 2, i32 1, i32 67585, i32 0, ptr null, ptr null, ptr null, ptr null, ptr null }], align 16
@name.8 = private unnamed_addr constant [111 x i8] c"x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4-avx512_sapphirerapids\00", align 1
@name.9 = private unnamed_addr constant [10 x i8] c"looked_up\00", align 1
@metadata = private constant { i32, i32, ptr, ptr, ptr } { i32 1, i32 1, ptr @args, ptr @name.8, ptr @name.9 }, align 16

; Function Attrs: noinline nounwind optnone
define dso_local i32 @looked_up(ptr %looked_up) #0 {
entry:
  %closure = alloca [1 x { ptr, ptr, ptr, ptr, i32, i32 }], align 64
  br label %body

body:                                             ; preds = %entry
  %field = load i64, ptr @"b$6.2", align 4, !tbaa !0
  %0 = icmp eq i64 %field, 0
  %field1 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 16), align 8, !tbaa !0
  %1 = icmp eq ptr %field1, null
  %2 = and i1 %1, %0
  %field2 = load i32, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 32), align 4, !tbaa !0
  %3 = icmp eq i32 %field2, 67585
  %4 = or i1 %2, %3
  br i1 %4, label %holds, label %failed, !prof !3

holds:                                            ; preds = %body
  %field3 = load i32, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 36), align 4, !tbaa !0
  %5 = icmp eq i32 %field3, 1
  br i1 %5, label %holds4, label %failed5, !prof !3

holds4:                                           ; preds = %holds
  %dims = load ptr, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 40), align 8, !tbaa !0
  %6 = getelementptr inbounds i8, ptr %dims, i64 4
  %extent = load i32, ptr %6, align 4, !tbaa !0
  %7 = icmp sle i32 0, %extent
  br i1 %7, label %holds6, label %failed7, !prof !3

holds6:                                           ; preds = %holds4
  %8 = icmp eq ptr %looked_up, null
  %9 = xor i1 %8, true
  br i1 %9, label %holds8, label %failed9, !prof !3

holds8:                                           ; preds = %holds6
  %10 = getelementptr inbounds i8, ptr %looked_up, i64 0
  %field10 = load i64, ptr %10, align 4, !tbaa !0
  %11 = icmp eq i64 %field10, 0
  %12 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %field11 = load ptr, ptr %12, align 8, !tbaa !0
  %13 = icmp eq ptr %field11, null
  %14 = and i1 %13, %11
  %15 = getelementptr inbounds i8, ptr %looked_up, i64 32
  %field12 = load i32, ptr %15, align 4, !tbaa !0
  %16 = icmp eq i32 %field12, 67585
  %17 = or i1 %14, %16
  br i1 %17, label %holds13, label %failed14, !prof !3

holds13:                                          ; preds = %holds8
  %18 = getelementptr inbounds i8, ptr %looked_up, i64 36
  %field15 = load i32, ptr %18, align 4, !tbaa !0
  %19 = icmp eq i32 %field15, 1
  br i1 %19, label %holds16, label %failed17, !prof !3

holds16:                                          ; preds = %holds13
  %20 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %dims18 = load ptr, ptr %20, align 8, !tbaa !0
  %21 = getelementptr inbounds i8, ptr %dims18, i64 4
  %extent19 = load i32, ptr %21, align 4, !tbaa !0
  %22 = icmp sle i32 0, %extent19
  br i1 %22, label %holds20, label %failed21, !prof !3

holds20:                                          ; preds = %holds16
  %23 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %dims22 = load ptr, ptr %23, align 8, !tbaa !0
  %24 = getelementptr inbounds i8, ptr %dims22, i64 0
  %min = load i32, ptr %24, align 4, !tbaa !0
  %25 = sext i32 %min to i64
  %26 = add i32 %min, %extent19
  %27 = add i32 %26, -1
  %28 = sext i32 %extent19 to i64
  %29 = sext i32 %min to i64
  %30 = or i1 %14, %2
  br i1 %30, label %then, label %else

then:                                             ; preds = %holds20
  br i1 %2, label %then23, label %after24

else:                                             ; preds = %holds20
  %31 = icmp slt i32 %extent, 2
  %dims31 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 40), align 8, !tbaa !0
  %32 = getelementptr inbounds i8, ptr %dims31, i64 8
  %stride = load i32, ptr %32, align 4, !tbaa !0
  %33 = icmp eq i32 %stride, 1
  %34 = or i1 %31, %33
  br i1 %34, label %holds32, label %failed33, !prof !3

after:                                            ; preds = %holds51, %after27
  br label %exit

then23:                                           ; preds = %then
  store i32 67585, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 32), align 4, !tbaa !0
  store i32 1, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 36), align 4, !tbaa !0
  %35 = sub i32 %27, %min
  %36 = add i32 %35, 1
  %field25 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 40), align 8, !tbaa !0
  %37 = getelementptr inbounds i8, ptr %field25, i64 0
  store i32 %min, ptr %37, align 4, !tbaa !0
  %38 = getelementptr inbounds i8, ptr %field25, i64 4
  store i32 %36, ptr %38, align 4, !tbaa !0
  %39 = getelementptr inbounds i8, ptr %field25, i64 8
  store i32 1, ptr %39, align 4, !tbaa !0
  br label %after24

after24:                                          ; preds = %then23, %then
  %40 = getelementptr inbounds i8, ptr %looked_up, i64 0
  %field28 = load i64, ptr %40, align 4, !tbaa !0
  %41 = icmp eq i64 %field28, 0
  %42 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %field29 = load ptr, ptr %42, align 8, !tbaa !0
  %43 = icmp eq ptr %field29, null
  %44 = and i1 %43, %41
  br i1 %44, label %then26, label %after27

then26:                                           ; preds = %after24
  %45 = getelementptr inbounds i8, ptr %looked_up, i64 32
  store i32 67585, ptr %45, align 4, !tbaa !0
  %46 = getelementptr inbounds i8, ptr %looked_up, i64 36
  store i32 1, ptr %46, align 4, !tbaa !0
  %47 = sub i32 %27, %min
  %48 = add i32 %47, 1
  %49 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %field30 = load ptr, ptr %49, align 8, !tbaa !0
  %50 = getelementptr inbounds i8, ptr %field30, i64 0
  store i32 %min, ptr %50, align 4, !tbaa !0
  %51 = getelementptr inbounds i8, ptr %field30, i64 4
  store i32 %48, ptr %51, align 4, !tbaa !0
  %52 = getelementptr inbounds i8, ptr %field30, i64 8
  store i32 1, ptr %52, align 4, !tbaa !0
  br label %after27

after27:                                          ; preds = %then26, %after24
  br label %after

holds32:                                          ; preds = %else
  %53 = getelementptr inbounds i8, ptr %looked_up, i64 40
  %dims34 = load ptr, ptr %53, align 8, !tbaa !0
  %54 = getelementptr inbounds i8, ptr %dims34, i64 8
  %stride35 = load i32, ptr %54, align 4, !tbaa !0
  %55 = icmp eq i32 %stride35, 1
  %56 = icmp slt i32 %extent19, 2
  %57 = or i1 %55, %56
  br i1 %57, label %holds36, label %failed37, !prof !3

holds36:                                          ; preds = %holds32
  %58 = icmp slt i32 %27, %min
  %dims38 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 40), align 8, !tbaa !0
  %59 = getelementptr inbounds i8, ptr %dims38, i64 0
  %min39 = load i32, ptr %59, align 4, !tbaa !0
  %60 = icmp sle i32 %min39, %min
  %61 = add i32 %min39, %extent
  %62 = icmp slt i32 %27, %61
  %63 = and i1 %60, %62
  %64 = or i1 %58, %63
  br i1 %64, label %holds40, label %failed41, !prof !3

holds40:                                          ; preds = %holds36
  %field42 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 16), align 8, !tbaa !0
  %65 = ptrtoint ptr %field42 to i64
  %66 = icmp ne i64 %65, 0
  %67 = icmp sle i32 %extent, 0
  %68 = or i1 %66, %67
  br i1 %68, label %holds43, label %failed44, !prof !3

holds43:                                          ; preds = %holds40
  %69 = icmp slt i32 %27, %26
  %70 = icmp sle i32 %min, %min
  %71 = and i1 %69, %70
  %72 = or i1 %71, %58
  br i1 %72, label %holds45, label %failed46, !prof !3

holds45:                                          ; preds = %holds43
  %73 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %field47 = load ptr, ptr %73, align 8, !tbaa !0
  %74 = ptrtoint ptr %field47 to i64
  %75 = icmp ne i64 %74, 0
  %76 = icmp sle i32 %extent19, 0
  %77 = or i1 %75, %76
  br i1 %77, label %holds48, label %failed49, !prof !3

holds48:                                          ; preds = %holds45
  %b0 = load ptr, ptr getelementptr inbounds (i8, ptr @"b$6.2", i64 16), align 8, !tbaa !0
  %78 = getelementptr inbounds i8, ptr %looked_up, i64 16
  %looked_up50 = load ptr, ptr %78, align 8, !tbaa !0
  %79 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 0
  store ptr %b0, ptr %79, align 8
  %80 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 1
  store ptr @"b$6.2", ptr %80, align 8
  %81 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 2
  store ptr %looked_up50, ptr %81, align 8
  %82 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 3
  store ptr %looked_up, ptr %82, align 8
  %83 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 4
  store i32 %27, ptr %83, align 4
  %84 = getelementptr inbounds { ptr, ptr, ptr, ptr, i32, i32 }, ptr %closure, i32 0, i32 5
  store i32 %min, ptr %84, align 4
  %85 = call i32 @looked_up.work.0(ptr null, ptr %closure)
  %86 = icmp eq i32 %85, 0
  br i1 %86, label %holds51, label %failed52, !prof !3

holds51:                                          ; preds = %holds48
  br label %after

exit:                                             ; preds = %after, %failed52, %failed49, %failed46, %failed44, %failed41, %failed37, %failed33, %failed21, %failed17, %failed14, %failed9, %failed7, %failed5, %failed
  %code = phi i32 [ %87, %failed ], [ %88, %failed5 ], [ %89, %failed7 ], [ %90, %failed9 ], [ %91, %failed14 ], [ %92, %failed17 ], [ %93, %failed21 ], [ %95, %failed33 ], [ %97, %failed37 ], [ %99, %failed41 ], [ %100, %failed44 ], [ %101, %failed46 ], [ %102, %failed49 ], [ %85, %failed52 ], [ 0, %after ]
  ret i32 %code

failed:                                           ; preds = %body
  %87 = call i32 @fluorite_error_bad_type(ptr null, ptr @text, i32 %field2, i32 67585)
  br label %exit

failed5:                                          ; preds = %holds
  %88 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text, i32 %field3, i32 1)
  br label %exit

failed7:                                          ; preds = %holds4
  %89 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text, i32 0, i32 %extent)
  br label %exit

failed9:                                          ; preds = %holds6
  %90 = call i32 @fluorite_error_buffer_argument_is_null(ptr null, ptr @text.3)
  br label %exit

failed14:                                         ; preds = %holds8
  %91 = call i32 @fluorite_error_bad_type(ptr null, ptr @text.3, i32 %field12, i32 67585)
  br label %exit

failed17:                                         ; preds = %holds13
  %92 = call i32 @fluorite_error_bad_dimensions(ptr null, ptr @text.3, i32 %field15, i32 1)
  br label %exit

failed21:                                         ; preds = %holds16
  %93 = call i32 @fluorite_error_buffer_extents_negative(ptr null, ptr @text.3, i32 0, i32 %extent19)
  br label %exit

failed33:                                         ; preds = %else
  %94 = sext i32 %stride to i64
  %95 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.4, i64 %94, ptr @text.5, i64 1)
  br label %exit

failed37:                                         ; preds = %holds32
  %96 = sext i32 %stride35 to i64
  %97 = call i32 @fluorite_error_constraint_violated(ptr null, ptr @text.6, i64 %96, ptr @text.5, i64 1)
  br label %exit

failed41:                                         ; preds = %holds36
  %98 = add i32 %61, -1
  %99 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text, ptr @text.3, i32 0, ptr null, i32 %min, i32 %27, i32 %min39, i32 %98)
  br label %exit

failed44:                                         ; preds = %holds40
  %100 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text)
  br label %exit

failed46:                                         ; preds = %holds43
  %101 = call i32 @fluorite_error_access_out_of_bounds(ptr null, ptr @text.3, ptr null, i32 0, ptr @text.7, i32 %min, i32 %27, i32 %min, i32 %27)
  br label %exit

failed49:                                         ; preds = %holds45
  %102 = call i32 @fluorite_error_host_is_null(ptr null, ptr @text.3)
  br label %exit

failed52:                                         ; preds = %holds48
  br label %exit
}

declare i32 @fluorite_error_bad_type(ptr, ptr, i32, i32)

declare i32 @fluorite_error_bad_dimensions(ptr, ptr, i32, i32)

declare i32 @fluorite_error_buffer_extents_negative(ptr, ptr, i32, i32)

declare i32 @fluorite_error_buffer_argument_is_null(ptr, ptr)

declare i32 @fluorite_error_constraint_violated(ptr, ptr, i64, ptr, i64)

declare i32 @fluorite_error_access_out_of_bounds(ptr, ptr, ptr, i32, ptr, i32, i32, i32, i32)

declare i32 @fluorite_error_host_is_null(ptr, ptr)

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
  %12 = getelementptr inbounds i8, ptr %1, i64 8
  %b01 = load ptr, ptr %12, align 8, !invariant.load !4
  %13 = getelementptr inbounds i8, ptr %b01, i64 40
  %dims = load ptr, ptr %13, align 8, !tbaa !0
  %min = load i32, ptr %dims, align 4, !tbaa !0
  %14 = getelementptr inbounds i8, ptr %1, i64 16
  %looked_up = load ptr, ptr %14, align 8, !invariant.load !4
  %b0 = load ptr, ptr %1, align 8, !invariant.load !4
  %15 = sext i32 %min to i64
  %16 = sub nsw i64 0, %15
  %17 = getelementptr i8, ptr %b0, i64 %16
  %18 = call ptr asm "", "=r,0"(ptr %17) #2
  %19 = sext i32 %min4 to i64
  %20 = sub nsw i64 0, %19
  %21 = getelementptr i8, ptr %looked_up, i64 %20
  %22 = call ptr asm "", "=r,0"(ptr %21) #2
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %looked_up.s0.x = phi i64 [ %27, %loop ], [ %4, %loop.preheader ]
  %23 = getelementptr i8, ptr %18, i64 %looked_up.s0.x
  %24 = load i8, ptr %23, align 1, !tbaa !5
  %25 = add i8 %24, 4
  %26 = getelementptr i8, ptr %22, i64 %looked_up.s0.x
  store i8 %25, ptr %26, align 1, !tbaa !7
  %27 = add nsw i64 %looked_up.s0.x, 1
  %28 = icmp slt i64 %27, %8
  br i1 %28, label %loop, label %exit.loopexit, !llvm.loop !9

exit.loopexit:                                    ; preds = %loop
  br label %exit

exit:                                             ; preds = %exit.loopexit, %entry
  ret i32 0
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
define dso_local ptr @looked_up_metadata() #1 {
entry:
  ret ptr @metadata
}

attributes #0 = { noinline nounwind optnone "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="sapphirerapids" }
attributes #1 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" "tune-cpu"="sapphirerapids" }
attributes #2 = { nounwind memory(none) }

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
