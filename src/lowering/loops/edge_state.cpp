// The pieces of an innermost loop before and after its interior.
//
// Example: the taps of a stencil over a row whose reads are clamped to [0, w - 1], in vectors of 8:
//   before:  in[clamp(x - 1)] + in[clamp(x)] + in[clamp(x + 1)]  -->  in[max(x - 1, 0)] + in[x] + in[x + 1]
//   after:   the same                                            -->  in[x - 1] + in[x] + in[min(x + 1, w - 1)]
// Thus only the outermost taps need permuted loads. In rows of a few vectors, these loads take most of the time.
//
// Method. In a loop that has an interior, a hinted node is steady before the interior if all its lower bounds of the
// loop variable are known not to exceed the loop's first value. It is steady after the interior in four cases: it
// bounds the loop variable only from below; it is a maximum whose likely operand grows with the loop, so it remains the
// greater one after the interior; or it is the minimum of a clamp, or a mirrored or repeated coordinate, whose operand
// is known not to exceed both sides of the image in any iteration. These proofs use the values of the lets around the
// loop: the regions of stages are inside of the box to which their consumers clamp.
//
// Cost: a few proofs for each node of the body.

#include "lowering/loops/edge_state.h"

#include "analysis/max_of_mins.h"
#include "analysis/monotonic.h"
#include "lowering/access/vector_algebra.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The minima with a use other than as operand of a solved maximum, which is the use that the minimum of a clamp has.
class ApartFinder : public Visitor {
  public:
    ExprMap<bool> stands_apart;

    ApartFinder(const Stmt &body, const ExprMap<LikelyNode> &solved) : solved_(solved) { visit(body); }
    void visit(const Stmt &stmt) override { recurse(stmt); }
    void visit(const Expr &expr) override {
        stands_apart[expr] = true;
        for_each_node(expr, [&](const Expr &node) {
            for (const Expr &operand : node->args()) {
                if (is_kind(operand, ExprKind::Min) && !(is_kind(node, ExprKind::Max) && solved_.contains(node))) {
                    stands_apart[operand] = true;
                }
            }
        });
    }

  private:
    const ExprMap<LikelyNode> &solved_;
};

class EdgeFinder {
  public:
    EdgeFinder(const For &loop, const SteadyState &steady, const SymbolMap<Expr> &lets)
        : loop_(loop), steady_(steady), lets_(lets) {
        find_clamps();
    }

    EdgeState find() const {
        ExprMap<bool> not_before, not_after, rising;
        for (const SteadyState::Solution &solution : steady_.solutions()) { // operands come before their users
            not_before[solution.node] = not_before[solution.node] || !is_steady_before(solution, not_before);
            not_after[solution.node] = not_after[solution.node] || !is_steady_after(solution, not_after);
            if (solution.periodic) {
                const bool rises = rising.emplace(solution.node, true).first->second;
                rising[solution.node] = rises && is_rising(*solution.periodic);
            }
        }
        EdgeState result;
        for (const auto &[node, likely] : steady_.solved) {
            if (!not_before[node]) {
                result.before.emplace(node, likely);
            }
            if (!not_after[node]) {
                result.after.emplace(node, likely);
            }
            if (const auto rises = rising.find(node); rises != rising.end() && rises->second) {
                result.rising.emplace(node, true);
            }
        }
        return result;
    }

  private:
    const For &loop_;
    const SteadyState &steady_;
    const SymbolMap<Expr> &lets_;
    ExprMap<Expr> least_; // by the minimum of a clamp: the clamp's lower side; undefined if it has another use

    void find_clamps() {
        for (const SteadyState::Solution &solution : steady_.solutions()) {
            const auto likely = steady_.solved.find(solution.node);
            if (is_kind(solution.node, ExprKind::Max) && likely != steady_.solved.end()) {
                const Expr &inner = solution.node->arg(static_cast<size_t>(likely->second.operand));
                const auto [at, is_new] = least_.emplace(inner, solution.other);
                at->second =
                    is_new || (at->second.defined() && equal(at->second, solution.other)) ? at->second : Expr();
            }
        }
        for (const auto &[node, apart] : ApartFinder(loop_.body, steady_.solved).stands_apart) {
            const auto at = least_.find(node);
            if (apart && at != least_.end()) {
                at->second = Expr();
            }
        }
    }

