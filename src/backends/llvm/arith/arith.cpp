// Operators and conversions of the language in LLVM instructions.
//
// There is one function for each group of nodes of ir/expr_kinds.def; each handles all types, scalars and vectors. The
// emitted code gives the defined result for all operands: it has no poison, no trap and no fast-math flag. Operators
// that LLVM has no instruction for have files of their own, as do operations on lanes:
//   division.cpp           Euclidean division and remainder
//   short_floats.cpp       16-bit floats, which are computed in float32
//   lanes.cpp              slices, concatenations and reductions of vectors
//   shuffle.cpp, group_lanes.cpp, transpose.cpp      arbitrary shuffles, and two kinds that are cheaper
//   ../idioms/                idioms of x86: fixed-point operations, sums of products, conversions of floats to integers
//
// Relies on LLVM for matching clamp + truncate to packs. Loads and control flow are not here (../emit/).

#include "backends/llvm/arith/arith.h"

#include "backends/llvm/math_kernels.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "support/check.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

namespace fluorite::backends {

using ir::ExprKind;
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

Value *Arith::from_memory(Type type, Value *value) {
    return type.is_bool() ? b_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType())) : value;
}

Value *Arith::to_memory(Type type, Value *value) {
    return type.is_bool() ? b_.CreateZExt(value, memory_type(b_.getContext(), type)) : value;
}

llvm::Constant *constant_of(llvm::LLVMContext &context, Type type, int64_t value) {
    llvm::Type *t = value_type(context, type);
    if (t->isFPOrFPVectorTy()) {
        return llvm::ConstantFP::get(t, static_cast<double>(value));
    }
    return llvm::ConstantInt::get(t, static_cast<uint64_t>(value), /*IsSigned=*/true);
}

// ---- Dispatch.

Value *Arith::binary(ExprKind kind, Type type, Value *a, Value *b, Type amount_type) {
    if (kind == ExprKind::ShiftLeft || kind == ExprKind::ShiftRight) {
        return shift(kind == ExprKind::ShiftLeft, type, a, b, amount_type);
    }
    if (ir::is_comparison(kind)) {
        return compare(kind, type, a, b);
    }
    if (type.is_float()) {
        return float_binary(kind, type, a, b);
    }
    const bool is_signed = type.is_int();
    switch (kind) {
    case ExprKind::Add:
        if (Value *sum = lanes_.sum_with_neighbours(a, b)) {
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
    case FLUORITE_COMPARISONS:
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        break; // above
    case FLUORITE_NOT_BINARY:
        break;
    }
    unreachable("not a binary node");
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
    default: // Expressions::node_value, which names every kind, sends no other here
        unreachable("not a unary node");
    }
}

Value *Arith::fma(Type type, Value *a, Value *b, Value *c) {
    Value *wide[] = {widen_float(a, type), widen_float(b, type), widen_float(c, type)};
    Value *result = b_.CreateIntrinsic(Intrinsic::fma, {wide[0]->getType()}, wide);
    return narrow_float(result, type);
}

/// a < b ? a : b, or a > b ? a : b: of a NaN and a number, and of two zeros, the second one.
///
/// Against a constant this is minnum or maxnum, which x86's instruction computes with the constant as its second
/// operand. A select would not be safe: InstCombine (LLVM 19, foldSPFofSPF) takes max(max(c, x), c) for max(c, x),
/// which is NaN instead of c where x is NaN. minnum and maxnum of constants order the zeros, so -0.0 is selected
/// after a comparison with 0.0, in which InstCombine sees no maximum. The minimum
/// of devices (device/nvptx_machine.cpp) and of ARM orders the zeros of variables, too, so there 0.0 is not such a
/// constant (zero_signs.h).
Value *Arith::float_extremum(bool is_min, Value *a, Value *b) {
    using namespace llvm::PatternMatch;
    const bool is_negative_zero = match(b, m_NegZeroFP());
    const bool is_ordered = is_negative_zero || (!is_x86_ && match(b, m_AnyZeroFP()));
    const llvm::APFloat *limit = nullptr;
    if (match(b, m_APFloat(limit)) && !limit->isNaN() && !is_ordered && !llvm::isa<llvm::Constant>(a)) {
        return b_.CreateBinaryIntrinsic(is_min ? Intrinsic::minnum : Intrinsic::maxnum, a, b);
    }
    Value *compared = is_negative_zero ? llvm::ConstantFP::getZero(b->getType()) : b;
    return b_.CreateSelect(is_min ? b_.CreateFCmpOLT(a, compared) : b_.CreateFCmpOGT(a, compared), a, b);
}

