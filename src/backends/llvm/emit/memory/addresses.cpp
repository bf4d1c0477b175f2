// Addresses: linear forms of index expressions.
//
// An Int32 index becomes a 64-bit sum of products with a separate constant (LinearIndex), or two of them, the base and
// stride of a ramp (RampIndex). From these, a pointer is computed in steps:
//   a[i * s + j + 3], s and i known outside the loop over j  -->  base + i * s, + j, + 3
// Devices compute 64 bits in two steps, so a kernel computes the sum of an Int32 index in 32 bits, in which it may wrap
// in between but not in the end, and extends it once.
//
// An index may be rebuilt in 64 bits because index arithmetic does not overflow, except on values from memory that are
// not small (index_may_wrap). Terms are added in the order of the loops that they depend on, outermost first: this
// keeps loop-invariant sums intact for LICM and makes neighbouring accesses differ by a constant only. The search
// visits at most 200 nodes; subexpressions beyond them are single terms. linear_index.cpp adds and multiplies the
// forms.

#include "backends/llvm/emit/memory/addresses.h"

#include "backends/llvm/emit/expressions.h"
#include "lowering/access/access_shape.h"
#include "support/check.h"

#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <cstddef>

namespace fluorite::backends {

using ir::ExprKind;
using llvm::Value;
using lowering::AccessShape;

LinearIndex Addresses::linear_leaf(const Expr &expr) {
    LinearIndex index;
    Value *leaf = expressions_.scalar_i64(expr);
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(leaf)) {
        index.constant = constant->getSExtValue();
        return index;
    }
    index.terms.push_back({{leaf}, 1, values_.depth_of(expr)});
    return index;
}

LinearIndex Addresses::linear(const Expr &expr) {
    int steps = 200; // the number of nodes to visit, counting shared ones each time
    LinearIndex index = linear_within(expr, steps);
    index.is_int32 = expr.type() == Int(32);
    return index;
}

LinearIndex Addresses::linear_within(const Expr &expr, int &steps) {
    const auto part = [&](size_t i) { return linear_within(expr->arg(i), steps); };
    if (--steps < 0 || index_may_wrap(expr)) {
        return linear_leaf(expr);
    }
    switch (expr->kind()) {
    case ExprKind::IntImm:
        return {{}, expr->int_value()};
    case ExprKind::Add:
        return add(part(0), part(1), 1);
    case ExprKind::Sub:
        return add(part(0), part(1), -1);
    case ExprKind::Mul: {
        LinearIndex a = part(0), b = part(1);
        return can_multiply(a, b) && can_multiply(b, a) ? multiply(a, b) : linear_leaf(expr);
    }
    case ExprKind::Cast:
        return expr->arg(0).type().is_int() && expr->arg(0).type().bits() == 32 ? part(0) : linear_leaf(expr);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return part(0);
    case ExprKind::Variable: {
        const ValueCache::Binding *bound = values_.binding(expr->symbol());
        if (bound && bound->wide) {
            LinearIndex index;
            index.terms.push_back({{bound->wide}, 1, bound->depth});
            return index;
        }
        return bound && bound->linear ? *bound->linear : linear_leaf(expr);
    }
    default: // any value can be a term
        return linear_leaf(expr);
    }
}

