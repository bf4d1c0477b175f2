// Sums of adjacent products of small integers in the instructions that processors have for them.
//
//   sums over 2 lanes of i32(a) * i32(b), a and b of 8 bits or signed 16 bits          -->  pmaddwd
//   sums over 4 lanes of i32(a) * i32(b), a unsigned and b signed, both of 8 bits      -->  vpdpbusd
//   the same of two signed bytes, or two unsigned ones, on ARM                         -->  sdot, udot
//
// The extensions may be shuffled; the shuffle is then applied to the narrow vectors. Matches instructions that were
// just emitted; the products that are replaced become dead. Requires a vector that whole registers hold.
// Relies on integer sums, which may be reordered. Neither instruction saturates; the one sum of pmaddwd that overflows
// wraps, as sums of the language do.

#include "backends/llvm/arith/arith.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

/// Sums of adjacent products of 8- or 16-bit integers, in groups of four or two; null if the value is something else.
Value *Arith::add_products(Value *value, int group) {
    using namespace llvm::PatternMatch;
    Value *a = nullptr, *b = nullptr;
    if ((!is_x86_ && !has_dot_products_) || !match(value, m_Mul(m_Value(a), m_Value(b)))) {
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
    const int lanes = lanes_of(value);
    if (!fits(bits_a, unsigned_a) || !fits(bits_b, unsigned_b)) {
        return nullptr;
    }
    if (!is_x86_) {
        return bits_a == 8 && bits_b == 8 && unsigned_a == unsigned_b ? dot_products(a, b, unsigned_a, group) : nullptr;
    }
    if (has_vnni_ && bits_a == 8 && bits_b == 8 && unsigned_a != unsigned_b && group % 4 == 0 && lanes % 64 == 0) {
        return lanes_.by_pieces(unsigned_a ? a : b, unsigned_a ? b : a, 64, [&](Value *x, Value *y) {
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
    return lanes_.by_pieces(a, b, width, [&](Value *x, Value *y) { return b_.CreateIntrinsic(pairs, {}, {x, y}); });
}

/// Sums of four adjacent products of bytes; null where groups or registers are not whole.
Value *Arith::dot_products(Value *a, Value *b, bool is_unsigned, int group) {
    if (group % 4 != 0 || lanes_of(a) % 16 != 0) {
        return nullptr;
    }
    const Intrinsic::ID id = is_unsigned ? Intrinsic::aarch64_neon_udot : Intrinsic::aarch64_neon_sdot;
    return lanes_.by_pieces(a, b, 16, [&](Value *x, Value *y) {
        llvm::Type *words = value_type(b_.getContext(), Int(32, 4));
        return b_.CreateIntrinsic(id, {words, x->getType()}, {llvm::Constant::getNullValue(words), x, y});
    });
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

static bool is_dot_product(Intrinsic::ID id) {
    return id == Intrinsic::x86_avx512_vpdpbusd_512 || id == Intrinsic::aarch64_neon_udot ||
           id == Intrinsic::aarch64_neon_sdot;
}

/// a + b, if one operand is a register of dot products of bytes that starts from zero and has no use yet: the dot
/// products start from the other operand instead. Otherwise null.
Value *Arith::add_to_dot_products(Value *a, Value *b) {
    for (auto [products, start] : {std::pair(a, b), std::pair(b, a)}) {
        auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(products);
        if (!call || !is_dot_product(call->getIntrinsicID()) || !call->use_empty() ||
            !llvm::isa<llvm::ConstantAggregateZero>(call->getArgOperand(0))) {
            continue;
        }
        return b_.CreateCall(call->getCalledFunction(), {start, call->getArgOperand(1), call->getArgOperand(2)});
    }
    return nullptr;
}

} // namespace fluorite::backends
