// Values of a kernel modulo small powers of two.
//
//   %row  = mul (sext %y), (sext %stride)      0, if %stride is a multiple of 4
//   %x    = smin (4 * tid + %min), %max - 3    %min, if %max - 3 - %min is a multiple of 4
//   %p    = gep float, %in, %row + %x          %in + 4 * %min
//
// modulo 16, 4 and 4: what depends on the thread cancels where parameters are as programs usually have them. The method
// is a walk from a value to the parameters. It keeps the lower bits of sums and products; where a part of a product has
// no residue, the other has to be a multiple of the whole power; the alternatives of a minimum, of a select and of a
// phi have to be congruent. Such demands on parameters become conditions, which somebody has to check.
//
// A phi of a loop is taken to be congruent to its first value while what the next iteration gives is looked at. Results
// under an assumption that fails are forgotten, together with their conditions.
//
// Does not look at divisions, at shifts to the right, or through memory. Cost: each value is visited once for each
// number of bits, as long as nothing fails.

#include "backends/llvm/device/residues.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Instruction;
using llvm::Value;

namespace {

uint64_t lower(uint64_t value, unsigned bits) { return value & ((uint64_t{1} << bits) - 1); }

/// Factors and the constant modulo 2^bits; without terms that are 0.
Residue reduced(const Residue &residue, unsigned bits) {
    Residue result;
    for (const auto &[term, factor] : residue.factors) {
        if (lower(factor, bits) != 0) {
            result.factors[term] = lower(factor, bits);
        }
    }
    result.constant = lower(residue.constant, bits);
    return result;
}

Residue plus(const Residue &a, const Residue &b, uint64_t factor) {
    Residue result = a;
    for (const auto &[term, of_term] : b.factors) {
        result.factors[term] += factor * of_term;
    }
    result.constant += factor * b.constant;
    return result;
}

/// Nothing if a product of three parameters would be in it.
std::optional<Residue> times(const Residue &a, const Residue &b) {
    Residue result = plus(plus({}, a, b.constant), b, a.constant);
    result.constant = a.constant * b.constant;
    for (const auto &[term, factor] : a.factors) {
        for (const auto &[other, of_other] : b.factors) {
            if (term.second != 0 || other.second != 0) {
                return std::nullopt;
            }
            result.factors[std::minmax(term.first, other.first)] += factor * of_other;
        }
    }
    return result;
}

/// The parameter that a value is, but for its width.
const llvm::Argument *parameter_of(const Value *value) {
    const auto *extension = llvm::dyn_cast<llvm::CastInst>(value);
    return llvm::dyn_cast<llvm::Argument>(extension && extension->isIntegerCast() ? extension->getOperand(0) : value);
}

} // namespace

void Residues::remember(const Key &key, const std::optional<Residue> &residue) {
    known_[key] = residue;
    order_.push_back(key);
}

void Residues::take_back(const Mark &mark) {
    conditions_.resize(mark.conditions);
    for (size_t i = mark.known; i < order_.size(); i++) {
        known_.erase(order_[i]);
    }
    order_.resize(mark.known);
}

bool Residues::require(const llvm::Argument *parameter, unsigned bits) {
    return require(Residue{{{{parameter->getArgNo() + 1, 0}, 1}}, 0}, bits);
}

bool Residues::require(const Residue &residue, unsigned bits) {
    const ResidueCondition condition = {reduced(residue, bits), bits};
    if (condition.residue.factors.empty()) {
        return condition.residue.constant == 0;
    }
    for (const ResidueCondition &other : conditions_) {
        const unsigned common = std::min(bits, other.bits);
        const Residue a = reduced(residue, common), b = reduced(other.residue, common);
        if (!a.factors.empty() && a.factors == b.factors && a.constant != b.constant) {
            return false;
        }
    }
    if (std::find(conditions_.begin(), conditions_.end(), condition) == conditions_.end()) {
        conditions_.push_back(condition);
    }
    return true;
}

std::optional<Residue> Residues::of(const Value *value, unsigned bits) {
    if (bits == 0) {
        return Residue{};
    }
    if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        return Residue{{},
                       lower(constant->getValue().extractBitsAsZExtValue(
                                 std::min(bits, constant->getType()->getIntegerBitWidth()), 0),
                             bits)};
    }
    if (const auto *parameter = llvm::dyn_cast<llvm::Argument>(value)) {
        return Residue{{{{parameter->getArgNo() + 1, 0}, 1}}, 0};
    }
    const auto *node = llvm::dyn_cast<Instruction>(value);
    const bool is_number = node && (node->getType()->isPointerTy() || node->getType()->isIntegerTy(32) ||
                                    node->getType()->isIntegerTy(64));
    if (!is_number) {
        return std::nullopt;
    }
    const Key key = {value, bits};
    if (const auto found = known_.find(key); found != known_.end()) {
        return found->second;
    }
    const Mark before = mark();
    std::optional<Residue> result = of_instruction(*node, bits);
    if (result) {
        result = reduced(*result, bits);
    } else {
        take_back(before);
    }
    remember(key, result);
    return result;
}