std::optional<RampIndex> Addresses::ramp(const Expr &expr) {
    const AccessShape shape = lowering::access_shape(expr);
    if (shape.is_uniform()) {
        return RampIndex{linear(shape.first), {}, shape.lanes};
    }
    if (shape.is_strided()) {
        return RampIndex{linear(shape.first), linear(shape.stride), shape.lanes};
    }
    if (shape.kind == AccessShape::Kind::Blocks || index_may_wrap(expr)) {
        return std::nullopt;
    }
    switch (expr->kind()) {
    case ExprKind::Cast:
        return expr->arg(0).type().is_int() && expr->arg(0).type().bits() == 32 ? ramp(expr->arg(0)) : std::nullopt;
    case ExprKind::Add:
    case ExprKind::Sub: {
        const int64_t sign = expr->kind() == ExprKind::Add ? 1 : -1;
        auto a = ramp(expr->arg(0));
        auto b = a ? ramp(expr->arg(1)) : std::nullopt;
        if (!b) {
            return std::nullopt;
        }
        RampIndex sum{add(a->base, b->base, sign), add(a->stride, b->stride, sign), a->lanes};
        sum.base.is_int32 = expr.type().bits() == 32;
        return sum;
    }
    case ExprKind::Mul: {
        auto a = ramp(expr->arg(0));
        auto b = a ? ramp(expr->arg(1)) : std::nullopt;
        if (!b) {
            return std::nullopt;
        }
        if (!a->stride.is_constant() || a->stride.constant != 0) {
            std::swap(a, b);
        }
        const bool is_uniform = a->stride.is_constant() && a->stride.constant == 0;
        if (!is_uniform || !can_multiply(a->base, b->base) || !can_multiply(a->base, b->stride)) {
            return std::nullopt;
        }
        RampIndex product{multiply(a->base, b->base), multiply(a->base, b->stride), a->lanes};
        product.base.is_int32 = expr.type().bits() == 32;
        return product;
    }
    default: // any vector can be a vector of indices
        return std::nullopt;
    }
}

/// Sorts the terms: those of outer loops first, then by the first use of their factors, so that equal sums have one
/// form and neighbouring accesses share pointers.
void Addresses::put_in_order(LinearIndex &index) {
    const auto rank = [&](Value *factor) {
        return ranks_.try_emplace(factor, static_cast<int>(ranks_.size())).first->second;
    };
    const auto by_rank = [&](Value *a, Value *b) { return rank(a) < rank(b); };
    for (LinearTerm &term : index.terms) {
        for (Value *factor : term.factors) {
            rank(factor);
        }
        llvm::sort(term.factors, by_rank);
    }
    llvm::stable_sort(index.terms, [&](const LinearTerm &a, const LinearTerm &b) {
        return a.depth != b.depth ? a.depth < b.depth
                                  : std::lexicographical_compare(a.factors.begin(), a.factors.end(), b.factors.begin(),
                                                                 b.factors.end(), by_rank);
    });
}

Value *Addresses::value_of(const LinearIndex &index) {
    LinearIndex sorted = index;
    put_in_order(sorted);
    Value *sum = nullptr;
    for (const LinearTerm &term : sorted.terms) {
        Value *product = term.factors[0];
        for (size_t i = 1; i < term.factors.size(); i++) {
            product = b_.CreateNSWMul(product, term.factors[i]);
        }
        if (term.coefficient != 1) {
            product = b_.CreateNSWMul(product, b_.getInt64(static_cast<uint64_t>(term.coefficient)));
        }
        sum = sum ? b_.CreateNSWAdd(sum, product) : product;
    }
    Value *constant = b_.getInt64(static_cast<uint64_t>(index.constant));
    return !sum ? constant : index.constant == 0 ? sum : b_.CreateNSWAdd(sum, constant);
}

/// The factor in 32 bits, of which it is the extension or the low half.
Value *Addresses::narrow_factor(Value *factor) {
    auto *extension = llvm::dyn_cast<llvm::SExtInst>(factor);
    return extension && extension->getSrcTy() == m_.i32 ? extension->getOperand(0) : b_.CreateTrunc(factor, m_.i32);
}

/// The sum of the terms modulo 2^32.
Value *Addresses::narrow_value_of(const LinearIndex &index) {
    Value *sum = b_.getInt32(0);
    for (const LinearTerm &term : index.terms) {
        Value *product = b_.getInt32(static_cast<uint32_t>(term.coefficient));
        for (Value *factor : term.factors) {
            product = b_.CreateMul(narrow_factor(factor), product);
        }
        sum = b_.CreateAdd(sum, product);
    }
    return sum;
}

/// Whether a kernel may compute the terms in 32 bits, without the constant, which belongs to the instruction. Memory
/// has less than 2^31 bytes unless indices are Int64, so an element of two bytes and more has an index below 2^30.
bool Addresses::is_narrow(llvm::Type *element, const LinearIndex &index) const {
    constexpr int64_t most = int64_t{1} << 30;
    const bool is_small = element->getScalarSizeInBits() > 8 && index.constant < most && index.constant > -most;
    return m_.is_of_device && index.is_int32 && (index.constant == 0 || is_small);
}

