// Fixed-point arithmetic in the instructions that processors have for it.
//
// Programs express such arithmetic in wider types, of which a vector holds half as many lanes or fewer. Where the
// result is narrowed in the end, these forms are computed in the narrow type:
//
//   u8(min(u16(a) + u16(b), 255))              -->  a saturating addition
//   u8(max(i16(a) - i16(b), 0))                -->  a saturating subtraction
//   u16(u32(a) * u32(b) >> k), k in 17..31     -->  the high half of the product, shifted by k - 16
//   i16((i32(a) * i32(b) + 2^14) >> 15)        -->  pmulhrsw; if the result is clamped, its one overflow is repaired
//   abs(i16(a) - i16(b)), a and b of 8 bits    -->  the absolute difference of bytes, widened
//   sums over 8 lanes of u16(a), u32(a) or u64(a), a of 8 bits   -->  psadbw; likewise for absolute differences of
//   bytes
//
// The first four may be surrounded by clamps that cannot change the value, and operands may be constants. LLVM's
// instruction selection finds the other forms (rounding averages, signed saturation, packs, high halves, products of
// pairs).
//
// The patterns match instructions that were just emitted; the ones that they replace become dead. Each pattern ensures
// that the values in the wide type do not wrap.

#include "backends/llvm/arith/arith.h"

#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <optional>

namespace fluorite::backends {

namespace Intrinsic = llvm::Intrinsic;
using llvm::Value;
using namespace llvm::PatternMatch;

namespace {

unsigned bits_of(const Value *value) { return value->getType()->getScalarSizeInBits(); }

llvm::Type *with_bits(llvm::Type *type, unsigned bits) {
    return type->getWithNewType(llvm::Type::getIntNTy(type->getContext(), bits));
}

/// A value and the constant limits that it is clamped to, as signed 64-bit numbers.
struct Clamped {
    Value *value;
    int64_t least = INT64_MIN, most = INT64_MAX;
    bool has_unsigned_limit = false; ///< the clamp to `most` is unsigned: a negative value becomes `most`
};

Clamped without_clamps(Value *value) {
    Clamped result{value};
    const llvm::APInt *limit = nullptr;
    Value *inner = nullptr;
    // If the limits contradict each other, the outermost wins; such clamps are left alone.
    for (int i = 0; i < 2; i++) {
        const bool is_unsigned = match(result.value, m_UMin(m_Value(inner), m_APInt(limit)));
        if (is_unsigned || match(result.value, m_SMin(m_Value(inner), m_APInt(limit)))) {
            if (result.most != INT64_MAX || limit->isNegative() || limit->getSExtValue() < result.least) {
                break;
            }
            result.most = limit->getSExtValue();
            // After a clamp to at least 0 the value is not negative.
            result.has_unsigned_limit = is_unsigned && !match(inner, m_SMax(m_Value(), m_Zero()));
        } else if (match(result.value, m_SMax(m_Value(inner), m_APInt(limit)))) {
            if (result.least != INT64_MIN || limit->getSExtValue() > result.most) {
                break;
            }
            result.least = limit->getSExtValue();
        } else {
            break;
        }
        result.value = inner;
    }
    return result;
}

/// Converts a value to `bits` bits if it is known to fit, as an unsigned or as a signed number; null otherwise.
class Fitting {
  public:
    Fitting(llvm::IRBuilder<> &builder, unsigned bits) : b_(builder), bits_(bits) {}

    Value *as_unsigned(Value *value) const {
        Value *source = nullptr;
        const llvm::APInt *constant = nullptr;
        if (match(value, m_ZExt(m_Value(source))) && bits_of(source) > 1 && bits_of(source) <= bits_) {
            return b_.CreateZExt(source, with_bits(value->getType(), bits_));
        }
        if (match(value, m_APInt(constant)) && constant->getActiveBits() <= bits_) {
            return llvm::ConstantInt::get(with_bits(value->getType(), bits_), constant->trunc(bits_));
        }
        return nullptr;
    }
    Value *as_signed(Value *value) const {
        Value *source = nullptr;
        const llvm::APInt *constant = nullptr;
        if (match(value, m_SExt(m_Value(source))) && bits_of(source) > 1 && bits_of(source) <= bits_) {
            return b_.CreateSExt(source, with_bits(value->getType(), bits_));
        }
        if (match(value, m_ZExt(m_Value(source))) && bits_of(source) < bits_) {
            return b_.CreateZExt(source, with_bits(value->getType(), bits_));
        }
        if (match(value, m_APInt(constant)) && constant->getSignificantBits() <= bits_) {
            return llvm::ConstantInt::get(with_bits(value->getType(), bits_), constant->trunc(bits_));
        }
        return nullptr;
    }

