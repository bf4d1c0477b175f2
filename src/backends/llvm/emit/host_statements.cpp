// Statements of functions of the host.
//
//   for parallel     tasks.h, as are forked loops and launches
//   allocate         memory/allocations.h
//   assert           a cold branch that leaves the function with the value of the error call

#include "backends/llvm/emit/host_statements.h"

#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/kernel_calls.h"
#include "backends/llvm/emit/memory/allocations.h"
#include "backends/llvm/emit/tasks.h"
#include "ir/expr_traits.h"
#include "support/check.h"

namespace fluorite::backends {

using ir::ExprKind;
using ir::StmtKind;

namespace {

bool waits(const Expr &condition) {
    bool found = false;
    ir::for_each_node(condition, [&](const Expr &node) {
        found = found || (node->kind() == ExprKind::Extern && node->text() == "fluorite_semaphore_acquire");
    });
    return found;
}

} // namespace

void HostStatements::emit(const ir::Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::Assert: {
        const auto &node = *stmt.as<ir::Assert>();
        frame_.require(expressions_.value(node.condition), [&] { return expressions_.value(node.error); });
        if (waits(node.condition)) {
            values_.forget_memory(); // another task may have stored meanwhile
        }
        return;
    }
    case StmtKind::For: {
        const auto &loop = *stmt.as<ir::For>();
        if (loop.for_kind == ir::ForKind::GPUBlock) {
            return kernels_.launch(loop);
        }
        check(loop.for_kind == ir::ForKind::Parallel || loop.for_kind == ir::ForKind::Forked,
              concat("loop '", loop.var.name(), "' is neither serial nor parallel after lowering"));
        return launches_.task_for(loop);
    }
    case StmtKind::Allocate:
        return allocations_.allocate(*stmt.as<ir::Allocate>());
    case StmtKind::Free:
        return allocations_.free(stmt.as<ir::Free>()->buffer);
    case StmtKind::Launch:
        return launches_.launch(*stmt.as<ir::Launch>());
    default: // Barrier, of which only kernels have one
        unreachable("not a statement of the host");
    }
}

} // namespace fluorite::backends
