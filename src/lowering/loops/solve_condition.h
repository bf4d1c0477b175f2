#pragma once
// For which values of a loop variable a condition in the loop's body always holds.

#include "ir/stmt.h"

#include <optional>
#include <vector>

namespace fluorite::lowering {

/// A sufficient condition on a loop variable: var >= each of `lower`, var <= each of `upper` (Int32), and all of
/// `required` (Bool) hold. All expressions are free of symbols bound in the body. If all lists are empty, the condition
/// always holds.
struct LoopBounds {
    std::vector<Expr> lower, upper, required;
    bool spans_inner_loops = false; // one iteration stands for a whole inner loop, as for tiles

    bool bounds_variable() const { return !lower.empty() || !upper.empty(); }

    void add(const LoopBounds &other) {
        lower.insert(lower.end(), other.lower.begin(), other.lower.end());
        upper.insert(upper.end(), other.upper.begin(), other.upper.end());
        required.insert(required.end(), other.required.begin(), other.required.end());
        spans_inner_loops = spans_inner_loops || other.spans_inner_loops;
    }
};

/// A loop inside the body, and its range (inclusive) in terms of what is in scope at the condition.
struct InnerLoop {
    ir::Symbol var;
    Expr min, max;
    mutable std::optional<bool> is_short = {}; // whether it has few iterations, once that has been asked for
};

/// Bounds that suffice for a Bool `condition` (in all lanes) to hold in every iteration of the inner loops; nothing if
/// none are found. `condition` must be free of lets bound in the body.
std::optional<LoopBounds> solve_condition(const Expr &condition, const ir::Symbol &var,
                                          const std::vector<InnerLoop> &inner);
/// The same for !condition.
std::optional<LoopBounds> solve_negation(const Expr &condition, const ir::Symbol &var,
                                         const std::vector<InnerLoop> &inner);

/// Conditions that together suffice for `condition` to hold in every iteration of the loops.
std::optional<std::vector<Expr>> required_throughout(const Expr &condition, const std::vector<InnerLoop> &loops);

} // namespace fluorite::lowering