// ---- Pointers.

/// The same value, made opaque by an empty inline assembly so that loop strength reduction does not decompose it.
Value *Addresses::lsr_barrier(Value *value) {
    if (llvm::isa<llvm::Constant>(value) || llvm::isa<llvm::Argument>(value)) {
        return value;
    }
    auto *type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
    llvm::CallInst *call = b_.CreateCall(llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), {value});
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
    // LICM sinks no store out of a loop with a call that may not return, and sums would be stored at each step.
    call->addFnAttr(llvm::Attribute::WillReturn);
    return call;
}

Value *Addresses::address(const ir::Symbol &symbol, llvm::Type *element, const LinearIndex &index) {
    LinearIndex moving = index;
    moving.constant = 0;
    Value *pointer = buffers_.host(symbol);
    put_in_order(moving);
    if (is_narrow(element, index) && !index.is_constant()) {
        pointer = b_.CreateGEP(element, pointer, b_.CreateSExt(narrow_value_of(moving), m_.i64));
        moving.terms.clear();
    }
    // One pointer for each loop level keeps what is invariant in that loop together.
    for (size_t i = 0; i < moving.terms.size();) {
        LinearIndex level;
        const int depth = moving.terms[i].depth;
        if (i > 0 && depth == values_.depth() && !m_.is_of_device) {
            // Strength reduction would consider every partial sum; the barrier makes the invariant pointer opaque.
            pointer = lsr_barrier(pointer);
        }
        for (; i < moving.terms.size() && moving.terms[i].depth == depth; i++) {
            level.terms.push_back(moving.terms[i]);
        }
        pointer = b_.CreateGEP(element, pointer, value_of(level));
    }
    return index.constant == 0 ? pointer
                               : b_.CreateGEP(element, pointer, b_.getInt64(static_cast<uint64_t>(index.constant)));
}

Value *Addresses::dense(Type type, Value *first) {
    llvm::SmallVector<llvm::Constant *, 16> lanes;
    for (int i = 0; i < type.lanes(); i++) {
        lanes.push_back(b_.getInt64(static_cast<uint64_t>(i)));
    }
    return b_.CreateGEP(memory_type(m_.context, type.element_of()), first, llvm::ConstantVector::get(lanes));
}

// ---- Lanes.

/// The index with the definitions of lets in place of their symbols. The value of a definition is dropped when a symbol
/// in it is bound to another one; such lets stay.
Expr Addresses::without_lets(const Expr &index) const {
    return ir::transform(index, [&](const Expr &node) {
        const ValueCache::Binding *bound =
            node->kind() == ExprKind::Variable ? values_.binding(node->symbol()) : nullptr;
        const bool is_defined = bound && bound->definition.defined() && bound->value &&
                                values_.find(bound->definition.get()) == bound->value;
        const bool is_sum =
            is_defined && (is_kind(bound->definition, ExprKind::Add) || is_kind(bound->definition, ExprKind::Sub));
        return is_sum ? without_lets(bound->definition) : is_defined ? bound->definition : node;
    });
}

/// The node that stands for all equal expressions, whose value is computed once.
Expr Addresses::kept(const Expr &made) { return kept_.try_emplace(made, Kept{made, kept_.size()}).first->second.node; }

/// The sum of the terms, in one order whatever theirs is; undefined if all are subtracted.
Expr Addresses::joined(std::vector<LaneTerm> terms) {
    for (LaneTerm &term : terms) {
        term.value = kept(term.value);
    }
    std::stable_sort(terms.begin(), terms.end(), [&](const LaneTerm &a, const LaneTerm &b) {
        return a.sign != b.sign ? a.sign > b.sign : kept_.at(a.value).rank < kept_.at(b.value).rank;
    });
    Expr sum;
    for (const LaneTerm &term : terms) {
        if (!sum.defined() && term.sign < 0) {
            return {};
        }
        sum = !sum.defined() ? term.value : kept(term.sign > 0 ? ir::add(sum, term.value) : ir::sub(sum, term.value));
    }
    return sum;
}

