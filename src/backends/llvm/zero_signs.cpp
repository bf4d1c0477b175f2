// Selections of the less or the greater of two numbers, on processors whose minimum orders zeros.
//
//   x < y ? x : y   -->   fence(x) < y ? x : y
//
// Of x = -0.0 and y = 0.0 the selection is 0.0, the second one. LLVM takes it for minnum if y is known to be no NaN, as
// a converted integer or a constant is, and minnum may give either zero. The instruction of x86 gives its second
// operand, so the bits are right there; that of ARM and RISC-V takes -0.0 for less than 0.0. A fence of arithmetic is
// no instruction, and hides that what is compared is what is selected. Halves are compared as floats, because not every
// processor has fences of halves. Where one of both is a constant other than zero, no zeros meet.
//
// Cost: linear in the instructions.

#include "backends/llvm/zero_signs.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace fluorite::backends {

using llvm::Value;
using namespace llvm::PatternMatch;

namespace {

bool is_zero(const Value *value) { return match(value, m_AnyZeroFP()); }

/// Whether both are the same number, or zeros.
bool is_same(const Value *a, const Value *b) { return a == b || (is_zero(a) && is_zero(b)); }

bool is_never_zero(const Value *value) {
    const llvm::APFloat *constant = nullptr;
    return match(value, m_APFloat(constant)) && constant->isNonZero();
}

/// Whether the selection is of what is compared, and of both only zeros of different signs compare equal.
bool may_select_zeros(const llvm::SelectInst &select) {
    const auto *compare = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
    if (!compare) {
        return false;
    }
    const Value *a = compare->getOperand(0), *b = compare->getOperand(1);
    const Value *yes = select.getTrueValue(), *no = select.getFalseValue();
    const bool selects = (is_same(a, yes) && is_same(b, no)) || (is_same(a, no) && is_same(b, yes));
    return selects && !is_never_zero(a) && !is_never_zero(b);
}

/// The comparison, of numbers that do not look like those that are selected.
Value *compared_apart(llvm::SelectInst &select) {
    llvm::IRBuilder<> builder(&select);
    const auto *compare = llvm::cast<llvm::FCmpInst>(select.getCondition());
    Value *numbers[] = {compare->getOperand(0), compare->getOperand(1)};
    for (Value *&number : numbers) {
        if (number->getType()->getScalarType()->isHalfTy()) {
            number = builder.CreateFPExt(number, number->getType()->getWithNewType(builder.getFloatTy()));
        }
        if (!llvm::isa<llvm::Constant>(number)) {
            number = builder.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {number->getType()}, {number});
        }
    }
    return builder.CreateFCmp(compare->getPredicate(), numbers[0], numbers[1]);
}

} // namespace

void keep_signs_of_zeros(llvm::Function &function) {
    llvm::SmallVector<llvm::SelectInst *> selects;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
        if (select && may_select_zeros(*select)) {
            selects.push_back(select);
        }
    }
    for (llvm::SelectInst *select : selects) {
        select->setCondition(compared_apart(*select));
    }
}

} // namespace fluorite::backends
