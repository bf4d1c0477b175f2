#pragma once
// In checked code: conditions under which arithmetic on coordinates does not overflow. See docs/rationale/lowering.md.

#include "ir/graph.h"
#include "ir/stmt.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

/// Holds where no sum, difference, product or conversion in the expression leaves its type; what depends on memory
/// wraps, and what is read at other coordinates is looked at there. Bool; the constant true where there is nothing to
/// check.
Expr does_not_overflow(const Expr &expr);

/// An expression that is an index, and under which condition it must not overflow.
struct IndexUse {
    Expr index, condition;
};
/// The coordinates of a stage as the program writes them, of what it reads and writes, with the condition of each over
/// the variables of the stage.
std::vector<IndexUse> index_uses(const ir::Stage &stage);

/// Asserts the condition; `who` is a Func and its stage, `what` what overflows.
ir::Stmt assert_no_overflow(const Expr &condition, const std::string &who, const std::string &what);

} // namespace fluorite::lowering
