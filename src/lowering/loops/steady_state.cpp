// The interior of a loop: the iterations in which all hints hold.
//
// Each likely node of the body (likely.h) gives bounds on the loop variable within which its condition holds in all
// iterations of the inner loops (solve_condition.h). Conditions without bounds, or with bounds that read memory, stay;
// a node with several occurrences must be solved at each of them.
//
// What a select does not take once its likely condition holds is not part of the interior, so hints in it do not count:
// the region that a sliding window needs in its first iteration says nothing of the later ones. Which selects these are
// is known only after all occurrences of their conditions have been solved; hence a second round where there are any.

#include "lowering/loops/steady_state.h"

#include "ir/expr_traits.h"
#include "lowering/access/vector_algebra.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

bool depends_on(const Expr &node, const ExprMap<bool> &failed) {
    bool found = false;
    if (!failed.empty()) {
        for_each_node(node, [&](const Expr &inner) { found = found || failed.contains(inner); });
    }
    return found;
}

/// Bounds are evaluated before the loop, so they may not read what the loop could write, nor have effects.
bool is_pure(const LoopBounds &bounds) {
    const auto are_movable = [](const std::vector<Expr> &exprs) {
        return std::ranges::all_of(exprs, [](const Expr &bound) { return is_movable(bound); });
    };
    return are_movable(bounds.lower) && are_movable(bounds.upper) && are_movable(bounds.required);
}

/// Replaces each solved node by its likely operand.
class SteadyBody : public Mutator {
  public:
    SteadyBody(const ExprMap<LikelyNode> &solved, const ExprMap<Expr> &replaced)
        : solved_(solved), replaced_(replaced) {}

    Expr mutate(const Expr &expr) override {
        auto known = done_.find(expr);
        if (known != done_.end()) {
            return known->second;
        }
        Expr result = steady(expr);
        done_.emplace(expr, result);
        return result;
    }

    Stmt mutate(const Stmt &stmt) override {
        if (const IfThenElse *branch = stmt.as<IfThenElse>()) {
            const Expr condition = mutate(branch->condition);
            if (is_const(condition) && is_true(condition)) {
                return mutate(branch->then_case);
            }
        }
        if (const LetStmt *let = stmt.as<LetStmt>()) {
            return LetStmt::make(let->symbol, without_idle_hint(mutate(let->value)), mutate(let->body));
        }
        return recurse(stmt);
    }

  private:
    const ExprMap<LikelyNode> &solved_;
    const ExprMap<Expr> &replaced_;
    ExprMap<Expr> done_;

    /// A hint that is a whole value chooses nothing any more. It would hide that two ends of a range are the same.
    static Expr without_idle_hint(const Expr &value) { return analysis::is_hint(value) ? value->arg(0) : value; }

    Expr steady(const Expr &expr) {
        if (const auto other = replaced_.find(expr); other != replaced_.end()) {
            return other->second;
        }
        auto found = solved_.find(expr);
        if (found != solved_.end()) {
            const int operand = found->second.operand;
            return operand < 0 ? make_bool(true, expr.type().lanes()) : mutate(expr->arg(static_cast<size_t>(operand)));
        }
        const Expr result = recurse(expr);
        switch (result->kind()) {
        case ExprKind::And:
            return is_true(result->arg(0)) ? result->arg(1) : is_true(result->arg(1)) ? result->arg(0) : result;
        case ExprKind::Select:
            return is_true(result->arg(0)) ? result->arg(1) : result;
        case ExprKind::VectorReduce: {
            const bool all_true = is_kind(result->arg(0), ExprKind::Broadcast) && is_true(result->arg(0));
            return all_true ? make_bool(true, result.type().lanes()) : result;
        }
        default: // kinds that do not fold with a constant operand
            return result;
        }
    }
};

} // namespace

bool contains_kind(const Expr &expr, ExprKind kind) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) { found = found || node->kind() == kind; });
    return found;
}

bool has_hint(const Expr &expr) {
    return contains_kind(expr, ExprKind::Likely) || contains_kind(expr, ExprKind::LikelyIfInnermost);
}

SteadyState::SteadyState(const For &loop, bool is_innermost, LoopLengths &lengths)
    : is_innermost_(is_innermost), inner_(loop.var, lengths) {
    collect(loop.body);
    for (const Expr &node : deciding_) {
        if (const auto seen = seen_.find(node); seen != seen_.end() && !seen->second.failed) {
            decided_.emplace(node, seen->second.likely);
        }
    }
    if (!decided_.empty()) {
        seen_.clear();
        solutions_.clear();
        collect(loop.body);
    }
    for (const auto &[node, seen] : seen_) {
        if (!seen.failed) {
            solved.emplace(node, seen.likely);
        }
    }
    for (const Solution &solution : solutions_) {
        const auto at = solved.find(solution.node);
        if (at != solved.end()) {
            bounds.add(solution.bounds);
            const bool is_first =
                !solution.bounds.lower.empty() && solution.bounds.upper.empty() && !solution.bounds.spans_inner_loops;
            warms_up = warms_up || (at->second.operand < 0 && is_first);
        }
    }
}