  private:
    llvm::IRBuilder<> &b_;
    unsigned bits_;
};

/// The x of (x + 2^14) >> 15, also in the form (x >> 15) + (x >> 14 & 1); null for other values.
Value *rounded_by_15(Value *value) {
    Value *x = nullptr, *again = nullptr;
    if (match(value, m_AShr(m_c_Add(m_Value(x), m_SpecificInt(1 << 14)), m_SpecificInt(15)))) {
        return x;
    }
    if (match(value, m_c_Add(m_AShr(m_Value(x), m_SpecificInt(15)),
                             m_c_And(m_Shr(m_Value(again), m_SpecificInt(14)), m_One()))) &&
        x == again) {
        return x;
    }
    return nullptr;
}

} // namespace

/// The low `bits` bits of a wider integer, if it is a fixed-point operation of that width; else null.
Value *Arith::narrowed(Value *wide, int bits) {
    const unsigned width = static_cast<unsigned>(bits);
    if (!has_vectors_ || width < 8 || width > 32 || bits_of(wide) < 2 * width) {
        return nullptr;
    }
    const Clamped clamped = without_clamps(wide);
    if (Value *result = saturated(clamped.value, width, clamped.least, clamped.most, clamped.has_unsigned_limit)) {
        return result;
    }
    const bool is_plain =
        width == 16 && bits_of(wide) == 32 && wide->getType()->isVectorTy() && !clamped.has_unsigned_limit;
    if (is_plain && clamped.least <= INT16_MIN && clamped.most >= INT16_MAX) {
        if (Value *result = rounded_high_half(clamped.value, clamped.most == INT16_MAX)) {
            return result;
        }
    }
    const bool keeps_unsigned = width == 16 && bits_of(wide) == 32 && wide->getType()->isVectorTy() &&
                                clamped.least <= 0 && clamped.most >= UINT16_MAX;
    const bool keeps_signed = is_plain && clamped.least <= INT16_MIN && clamped.most >= INT16_MAX;
    return keeps_unsigned || keeps_signed ? high_half(clamped.value, keeps_unsigned, keeps_signed) : nullptr;
}

/// Sums and differences of unsigned numbers that are clamped to the range of `bits` bits.
Value *Arith::saturated(Value *value, unsigned bits, int64_t least, int64_t most, bool has_unsigned_limit) {
    const Fitting narrow(b_, bits);
    const int64_t limit = static_cast<int64_t>(~uint64_t{0} >> (64 - bits));
    Value *a = nullptr, *b = nullptr;
    if (least <= 0 && most == limit && match(value, m_Add(m_Value(a), m_Value(b)))) {
        Value *x = narrow.as_unsigned(a), *y = narrow.as_unsigned(b);
        return x && y ? b_.CreateBinaryIntrinsic(Intrinsic::uadd_sat, x, y) : nullptr;
    }
    if (least == 0 && most >= limit && !has_unsigned_limit && match(value, m_Sub(m_Value(a), m_Value(b)))) {
        Value *x = narrow.as_unsigned(a), *y = narrow.as_unsigned(b);
        return x && y ? b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, x, y) : nullptr;
    }
    return nullptr;
}

/// (a * b) >> k for 16-bit a and b and k > 16; LLVM finds the form with k = 16.
Value *Arith::high_half(Value *value, bool may_be_unsigned, bool may_be_signed) {
    const Fitting narrow(b_, 16);
    Value *a = nullptr, *b = nullptr;
    const llvm::APInt *by = nullptr;
    if (!is_x86_ || !match(value, m_Shr(m_Mul(m_Value(a), m_Value(b)), m_APInt(by))) || by->ult(17) || by->ugt(31)) {
        return nullptr;
    }
    const uint64_t amount = by->getZExtValue() - 16;
    const bool is_signed = match(value, m_AShr(m_Value(), m_Value()));
    if (is_signed ? !may_be_signed : !may_be_unsigned) {
        return nullptr;
    }
    Value *x = is_signed ? narrow.as_signed(a) : narrow.as_unsigned(a);
    Value *y = is_signed ? narrow.as_signed(b) : narrow.as_unsigned(b);
    if (!x || !y) {
        return nullptr;
    }
    const int lanes = lanes_of(value), width = std::min(lanes, vector_bits_ / 16);
    if ((width != 8 && width != 16 && width != 32) || lanes % width != 0) {
        return nullptr;
    }
    // LLVM would merge this shift with that of the high half and then not recognize the latter, hence intrinsics.
    const Intrinsic::ID unsigned_half = width == 8    ? Intrinsic::x86_sse2_pmulhu_w
                                        : width == 16 ? Intrinsic::x86_avx2_pmulhu_w
                                                      : Intrinsic::x86_avx512_pmulhu_w_512;
    const Intrinsic::ID signed_half = width == 8    ? Intrinsic::x86_sse2_pmulh_w
                                      : width == 16 ? Intrinsic::x86_avx2_pmulh_w
                                                    : Intrinsic::x86_avx512_pmulh_w_512;
    Value *half = lanes_.by_pieces(x, y, width, [&](Value *p, Value *q) {
        return b_.CreateIntrinsic(is_signed ? signed_half : unsigned_half, {}, {p, q});
    });
    return is_signed ? b_.CreateAShr(half, amount) : b_.CreateLShr(half, amount);
}