    /// Whether the hinted nodes inside are steady too, as the bounds follow from their steady forms.
    static bool has_steady_operands(const Expr &node, const ExprMap<bool> &failed) {
        bool found = true;
        for_each_node(node, [&](const Expr &inner) {
            const auto at = failed.find(inner);
            found = found && (inner.same_as(node) || at == failed.end() || !at->second);
        });
        return found;
    }

    bool is_known(const Expr &condition) const {
        const Expr expanded = strip_hints(substitute(condition, lets_));
        if (rewrite::can_prove(expanded)) {
            return true;
        }
        if (!is_kind(expanded, ExprKind::LE)) {
            return false;
        }
        // What is subtracted on one side is compared where it is added.
        Expr less_side = expanded->arg(0), greater_side = expanded->arg(1);
        add_subtracted(less_side, greater_side);
        return analysis::is_at_most(less_side, greater_side);
    }

    static void add_subtracted(Expr &from, Expr &to) {
        if (is_kind(from, ExprKind::Sub)) {
            to = add(to, from->arg(1));
            from = Expr(from->arg(0));
            add_subtracted(from, to);
        } else if (is_kind(from, ExprKind::Add)) {
            Expr first = from->arg(0), second = from->arg(1);
            add_subtracted(first, to);
            add_subtracted(second, to);
            from = add(first, second);
        }
    }

    bool is_steady_before(const SteadyState::Solution &solution, const ExprMap<bool> &failed) const {
        return has_steady_operands(solution.node, failed) &&
               std::all_of(solution.bounds.lower.begin(), solution.bounds.lower.end(),
                           [&](const Expr &bound) { return is_known(less_equal(bound, loop_.min)); });
    }

    bool is_steady_after(const SteadyState::Solution &solution, const ExprMap<bool> &failed) const {
        if (solution.bounds.upper.empty() && has_steady_operands(solution.node, failed)) {
            return true;
        }
        if (is_kind(solution.node, ExprKind::Max)) {
            return grows(solution.taken) && !uses_symbol(solution.other, loop_.var);
        }
        if (const auto &periodic = solution.periodic) {
            return is_rising(*periodic) && is_below_either(periodic->inner, periodic->max, periodic->min);
        }
        const auto least = least_.find(solution.node);
        return is_kind(solution.node, ExprKind::Min) && least != least_.end() && least->second.defined() &&
               is_below_either(solution.taken, solution.other, least->second);
    }

    bool is_rising(const analysis::PeriodicCoordinate &periodic) const {
        return grows(periodic.inner) && !uses_symbol(periodic.min, loop_.var) && !uses_symbol(periodic.max, loop_.var);
    }

    /// Whether `value` is known not to exceed both sides of an image in any iteration. As there is an interior, the
    /// image has points, so it does not exceed the greater side either.
    bool is_below_either(const Expr &value, const Expr &max, const Expr &min) const {
        LoopLengths lengths;
        InnerLoops loops(Symbol(SymbolKind::Loop, "none"), lengths);
        loops.push(loop_.var, loop_.min, loop_.extent);
        const Expr greater = vector_binary(ExprKind::Max, max, min, Use::Index);
        const auto required = required_throughout(vector_binary(ExprKind::LE, value, greater, Use::Index), loops);
        return required && std::all_of(required->begin(), required->end(),
                                       [&](const Expr &condition) { return is_known(condition); });
    }

    /// Whether no lane decreases from one iteration to the next.
    bool grows(const Expr &value) const {
        if (value.type().is_scalar()) {
            const analysis::Monotonic moves = analysis::monotonic_in(value, loop_.var);
            return moves == analysis::Monotonic::Increasing || moves == analysis::Monotonic::Constant;
        }
        switch (value->kind()) {
        case ExprKind::Ramp:
        case ExprKind::Broadcast:
            return grows(value->arg(0));
        case ExprKind::Add:
        case ExprKind::Min:
        case ExprKind::Max:
            return grows(value->arg(0)) && grows(value->arg(1));
        default: // false only means that an edge stays as it is
            return false;
        }
    }
};

} // namespace

EdgeState find_edge_state(const For &loop, const SteadyState &steady, const SymbolMap<Expr> &lets) {
    return EdgeFinder(loop, steady, lets).find();
}

} // namespace fluorite::lowering