std::optional<Residue> Residues::of_instruction(const Instruction &node, unsigned bits) {
    const auto operand = [&](unsigned i) { return node.getOperand(i); };
    const auto *constant = node.getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(operand(1)) : nullptr;
    switch (node.getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::Freeze:
        return of(operand(0), bits);
    case Instruction::Add:
        return sum(operand(0), operand(1), 1, bits);
    case Instruction::Sub:
        return sum(operand(0), operand(1), ~uint64_t{0}, bits);
    case Instruction::Or:
        return llvm::cast<llvm::PossiblyDisjointInst>(node).isDisjoint() ? sum(operand(0), operand(1), 1, bits)
                                                                         : std::nullopt;
    case Instruction::Mul:
        return product(operand(0), operand(1), bits);
    case Instruction::Shl:
        return constant && constant->getZExtValue() < 64
                   ? scaled(operand(0), uint64_t{1} << constant->getZExtValue(), bits)
                   : std::nullopt;
    case Instruction::And: // with a mask that keeps all lower bits, or none
        if (constant && lower(constant->getZExtValue(), bits) == lower(~uint64_t{0}, bits)) {
            return of(operand(0), bits);
        }
        return constant && lower(constant->getZExtValue(), bits) == 0 ? std::optional(Residue{}) : std::nullopt;
    case Instruction::Select:
        return either(operand(1), operand(2), bits);
    case Instruction::PHI:
        return of_phi(llvm::cast<llvm::PHINode>(node), bits);
    case Instruction::GetElementPtr:
        return of_address(llvm::cast<llvm::GetElementPtrInst>(node), bits);
    case Instruction::Call:
        return llvm::isa<llvm::MinMaxIntrinsic>(node) ? either(operand(0), operand(1), bits) : std::nullopt;
    default:
        return std::nullopt;
    }
}

std::optional<Residue> Residues::sum(const Value *a, const Value *b, uint64_t factor, unsigned bits) {
    const std::optional<Residue> left = of(a, bits), right = left ? of(b, bits) : std::nullopt;
    return right ? std::optional(plus(*left, *right, factor)) : std::nullopt;
}

std::optional<Residue> Residues::scaled(const Value *value, uint64_t factor, unsigned bits) {
    unsigned zeros = 0;
    while (zeros < bits && (factor >> zeros & 1) == 0) {
        zeros++;
    }
    const std::optional<Residue> residue = of(value, bits - zeros);
    return residue ? std::optional(plus({}, *residue, factor)) : std::nullopt;
}

std::optional<Residue> Residues::product(const Value *a, const Value *b, unsigned bits) {
    if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(b)) {
        return scaled(a, constant->getZExtValue(), bits);
    }
    const llvm::Argument *stride = parameter_of(a), *other = parameter_of(b);
    if (const llvm::Argument *only = stride && other ? nullptr : stride ? stride : other; only && require(only, bits)) {
        return Residue{}; // a row times a stride: no condition of rows
    }
    const std::optional<Residue> left = of(a, bits), right = of(b, bits);
    if (left && right) {
        if (std::optional<Residue> both = times(*left, *right)) {
            return both;
        }
    }
    const bool is_multiple = (right && require(*right, bits)) || (left && require(*left, bits));
    return is_multiple ? std::optional(Residue{}) : std::nullopt;
}

/// Of two that have to be congruent.
std::optional<Residue> Residues::either(const Value *a, const Value *b, unsigned bits) {
    const std::optional<Residue> left = of(a, bits), right = left ? of(b, bits) : std::nullopt;
    return right && require(plus(*left, *right, ~uint64_t{0}), bits) ? left : std::nullopt;
}

std::optional<Residue> Residues::of_address(const llvm::GetElementPtrInst &node, unsigned bits) {
    const unsigned width = layout_.getIndexSizeInBits(node.getPointerAddressSpace());
    llvm::MapVector<Value *, llvm::APInt> indices;
    llvm::APInt offset(width, 0);
    std::optional<Residue> result = of(node.getPointerOperand(), bits);
    if (!result || !llvm::cast<llvm::GEPOperator>(node).collectOffset(layout_, width, indices, offset)) {
        return std::nullopt;
    }
    result->constant += offset.getZExtValue();
    for (const auto &[index, scale] : indices) {
        const std::optional<Residue> part = scaled(index, scale.getZExtValue(), bits);
        if (!part) {
            return std::nullopt;
        }
        result = plus(*result, *part, 1);
    }
    return result;
}

std::optional<Residue> Residues::of_phi(const llvm::PHINode &phi, unsigned bits) {
    const Key key = {&phi, bits};
    const Mark before = mark();
    const auto values = phi.incoming_values();
    remember(key, std::nullopt); // a first value does not depend on it
    const auto first =
        std::find_if(values.begin(), values.end(), [&](const Value *v) { return of(v, bits).has_value(); });
    if (first == values.end()) {
        return std::nullopt;
    }
    take_back(before); // failures because of the others
    remember(key, std::nullopt);
    const std::optional<Residue> result = of(*first, bits);
    known_[key] = result;
    const bool holds = std::all_of(values.begin(), values.end(), [&](const Value *value) {
        const std::optional<Residue> next = of(value, bits);
        return next && require(plus(*next, *result, ~uint64_t{0}), bits);
    });
    return holds ? result : std::nullopt;
}

} // namespace fluorite::backends
