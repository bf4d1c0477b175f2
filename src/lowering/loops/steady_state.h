#pragma once
// The steady state of a loop: which hints of its body hold in all iterations of an interior, and what bounds that
// interior.

#include "lowering/loops/constant_extent.h"
#include "lowering/loops/likely.h"
#include "lowering/loops/solve_condition.h"

#include <optional>
#include <vector>

namespace fluorite::lowering {

bool contains_kind(const Expr &expr, ir::ExprKind kind);
bool has_hint(const Expr &expr);

/// The likely nodes of a loop's body that have been given bounds.
class SteadyState {
  public:
    LoopBounds bounds;
    ir::ExprMap<LikelyNode> solved;
    bool warms_up = false; // a condition says which iterations are first, as those of sliding windows do

    SteadyState(const ir::For &loop, bool is_innermost);

    /// What was found of a node at one of its places. Of a minimum or maximum: the likely operand and the other one,
    /// free of hints and of lets of the body.
    struct Solution {
        Expr node;
        LoopBounds bounds;
        Expr taken, other;
    };
    const std::vector<Solution> &solutions() const { return solutions_; }

  private:
    struct Seen {
        LikelyNode likely;
        bool failed = false;
    };
    const ir::Symbol &var_;
    bool is_innermost_;
    LetScope lets_;
    std::vector<InnerLoop> inner_;
    ir::ExprMap<Seen> seen_;
    std::vector<Solution> solutions_;

    void collect(const ir::Stmt &stmt);
    void collect(const Expr &expr);
    std::optional<LoopBounds> solve(const LikelyNode &likely) const;
};

/// The body with the likely operand in place of each of the nodes.
ir::Stmt steady_body(const ir::Stmt &body, const ir::ExprMap<LikelyNode> &solved);

} // namespace fluorite::lowering
