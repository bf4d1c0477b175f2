// Expressions in LLVM instructions.
//
// value() yields the value of an expression at the insertion point. Expressions are DAGs with much sharing, so a node
// is emitted only once as long as its value remains valid. The traversal uses an explicit stack, so depth is not
// limited.
//
// Relies on value_cache.h to know which values are valid, and on EarlyCSE and GVN to merge equal but distinct nodes.

#include "backends/llvm/emit/emitter.h"

#include "fluorite/float16.h"
#include "support/check.h"

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using llvm::Value;

Value *Emitter::value(const Expr &root) {
    check(root.defined(), "an expression of loop IR is defined");
    std::vector<std::pair<const ExprNode *, size_t>> stack{{root.get(), 0}};
    std::vector<std::pair<const ExprNode *, std::optional<ValueCache::Binding>>> hidden;
    Value *result = nullptr; // of the node that was completed last; finally, of the root
    while (!stack.empty()) {
        const ExprNode *node = stack.back().first;
        const size_t next = stack.back().second++;
        if (Value *known = next == 0 ? frame_.values.find(node) : nullptr) {
            result = known;
            stack.pop_back();
            continue;
        }
        const bool is_let = node->kind() == ExprKind::Let;
        if (is_let && next == 1) {
            Value *bound = operand(*node, 0);
            hidden.emplace_back(
                node, frame_.values.bind(node->symbol(), {bound, nullptr, frame_.values.depth_of(node->arg(0))}));
        }
        // load() inspects the form of the index before it emits anything.
        const size_t operands = node->kind() == ExprKind::Load ? 0 : node->arg_count();
        if (next < operands) {
            const ExprNode *child = node->arg(next).get();
            if (!frame_.values.find(child)) {
                stack.emplace_back(child, 0);
            }
            continue;
        }
        result = emit_node(*node);
        frame_.values.remember(*node, result);
        if (is_let) {
            frame_.values.restore(node->symbol(), hidden.back().second);
            if (hidden.back().second) {
                frame_.values.remember_outer_use(*node);
            }
            hidden.pop_back();
        }
        stack.pop_back();
    }
    return result;
}

Value *Emitter::operand(const ExprNode &node, size_t i) {
    Value *known = frame_.values.find(node.arg(i).get());
    return known ? known : value(node.arg(i));
}

Value *Emitter::scalar_i64(const Expr &expr) {
    check(expr.type().is_int() && expr.type().is_scalar(), "an index is a signed scalar");
    Value *narrow = value(expr);
    if (narrow->getType() == i64_ || llvm::isa<llvm::Constant>(narrow)) {
        return b_.CreateSExt(narrow, i64_);
    }
    Value *&wide = frame_.widened[narrow]; // one for each value, so that equal indices are recognized as equal
    if (!wide) {
        const llvm::IRBuilderBase::InsertPointGuard guard(b_);
        auto *made = llvm::dyn_cast<llvm::Instruction>(narrow);
        if (!made) {
            b_.SetInsertPoint(frame_.entry);
        } else if (made->getParent() != b_.GetInsertBlock() || made->getNextNode()) {
            b_.SetInsertPoint(made->getParent(), llvm::isa<llvm::PHINode>(made)
                                                     ? made->getParent()->getFirstInsertionPt()
                                                     : std::next(made->getIterator()));
        }
        wide = b_.CreateSExt(narrow, i64_);
    }
    return wide;
}

// ---- Nodes.

Value *Emitter::variable(const ExprNode &node) {
    const ir::Symbol &symbol = node.symbol();
    const ValueCache::Binding *bound = frame_.values.binding(symbol);
    if (bound && bound->value) {
        return bound->value;
    }
    if (node.type().is_handle()) {
        const Buffer &found = buffer(symbol);
        return found.header ? found.header : found.host;
    }
    internal_error(concat("variable '", symbol.name(), "' is not bound in '", name_, "'"), {});
}

Value *Emitter::float_constant(Type type, double number) {
    if (is_short_float(type)) {
        const uint16_t bits = type.is_bfloat() ? bfloat16_t(number).to_bits() : float16_t(number).to_bits();
        return llvm::ConstantInt::get(value_type(context_, type), bits);
    }
    return llvm::ConstantFP::get(value_type(context_, type), number);
}

namespace {

int source_lanes(const ExprNode &shuffle) {
    int lanes = 0;
    for (const Expr &arg : shuffle.args()) {
        lanes += arg.type().lanes();
    }
    return lanes;
}

/// The number of rows if the shuffle transposes a matrix of at least four rows whose dimensions are powers of two; else
/// 0.
int transposed_rows(const ExprNode &shuffle) {
    const int total = source_lanes(shuffle), row = shuffle.indices()[1];
    const auto is_power = [](int n) { return n >= 2 && llvm::isPowerOf2_32(static_cast<uint32_t>(n)); };
    if (shuffle.indices()[0] != 0 || shuffle.type().lanes() != total || !is_power(total) || !is_power(row) ||
        row >= total || total / row < 4 || shuffle.type().is_bool()) {
        return 0;
    }
    const int rows = total / row;
    for (int i = 0; i < total; i++) {
        if (shuffle.indices()[static_cast<size_t>(i)] != i % rows * row + i / rows) {
            return 0;
        }
    }
    return rows;
}

} // namespace

