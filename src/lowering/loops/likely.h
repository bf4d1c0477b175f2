#pragma once
// Hints: which nodes have a likely side, and what they are where that side is taken.

#include "analysis/hints.h"
#include "ir/stmt.h"

namespace fluorite::lowering {

/// A node that a hint makes one of its operands in the steady state: a Min, Max or Select with one likely operand, a
/// Select on a likely condition, or a likely condition itself, which becomes true.
struct LikelyNode {
    Expr node;
    /// What must hold for that (and `is_negated`: must not hold).
    Expr condition;
    bool is_negated = false;
    /// The operand that it becomes; -1: true.
    int operand = -1;
    /// Only counts in innermost loops.
    bool if_innermost = false;
};

/// The likely nodes of an expression, operands before the node.
std::vector<LikelyNode> find_likely_nodes(const Expr &expr);

using analysis::strip_hints;
ir::Stmt strip_hints(const ir::Stmt &stmt);

} // namespace fluorite::lowering
