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

/// Whether loops have few iterations, such as one over the taps of a stencil, by their extents. In a deep nest, the
/// conditions of each loop ask for all loops inside of it.
class LoopLengths {
  public:
    bool is_short(const Expr &extent);

  private:
    ir::ExprMap<bool> known_;
};

/// The loops inside the body of a loop over `var` and around a condition, outermost first, in terms of what is in scope
/// at the condition.
class InnerLoops {
  public:
    struct Loop {
        ir::Symbol var;
        Expr min, max, extent; // max is the last value
    };
    /// Whether a value is the same in the whole body, varies along inner loops whose ranges are the same in all
    /// iterations, or varies with `var`.
    enum class Motion : uint8_t { None, Inside, WithVariable };

    /// The lengths must outlive this object.
    InnerLoops(const ir::Symbol &var, LoopLengths &lengths) : var_(var), lengths_(lengths) {}

    const ir::Symbol &var() const { return var_; }

    void push(const ir::Symbol &var, const Expr &min, const Expr &extent);
    void pop();
    int size() const { return static_cast<int>(loops_.size()); }
    const Loop &at(int position) const { return loops_[static_cast<size_t>(position)]; }
    /// The position of a loop; -1 if the symbol is none's.
    int find(const ir::Symbol &symbol) const;
    bool is_short(int position) const { return lengths_.is_short(at(position).extent); }
    /// Memoized for each node: symbols are distinct, so what a node says of `var` is the same wherever it is in scope.
    Motion motion(const Expr &expr) const;

  private:
    const ir::Symbol var_;
    LoopLengths &lengths_;
    std::vector<Loop> loops_;
    ir::SymbolMap<int> positions_;
    ir::SymbolMap<Motion> loop_motions_; // of the variables of all loops that have been entered
    mutable ir::ExprMap<Motion> motions_;

    Motion motion_of_leaf(const Expr &leaf) const;
};

/// Bounds on the outer loop that suffice for a Bool `condition` (in all lanes) to hold in every iteration of the inner
/// loops; nothing if none are found, or none are about its variable. `condition` must be free of lets bound in the
/// body.
std::optional<LoopBounds> solve_condition(const Expr &condition, const InnerLoops &inner);
/// The same for !condition.
std::optional<LoopBounds> solve_negation(const Expr &condition, const InnerLoops &inner);

/// Conditions that together suffice for `condition` to hold in every iteration of the inner loops. No condition is
/// about the outer loop, whose variable must not occur.
std::optional<std::vector<Expr>> required_throughout(const Expr &condition, const InnerLoops &loops);

} // namespace fluorite::lowering
