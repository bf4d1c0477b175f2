// Products of vectors of 32-bit integers that fit into 16 bits.
//
//   i32(a) * i32(b), a and b signed of at most 16 bits   -->   pmaddwd of a, extended by zeros, and b
//
// pmaddwd multiplies the signed 16-bit halves of each 32-bit lane and adds both products. One of the upper halves is
// zero, so the sum is the product of the lower halves, which is exact. The instruction is one micro-operation, where
// pmulld takes two of twice the latency. Operands may also be sums and differences that need no more bits, as those of
// quantized values and their zero points.
//
// Works on optimized code, for many products do not remain in 32 bits: LLVM narrows those whose result is truncated,
// and takes their high halves in 16 bits; such uses are left alone. Products by constants are LLVM's, too, as are those
// of two operands whose upper halves are zero.
//
// Relies on ComputeNumSignBits, which looks through selects and loops. Cost: linear in the instructions.

#include "backends/llvm/idioms/short_products.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace fluorite::backends {

using llvm::Value;
using namespace llvm::PatternMatch;

namespace {

/// Whether a use may find better instructions than the product in 32 bits.
bool is_narrowed(const llvm::User *user) {
    const llvm::APInt *by = nullptr;
    return llvm::isa<llvm::TruncInst, llvm::ShuffleVectorInst>(user) ||
           (match(user, m_Shr(m_Value(), m_APInt(by))) && by->uge(16));
}

class ShortProducts {
  public:
    ShortProducts(llvm::Function &function, int vector_bits)
        : layout_(function.getParent()->getDataLayout()), lanes_(vector_bits / 32) {}

    /// The product in other instructions, or null.
    Value *replacement(llvm::BinaryOperator &product) {
        const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(product.getType());
        Value *a = product.getOperand(0), *b = product.getOperand(1);
        if (!type || !type->getElementType()->isIntegerTy(32) || type->getNumElements() < 4 ||
            !llvm::isPowerOf2_32(type->getNumElements()) || llvm::isa<llvm::Constant>(a) ||
            llvm::isa<llvm::Constant>(b) || !is_short(a) || !is_short(b) || (is_positive(a) && is_positive(b)) ||
            llvm::any_of(product.users(), is_narrowed)) {
            return nullptr;
        }
        llvm::IRBuilder<> builder(&product);
        if ((!is_extended(a) && is_extended(b)) || narrow_lane(a)) {
            std::swap(a, b);
        }
        return multiplied(builder, without_upper_half(builder, a), b, static_cast<int>(type->getNumElements()));
    }

  private:
    const llvm::DataLayout &layout_;
    int lanes_;
    std::unordered_map<Value *, Value *> broadcast_; // of short integers, by that of their extensions

    /// What all lanes are, for analyses that do not look through insertions.
    static const Value *lane_of(const Value *value) {
        const Value *splat = llvm::getSplatValue(value);
        return splat ? splat : value;
    }
    bool is_short(const Value *value) const { return llvm::ComputeNumSignBits(lane_of(value), layout_) > 16; }
    bool is_positive(const Value *value) const {
        return llvm::MaskedValueIsZero(lane_of(value), llvm::APInt::getHighBitsSet(32, 17), layout_);
    }
    /// Whether its upper half can be made zero for nothing.
    bool is_extended(Value *value) const { return match(value, m_SExt(m_Value())) || is_positive(value); }

    /// The short integer that is extended and broadcast, or null.
    static Value *narrow_lane(const Value *value) {
        Value *splat = llvm::getSplatValue(value), *narrow = nullptr;
        return splat && match(splat, m_SExt(m_Value(narrow))) ? narrow : nullptr;
    }

    /// A register of `width` lanes of the value, as pairs of short integers.
    static Value *pairs_of(llvm::IRBuilder<> &builder, Value *value, int begin, int width) {
        const auto all = static_cast<int>(llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements());
        std::vector<int> order(static_cast<size_t>(width));
        std::iota(order.begin(), order.end(), begin);
        llvm::Type *shorts = llvm::FixedVectorType::get(builder.getInt16Ty(), static_cast<unsigned>(2 * width));
        return builder.CreateBitCast(width == all ? value : builder.CreateShuffleVector(value, order), shorts);
    }

    /// The same where the second one of each pair may be anything: of a short integer that is broadcast, the same one.
    Value *loose_pairs_of(llvm::IRBuilder<> &builder, Value *value, int begin, int width) {
        auto *made = llvm::dyn_cast<llvm::Instruction>(value);
        Value *narrow = made ? narrow_lane(value) : nullptr;
        if (narrow) { // placed where the extended one is broadcast, which may be outside of the loop
            Value *&known = broadcast_[value];
            if (!known) {
                llvm::IRBuilder<> there(made);
                known = there.CreateVectorSplat(static_cast<unsigned>(2 * width),
                                                there.CreateSExt(narrow, there.getInt16Ty()));
            }
            return known;
        }
        return pairs_of(builder, value, begin, width);
    }

    Value *without_upper_half(llvm::IRBuilder<> &builder, Value *value) const {
        Value *narrow = nullptr;
        if (is_positive(value)) {
            return value;
        }
        if (match(value, m_SExt(m_Value(narrow)))) {
            llvm::Type *type = value->getType();
            return builder.CreateZExt(builder.CreateSExt(narrow, type->getWithNewType(builder.getInt16Ty())), type);
        }
        return builder.CreateAnd(value, llvm::ConstantInt::get(value->getType(), 0xffff));
    }

    Value *multiplied(llvm::IRBuilder<> &builder, Value *a, Value *b, int all) {
        const int width = std::min(all, lanes_);
        const llvm::Intrinsic::ID pairs = width == 4   ? llvm::Intrinsic::x86_sse2_pmadd_wd
                                          : width == 8 ? llvm::Intrinsic::x86_avx2_pmadd_wd
                                                       : llvm::Intrinsic::x86_avx512_pmaddw_d_512;
        std::vector<Value *> products;
        for (int begin = 0; begin < all; begin += width) {
            products.push_back(builder.CreateIntrinsic(
                pairs, {}, {pairs_of(builder, a, begin, width), loose_pairs_of(builder, b, begin, width)}));
        }
        while (products.size() > 1) { // a power of two of them
            std::vector<Value *> joined;
            for (size_t i = 0; i < products.size(); i += 2) {
                std::vector<int> order(static_cast<size_t>(all) * 2 / products.size());
                std::iota(order.begin(), order.end(), 0);
                joined.push_back(builder.CreateShuffleVector(products[i], products[i + 1], order));
            }
            products = std::move(joined);
        }
        return products[0];
    }
};

} // namespace

void use_short_products(llvm::Function &function, int vector_bits) {
    if (vector_bits < 128 || function.hasOptNone()) {
        return;
    }
    ShortProducts products(function, vector_bits);
    for (llvm::BasicBlock &block : function) {
        for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
            auto *product = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
            if (!product || product->getOpcode() != llvm::Instruction::Mul) {
                continue;
            }
            if (Value *better = products.replacement(*product)) {
                product->replaceAllUsesWith(better);
                product->eraseFromParent();
            }
        }
    }
}

} // namespace fluorite::backends
