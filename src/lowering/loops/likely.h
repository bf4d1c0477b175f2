#pragma once
// Hints: which nodes have a likely operand, and the condition under which they equal it.

#include "analysis/hints.h"
#include "ir/stmt.h"

namespace fluorite::lowering {

/// A node that hints replace in the steady state: a Min, Max or Select with one likely operand becomes this operand; a
/// likely condition becomes true.
struct LikelyNode {
    Expr node;
    /// The condition under which the replacement is valid (with `is_negated`: the condition must not hold).
    Expr condition;
    bool is_negated = false;
    /// The operand that replaces the node; -1: true.
    int operand = -1;
    /// The hint applies to innermost loops only.
    bool if_innermost = false;
};

/// The likely nodes of an expression, operands before the node.
std::vector<LikelyNode> find_likely_nodes(const Expr &expr);

using analysis::strip_hints;
ir::Stmt strip_hints(const ir::Stmt &stmt);

/// Expands lets inside of expressions with hints, so that conditions are over symbols of statements only.
ir::Stmt expand_hinted_lets(const ir::Stmt &stmt);

} // namespace fluorite::lowering
