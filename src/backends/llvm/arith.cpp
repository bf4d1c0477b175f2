// The arithmetic of the language in LLVM instructions.
//
// There is one function for each group of nodes of ir/expr_kinds.def; each handles all types, scalars and vectors. The
// emitted code gives the defined result for all operands: it has no poison, no trap and no fast-math flag.
//
// Where LLVM has no instruction of that meaning:
//   Euclidean division     divides t = a ^ (a >> n-1), which is a or -a-1, by |b| as unsigned; the quotient under the
//                          same exclusive or is floor(a / |b|). This is one unsigned division, min / -1 does not
//                          overflow, and r = a - q |b| is in [0, |b|). If |b| is a constant, LLVM replaces the division
//                          by a multiplication; if it is a power of two, this file emits a shift or a mask. Vectors of
//                          up to 32 bits whose divisor is not constant divide as floats, whose truncated quotient is
//                          exact: a float has 24 significant bits for 16-bit operands, a double 53 for 32-bit ones.
//   16-bit floats          are widened exactly to float32 and rounded back once after each operation. Halves use the
//                          conversions of F16C if the target has it, else integer arithmetic that vectorizes. Doubles
//                          and wide integers are first rounded to odd as float32, which avoids double rounding.
//   float to int           clamps as floats, or converts by the processor's rule and repairs NaNs and large values.
//
// Relies on LLVM for the strength reduction of division by constants, and for matching clamp + truncate to packs.
// Loads and control flow are the Emitter's.

#include "backends/llvm/arith.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include "support/check.h"

#include <numeric>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ReduceOp;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

llvm::Type *value_type(llvm::LLVMContext &context, Type type) {
    llvm::Type *element = nullptr;
    if (type.is_handle()) {
        element = llvm::PointerType::get(context, 0);
    } else if (type.is_float() && type.bits() == 32) {
        element = llvm::Type::getFloatTy(context);
    } else if (type.is_float() && type.bits() == 64) {
        element = llvm::Type::getDoubleTy(context);
    } else {
        element = llvm::IntegerType::get(context, static_cast<unsigned>(type.bits()));
    }
    return type.is_scalar() ? element : llvm::FixedVectorType::get(element, static_cast<unsigned>(type.lanes()));
}

llvm::Type *memory_type(llvm::LLVMContext &context, Type type) {
    return value_type(context, type.is_bool() ? UInt(8, type.lanes()) : type);
}

Type Arith::with_lanes_of(Type type, Value *value) {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return type.with_lanes(vector ? static_cast<int>(vector->getNumElements()) : 1);
}

Value *Arith::constant(Type type, int64_t value) {
    llvm::Type *t = value_type(b_.getContext(), type);
    if (t->isFPOrFPVectorTy()) {
        return llvm::ConstantFP::get(t, static_cast<double>(value));
    }
    return llvm::ConstantInt::get(t, static_cast<uint64_t>(value), /*IsSigned=*/true);
}

Value *Arith::broadcast(Value *scalar, int lanes) {
    return lanes == 1 ? scalar : b_.CreateVectorSplat(static_cast<unsigned>(lanes), scalar);
}

Value *Arith::slice(Value *vector, int begin, int count, int step) {
    if (count == 1) {
        return vector->getType()->isVectorTy() ? b_.CreateExtractElement(vector, static_cast<uint64_t>(begin)) : vector;
    }
    // A slice of a concatenation is a slice or a concatenation of its operands.
    auto *whole = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
    if (step == 1 && whole && whole->isConcat()) {
        const int half = with_lanes_of(Type(), whole->getOperand(0)).lanes();
        if (begin / half == (begin + count - 1) / half) {
            return slice(whole->getOperand(begin / half), begin % half, count);
        }
        if (begin % half == 0 && count == 2 * half) {
            return vector;
        }
        return concat(
            {slice(whole->getOperand(0), begin, half - begin), slice(whole->getOperand(1), 0, begin + count - half)});
    }
    if (step == 1 && begin == 0 && count == with_lanes_of(Type(), vector).lanes()) {
        return vector;
    }
    std::vector<int> lanes(static_cast<size_t>(count));
    for (int i = 0; i < count; i++) {
        lanes[static_cast<size_t>(i)] = begin + i * step;
    }
    return b_.CreateShuffleVector(vector, lanes);
}

