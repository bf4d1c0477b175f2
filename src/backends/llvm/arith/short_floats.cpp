// 16-bit floats: halves and bfloats.
//
// Their values are widened exactly to float32, computed there, and rounded back once after each operation. Halves use
// the conversions of F16C if the target has it, else integer arithmetic that vectorizes. Doubles and wide integers are
// first rounded to odd as float32, which avoids double rounding.
//
// Relies on float32 having at least twice the significant bits of a 16-bit float plus two: then rounding a sum, a
// product, a quotient or a square root to float32 first does not change the result. Cost of a conversion without F16C:
// about ten instructions to float32, and twenty from it.

#include "backends/llvm/arith/arith.h"

#include <llvm/IR/Intrinsics.h>

namespace fluorite::backends {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value *Arith::widen_float(Value *value, Type type) {
    if (!is_short_float(type)) {
        return value;
    }
    if (!type.is_bfloat()) {
        return half_to_float(value);
    }
    const int lanes = type.lanes();
    Value *bits = b_.CreateShl(b_.CreateZExt(value, value_type(b_.getContext(), UInt(32, lanes))), 16);
    return b_.CreateBitCast(bits, value_type(b_.getContext(), Float(32, lanes)));
}

Value *Arith::narrow_float(Value *value, Type type) {
    if (!is_short_float(type)) {
        return value;
    }
    return type.is_bfloat() ? float_to_bfloat(value) : float_to_half(value);
}

/// Conversions by F16C. Where there is no arithmetic of halves, those of vectors have a form that LLVM takes for what
/// it is only after its optimizations: these would turn comparisons, roundings and others of widened halves into
/// operations on halves, which code generation would then do lane by lane.
Value *Arith::convert_half(bool widens, Value *value, llvm::Type *to, bool allows_half_arithmetic) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(to);
    if (!vector || !has_vectors_ || (has_half_arithmetic_ && allows_half_arithmetic)) {
        return widens ? b_.CreateFPExt(value, to) : b_.CreateFPTrunc(value, to);
    }
    Value *all = llvm::ConstantInt::getTrue(vector->getWithNewType(b_.getInt1Ty()));
    return b_.CreateIntrinsic(widens ? Intrinsic::vp_fpext : Intrinsic::vp_fptrunc, {to, value->getType()},
                              {value, all, b_.getInt32(vector->getNumElements())});
}

/// The operand of a comparison. LLVM 19 must not compare vectors of halves: where it folds the load of an operand into
/// a masked comparison of AVX512-FP16, it exchanges the operands and keeps the predicate.
Value *Arith::widen_to_compare(Value *value, Type type) {
    return type.is_float() && type.bits() == 16 && !type.is_bfloat()
               ? half_to_float(value, /*allows_half_arithmetic=*/false)
               : widen_float(value, type);
}

Value *Arith::half_to_float(Value *half, bool allows_half_arithmetic) {
    const int lanes = lanes_of(half);
    const Type u32 = UInt(32, lanes);
    llvm::Type *single = value_type(b_.getContext(), Float(32, lanes));
    if (has_f16c_) {
        llvm::Type *type = half->getType()->getWithNewType(b_.getHalfTy());
        return convert_half(/*widens=*/true, b_.CreateBitCast(half, type), single, allows_half_arithmetic);
    }
    Value *bits = b_.CreateZExt(half, value_type(b_.getContext(), u32));
    Value *sign = b_.CreateShl(b_.CreateAnd(bits, constant(u32, 0x8000)), 16);
    Value *magnitude = b_.CreateShl(b_.CreateAnd(bits, constant(u32, 0x7FFF)), 13);
    // The exponent is too small by 112; the multiplication corrects it and normalizes subnormals.
    Value *scale = llvm::ConstantFP::get(single, 0x1p112);
    Value *finite = b_.CreateBitCast(b_.CreateFMul(b_.CreateBitCast(magnitude, single), scale), magnitude->getType());
    Value *special = b_.CreateOr(magnitude, constant(u32, 0x7F800000));
    Value *is_special = b_.CreateICmpUGE(magnitude, constant(u32, 0x7C00 << 13));
    return b_.CreateBitCast(b_.CreateOr(sign, b_.CreateSelect(is_special, special, finite)), single);
}