/// (a * b + 2^14) >> 15 for signed 16-bit a and b. With `saturates`, -32768 * -32768 gives 32767; otherwise it wraps.
Value *Arith::rounded_high_half(Value *value, bool saturates) {
    const Fitting narrow(b_, 16);
    Value *product = rounded_by_15(value), *a = nullptr, *b = nullptr;
    if ((!has_ssse3_ && !is_arm_) || !product || !match(product, m_Mul(m_Value(a), m_Value(b)))) {
        return nullptr;
    }
    Value *x = narrow.as_signed(a), *y = narrow.as_signed(b);
    const int lanes = lanes_of(value), width = std::min(lanes, vector_bits_ / 16);
    if (!x || !y || (width != 8 && width != 16 && width != 32) || lanes % width != 0) {
        return nullptr;
    }
    if (is_arm_) { // whose instruction saturates, of registers of 8 lanes
        return saturates ? lanes_.by_pieces(x, y, width,
                                            [&](Value *p, Value *q) {
                                                return b_.CreateIntrinsic(Intrinsic::aarch64_neon_sqrdmulh,
                                                                          {p->getType()}, {p, q});
                                            })
                         : nullptr;
    }
    const Intrinsic::ID operation = width == 8    ? Intrinsic::x86_ssse3_pmul_hr_sw_128
                                    : width == 16 ? Intrinsic::x86_avx2_pmul_hr_sw
                                                  : Intrinsic::x86_avx512_pmul_hr_sw_512;
    Value *result =
        lanes_.by_pieces(x, y, width, [&](Value *p, Value *q) { return b_.CreateIntrinsic(operation, {}, {p, q}); });
    if (!saturates) {
        return result;
    }
    Value *overflow = b_.CreateICmpEQ(result, constant(Int(16, lanes), INT16_MIN));
    return b_.CreateXor(result, b_.CreateSExt(overflow, result->getType()));
}

/// |a - b| of numbers that fit into fewer bits, in the type of a and b, which is signed if `is_int`; else null.
Value *Arith::narrow_difference(bool is_int, Value *a, Value *b) {
    const unsigned wide = has_vectors_ ? bits_of(a) : 0;
    for (unsigned bits = 8; 2 * bits <= wide; bits *= 2) {
        const Fitting narrow(b_, bits);
        for (const bool is_signed : {false, true}) {
            Value *x = !is_signed ? narrow.as_unsigned(a) : is_int ? narrow.as_signed(a) : nullptr;
            Value *y = x ? is_signed ? narrow.as_signed(b) : narrow.as_unsigned(b) : nullptr;
            if (y) {
                const Type type =
                    with_lanes_of(is_signed ? Int(static_cast<int>(bits)) : UInt(static_cast<int>(bits)), x);
                return b_.CreateZExt(binary(ir::ExprKind::AbsDiff, type, x, y, type), a->getType());
            }
        }
    }
    return nullptr;
}

/// Sums of 8 adjacent lanes of a vector of unsigned bytes that were zero-extended; else null.
Value *Arith::add_bytes(Value *value) {
    Value *bytes = nullptr;
    if (!is_x86_ || !value->getType()->isVectorTy() || !match(value, m_ZExt(m_Value(bytes))) || bits_of(bytes) != 8) {
        return nullptr;
    }
    const int lanes = lanes_of(bytes), width = std::min(lanes, vector_bits_ / 8);
    if ((width != 16 && width != 32 && width != 64) || lanes % width != 0) {
        return nullptr;
    }
    Value *a = nullptr, *b = nullptr;
    if (!match(bytes, m_Sub(m_UMax(m_Value(a), m_Value(b)), m_UMin(m_Deferred(a), m_Deferred(b))))) {
        a = bytes;
        b = llvm::Constant::getNullValue(bytes->getType());
    }
    const Intrinsic::ID operation = width == 16   ? Intrinsic::x86_sse2_psad_bw
                                    : width == 32 ? Intrinsic::x86_avx2_psad_bw
                                                  : Intrinsic::x86_avx512_psad_bw_512;
    Value *sums =
        lanes_.by_pieces(a, b, width, [&](Value *p, Value *q) { return b_.CreateIntrinsic(operation, {}, {p, q}); });
    return b_.CreateTrunc(sums, value_type(b_.getContext(), Int(static_cast<int>(bits_of(value)), lanes / 8)));
}

} // namespace fluorite::backends