Value *Arith::concat(llvm::ArrayRef<Value *> vectors) {
    // Vectors of equal width are concatenated as a balanced tree of shuffles; anything else lane by lane.
    const auto lanes_of = [](Value *v) { return with_lanes_of(Type(), v).lanes(); };
    if (vectors.size() == 1) {
        return vectors[0];
    }
    const int lanes = lanes_of(vectors[0]);
    const bool uniform = llvm::all_of(vectors, [&](Value *v) { return lanes_of(v) == lanes; });
    if (uniform && lanes > 1 && vectors.size() % 2 == 0) {
        std::vector<int> all(static_cast<size_t>(2 * lanes));
        std::iota(all.begin(), all.end(), 0);
        std::vector<Value *> pairs;
        for (size_t i = 0; i < vectors.size(); i += 2) {
            pairs.push_back(b_.CreateShuffleVector(vectors[i], vectors[i + 1], all));
        }
        return concat(pairs);
    }
    int total = 0;
    for (Value *v : vectors) {
        total += lanes_of(v);
    }
    Value *result = llvm::PoisonValue::get(
        llvm::FixedVectorType::get(vectors[0]->getType()->getScalarType(), static_cast<unsigned>(total)));
    uint64_t at = 0;
    for (Value *v : vectors) {
        const int count = lanes_of(v);
        if (count > 1) { // widen, then blend: LLVM recognizes the insertion of a subvector
            std::vector<int> widen(static_cast<size_t>(total), -1), blend(static_cast<size_t>(total));
            std::iota(blend.begin(), blend.end(), 0);
            for (int i = 0; i < count; i++) {
                widen[at + static_cast<size_t>(i)] = i;
                blend[at + static_cast<size_t>(i)] = total + static_cast<int>(at) + i;
            }
            result = b_.CreateShuffleVector(result, b_.CreateShuffleVector(v, widen), blend);
        } else {
            result = b_.CreateInsertElement(result, v, at);
        }
        at += static_cast<uint64_t>(count);
    }
    return result;
}

// ---- Dispatch.

Value *Arith::binary(ExprKind kind, Type type, Value *a, Value *b, Type amount_type) {
    if (kind == ExprKind::ShiftLeft || kind == ExprKind::ShiftRight) {
        return shift(kind == ExprKind::ShiftLeft, type, a, b, amount_type);
    }
    if (kind >= ExprKind::EQ && kind <= ExprKind::GE) {
        return compare(kind, type, a, b);
    }
    if (type.is_float()) {
        return float_binary(kind, type, a, b);
    }
    const bool is_signed = type.is_int();
    switch (kind) {
    case ExprKind::Add:
        if (Value *sum = sum_with_neighbours(a, b)) {
            return sum;
        }
        if (Value *sum = add_to_dot_products(a, b)) {
            return sum;
        }
        return b_.CreateAdd(a, b);
    case ExprKind::Sub:
        return b_.CreateSub(a, b);
    case ExprKind::Mul:
        return b_.CreateMul(a, b);
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
        return divide(kind, type, a, b);
    case ExprKind::Min:
        return b_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, a, b);
    case ExprKind::Max:
        return b_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smax : Intrinsic::umax, a, b);
    case ExprKind::AbsDiff:
        if (Value *difference = narrow_difference(is_signed, a, b)) {
            return difference;
        }
        if (is_signed) {
            return b_.CreateSub(b_.CreateBinaryIntrinsic(Intrinsic::smax, a, b),
                                b_.CreateBinaryIntrinsic(Intrinsic::smin, a, b));
        }
        return b_.CreateSub(b_.CreateBinaryIntrinsic(Intrinsic::umax, a, b),
                            b_.CreateBinaryIntrinsic(Intrinsic::umin, a, b));
    case ExprKind::And:
    case ExprKind::BitAnd:
        return b_.CreateAnd(a, b);
    case ExprKind::Or:
    case ExprKind::BitOr:
        return b_.CreateOr(a, b);
    case ExprKind::BitXor:
        return b_.CreateXor(a, b);
    default:
        unreachable("not a binary node");
    }
}