Value *Arith::float_to_half(Value *value) {
    const int lanes = lanes_of(value);
    const Type u32 = UInt(32, lanes);
    llvm::Type *u16 = value_type(b_.getContext(), UInt(16, lanes));
    if (has_f16c_) {
        llvm::Type *type = value->getType()->getWithNewType(b_.getHalfTy());
        return b_.CreateBitCast(convert_half(/*widens=*/false, value, type), u16);
    }
    Value *bits = b_.CreateBitCast(value, value_type(b_.getContext(), u32));
    Value *magnitude = b_.CreateAnd(bits, constant(u32, 0x7FFFFFFF));
    Value *sign = b_.CreateAnd(b_.CreateLShr(bits, 16), constant(u32, 0x8000));
    Value *odd = b_.CreateAnd(b_.CreateLShr(magnitude, 13), constant(u32, 1));
    Value *rounded = b_.CreateAdd(b_.CreateAdd(magnitude, constant(u32, 0xFFF - 0x38000000LL)), odd);
    Value *normal = b_.CreateLShr(rounded, 13);
    // Below 2^-14, adding 0.5 makes the unit in the last place that of a subnormal half, 2^-24.
    Value *half = llvm::ConstantFP::get(value->getType(), 0.5);
    Value *sum = b_.CreateFAdd(b_.CreateBitCast(magnitude, value->getType()), half);
    Value *subnormal = b_.CreateSub(b_.CreateBitCast(sum, bits->getType()), constant(u32, 0x3F000000));
    Value *result = b_.CreateSelect(b_.CreateICmpULT(magnitude, constant(u32, 0x38800000)), subnormal, normal);
    Value *too_large = b_.CreateICmpUGE(magnitude, constant(u32, 0x477FF000));
    result = b_.CreateSelect(too_large, constant(u32, 0x7C00), result);
    Value *payload = b_.CreateAnd(b_.CreateLShr(magnitude, 13), constant(u32, 0x3FF));
    Value *is_nan = b_.CreateICmpUGT(magnitude, constant(u32, 0x7F800000));
    result = b_.CreateSelect(is_nan, b_.CreateOr(payload, constant(u32, 0x7E00)), result);
    return b_.CreateTrunc(b_.CreateOr(result, sign), u16);
}

Value *Arith::float_to_bfloat(Value *value) {
    const int lanes = lanes_of(value);
    const Type u32 = UInt(32, lanes);
    Value *bits = b_.CreateBitCast(value, value_type(b_.getContext(), u32));
    Value *high = b_.CreateLShr(bits, 16);
    Value *odd = b_.CreateAnd(high, constant(u32, 1));
    Value *rounded = b_.CreateLShr(b_.CreateAdd(b_.CreateAdd(bits, constant(u32, 0x7FFF)), odd), 16);
    Value *is_nan = b_.CreateFCmpUNO(value, value);
    Value *result = b_.CreateSelect(is_nan, b_.CreateOr(high, constant(u32, 0x40)), rounded);
    return b_.CreateTrunc(result, value_type(b_.getContext(), UInt(16, lanes)));
}

/// Rounds a double that is no float to the neighbouring float whose last bit is 1.
Value *Arith::double_to_odd_float(Value *value) {
    const int lanes = lanes_of(value);
    const Type u32 = UInt(32, lanes);
    Value *nearest = b_.CreateFPTrunc(value, value_type(b_.getContext(), Float(32, lanes)));
    Value *back = b_.CreateFPExt(nearest, value->getType());
    Value *inexact = b_.CreateFCmpONE(back, value);
    Value *too_large = b_.CreateFCmpOGT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, back),
                                        b_.CreateUnaryIntrinsic(Intrinsic::fabs, value));
    Value *bits = b_.CreateBitCast(nearest, value_type(b_.getContext(), u32));
    bits = b_.CreateSelect(too_large, b_.CreateSub(bits, constant(u32, 1)), bits);
    bits = b_.CreateSelect(inexact, b_.CreateOr(bits, constant(u32, 1)), bits);
    return b_.CreateBitCast(bits, nearest->getType());
}

Value *Arith::int_to_short_float(Value *value, Type from, Type to) {
    // A half overflows long before a float32 has to round an integer; a bfloat needs care above 2^24.
    const Type single = Float(32, from.lanes()), wide = Float(64, from.lanes());
    if (!to.is_bfloat() || from.bits() <= 16) {
        return narrow_float(cast(value, from, single), to);
    }
    if (from.bits() == 32) {
        return narrow_float(double_to_odd_float(cast(value, from, wide)), to);
    }
    const Type u64 = UInt(64, from.lanes());
    Value *zero = constant(u64, 0);
    Value *magnitude = from.is_int() ? b_.CreateBinaryIntrinsic(Intrinsic::abs, value, b_.getFalse()) : value;
    Value *low = b_.CreateAnd(magnitude, constant(u64, 0xFFF));
    Value *sticky = b_.CreateSelect(b_.CreateICmpNE(low, zero), constant(u64, 0x800), zero);
    Value *cut = b_.CreateOr(b_.CreateAnd(magnitude, constant(u64, ~0xFFFLL)), sticky);
    Value *is_large = b_.CreateICmpNE(b_.CreateLShr(magnitude, 53), zero);
    Value *result = cast(b_.CreateSelect(is_large, cut, magnitude), u64, wide);
    if (from.is_int()) {
        result = b_.CreateSelect(b_.CreateICmpSLT(value, zero), b_.CreateFNeg(result), result);
    }
    return narrow_float(double_to_odd_float(result), to);
}

} // namespace fluorite::backends