/// A vector times what is the same for all lanes: (v + c) * u is v * u, and c * u for all lanes.
Addresses::LaneSum Addresses::lane_product(const Expr &index, int &steps) {
    for (const size_t side : {size_t{0}, size_t{1}}) {
        const Expr &factor = index->arg(side);
        const AccessShape shape = lowering::access_shape(factor);
        if (!shape.is_uniform()) {
            continue;
        }
        const LaneSum inner = lane_sum(index->arg(1 - side), steps);
        const LinearIndex by = linear(shape.first);
        const Expr varying = joined(inner.terms);
        if (!varying.defined() || !can_multiply(inner.uniform, by) || !can_multiply(by, inner.uniform)) {
            break;
        }
        return {{{ir::mul(varying, factor)}}, multiply(inner.uniform, by)};
    }
    return {{{index}}, {}};
}

Addresses::LaneSum Addresses::lane_sum(const Expr &index, int &steps) {
    const LaneSum whole = {{{index}}, {}};
    if (--steps < 0) {
        return whole;
    }
    if (const AccessShape shape = lowering::access_shape(index); shape.is_uniform()) {
        return LaneSum{{}, linear(shape.first)};
    }
    if (index_may_wrap(index)) {
        return whole;
    }
    switch (index->kind()) {
    case ExprKind::Cast: {
        const Expr &narrow = index->arg(0);
        if (!narrow.type().is_int() || narrow.type().bits() != 32 || index.type().bits() != 64) {
            return whole;
        }
        const LaneSum inner = lane_sum(narrow, steps);
        const Expr varying = joined(inner.terms);
        return varying.defined() ? LaneSum{{{ir::make_cast(index.type(), varying)}}, inner.uniform} : whole;
    }
    case ExprKind::Add:
    case ExprKind::Sub: {
        const int sign = index->kind() == ExprKind::Add ? 1 : -1;
        LaneSum sum = lane_sum(index->arg(0), steps);
        const LaneSum other = lane_sum(index->arg(1), steps);
        sum.uniform = add(sum.uniform, other.uniform, sign);
        for (const LaneTerm &term : other.terms) {
            sum.terms.push_back({term.value, term.sign * sign});
        }
        return sum;
    }
    case ExprKind::Mul:
        return lane_product(index, steps);
    default: // any vector can be a term
        return whole;
    }
}

/// What is the same for all lanes belongs to the pointer: the four corners of a bilinear interpolation have the same
/// offsets then. Offsets that are a 32-bit vector keep 32 bits, so that a gather holds twice as many.
/// In a kernel, whose lanes are computed alone, the offsets are the whole index, which 32 bits hold.
std::pair<Value *, Value *> Addresses::lane_offsets(const ir::Symbol &symbol, llvm::Type *element, const Expr &index) {
    if (m_.is_of_device && index.type().bits() == 32) {
        return {buffers_.host(symbol), expressions_.value(index)};
    }
    int most = 100; // nodes to visit, counting shared ones each time
    const LaneSum sum = lane_sum(without_lets(index), most);
    const Expr found = joined(sum.terms);
    const Expr &varying = found.defined() ? found : index;
    const bool is_widened =
        varying->kind() == ExprKind::Cast && varying->arg(0).type().is_int() && varying->arg(0).type().bits() <= 32;
    const Expr &narrow = is_widened ? varying->arg(0) : varying;
    Value *offsets = expressions_.value(narrow);
    check(offsets->getType()->isVectorTy(), "an index of lanes is a vector");
    if (narrow.type().bits() < 32) {
        offsets = b_.CreateSExt(offsets, offsets->getType()->getWithNewType(m_.i32));
    }
    return {address(symbol, element, found.defined() ? sum.uniform : LinearIndex()), offsets};
}

Value *Addresses::lanes(const ir::Symbol &symbol, llvm::Type *element, const Expr &index) {
    const auto [base, offsets] = lane_offsets(symbol, element, index);
    return b_.CreateGEP(element, base, offsets);
}

} // namespace fluorite::backends
