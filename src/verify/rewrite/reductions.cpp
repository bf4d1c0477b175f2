#include "verify/rewrite/reductions.h"

#include <vector>

namespace fluorite::verify {

std::optional<analysis::Contribution> reduction_by(const Expr &op) {
    if (op->arg_count() != 2) {
        return std::nullopt;
    }
    const ir::Symbol old(ir::SymbolKind::Let, "old"), element(ir::SymbolKind::Let, "element");
    const std::vector<Expr> operands = {ir::make_var(op.type(), old), ir::make_var(op.type(), element)};
    const auto is_old = [&](const Expr &expr) {
        return expr->kind() == ir::ExprKind::Variable && expr->symbol() == old;
    };
    const auto reads = [&](const Expr &expr) {
        bool found = false;
        ir::for_each_node(expr, [&](const Expr &node) { found = found || is_old(node); });
        return found;
    };
    return analysis::find_contribution(ir::with_args(op, operands), is_old, reads);
}

} // namespace fluorite::verify
