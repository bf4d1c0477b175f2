// Conversion of floats to integers: truncation with saturation; NaN gives 0.
//
// For small types, the value is clamped as a float, which represents the limits exactly, and converted via 32 bits. A
// limit that the program already applies is not applied again.

#include "backends/llvm/arith/arith.h"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// Whether minima and maxima with constants exclude NaN and everything below (`is_least`) or above the limit.
bool is_limited(Value *value, int64_t limit, bool is_least) {
    using namespace llvm::PatternMatch;
    Value *free = nullptr;
    const llvm::APFloat *constant = nullptr;
    const bool is_min = match(value, m_Intrinsic<Intrinsic::minnum>(m_Value(free), m_APFloat(constant)));
    if (!is_min && !match(value, m_Intrinsic<Intrinsic::maxnum>(m_Value(free), m_APFloat(constant)))) {
        return false;
    }
    llvm::APFloat end(constant->getSemantics());
    end.convertFromAPInt(llvm::APInt(64, static_cast<uint64_t>(limit), true), true, llvm::APFloat::rmTowardZero);
    const auto order = constant->compare(end);
    const bool holds = order == llvm::APFloat::cmpEqual ||
                       order == (is_least ? llvm::APFloat::cmpGreaterThan : llvm::APFloat::cmpLessThan);
    return holds && (is_min != is_least || is_limited(free, limit, is_least));
}

} // namespace

/// Truncates and saturates, and maps NaN to 0.
Value *Arith::float_to_int(Value *value, Type from, Type to) {
    llvm::Type *t = value_type(b_.getContext(), to);
    const bool is_small = to.bits() <= 16 || (to == Int(32, to.lanes()) && from.bits() == 64);
    if (is_small) {
        const int magnitude = to.bits() - (to.is_int() ? 1 : 0);
        const int64_t most = (int64_t{1} << magnitude) - 1, least = to.is_int() ? -most - 1 : 0;
        Value *low = constant(from, least), *high = constant(from, most);
        const bool is_low = is_limited(value, least, /*is_least=*/true);
        Value *above = is_low ? value : float_extremum(/*is_min=*/false, value, low); // also for a NaN
        const bool is_high = is_limited(value, most, /*is_least=*/false);
        Value *within = is_high ? above : float_extremum(/*is_min=*/true, above, high);
        const Type middle = Int(32, to.lanes());
        Value *whole = b_.CreateFPToSI(within, value_type(b_.getContext(), middle));
        Value *result = to.is_int() ? b_.CreateIntCast(whole, t, true)
                                    : b_.CreateTrunc(whole, t, "", /*IsNUW=*/true, /*IsNSW=*/false);
        return to.is_int() && !is_low && !is_high
                   ? b_.CreateSelect(b_.CreateFCmpORD(value, value), result, constant(to, 0))
                   : result;
    }
    if (to == Int(32, to.lanes()) && from.bits() == 32 && to.lanes() >= 4 && is_x86_ &&
        llvm::isPowerOf2_32(static_cast<uint32_t>(to.lanes()))) {
        // The instruction gives the least integer for every value out of range, which is correct for values that are
        // too small.
        Value *whole = convert_lanes(value);
        Value *too_large = b_.CreateFCmpOGE(value, llvm::ConstantFP::get(value->getType(), 0x1p31));
        whole = b_.CreateSelect(b_.CreateFCmpORD(value, value), whole, constant(to, 0));
        return b_.CreateSelect(too_large, constant(to, 0x7FFFFFFF), whole);
    }
    return b_.CreateIntrinsic(to.is_int() ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {t, value->getType()},
                              {value});
}

/// Converts float32 to int32 with the semantics of the x86 instruction, in vectors of a width that it supports.
Value *Arith::convert_lanes(Value *value) {
    const int lanes = lanes_of(value);
    const int width = std::min(lanes, vector_bits_ / 32);
    std::vector<Value *> parts;
    for (int i = 0; i < lanes; i += width) {
        Value *part = width == lanes ? value : lanes_.slice(value, i, width);
        if (width == 4) {
            parts.push_back(b_.CreateIntrinsic(Intrinsic::x86_sse2_cvttps2dq, {}, {part}));
        } else if (width == 8) {
            parts.push_back(b_.CreateIntrinsic(Intrinsic::x86_avx_cvtt_ps2dq_256, {}, {part}));
        } else {
            Value *none = llvm::Constant::getNullValue(value_type(b_.getContext(), Int(32, 16)));
            parts.push_back(b_.CreateIntrinsic(Intrinsic::x86_avx512_mask_cvttps2dq_512, {},
                                               {part, none, b_.getInt16(0xFFFF), b_.getInt32(4)}));
        }
    }
    return lanes_.concat(parts);
}

} // namespace fluorite::backends