Value *Arith::unary(ExprKind kind, Type type, Value *a) {
    using namespace llvm::PatternMatch;
    switch (kind) {
    case ExprKind::Not:
    case ExprKind::BitNot:
        return b_.CreateNot(a);
    case ExprKind::CountOnes:
        return b_.CreateUnaryIntrinsic(Intrinsic::ctpop, a);
    case ExprKind::CountLeadingZeros:
        return b_.CreateBinaryIntrinsic(Intrinsic::ctlz, a, b_.getFalse());
    case ExprKind::CountTrailingZeros:
        return b_.CreateBinaryIntrinsic(Intrinsic::cttz, a, b_.getFalse());
    case ExprKind::Abs:
        if (is_short_float(type)) {
            return b_.CreateAnd(a, constant(UInt(16, type.lanes()), 0x7FFF));
        }
        if (type.is_float()) {
            return b_.CreateUnaryIntrinsic(Intrinsic::fabs, a);
        }
        if (Value *from = nullptr, *less = nullptr; match(a, m_Sub(m_Value(from), m_Value(less)))) {
            if (Value *difference = type.is_int() ? narrow_difference(true, from, less) : nullptr) {
                return difference;
            }
        }
        return type.is_uint() ? a : b_.CreateBinaryIntrinsic(Intrinsic::abs, a, b_.getFalse());
    default:
        unreachable("not a unary node");
    }
}

Value *Arith::fma(Type type, Value *a, Value *b, Value *c) {
    Value *wide[] = {widen_float(a, type), widen_float(b, type), widen_float(c, type)};
    Value *result = b_.CreateIntrinsic(Intrinsic::fma, {wide[0]->getType()}, wide);
    return narrow_float(result, type);
}

Value *Arith::float_binary(ExprKind kind, Type type, Value *a, Value *b) {
    if (is_short_float(type)) {
        const Type wide = compute_type(type);
        Value *result = float_binary(kind, wide, widen_float(a, type), widen_float(b, type));
        return narrow_float(result, type);
    }
    switch (kind) {
    case ExprKind::Add:
        return b_.CreateFAdd(a, b);
    case ExprKind::Sub:
        return b_.CreateFSub(a, b);
    case ExprKind::Mul:
        return b_.CreateFMul(a, b);
    case ExprKind::Div:
        return b_.CreateFDiv(a, b);
    case ExprKind::Mod: {
        Value *floor = b_.CreateUnaryIntrinsic(Intrinsic::floor, b_.CreateFDiv(a, b));
        return b_.CreateFSub(a, b_.CreateFMul(b, floor));
    }
    case ExprKind::Min:
        return b_.CreateSelect(b_.CreateFCmpOLT(a, b), a, b);
    case ExprKind::Max:
        return b_.CreateSelect(b_.CreateFCmpOGT(a, b), a, b);
    case ExprKind::AbsDiff:
        return b_.CreateUnaryIntrinsic(Intrinsic::fabs, b_.CreateFSub(a, b));
    default:
        unreachable("not a binary node of floats");
    }
}

Value *Arith::compare(ExprKind kind, Type type, Value *a, Value *b) {
    using P = llvm::CmpInst::Predicate;
    const size_t index = static_cast<size_t>(kind) - static_cast<size_t>(ExprKind::EQ);
    if (type.is_float()) {
        constexpr P predicates[] = {P::FCMP_OEQ, P::FCMP_UNE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT, P::FCMP_OGE};
        return b_.CreateFCmp(predicates[index], widen_float(a, type), widen_float(b, type));
    }
    constexpr P of_signed[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT, P::ICMP_SGE};
    constexpr P of_unsigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
    return b_.CreateICmp(type.is_int() ? of_signed[index] : of_unsigned[index], a, b);
}

