#pragma once
// For which values of a loop's variable a condition in its body always holds.

#include "ir/stmt.h"

#include <optional>
#include <vector>

namespace fluorite::lowering {

/// var >= each of lower and var <= each of upper (Int32), where all of `required` (Bool) hold; all free of everything
/// bound in the body. Neither: always.
struct LoopBounds {
    std::vector<Expr> lower, upper, required;
    bool spans_inner_loops = false; // one iteration stands for all of a loop inside, as that of tiles does

    bool bounds_variable() const { return !lower.empty() || !upper.empty(); }

    void add(const LoopBounds &other) {
        lower.insert(lower.end(), other.lower.begin(), other.lower.end());
        upper.insert(upper.end(), other.upper.begin(), other.upper.end());
        required.insert(required.end(), other.required.begin(), other.required.end());
        spans_inner_loops = spans_inner_loops || other.spans_inner_loops;
    }
};

/// The loops inside a body and the range of each (inclusive), as they are seen where the condition stands.
struct InnerLoop {
    ir::Symbol var;
    Expr min, max;
};

/// Bounds that suffice for a Bool `condition` (of any lanes: all of them) to hold in every iteration of the inner
/// loops. Nothing where none are found. `condition` is free of lets bound in the body.
std::optional<LoopBounds> solve_condition(const Expr &condition, const ir::Symbol &var,
                                          const std::vector<InnerLoop> &inner);
/// Likewise for !condition.
std::optional<LoopBounds> solve_negation(const Expr &condition, const ir::Symbol &var,
                                         const std::vector<InnerLoop> &inner);

/// What suffices for the condition to hold in every iteration of the loops.
std::optional<std::vector<Expr>> required_throughout(const Expr &condition, const std::vector<InnerLoop> &loops);

} // namespace fluorite::lowering
