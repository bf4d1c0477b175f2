// Sums of vectors of integers whose terms have constant factors, as those of filters with symmetric weights.
//
//   a * 6 + b + c * 6 + (d << 2) + (e << 2)   -->   (a + c) * 6 + b + ((d + e) << 2)
//
// Integers wrap around, so both are equal for all values. A product of 32-bit lanes is two micro-operations of ten
// cycles on most processors, and there are none of 64 bits before AVX-512; a sum is one of one cycle.
//
// A sum is a tree of additions within a block, each of which nothing else uses; so are the products, which therefore
// disappear. Only vectors are looked at: in scalars, factors belong to addresses, whose form later passes expect.
// Differences need no rule, because InstCombine writes a - b * 6 as a + b * -6.
//
// Works on optimized code, after equal products have become one: what several sums share stays a product.
// Cost: linear in the instructions.

#include "backends/llvm/idioms/common_factors.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

namespace fluorite::backends {

using llvm::Value;
using namespace llvm::PatternMatch;

namespace {

/// A value and the constant that it is multiplied by; 1 where there is none.
struct Term {
    Value *value;
    llvm::APInt factor;
};

/// An addition of vectors of integers, or null.
llvm::BinaryOperator *as_sum(Value *value) {
    auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    const bool is_sum = sum && sum->getOpcode() == llvm::Instruction::Add && sum->getType()->isVectorTy();
    return is_sum ? sum : nullptr;
}

/// Whether the value is a part of a larger sum, in whose tree it is visited.
bool is_part(const llvm::BinaryOperator &sum) {
    if (!sum.hasOneUse()) {
        return false;
    }
    const auto *user = as_sum(*const_cast<llvm::BinaryOperator &>(sum).user_begin());
    return user && user->getParent() == sum.getParent();
}

Term term_of(Value *value) {
    Value *operand = nullptr;
    const llvm::APInt *constant = nullptr;
    const unsigned bits = value->getType()->getScalarSizeInBits();
    if (match(value, m_OneUse(m_Mul(m_Value(operand), m_APInt(constant))))) {
        return {operand, *constant};
    }
    if (match(value, m_OneUse(m_Shl(m_Value(operand), m_APInt(constant)))) && constant->ult(bits)) {
        return {operand, llvm::APInt::getOneBitSet(bits, static_cast<unsigned>(constant->getZExtValue()))};
    }
    return {value, llvm::APInt(bits, 1)};
}

/// The operands of the tree of additions under a sum, from left to right.
llvm::SmallVector<Value *, 16> operands_of(llvm::BinaryOperator &root) {
    llvm::SmallVector<Value *, 16> found, left = {root.getOperand(1), root.getOperand(0)};
    while (!left.empty()) {
        Value *next = left.pop_back_val();
        llvm::BinaryOperator *sum = as_sum(next);
        if (sum && is_part(*sum)) {
            left.push_back(sum->getOperand(1));
            left.push_back(sum->getOperand(0));
        } else {
            found.push_back(next);
        }
    }
    return found;
}

Value *sum_of(llvm::IRBuilder<> &builder, llvm::ArrayRef<Value *> values) {
    Value *sum = values.front();
    for (Value *value : values.drop_front()) {
        sum = builder.CreateAdd(sum, value);
    }
    return sum;
}

Value *multiplied(llvm::IRBuilder<> &builder, Value *value, const llvm::APInt &factor) {
    if (factor.isOne()) {
        return value;
    }
    llvm::Type *type = value->getType();
    return factor.isPowerOf2() ? builder.CreateShl(value, llvm::ConstantInt::get(type, factor.logBase2()))
                               : builder.CreateMul(value, llvm::ConstantInt::get(type, factor));
}

/// The sum with one product for each factor, or null if no factor repeats.
Value *factored(llvm::BinaryOperator &root) {
    llvm::MapVector<llvm::APInt, llvm::SmallVector<Value *, 8>> by_factor;
    bool repeats = false;
    for (Value *operand : operands_of(root)) {
        const Term term = term_of(operand);
        auto &values = by_factor[term.factor];
        values.push_back(term.value);
        repeats |= !term.factor.isOne() && values.size() > 1;
    }
    if (!repeats) {
        return nullptr;
    }
    llvm::IRBuilder<> builder(&root);
    llvm::SmallVector<Value *, 8> sums;
    for (const auto &[factor, values] : by_factor) {
        sums.push_back(multiplied(builder, sum_of(builder, values), factor));
    }
    return sum_of(builder, sums);
}

/// Erases a sum that nothing uses, and the sums and products that only it used.
void erase_unused(llvm::Instruction *root) {
    llvm::SmallVector<llvm::Instruction *, 16> unused = {root};
    while (!unused.empty()) {
        llvm::Instruction *next = unused.pop_back_val();
        llvm::SmallVector<Value *, 2> operands(next->operands());
        next->eraseFromParent();
        for (Value *operand : operands) {
            auto *instruction = llvm::dyn_cast<llvm::BinaryOperator>(operand);
            if (instruction && instruction->use_empty() && !llvm::is_contained(unused, instruction)) {
                unused.push_back(instruction);
            }
        }
    }
}

} // namespace

void factor_sums(llvm::Function &function) {
    for (llvm::BasicBlock &block : function) {
        llvm::SmallVector<llvm::BinaryOperator *, 16> roots;
        for (llvm::Instruction &instruction : block) {
            llvm::BinaryOperator *sum = as_sum(&instruction);
            if (sum && !is_part(*sum)) {
                roots.push_back(sum);
            }
        }
        for (llvm::BinaryOperator *root : roots) {
            if (Value *better = factored(*root)) {
                root->replaceAllUsesWith(better);
                erase_unused(root);
            }
        }
    }
}

} // namespace fluorite::backends