// ---- Division.

Value *Arith::divide(ExprKind kind, Type type, Value *a, Value *b) {
    const bool wants_quotient = kind == ExprKind::Div || kind == ExprKind::Quotient;
    if (type.is_bool()) {
        return wants_quotient ? b_.CreateAnd(a, b) : constant(type, 0);
    }
    const llvm::APInt *divisor = nullptr;
    if (llvm::PatternMatch::match(b, llvm::PatternMatch::m_APInt(divisor))) {
        return divisor->isZero() ? constant(type, 0) : divide_by_constant(kind, type, a, *divisor);
    }
    if (type.is_int()) {
        return divide_signed(kind, type, a, b);
    }
    Value *is_zero = b_.CreateICmpEQ(b, constant(type, 0));
    Value *safe = b_.CreateSelect(is_zero, constant(type, 1), b);
    Value *quotient = unsigned_quotient(type, a, safe);
    Value *result = wants_quotient ? quotient : b_.CreateSub(a, b_.CreateMul(quotient, safe));
    return b_.CreateSelect(is_zero, constant(type, 0), result);
}

Value *Arith::divide_by_constant(ExprKind kind, Type type, Value *a, const llvm::APInt &divisor) {
    const bool wants_quotient = kind == ExprKind::Div || kind == ExprKind::Quotient;
    llvm::Type *t = a->getType();
    Value *d = llvm::ConstantInt::get(t, divisor);
    if (type.is_uint()) {
        return wants_quotient ? b_.CreateUDiv(a, d) : b_.CreateURem(a, d);
    }
    // the least value is its own magnitude, which is correct as an unsigned number
    const llvm::APInt magnitude = divisor.abs();
    if (kind == ExprKind::Quotient || kind == ExprKind::Remainder) {
        if (divisor.isAllOnes()) { // min / -1 wraps
            return wants_quotient ? b_.CreateNeg(a) : constant(type, 0);
        }
        return wants_quotient ? b_.CreateSDiv(a, d) : b_.CreateSRem(a, d);
    }
    if (kind == ExprKind::Mod && magnitude.isPowerOf2()) {
        return b_.CreateAnd(a, llvm::ConstantInt::get(t, magnitude - 1));
    }
    Value *quotient = nullptr; // floor(a / |d|)
    if (magnitude.isPowerOf2()) {
        quotient = b_.CreateAShr(a, static_cast<uint64_t>(magnitude.logBase2()));
    } else {
        Value *sign = b_.CreateAShr(a, static_cast<uint64_t>(type.bits() - 1));
        Value *m = llvm::ConstantInt::get(t, magnitude);
        quotient = b_.CreateXor(b_.CreateUDiv(b_.CreateXor(a, sign), m), sign);
    }
    if (kind == ExprKind::Mod) {
        return b_.CreateSub(a, b_.CreateMul(quotient, llvm::ConstantInt::get(t, magnitude)));
    }
    return divisor.isNegative() ? b_.CreateNeg(quotient) : quotient;
}

