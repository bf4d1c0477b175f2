// Strides by their form.
//
// A stride of an argument is a field of its header. A stride of an internal buffer is a constant, or a let that
// flatten.cpp binds, whose owner has a Func and a dimension; the elements of a tuple have buffers of the same strides.
// Constants show that they are not zero; strides of buffers are not, as flatten.cpp and the checks at entry ensure.
//
// Does not know of sums of strides, of which nothing follows. Cost: linear in the nodes, which are few.

#include "lowering/access/buffer_stride.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

/// Whether a leaf is a stride of a buffer.
bool names_stride(const Expr &leaf) {
    switch (leaf->kind()) {
    case ExprKind::BufferField:
        return leaf->member().field == Field::Stride;
    case ExprKind::Variable:
        return leaf->symbol().kind() == SymbolKind::Let && leaf->symbol().owner().func.valid() &&
               leaf->symbol().owner().dim.valid();
    default: // strides have no other form
        return false;
    }
}

/// Whether a leaf that names a stride names one of this buffer.
bool belongs_to(const Expr &leaf, const Symbol &buffer) {
    return leaf->kind() == ExprKind::BufferField ? leaf->member().symbol == buffer
                                                 : leaf->symbol().owner().func == buffer.owner().func;
}

} // namespace

bool is_stride_of(const Expr &stride, const Symbol &buffer) {
    int64_t constant = 0;
    switch (stride->kind()) {
    case ExprKind::IntImm:
        return stride->int_value() != 0;
    case ExprKind::Cast:
        return is_stride_of(stride->arg(0), buffer);
    case ExprKind::Mul:
        return is_const_int(stride->arg(1), &constant) && constant != 0 && is_stride_of(stride->arg(0), buffer);
    default: // false only means that the buffer is taken to overlap
        return names_stride(stride) && belongs_to(stride, buffer);
    }
}

bool is_nonzero_stride(const Expr &stride) {
    int64_t constant = 0;
    if (is_const_int(stride, &constant)) {
        return constant != 0;
    }
    switch (stride->kind()) {
    case ExprKind::Cast:
    case ExprKind::Broadcast:
        return is_nonzero_stride(stride->arg(0));
    case ExprKind::Mul:
        return is_nonzero_stride(stride->arg(0)) && is_nonzero_stride(stride->arg(1));
    default: // false only means that lanes are taken to meet
        return names_stride(stride);
    }
}

} // namespace fluorite::lowering
