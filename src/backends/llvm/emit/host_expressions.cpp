#include "backends/llvm/emit/host_expressions.h"

#include "backends/llvm/emit/calls/calls.h"
#include "backends/llvm/emit/calls/messages.h"
#include "backends/llvm/emit/memory/buffer_header.h"
#include "support/check.h"

namespace fluorite::backends {

using ir::ExprKind;

llvm::Value *HostExpressions::value(const ir::ExprNode &node) {
    switch (node.kind()) {
    case ExprKind::BufferField:
        return load_member(m_, buffers_.header(node.symbol()), node.member());
    case ExprKind::Extern:
        return calls_.call(node);
    case ExprKind::Print:
        return messages_.print(node);
    case ExprKind::Require:
        return messages_.require(node);
    case ExprKind::StringImm:
        return m_.globals.text(node.text());
    default: // Expressions::node_value, which names every kind, sends no other here
        unreachable("not an expression of the host");
    }
}

} // namespace fluorite::backends