Value *Emitter::vector_node(const ExprNode &node) {
    const Type type = node.type();
    switch (node.kind()) {
    case ExprKind::Broadcast: {
        const int pieces = type.lanes() / node.arg(0).type().lanes();
        if (node.arg(0).type().is_scalar()) {
            return arith_.broadcast(operand(node, 0), pieces);
        }
        Value *piece = operand(node, 0);
        const int lanes = node.arg(0).type().lanes();
        if (lanes <= 4) { // one instruction if the piece is as wide as an integer
            llvm::SmallVector<int, 64> again;
            for (int i = 0; i < type.lanes(); i++) {
                again.push_back(i % lanes);
            }
            return b_.CreateShuffleVector(piece, again);
        }
        return arith_.concat(std::vector<Value *>(static_cast<size_t>(pieces), piece));
    }
    case ExprKind::Ramp: {
        const Type step = node.arg(0).type();
        const int pieces = type.lanes() / step.lanes();
        Value *base = operand(node, 0), *stride = operand(node, 1);
        if (step.is_scalar() && type.is_int_or_uint()) {
            llvm::SmallVector<llvm::Constant *, 16> lanes;
            for (int i = 0; i < pieces; i++) {
                lanes.push_back(llvm::ConstantInt::get(base->getType(), static_cast<uint64_t>(i), true));
            }
            Value *offsets = b_.CreateMul(arith_.broadcast(stride, pieces), llvm::ConstantVector::get(lanes));
            return b_.CreateAdd(arith_.broadcast(base, pieces), offsets);
        }
        std::vector<Value *> parts; // base + stride * i, with the operations that scalar code uses
        for (int i = 0; i < pieces; i++) {
            Value *factor = step.is_float() ? arith_.broadcast(float_constant(step.element_of(), i), step.lanes())
                                            : arith_.constant(step, i);
            Value *offset = arith_.binary(ExprKind::Mul, step, stride, factor, step);
            parts.push_back(arith_.binary(ExprKind::Add, step, base, offset, step));
        }
        return arith_.concat(parts);
    }
    case ExprKind::Shuffle: {
        std::vector<Value *> vectors;
        for (size_t i = 0; i < node.arg_count(); i++) {
            vectors.push_back(operand(node, i));
        }
        const int first = node.indices()[0], lanes = type.lanes();
        bool is_slice = first + lanes <= source_lanes(node);
        for (int i = 0; i < lanes; i++) {
            is_slice &= node.indices()[static_cast<size_t>(i)] == first + i;
        }
        if (Value *words = is_slice ? nullptr : arith_.interleaved(vectors, node.indices())) {
            return words;
        }
        const int rows = is_slice ? 0 : transposed_rows(node);
        if (!is_slice && rows == 0 && source_lanes(node) > 1) {
            return arith_.shuffled(vectors, node.indices());
        }
        Value *all = arith_.concat(vectors);
        if (type.is_scalar()) {
            return arith_.slice(all, first, 1);
        }
        if (!all->getType()->isVectorTy()) {
            return arith_.broadcast(all, lanes);
        }
        return is_slice ? arith_.slice(all, first, lanes) : arith_.transposed(all, rows);
    }
    default:
        return arith_.reduce(node.reduce_op(), node.arg(0).type(), operand(node, 0), type.lanes());
    }
}

Value *Emitter::emit_node(const ExprNode &node) {
    const Type type = node.type();
    switch (node.kind()) {
    case ExprKind::IntImm:
        return arith_.constant(type, node.int_value());
    case ExprKind::UIntImm:
        return arith_.constant(type, static_cast<int64_t>(node.uint_value()));
    case ExprKind::FloatImm:
        return float_constant(type, node.float_value());
    case ExprKind::StringImm:
        return globals_.text(node.text());
    case ExprKind::Variable:
        return variable(node);
    case ExprKind::BufferField:
        return field(header(node.symbol()), node.member());
    case ExprKind::Cast:
        return arith_.cast(operand(node, 0), node.arg(0).type(), type);
    case ExprKind::SaturatingCast:
        return arith_.saturating_cast(operand(node, 0), node.arg(0).type(), type);
    case ExprKind::Reinterpret:
        return arith_.reinterpret(operand(node, 0), node.arg(0).type(), type);
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::AbsDiff:
    case ExprKind::EQ:
    case ExprKind::NE:
    case ExprKind::LT:
    case ExprKind::LE:
    case ExprKind::GT:
    case ExprKind::GE:
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
        return b_.CreateSelect(operand(node, 0), operand(node, 1), operand(node, 2));
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::MemoizeTag:
        return operand(node, 0);
    case ExprKind::Math:
        return math(node);
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::Shuffle:
    case ExprKind::VectorReduce:
        return vector_node(node);
    case ExprKind::Let:
        return operand(node, 1);
    case ExprKind::Load:
        return load(node);
    case ExprKind::Extern:
        return extern_call(node);
    case ExprKind::Random:
        return random(node);
    case ExprKind::Undef:
        return llvm::Constant::getNullValue(value_type(context_, type));
    case ExprKind::Require:
        return require_value(node);
    case ExprKind::Print:
        return print(node);
    case ExprKind::Call:
    case ExprKind::Image:
        break;
    }
    internal_error(concat("'", kind_name(node.kind()), "' of '", node.symbol().name(), "' is left after lowering"), {});
}

} // namespace fluorite::backends
