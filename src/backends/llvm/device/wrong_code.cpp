// What LLVM's selection of PTX and NVIDIA's assembler translate wrongly, written in another way.
//
//   found in                   what                                            written as
//   LLVM 19                    a < b ? a : b becomes min.f32, which orders     a select of the bits
//                              zeros by their signs
//   LLVM 19                    <16 x i8> becomes one load of 16 bytes,         loads as wide as the alignment
//                              whatever its alignment                          (split_vectors.h)
//   ptxas 13.0, capability 9   max(a:i16, 0) == 0 takes the predicate of       minima and maxima of 32 bits
//                              the instruction's upper half, for which
//                              nothing is compared
//   ptxas 13.0                 abs(a:i16) and -a of -32768 are 32768 where a     those of 32 bits
//                              comparison or a conversion follows
//   ptxas 13.0, capability 9   min(min(a, b), -c) becomes VIMNMX3 of a, b      ~c + 1, and ~(c + ~a) for a - c where a
//                              and c: the sign is lost                         may become 0
//
// The assembler is a part of the driver, so which one translates a kernel is not known here. Version 13.5 has neither
// of the two of capability 9. Both were seen in the machine code, and as wrong values on an NVIDIA H200 with driver
// 580.159.

#include "backends/llvm/device/wrong_code.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <vector>

namespace fluorite::backends {

namespace {

namespace match = llvm::PatternMatch;

bool is_nonzero(const llvm::Value *value) {
    const llvm::APFloat *number = nullptr;
    return match::match(value, match::m_APFloat(number)) && number->isNonZero();
}

/// Selects on the bits where LLVM would take a select of floats for a minimum or maximum. PTX orders zeros by their
/// signs in these: of -0 and 0, `a < b ? a : b` is b, and min.f32 is -0.
void keep_selects(llvm::Function &function) {
    std::vector<llvm::SelectInst *> extrema;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
        llvm::Value *a = nullptr, *b = nullptr;
        const llvm::SelectPatternFlavor found = select && select->getType()->isFPOrFPVectorTy()
                                                    ? llvm::matchSelectPattern(select, a, b).Flavor
                                                    : llvm::SPF_UNKNOWN;
        if ((found == llvm::SPF_FMINNUM || found == llvm::SPF_FMAXNUM) && !is_nonzero(a) && !is_nonzero(b)) {
            extrema.push_back(select);
        }
    }
    for (llvm::SelectInst *select : extrema) {
        llvm::IRBuilder<> b(select);
        llvm::Type *bits = select->getType()->getWithNewType(b.getIntNTy(select->getType()->getScalarSizeInBits()));
        llvm::Value *chosen = b.CreateSelect(select->getCondition(), b.CreateBitCast(select->getTrueValue(), bits),
                                             b.CreateBitCast(select->getFalseValue(), bits));
        select->replaceAllUsesWith(b.CreateBitCast(chosen, select->getType()));
        select->eraseFromParent();
    }
}

/// An assembly text of 32-bit operands.
llvm::Value *assembly(llvm::IRBuilder<> &b, const char *text, llvm::ArrayRef<llvm::Value *> operands) {
    llvm::Type *word = b.getInt32Ty();
    auto *type = llvm::FunctionType::get(word, std::vector<llvm::Type *>(operands.size(), word), false);
    const char *constraints = operands.size() == 1 ? "=r,r" : "=r,r,r";
    llvm::CallInst *made =
        b.CreateCall(llvm::InlineAsm::get(type, text, constraints, /*hasSideEffects=*/false), operands);
    made->setDoesNotAccessMemory();
    made->setDoesNotThrow();
    made->addFnAttr(llvm::Attribute::WillReturn);
    return made;
}

/// -value in instructions that no negation replaces.
llvm::Value *complement(llvm::IRBuilder<> &b, llvm::Value *value) {
    return assembly(b, "{ .reg .b32 t; not.b32 t, $1; add.s32 $0, t, 1; }", {value});
}

bool is_narrow(const llvm::Value *value) {
    return value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() < 32;
}

/// Minima, maxima and absolute values of fewer than 32 bits as those of 32, and negations, too.
void widen_narrow(llvm::Function &function) {
    std::vector<llvm::Instruction *> narrow;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        const bool is_call =
            call && (llvm::isa<llvm::MinMaxIntrinsic>(call) || call->getIntrinsicID() == llvm::Intrinsic::abs);
        if (is_narrow(&instruction) && (is_call || match::match(&instruction, match::m_Neg(match::m_Value())))) {
            narrow.push_back(&instruction);
        }
    }
    for (llvm::Instruction *one : narrow) {
        llvm::IRBuilder<> b(one);
        const auto *extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(one);
        const auto widened = [&](llvm::Value *value) {
            const bool is_signed = extreme == nullptr || extreme->isSigned();
            return is_signed ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty());
        };
        llvm::Value *first = widened(one->getOperand(extreme || llvm::isa<llvm::IntrinsicInst>(one) ? 0 : 1));
        llvm::Value *wide =
            extreme ? b.CreateBinaryIntrinsic(extreme->getIntrinsicID(), first, widened(extreme->getRHS()))
            : llvm::isa<llvm::IntrinsicInst>(one) ? b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, first, b.getFalse())
                                                  : complement(b, first);
        one->replaceAllUsesWith(b.CreateTrunc(wide, one->getType()));
        one->eraseFromParent();
    }
}

/// Whether the assembler may find the value to be 0: a constant 0, or a value that it computes from the counter of a
/// loop, which it may unroll.
bool may_become_zero(const llvm::Value *value, int depth = 8) {
    if (const auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
        return constant->isZeroValue();
    }
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && (depth == 0 || llvm::isa<llvm::PHINode>(instruction) ||
                           std::any_of(instruction->op_begin(), instruction->op_end(), [&](const llvm::Value *operand) {
                               return llvm::isa<llvm::Instruction>(operand) && may_become_zero(operand, depth - 1);
                           }));
}

/// a - c in instructions that no negation of c replaces.
llvm::Value *difference(llvm::IRBuilder<> &b, llvm::Value *from, llvm::Value *what) {
    return llvm::isa<llvm::Constant>(from)
               ? complement(b, what)
               : assembly(b, "{ .reg .b32 t; not.b32 t, $2; add.s32 t, $1, t; not.b32 $0, t; }", {what, from});
}

/// Negations as operands of minima and maxima of 32 signed bits.
void keep_signs(llvm::Function &function) {
    std::vector<llvm::Use *> negated;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        auto *extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
        if (!extreme || !extreme->isSigned() || !extreme->getType()->isIntegerTy(32)) {
            continue;
        }
        for (llvm::Use &operand : extreme->args()) {
            llvm::Value *from = nullptr, *what = nullptr;
            if (match::match(operand.get(), match::m_Sub(match::m_Value(from), match::m_Value(what))) &&
                may_become_zero(from)) {
                negated.push_back(&operand);
            }
        }
    }
    for (llvm::Use *operand : negated) {
        auto *subtraction = llvm::cast<llvm::Instruction>(operand->get());
        llvm::IRBuilder<> b(llvm::cast<llvm::Instruction>(operand->getUser()));
        operand->set(difference(b, subtraction->getOperand(0), subtraction->getOperand(1)));
    }
}

} // namespace

void avoid_wrong_code(llvm::Function &function) {
    keep_selects(function);
    widen_narrow(function);
    keep_signs(function);
}

} // namespace fluorite::backends
