// Uses of buffers in expressions.
//
// After flattening, an expression names a buffer in three ways: a Load reads an element; a Variable of handle type is
// the address, which calls take; a BufferField reads the header of an argument. Whoever has the address may read and
// write any element, so what must not be read must not have its address taken either. A prefetch has the address as its
// operand and reads nothing; a pass to which that matters asks about the Extern.
//
// Cost: linear in distinct nodes.

#include "lowering/access/buffer_uses.h"

namespace fluorite::lowering {

using namespace ir;

BufferUse buffer_use(const Expr &node) {
    switch (node->kind()) {
    case ExprKind::Load:
        return BufferUse::Load;
    case ExprKind::Variable:
        return node.type().is_handle() ? BufferUse::Address : BufferUse::None;
    case ExprKind::BufferField:
        return BufferUse::Field;
    default: // flat IR names buffers in no other way; before flattening there are none
        return BufferUse::None;
    }
}

void for_each_load(const Expr &expr, const std::function<void(const Expr &)> &visit) {
    for_each_node(expr, [&](const Expr &node) {
        if (node->kind() == ExprKind::Load) {
            visit(node);
        }
    });
}

bool reads_buffer(const Expr &expr, const Symbol &buffer) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) {
        const BufferUse use = buffer_use(node);
        found = found || ((use == BufferUse::Load || use == BufferUse::Address) && node->symbol() == buffer);
    });
    return found;
}

} // namespace fluorite::lowering
