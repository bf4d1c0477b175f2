// Broadcasts, ramps, shuffles and reductions over lanes.
//
// A shuffle is, in this order: a slice, an interleaving whose groups of lanes are integers, a transpose of a matrix, or
// an arbitrary shuffle (../arith/). A ramp of integers is one multiplication and one addition; other ramps are computed
// lane by lane with the operations that scalar code uses, so that the bits agree.

#include "backends/llvm/emit/vector_nodes.h"

#include "backends/llvm/emit/expressions.h"
#include "fluorite/float16.h"

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using llvm::Value;

Value *float_constant(const ModuleContext &m, Type type, double number) {
    if (is_short_float(type)) {
        const uint16_t bits = type.is_bfloat() ? bfloat16_t(number).to_bits() : float16_t(number).to_bits();
        return llvm::ConstantInt::get(value_type(m.context, type), bits);
    }
    return llvm::ConstantFP::get(value_type(m.context, type), number);
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

Value *broadcast_node(const ModuleContext &m, Expressions &expressions, const ExprNode &node) {
    const Type type = node.type();
    const int lanes = node.arg(0).type().lanes(), pieces = type.lanes() / lanes;
    Value *piece = expressions.operand(node, 0);
    if (node.arg(0).type().is_scalar()) {
        return m.lanes.broadcast(piece, pieces);
    }
    if (lanes <= 4) { // one instruction if the piece is as wide as an integer
        llvm::SmallVector<int, 64> again;
        for (int i = 0; i < type.lanes(); i++) {
            again.push_back(i % lanes);
        }
        return m.b.CreateShuffleVector(piece, again);
    }
    return m.lanes.concat(std::vector<Value *>(static_cast<size_t>(pieces), piece));
}

Value *ramp_node(const ModuleContext &m, Expressions &expressions, const ExprNode &node) {
    Arith &arith = m.arith;
    const Type type = node.type(), step = node.arg(0).type();
    const int pieces = type.lanes() / step.lanes();
    Value *base = expressions.operand(node, 0), *stride = expressions.operand(node, 1);
    if (step.is_scalar() && type.is_int_or_uint()) {
        llvm::SmallVector<llvm::Constant *, 16> lanes;
        for (int i = 0; i < pieces; i++) {
            lanes.push_back(llvm::ConstantInt::get(base->getType(), static_cast<uint64_t>(i), true));
        }
        Value *offsets = m.b.CreateMul(m.lanes.broadcast(stride, pieces), llvm::ConstantVector::get(lanes));
        return m.b.CreateAdd(m.lanes.broadcast(base, pieces), offsets);
    }
    std::vector<Value *> parts; // base + stride * i, with the operations that scalar code uses
    for (int i = 0; i < pieces; i++) {
        Value *factor = step.is_float() ? m.lanes.broadcast(float_constant(m, step.element_of(), i), step.lanes())
                                        : arith.constant(step, i);
        Value *offset = arith.binary(ExprKind::Mul, step, stride, factor, step);
        parts.push_back(arith.binary(ExprKind::Add, step, base, offset, step));
    }
    return m.lanes.concat(parts);
}

Value *shuffle_node(const ModuleContext &m, Expressions &expressions, const ExprNode &node) {
    const Type type = node.type();
    std::vector<Value *> vectors;
    for (size_t i = 0; i < node.arg_count(); i++) {
        vectors.push_back(expressions.operand(node, i));
    }
    const int first = node.indices()[0], lanes = type.lanes();
    bool is_slice = first + lanes <= source_lanes(node);
    for (int i = 0; i < lanes; i++) {
        is_slice &= node.indices()[static_cast<size_t>(i)] == first + i;
    }
    if (Value *words = is_slice ? nullptr : m.lanes.interleaved(vectors, node.indices())) {
        return words;
    }
    const int rows = is_slice ? 0 : transposed_rows(node);
    if (!is_slice && rows == 0 && source_lanes(node) > 1) {
        return m.lanes.shuffled(vectors, node.indices());
    }
    Value *all = m.lanes.concat(vectors);
    if (type.is_scalar()) {
        return m.lanes.slice(all, first, 1);
    }
    if (!all->getType()->isVectorTy()) {
        return m.lanes.broadcast(all, lanes);
    }
    return is_slice ? m.lanes.slice(all, first, lanes) : m.lanes.transposed(all, rows);
}

} // namespace

Value *vector_node(const ModuleContext &m, Expressions &expressions, const ExprNode &node) {
    switch (node.kind()) {
    case ExprKind::Broadcast:
        return broadcast_node(m, expressions, node);
    case ExprKind::Ramp:
        return ramp_node(m, expressions, node);
    case ExprKind::Shuffle:
        return shuffle_node(m, expressions, node);
    default: // Expressions::node_value sends kinds of vectors, of which VectorReduce is left
        return m.arith.reduce(node.reduce_op(), node.arg(0).type(), expressions.operand(node, 0), node.type().lanes());
    }
}

} // namespace fluorite::backends
