#pragma once
// In checked code: conditions under which arithmetic on coordinates does not overflow. See docs/rationale/lowering.md.

#include "ir/graph.h"
#include "ir/stmt.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

/// A Bool condition that holds if no sum, difference, product or conversion of the expression overflows its type; the
/// constant true if there is nothing to check. Expressions that depend on memory wrap, and are not checked. Coordinates
/// of accesses inside the expression are not checked here; index_uses() finds them.
Expr does_not_overflow(const Expr &expr);

/// An index expression, and the condition under which it does not overflow.
struct IndexUse {
    Expr index, condition;
};
/// The coordinates that a stage writes and reads, as the program defines them, with their conditions over the variables
/// of the stage.
std::vector<IndexUse> index_uses(const ir::Stage &stage);

/// Asserts the condition; `who` names a Func and its stage, `what` the expression that overflows.
ir::Stmt assert_no_overflow(const Expr &condition, const std::string &who, const std::string &what);

} // namespace fluorite::lowering
