#pragma once
// The steady state of a loop: which hints of its body hold in all iterations of the interior, and its bounds.

#include "analysis/periodic_coordinate.h"
#include "lowering/access/let_scope.h"
#include "lowering/loops/likely.h"
#include "lowering/loops/solve_condition.h"

#include <optional>
#include <vector>

namespace fluorite::lowering {

bool contains_kind(const Expr &expr, ir::ExprKind kind);
bool has_hint(const Expr &expr);

/// The likely nodes of a loop's body for which bounds were found.
class SteadyState {
  public:
    LoopBounds bounds;
    ir::ExprMap<LikelyNode> solved;
    bool warms_up = false; // a condition tells which iterations are first, as in sliding windows

    /// The lengths must outlive this object.
    SteadyState(const ir::For &loop, bool is_innermost, LoopLengths &lengths);

    /// The bounds found for one occurrence of a node. Of a minimum or maximum also the likely operand and the other
    /// one; of a mirrored or repeated coordinate, its parts. Without hints and lets of the body.
    struct Solution {
        Expr node;
        LoopBounds bounds;
        Expr taken, other;
        std::optional<analysis::PeriodicCoordinate> periodic;
    };
    const std::vector<Solution> &solutions() const { return solutions_; }

    /// What holds in an iteration without regard to the loops inside of it: nodes none of whose occurrences are in such
    /// a loop, or have bounds that cover all iterations of one.
    struct Part {
        ir::ExprMap<LikelyNode> solved;
        LoopBounds bounds;
    };
    Part outside_inner_loops() const;

  private:
    struct Seen {
        LikelyNode likely;
        bool failed = false;
    };
    bool is_innermost_;
    LetScope lets_;
    InnerLoops inner_;
    ir::ExprMap<Seen> seen_;
    std::vector<Solution> solutions_;
    /// Likely conditions and selects that are solved at all their occurrences: what such a select does not take is not
    /// computed in the steady state.
    ir::ExprMap<LikelyNode> decided_;
    std::vector<Expr> deciding_; // those that would exclude further hints if they were solved

    void find_deciding(const Expr &expr, const std::vector<LikelyNode> &likely);
    std::vector<LikelyNode> likely_nodes_in_steady_form(const Expr &expr) const;

    void collect(const ir::Stmt &stmt);
    void collect(const Expr &expr);
    std::optional<LoopBounds> solve(const LikelyNode &likely) const;
    std::optional<analysis::PeriodicCoordinate> periodic_of(const Expr &node) const;
};

/// The body with each of the nodes replaced by its likely operand. What `replaced` names is replaced by that instead,
/// as a whole.
ir::Stmt steady_body(const ir::Stmt &body, const ir::ExprMap<LikelyNode> &solved,
                     const ir::ExprMap<Expr> &replaced = {});

} // namespace fluorite::lowering