SteadyState::Part SteadyState::outside_inner_loops() const {
    Part part{solved, {}};
    for (const Solution &solution : solutions_) {
        if (solution.bounds.spans_inner_loops) {
            part.solved.erase(solution.node);
        }
    }
    for (const Solution &solution : solutions_) {
        if (part.solved.contains(solution.node)) {
            part.bounds.add(solution.bounds);
        }
    }
    return part;
}

void SteadyState::collect(const Stmt &stmt) {
    for_each_child_expr(stmt, [&](const Expr &expr) { collect(expr); });
    if (const LetStmt *let = stmt.as<LetStmt>()) {
        lets_.push(let->symbol, strip_hints(let->value));
        collect(let->body);
        lets_.pop(let->symbol);
    } else if (const For *loop = stmt.as<For>()) {
        inner_.push(loop->var, lets_.expand(strip_hints(loop->min)), lets_.expand(strip_hints(loop->extent)));
        collect(loop->body);
        inner_.pop();
    } else {
        for_each_child_stmt(stmt, [&](const Stmt &child) { collect(child); });
    }
}

void SteadyState::collect(const Expr &expr) {
    if (!has_hint(expr)) {
        return;
    }
    const std::vector<LikelyNode> nodes = likely_nodes_in_steady_form(expr);
    if (decided_.empty()) {
        find_deciding(expr, nodes);
    }
    ExprMap<bool> failed_here;
    for (const LikelyNode &likely : nodes) {
        Seen &seen = seen_.try_emplace(likely.node, Seen{likely}).first->second;
        const bool counts = is_innermost_ || !likely.if_innermost;
        const std::optional<LoopBounds> solution =
            counts && !depends_on(likely.node, failed_here) ? solve(likely) : std::nullopt;
        if (solution) {
            const bool is_extreme = is_kind(likely.node, ExprKind::Min) || is_kind(likely.node, ExprKind::Max);
            const auto side = [&](int operand) {
                return lets_.expand(strip_hints(likely.node->arg(static_cast<size_t>(operand))));
            };
            solutions_.push_back({likely.node, *solution, is_extreme ? side(likely.operand) : Expr(),
                                  is_extreme ? side(1 - likely.operand) : Expr(), periodic_of(likely.node)});
        } else {
            seen.failed = true;
            failed_here[likely.node] = true;
        }
    }
}

/// The parts of a vector of mirrored or repeated coordinates.
std::optional<analysis::PeriodicCoordinate> SteadyState::periodic_of(const Expr &node) const {
    if (!is_kind(node, ExprKind::Select) || node.type().is_scalar()) {
        return std::nullopt;
    }
    auto found = analysis::find_periodic(node, analysis::Image::HasPoints);
    if (found) {
        found->inner = lets_.expand(strip_hints(found->inner));
        found->min = lets_.expand(strip_hints(found->min));
        found->max = lets_.expand(strip_hints(found->max));
    }
    return found;
}

/// Lists the conditions and selects that, once they hold, make a select drop an operand with hints.
void SteadyState::find_deciding(const Expr &expr, const std::vector<LikelyNode> &likely) {
    for_each_node(expr, [&](const Expr &node) {
        if (node->kind() == ExprKind::Select && analysis::is_hint(node->arg(0)) && has_hint(node->arg(2))) {
            deciding_.push_back(node->arg(0));
        }
    });
    for (const LikelyNode &each : likely) {
        if (each.node->kind() == ExprKind::Select && has_hint(each.node->arg(static_cast<size_t>(3 - each.operand)))) {
            deciding_.push_back(each.node);
        }
    }
}

/// The likely nodes of an expression without those in operands that decided selects drop; operands before the node.
std::vector<LikelyNode> SteadyState::likely_nodes_in_steady_form(const Expr &expr) const {
    std::vector<LikelyNode> likely = find_likely_nodes(expr);
    if (decided_.empty()) {
        return likely;
    }
    ExprMap<bool> reached;
    std::vector<Expr> next = {expr};
    while (!next.empty()) {
        const Expr node = next.back();
        next.pop_back();
        if (!reached.emplace(node, true).second) {
            continue;
        }
        const auto takes = [&](size_t operand) {
            if (node->kind() != ExprKind::Select || operand == 0) {
                return true;
            }
            if (decided_.contains(node->arg(0))) {
                return operand == 1;
            }
            const auto chosen = decided_.find(node);
            return chosen == decided_.end() || chosen->second.operand == static_cast<int>(operand);
        };
        for (size_t k = 0; k < node->arg_count(); k++) {
            if (takes(k)) {
                next.push_back(node->arg(k));
            }
        }
    }
    std::erase_if(likely, [&](const LikelyNode &each) { return !reached.contains(each.node); });
    return likely;
}

std::optional<LoopBounds> SteadyState::solve(const LikelyNode &likely) const {
    const Expr condition = lets_.expand(likely.condition);
    const std::optional<LoopBounds> found =
        likely.is_negated ? solve_negation(condition, inner_) : solve_condition(condition, inner_);
    return found && is_pure(*found) ? found : std::nullopt;
}

Stmt steady_body(const Stmt &body, const ExprMap<LikelyNode> &solved, const ExprMap<Expr> &replaced) {
    return SteadyBody(solved, replaced).mutate(body);
}

} // namespace fluorite::lowering