Value *Arith::divide_signed(ExprKind kind, Type type, Value *a, Value *b) {
    const Type unsigned_type = type.with_code(TypeCode::UInt);
    const uint64_t top = static_cast<uint64_t>(type.bits() - 1);
    Value *zero = constant(type, 0);
    Value *is_zero = b_.CreateICmpEQ(b, zero);
    Value *magnitude = b_.CreateBinaryIntrinsic(Intrinsic::abs, b, b_.getFalse());
    magnitude = b_.CreateSelect(is_zero, constant(type, 1), magnitude);
    Value *result = nullptr;
    if (kind == ExprKind::Div || kind == ExprKind::Mod) {
        Value *sign = b_.CreateAShr(a, top);
        Value *q = unsigned_quotient(unsigned_type, b_.CreateXor(a, sign), magnitude);
        q = b_.CreateXor(q, sign);
        Value *b_sign = b_.CreateAShr(b, top);
        result = kind == ExprKind::Div ? b_.CreateSub(b_.CreateXor(q, b_sign), b_sign)
                                       : b_.CreateSub(a, b_.CreateMul(q, magnitude));
    } else {
        Value *absolute = b_.CreateBinaryIntrinsic(Intrinsic::abs, a, b_.getFalse());
        Value *q = unsigned_quotient(unsigned_type, absolute, magnitude);
        Value *sign = b_.CreateAShr(b_.CreateXor(a, b), top);
        q = b_.CreateSub(b_.CreateXor(q, sign), sign);
        result = kind == ExprKind::Quotient ? q : b_.CreateSub(a, b_.CreateMul(q, b));
    }
    return b_.CreateSelect(is_zero, zero, result);
}

/// a / b of unsigned operands; b is not 0.
Value *Arith::unsigned_quotient(Type type, Value *a, Value *b) {
    if (type.is_scalar() || type.bits() > 32) {
        return b_.CreateUDiv(a, b);
    }
    llvm::Type *integer = a->getType();
    if (type.bits() == 32) {
        llvm::Type *wide = value_type(b_.getContext(), Float(64, type.lanes()));
        return b_.CreateFPToUI(b_.CreateFDiv(b_.CreateUIToFP(a, wide), b_.CreateUIToFP(b, wide)), integer);
    }
    llvm::Type *wide = value_type(b_.getContext(), Float(32, type.lanes()));
    Value *q = b_.CreateFDiv(b_.CreateUIToFP(a, wide), b_.CreateUIToFP(b, wide));
    return b_.CreateTrunc(b_.CreateFPToSI(q, value_type(b_.getContext(), Int(32, type.lanes()))), integer);
}

// ---- Shifts.

Value *Arith::shift_by_unsigned(bool left, Type type, Value *a, Value *amount) {
    const Type unsigned_type = type.with_code(TypeCode::UInt);
    const llvm::APInt *known = nullptr;
    if (llvm::PatternMatch::match(amount, llvm::PatternMatch::m_APInt(known)) &&
        known->ult(static_cast<uint64_t>(type.bits()))) {
        return left ? b_.CreateShl(a, amount) : type.is_int() ? b_.CreateAShr(a, amount) : b_.CreateLShr(a, amount);
    }
    Value *last = constant(unsigned_type, type.bits() - 1);
    Value *clamped = b_.CreateBinaryIntrinsic(Intrinsic::umin, amount, last);
    if (!left && type.is_int()) {
        return b_.CreateAShr(a, clamped);
    }
    Value *shifted = left ? b_.CreateShl(a, clamped) : b_.CreateLShr(a, clamped);
    return b_.CreateSelect(b_.CreateICmpUGT(amount, last), constant(type, 0), shifted);
}

Value *Arith::shift(bool left, Type type, Value *a, Value *amount, Type amount_type) {
    if (type.is_bool()) { // a width of one bit: only a shift by 0 keeps the value
        return b_.CreateAnd(a, b_.CreateNot(amount));
    }
    const llvm::APInt *constant_amount = nullptr;
    if (llvm::PatternMatch::match(amount, llvm::PatternMatch::m_APInt(constant_amount))) {
        const bool backwards = amount_type.is_int() && constant_amount->isNegative();
        const llvm::APInt distance = backwards ? constant_amount->abs() : *constant_amount;
        return shift_by_unsigned(left != backwards, type, a, llvm::ConstantInt::get(amount->getType(), distance));
    }
    if (amount_type.is_uint()) {
        return shift_by_unsigned(left, type, a, amount);
    }
    Value *forward = shift_by_unsigned(left, type, a, amount);
    Value *backward = shift_by_unsigned(!left, type, a, b_.CreateNeg(amount));
    return b_.CreateSelect(b_.CreateICmpSLT(amount, constant(amount_type, 0)), backward, forward);
}