/// A select that LLVM takes for a minimum or maximum, and that gives the constant where the other operand is NaN, is
/// emitted as one, also if it converts the result: see float_extremum. LLVM merges no other selects wrongly.
Value *Arith::select(Value *condition, Value *yes, Value *no) {
    using namespace llvm::PatternMatch;
    for (Value *negated = nullptr; match(condition, m_Not(m_Value(negated))); condition = negated) {
        std::swap(yes, no);
    }
    Value *selected = b_.CreateSelect(condition, yes, no);
    Value *a = nullptr, *b = nullptr;
    llvm::Instruction::CastOps cast{};
    const llvm::SelectPatternResult found = llvm::matchSelectPattern(selected, a, b, &cast);
    if ((found.Flavor != llvm::SPF_FMINNUM && found.Flavor != llvm::SPF_FMAXNUM) ||
        found.NaNBehavior != llvm::SPNB_RETURNS_OTHER) {
        return selected;
    }
    if (llvm::isa<llvm::Constant>(a)) {
        std::swap(a, b);
    }
    Value *extremum = float_extremum(found.Flavor == llvm::SPF_FMINNUM, a, b);
    return extremum->getType() == selected->getType() ? extremum : b_.CreateCast(cast, extremum, selected->getType());
}

Value *Arith::float_binary(ExprKind kind, Type type, Value *a, Value *b) {
    if (is_short_float(type)) {
        const Type wide = compute_type(type);
        const bool compares = kind == ExprKind::Min || kind == ExprKind::Max;
        const auto widen = [&](Value *v) { return compares ? widen_to_compare(v, type) : widen_float(v, type); };
        return narrow_float(float_binary(kind, wide, widen(a), widen(b)), type);
    }
    switch (kind) {
    case ExprKind::Add:
        return b_.CreateFAdd(a, b);
    case ExprKind::Sub:
        return b_.CreateFSub(a, b);
    case ExprKind::Mul:
        return b_.CreateFMul(a, b);
    case ExprKind::Div:
        return divide_floats(type, a, b);
    case ExprKind::Mod: {
        Value *quotient = b_.CreateFDiv(a, b);
        Value *floor = has_rounding_ ? b_.CreateUnaryIntrinsic(Intrinsic::floor, quotient)
                                     : MathKernels(b_, has_fma_).all(ir::MathOp::Floor, quotient);
        return b_.CreateFSub(a, b_.CreateFMul(b, floor));
    }
    case ExprKind::Min:
        return float_extremum(/*is_min=*/true, a, b);
    case ExprKind::Max:
        return float_extremum(/*is_min=*/false, a, b);
    case ExprKind::AbsDiff:
        return b_.CreateUnaryIntrinsic(Intrinsic::fabs, b_.CreateFSub(a, b));
    default: // binary names every kind; the others have integers or Bools as operands
        unreachable("not a binary node of floats");
    }
}

Value *Arith::compare(ExprKind kind, Type type, Value *a, Value *b) {
    using P = llvm::CmpInst::Predicate;
    const size_t index = static_cast<size_t>(kind) - static_cast<size_t>(ExprKind::EQ);
    if (type.is_float()) {
        constexpr P predicates[] = {P::FCMP_OEQ, P::FCMP_UNE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT, P::FCMP_OGE};
        return b_.CreateFCmp(predicates[index], widen_to_compare(a, type), widen_to_compare(b, type));
    }
    constexpr P of_signed[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT, P::ICMP_SGE};
    constexpr P of_unsigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
    return b_.CreateICmp(type.is_int() ? of_signed[index] : of_unsigned[index], a, b);
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
            return cast(to.is_bool() ? widen_to_compare(value, from) : widen_float(value, from), compute_type(from),
                        to);
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
        if (Value *whole = lanes_.extended_in_place(value, from, Int(32, to.lanes()))) {
            return b_.CreateSIToFP(whole, t);
        }
        return from.is_int() ? b_.CreateSIToFP(value, t) : b_.CreateUIToFP(value, t);
    }
    if (to.is_bool()) {
        return b_.CreateICmpNE(value, constant(from, 0));
    }
    if (Value *result = lanes_.extended_in_place(value, from, to)) {
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
            return b_.CreateFCmpOGE(widen_to_compare(value, from), constant(compute_type(from), 1));
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

} // namespace fluorite::backends
