// Expressions in LLVM instructions.
//
// value() yields the value of an expression at the insertion point. Expressions are DAGs with much sharing, so a node
// is emitted only once as long as its value remains valid. The traversal uses an explicit stack, so depth is not
// limited.
//
// Relies on value_cache.h to know which values are valid, and on EarlyCSE and GVN to merge equal but distinct nodes.

#include "backends/llvm/emit/expressions.h"

#include "backends/llvm/emit/calls/math_calls.h"
#include "backends/llvm/emit/function_frame.h"
#include "backends/llvm/emit/memory/loads.h"
#include "backends/llvm/emit/vector_nodes.h"
#include "ir/expr_cases.h"
#include "support/check.h"

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using llvm::Value;

Expr definition_of_lanes(const Expr &value) {
    const Type type = value.type();
    return type.is_vector() && type.is_int() && type.bits() == 32 ? value : Expr();
}

Value *Expressions::value(const Expr &root) {
    check(root.defined(), "an expression of loop IR is defined");
    std::vector<std::pair<const ExprNode *, size_t>> stack{{root.get(), 0}};
    std::vector<std::pair<const ExprNode *, std::optional<ValueCache::Binding>>> hidden;
    Value *result = nullptr; // of the node that was completed last; finally, of the root
    while (!stack.empty()) {
        const ExprNode *node = stack.back().first;
        const size_t next = stack.back().second++;
        if (Value *known = next == 0 ? values_.find(node) : nullptr) {
            result = known;
            stack.pop_back();
            continue;
        }
        const bool is_let = node->kind() == ExprKind::Let;
        if (is_let && next == 1) {
            Value *bound = operand(*node, 0);
            hidden.emplace_back(
                node,
                values_.bind(node->symbol(),
                             {bound, nullptr, values_.depth_of(node->arg(0)), {}, definition_of_lanes(node->arg(0))}));
        }
        // load() inspects the form of the index before it emits anything.
        const size_t operands = node->kind() == ExprKind::Load ? 0 : node->arg_count();
        if (next < operands) {
            const ExprNode *child = node->arg(next).get();
            if (!values_.find(child)) {
                stack.emplace_back(child, 0);
            }
            continue;
        }
        result = node_value(*node);
        values_.remember(*node, result);
        if (is_let) {
            values_.restore(node->symbol(), hidden.back().second);
            if (hidden.back().second) {
                values_.remember_outer_use(*node);
            }
            hidden.pop_back();
        }
        stack.pop_back();
    }
    return result;
}

Value *Expressions::operand(const ExprNode &node, size_t i) {
    Value *known = values_.find(node.arg(i).get());
    return known ? known : value(node.arg(i));
}

Value *Expressions::scalar_i64(const Expr &expr) {
    check(expr.type().is_int() && expr.type().is_scalar(), "an index is a signed scalar");
    Value *narrow = value(expr);
    if (narrow->getType() == m_.i64 || llvm::isa<llvm::Constant>(narrow)) {
        return b_.CreateSExt(narrow, m_.i64);
    }
    Value *&wide = widened_[narrow]; // one for each value, so that equal indices are recognized as equal
    if (!wide) {
        const llvm::IRBuilderBase::InsertPointGuard guard(b_);
        auto *made = llvm::dyn_cast<llvm::Instruction>(narrow);
        if (!made) {
            b_.SetInsertPoint(parts_.frame.entry());
        } else if (made->getParent() != b_.GetInsertBlock() || made->getNextNode()) {
            b_.SetInsertPoint(made->getParent(), llvm::isa<llvm::PHINode>(made)
                                                     ? made->getParent()->getFirstInsertionPt()
                                                     : std::next(made->getIterator()));
        }
        wide = b_.CreateSExt(narrow, m_.i64);
    }
    return wide;
}

// ---- Nodes.

Value *Expressions::variable(const ExprNode &node) {
    const ir::Symbol &symbol = node.symbol();
    const ValueCache::Binding *bound = values_.binding(symbol);
    if (bound && bound->value) {
        return bound->value;
    }
    if (node.type().is_handle()) {
        return parts_.buffers.handle(symbol);
    }
    internal_error(concat("variable '", symbol.name(), "' is not bound in '", m_.program.entry().name, "'"), {});
}

Value *Expressions::node_value(const ExprNode &node) {
    const Type type = node.type();
    switch (node.kind()) {
    case ExprKind::IntImm:
        return arith_.constant(type, node.int_value());
    case ExprKind::UIntImm:
        return arith_.constant(type, static_cast<int64_t>(node.uint_value()));
    case ExprKind::FloatImm:
        return float_constant(m_, type, node.float_value());
    case ExprKind::Variable:
        return variable(node);
    case ExprKind::Cast:
        return arith_.cast(operand(node, 0), node.arg(0).type(), type);
    case ExprKind::SaturatingCast:
        return arith_.saturating_cast(operand(node, 0), node.arg(0).type(), type);
    case ExprKind::Reinterpret:
        return arith_.reinterpret(operand(node, 0), node.arg(0).type(), type);
    case FLUORITE_BINARY_ARITHMETIC:
    case FLUORITE_COMPARISONS:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return arith_.binary(node.kind(), node.arg(0).type(), operand(node, 0), operand(node, 1), node.arg(1).type());
    case ExprKind::Fma:
        return arith_.fma(type, operand(node, 0), operand(node, 1), operand(node, 2));
    case ExprKind::Not:
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
    case ExprKind::Abs:
        return arith_.unary(node.kind(), node.arg(0).type(), operand(node, 0));
    case ExprKind::Select:
        return arith_.select(operand(node, 0), operand(node, 1), operand(node, 2));
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::MemoizeTag:
        return operand(node, 0);
    case ExprKind::Math:
        return parts_.math.math(node);
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::Shuffle:
    case ExprKind::VectorReduce:
        return vector_node(m_, *this, node);
    case ExprKind::Let:
        return operand(node, 1);
    case ExprKind::Load:
        return parts_.loads.load(node);
    case ExprKind::Random:
        return parts_.math.random(node);
    case ExprKind::Undef:
        return llvm::Constant::getNullValue(value_type(m_.context, type));
    case ExprKind::BufferField:
    case ExprKind::Extern:
    case ExprKind::Print:
    case ExprKind::Require:
    case ExprKind::StringImm:
        return parts_.machine.value(node);
    case ExprKind::Call:
    case ExprKind::Image:
        break;
    }
    internal_error(concat("'", kind_name(node.kind()), "' of '", node.symbol().name(), "' is left after lowering"), {});
}

} // namespace fluorite::backends