// ---- 16-bit floats.

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

Value *Arith::half_to_float(Value *half) {
    const int lanes = with_lanes_of(UInt(16), half).lanes();
    const Type u32 = UInt(32, lanes);
    llvm::Type *single = value_type(b_.getContext(), Float(32, lanes));
    if (has_f16c_) {
        llvm::Type *type = half->getType()->getWithNewType(b_.getHalfTy());
        return b_.CreateFPExt(b_.CreateBitCast(half, type), single);
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
    const int lanes = with_lanes_of(Float(32), value).lanes();
    const Type u32 = UInt(32, lanes);
    llvm::Type *u16 = value_type(b_.getContext(), UInt(16, lanes));
    if (has_f16c_) {
        llvm::Type *type = value->getType()->getWithNewType(b_.getHalfTy());
        return b_.CreateBitCast(b_.CreateFPTrunc(value, type), u16);
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
    const int lanes = with_lanes_of(Float(32), value).lanes();
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
    const int lanes = with_lanes_of(Float(64), value).lanes();
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

// ---- Conversions.

Value *Arith::cast(Value *value, Type from, Type to) {
    llvm::Type *t = value_type(b_.getContext(), to);
    if (from.with_lanes(1) == to.with_lanes(1)) {
        return value;
    }
    if (to.is_handle() || from.is_handle()) {
        return to.is_handle() ? b_.CreateIntToPtr(value, t)
                              : cast(b_.CreatePtrToInt(value, value_type(b_.getContext(), UInt(64, to.lanes()))),
                                     UInt(64, to.lanes()), to);
    }
    if (from.is_float()) {
        if (is_short_float(from)) {
            return cast(widen_float(value, from), compute_type(from), to);
        }
        if (to.is_bool()) {
            return b_.CreateFCmpUNE(value, constant(from, 0));
        }
        if (is_short_float(to)) {
            return narrow_float(from.bits() == 64 ? double_to_odd_float(value) : value, to);
        }
        if (to.is_float()) {
            return b_.CreateFPCast(value, t);
        }
        return float_to_int(value, from, to);
    }
    if (is_short_float(to)) {
        return int_to_short_float(value, from, to);
    }
    if (to.is_float()) {
        if (Value *whole = extended_in_place(value, from, Int(32, to.lanes()))) {
            return b_.CreateSIToFP(whole, t);
        }
        return from.is_int() ? b_.CreateSIToFP(value, t) : b_.CreateUIToFP(value, t);
    }
    if (to.is_bool()) {
        return b_.CreateICmpNE(value, constant(from, 0));
    }
    if (Value *result = extended_in_place(value, from, to)) {
        return result;
    }
    if (Value *result = to.bits() < from.bits() ? narrowed(value, to.bits()) : nullptr) {
        return result;
    }
    return b_.CreateIntCast(value, t, from.is_int());
}

Value *Arith::saturating_cast(Value *value, Type from, Type to) {
    if (!from.is_int_or_uint() || !to.is_int_or_uint()) {
        if (from.is_float() && to.is_bool()) { // as the nearest integer, clamped: NaN is 0
            return b_.CreateFCmpOGE(widen_float(value, from), constant(compute_type(from), 1));
        }
        return cast(value, from, to);
    }
    // Clamps, in the source type, to the intersection of both ranges.
    const auto clamp = [&](Intrinsic::ID op, int64_t limit) {
        value = b_.CreateBinaryIntrinsic(op, value, constant(from, limit));
    };
    const int value_bits = from.bits() - (from.is_int() ? 1 : 0), limit_bits = to.bits() - (to.is_int() ? 1 : 0);
    const int64_t upper = static_cast<int64_t>(~uint64_t{0} >> (64 - limit_bits));
    if (from.is_int() && to.is_uint()) {
        clamp(Intrinsic::smax, 0);
    } else if (from.is_int() && limit_bits < value_bits) {
        clamp(Intrinsic::smax, -upper - 1);
    }
    if (limit_bits < value_bits) {
        clamp(from.is_int() ? Intrinsic::smin : Intrinsic::umin, upper);
    }
    if (Value *result = !to.is_bool() && to.bits() < from.bits() ? narrowed(value, to.bits()) : nullptr) {
        return result;
    }
    return to.is_bool() ? b_.CreateICmpNE(value, constant(from, 0))
                        : b_.CreateIntCast(value, value_type(b_.getContext(), to), from.is_int());
}

Value *Arith::reinterpret(Value *value, Type from, Type to) {
    llvm::Type *t = value_type(b_.getContext(), to);
    if (value->getType() == t) {
        return value;
    }
    if (to.is_handle()) {
        return b_.CreateIntToPtr(value, t);
    }
    if (from.is_handle()) {
        value = b_.CreatePtrToInt(value, value_type(b_.getContext(), UInt(64, from.lanes())));
    }
    if (from.is_bool() && to.bits() == 8) {
        return b_.CreateZExt(value, t);
    }
    if (to.is_bool() && from.bits() == 8) {
        return b_.CreateTrunc(value, t);
    }
    return b_.CreateBitCast(value, t);
}

// ---- Reductions over lanes.

Value *Arith::combine(ReduceOp op, Type type, Value *a, Value *b) {
    switch (op) {
    case ReduceOp::Add:
        return binary(ExprKind::Add, type, a, b, type);
    case ReduceOp::Mul:
        return binary(ExprKind::Mul, type, a, b, type);
    case ReduceOp::Min:
        return binary(ExprKind::Min, type, a, b, type);
    case ReduceOp::Max:
        return binary(ExprKind::Max, type, a, b, type);
    case ReduceOp::And:
        return b_.CreateAnd(a, b);
    case ReduceOp::Or:
        return b_.CreateOr(a, b);
    case ReduceOp::BitAnd:
        return b_.CreateAnd(a, b);
    case ReduceOp::BitOr:
        return b_.CreateOr(a, b);
    case ReduceOp::BitXor:
        return b_.CreateXor(a, b);
    case ReduceOp::SaturatingAdd:
        return type.is_float()
                   ? binary(ExprKind::Add, type, a, b, type)
                   : b_.CreateBinaryIntrinsic(type.is_int() ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, a, b);
    }
    unreachable("not a reduction");
}

/// Sums of adjacent products of 8- or 16-bit integers, in groups of four or two; null if the value is something else.
Value *Arith::add_products(Value *value, int group) {
    using namespace llvm::PatternMatch;
    Value *a = nullptr, *b = nullptr;
    if (!match(value, m_Mul(m_Value(a), m_Value(b)))) {
        return nullptr;
    }
    bool unsigned_a = false, unsigned_b = false;
    a = before_extension(a, unsigned_a);
    b = a ? before_extension(b, unsigned_b) : nullptr;
    if (!b) {
        return nullptr;
    }
    const unsigned bits_a = a->getType()->getScalarSizeInBits(), bits_b = b->getType()->getScalarSizeInBits();
    const auto fits = [](unsigned bits, bool is_unsigned) { return bits == 8 || (bits == 16 && !is_unsigned); };
    const int lanes = with_lanes_of(Int(32), value).lanes();
    if (!fits(bits_a, unsigned_a) || !fits(bits_b, unsigned_b)) {
        return nullptr;
    }
    if (has_vnni_ && bits_a == 8 && bits_b == 8 && unsigned_a != unsigned_b && group % 4 == 0 && lanes % 64 == 0) {
        return by_pieces(unsigned_a ? a : b, unsigned_a ? b : a, 64, [&](Value *x, Value *y) {
            llvm::Type *words = value_type(b_.getContext(), Int(32, 16));
            return b_.CreateIntrinsic(
                Intrinsic::x86_avx512_vpdpbusd_512, {},
                {llvm::Constant::getNullValue(words), b_.CreateBitCast(x, words), b_.CreateBitCast(y, words)});
        });
    }
    const int width = std::min(lanes, vector_bits_ / 16);
    const bool has_width = width == 8 || (width == 16 && vector_bits_ >= 256) || (width == 32 && vector_bits_ >= 512);
    if (!has_width || lanes % width != 0) {
        return nullptr;
    }
    llvm::Type *shorts = value_type(b_.getContext(), Int(16, lanes));
    a = b_.CreateIntCast(a, shorts, !unsigned_a);
    b = b_.CreateIntCast(b, shorts, !unsigned_b);
    const Intrinsic::ID pairs = width == 8    ? Intrinsic::x86_sse2_pmadd_wd
                                : width == 16 ? Intrinsic::x86_avx2_pmadd_wd
                                              : Intrinsic::x86_avx512_pmaddw_d_512;
    return by_pieces(a, b, width, [&](Value *x, Value *y) { return b_.CreateIntrinsic(pairs, {}, {x, y}); });
}

/// The narrower vector that was extended to this one, or, if the extension was shuffled, the same shuffle of that
/// narrower vector; else null.
Value *Arith::before_extension(Value *value, bool &is_unsigned) {
    using namespace llvm::PatternMatch;
    Value *a = nullptr, *b = nullptr;
    if (match(value, m_ZExtOrSExt(m_Value(a)))) {
        is_unsigned = llvm::isa<llvm::ZExtInst>(value);
        return a;
    }
    llvm::ArrayRef<int> lanes;
    Value *first = nullptr, *second = nullptr;
    if (!match(value, m_Shuffle(m_Value(a), m_Value(b), m_Mask(lanes))) ||
        !(first = before_extension(a, is_unsigned))) {
        return nullptr;
    }
    bool unsigned_second = is_unsigned;
    if (a == b || match(b, m_Undef())) {
        second = a == b ? first : llvm::PoisonValue::get(first->getType());
    } else {
        second = before_extension(b, unsigned_second);
    }
    const bool is_alike = second && second->getType() == first->getType() && unsigned_second == is_unsigned;
    return is_alike ? b_.CreateShuffleVector(first, second, lanes) : nullptr;
}

/// Applies an operation to slices of `width` lanes and concatenates the results.
Value *Arith::by_pieces(Value *a, Value *b, int width, const std::function<Value *(Value *, Value *)> &operation) {
    const int lanes = with_lanes_of(Int(32), a).lanes();
    check(lanes % width == 0, "vectors are cut evenly");
    std::vector<Value *> parts;
    for (int i = 0; i < lanes; i += width) {
        parts.push_back(lanes == width ? operation(a, b) : operation(slice(a, i, width), slice(b, i, width)));
    }
    return concat(parts);
}

Value *Arith::reduce(ReduceOp op, Type type, Value *value, int lanes) {
    int group = type.lanes() / lanes;
    check(group * lanes == type.lanes(), "a vector reduction has groups of equal size");
    if (op == ReduceOp::Add && type.bits() == 32 && group % 2 == 0) {
        if (Value *sums = add_products(value, group)) {
            group = with_lanes_of(type, sums).lanes() / lanes;
            value = sums;
        }
    }
    if (op == ReduceOp::Add && type.is_int_or_uint() && type.bits() >= 16 && group % 8 == 0) {
        if (Value *sums = add_bytes(value)) {
            group /= 8;
            value = sums;
        }
    }
    while (group > 1 && group % 2 == 0) {
        const int half = with_lanes_of(type, value).lanes() / 2;
        value = combine(op, type.with_lanes(half), slice(value, 0, half, 2), slice(value, 1, half, 2));
        group /= 2;
    }
    if (group == 1) {
        return value;
    }
    Value *result = slice(value, 0, lanes, group);
    for (int i = 1; i < group; i++) {
        result = combine(op, type.with_lanes(lanes), result, slice(value, i, lanes, group));
    }
    return result;
}

} // namespace fluorite::backends
