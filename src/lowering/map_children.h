#pragma once
// Statements with other children.

#include "ir/stmt.h"

namespace fluorite::lowering {

/// The statement with `change` applied to the statements directly below it; its expressions stay.
template <typename Change> ir::Stmt map_child_stmts(const ir::Stmt &stmt, const Change &change) {
    struct Children : ir::Mutator {
        explicit Children(const Change &change) : change(change) {}
        using ir::Mutator::mutate;
        Expr mutate(const Expr &expr) override { return expr; }
        ir::Stmt mutate(const ir::Stmt &child) override { return change(child); }
        ir::Stmt of(const ir::Stmt &stmt) { return recurse(stmt); }
        const Change &change;
    };
    return Children(change).of(stmt);
}

} // namespace fluorite::lowering
