// Solving conditions for a loop's variable.
//
// Method: a comparison becomes a linear inequality c * v + sum of k * term + constant <= 0 over the loop variable v.
// Terms that vary inside the body are replaced by their bound in the unfavourable direction, until only v and terms
// from outside the loop remain:
//   inner loop variable   its last or first value
//   min(a, b), k > 0      a, or else b (one suffices)          min(a, b), k < 0     a and b (both are needed)
//   max                   the other way round                  select(c, a, b)      both
//   e / n                 exactly, from e <= n * bound + n - 1, if k is 1 or -1; else, if e has a min or max, from the
//                         quotients of its operands, as 8 * (min(15, e) / 8) <= 8; else the worst quotient without
//                         rounding
//   e % n                 n - 1 or 0
// Then c * v + rest <= 0 gives v <= floor(-rest / c) for c > 0 and v >= ceil(rest / -c) for c < 0. Vectors are replaced
// by their most unfavourable lane: the last or first one of a ramp.
//
// Soundness: each step makes the condition stronger. An inequality without v is either constant, or required in
// addition to one with v: min(8 * v, n - 8) >= 0, the base of a shifted tail, needs v >= 0 and n >= 8. Relies on: Int32
// index arithmetic without overflow. Cost: a few linear forms per condition; the number of steps is bounded.

#include "lowering/loops/solve_condition.h"

#include "lowering/access/vector_algebra.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;
using rewrite::Linear;
using rewrite::LinearTerm;

namespace {

using Solution = std::optional<LoopBounds>;

/// The greatest (or least) lane of an integer vector, or a bound of it; undefined if none is found.
Expr extreme_lane(const Expr &vector, bool greatest) {
    if (vector.type().is_scalar()) {
        return vector;
    }
    int64_t constant = 0;
    auto combine = [&](const Expr &a, const Expr &b) {
        return a.defined() && b.defined() ? vector_binary(vector->kind(), a, b, Use::Index) : Expr();
    };
    auto operand = [&](size_t i, bool side) { return extreme_lane(vector->arg(i), side); };
    switch (vector->kind()) {
    case ExprKind::Broadcast:
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return operand(0, greatest);
    case ExprKind::Ramp: {
        const Expr base = operand(0, greatest);
        if (!base.defined() || !is_const_int(vector->arg(1), &constant)) {
            return {};
        }
        const int steps = vector.type().lanes() / vector->arg(0).type().lanes() - 1;
        const bool last = (constant > 0) == greatest;
        return last ? vector_binary(ExprKind::Add, base, make_int(base.type(), constant * steps), Use::Index) : base;
    }
    case ExprKind::Add:
    case ExprKind::Min:
    case ExprKind::Max:
        return combine(operand(0, greatest), operand(1, greatest));
    case ExprKind::Sub:
        return combine(operand(0, greatest), operand(1, !greatest));
    case ExprKind::Mul:
        if (!is_const_int(vector->arg(1), &constant)) {
            return {};
        }
        return combine(operand(0, (constant >= 0) == greatest), make_int(vector.type().element_of(), constant));
    case ExprKind::Div:
        if (!is_const_int(vector->arg(1), &constant) || constant <= 0) {
            return {};
        }
        return combine(operand(0, greatest), make_int(vector.type().element_of(), constant));
    default: // undefined: no extreme lane is known
        return {};
    }
}

class Solver {
  public:
    /// Which conditions without the loop variable count. Constant: none but those that always hold.
    enum class Required : uint8_t { Any, Constant };

    Solver(const InnerLoops &inner, Required required) : var_(inner.var()), inner_(inner), required_(required) {}

    Solution solve(const Expr &condition, bool wanted) {
        switch (condition->kind()) {
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
        case ExprKind::Broadcast:
            return solve(condition->arg(0), wanted);
        case ExprKind::Not:
            return solve(condition->arg(0), !wanted);
        case ExprKind::And:
        case ExprKind::Or: {
            const bool both = (condition->kind() == ExprKind::And) == wanted;
            const Solution a = solve(condition->arg(0), wanted);
            const auto b = [&] { return solve(condition->arg(1), wanted); };
            return both ? all_of(a, b) : any_of(a, b);
        }
        case ExprKind::LE:
            return compare(condition, wanted, 0);
        case ExprKind::LT:
            return compare(condition, wanted, 1);
        case ExprKind::GE:
            return compare_swapped(condition, wanted, 0);
        case ExprKind::GT:
            return compare_swapped(condition, wanted, 1);
        default: // conditions that are solved only if constant
            break;
        }
        const bool known = is_const(condition) && is_true(condition) == wanted;
        return known ? Solution(LoopBounds()) : std::nullopt;
    }

  private:
    const Symbol &var_;
    const InnerLoops &inner_;
    const Required required_;
    int steps_left_ = 200;

    template <typename SolveNext> static Solution all_of(const Solution &a, const SolveNext &next) {
        return a ? all_of(a, next()) : std::nullopt;
    }
    template <typename SolveNext> static Solution any_of(const Solution &a, const SolveNext &next) {
        const bool always_holds = a && a->required.empty() && !a->bounds_variable();
        return always_holds ? a : any_of(a, next());
    }

    static Solution all_of(const Solution &a, const Solution &b) {
        if (!b) {
            return std::nullopt;
        }
        LoopBounds both = *a;
        both.add(*b);
        return both;
    }

    static bool spans(const LoopBounds &a, const LoopBounds &b) { return a.spans_inner_loops || b.spans_inner_loops; }

    /// Bounds from either of two sufficient conditions.
    static Solution any_of(const Solution &a, const Solution &b) {
        if (!a || !b) {
            return a ? a : b;
        }
        if (a->required.empty() != b->required.empty()) {
            return a->required.empty() ? a : b;
        }
        if (!a->required.empty()) {
            return a; // both have requirements besides v: there is no choice between pairs
        }
        if (!a->bounds_variable()) {
            return a;
        }
        if (!b->bounds_variable()) {
            return b;
        }
        // v <= x or v <= y
        if (a->lower.empty() && b->lower.empty() && a->upper.size() == 1 && b->upper.size() == 1) {
            return LoopBounds{{}, {max_of(a->upper[0], b->upper[0])}, {}, spans(*a, *b)};
        }
        if (a->upper.empty() && b->upper.empty() && a->lower.size() == 1 && b->lower.size() == 1) {
            return LoopBounds{{min_of(a->lower[0], b->lower[0])}, {}, {}, spans(*a, *b)};
        }
        return a;
    }

    Solution compare_swapped(const Expr &condition, bool wanted, int64_t gap) {
        return wanted ? at_most(condition->arg(1), condition->arg(0), gap)
                      : at_most(condition->arg(0), condition->arg(1), 1 - gap);
    }
    Solution compare(const Expr &condition, bool wanted, int64_t gap) {
        return wanted ? at_most(condition->arg(0), condition->arg(1), gap)
                      : at_most(condition->arg(1), condition->arg(0), 1 - gap);
    }

    /// a + gap <= b in all lanes.
    Solution at_most(const Expr &a, const Expr &b, int64_t gap) {
        if (a.type().element_of() != Int(32)) {
            return std::nullopt;
        }
        const Expr greatest = extreme_lane(a, true);
        const Expr least = extreme_lane(b, false);
        if (!greatest.defined() || !least.defined()) {
            return std::nullopt;
        }
        const std::optional<Linear> left = rewrite::linear_form(greatest);
        const std::optional<Linear> right = rewrite::linear_form(least);
        if (!left || !right) {
            return std::nullopt;
        }
        std::optional<Linear> difference = rewrite::subtract(*left, *right);
        if (!difference) {
            return std::nullopt;
        }
        difference->constant += gap;
        return not_positive(*difference);
    }

    /// form <= 0
    Solution not_positive(const Linear &form) {
        if (steps_left_-- <= 0) {
            return std::nullopt;
        }
        const LinearTerm *hardest = nullptr;
        int depth = -1;
        for (const LinearTerm &term : form.terms) {
            const bool is_var = is_kind(term.term, ExprKind::Variable) && term.term->symbol() == var_;
            if (is_var || inner_.motion(term.term) == InnerLoops::Motion::None) {
                continue;
            }
            // Innermost loops first, as the bounds of a loop mention the loops around it. Terms other than variables
            // precede all.
            const int term_depth = depth_of(term.term);
            if (term_depth > depth) {
                depth = term_depth;
                hardest = &term;
            }
        }
        return hardest ? without(form, *hardest) : bounds_from(form);
    }

    int depth_of(const Expr &term) const {
        const int loop = is_kind(term, ExprKind::Variable) ? inner_.find(term->symbol()) : -1;
        return loop >= 0 ? loop : inner_.size();
    }

    /// The form with the term replaced by another expression (times `by_scale`, the rest times `rest_scale`).
    static std::optional<Linear> replaced(const Linear &form, const LinearTerm &term, const Expr &by, int64_t by_scale,
                                          int64_t rest_scale, int64_t constant) {
        Linear rest = form;
        std::erase_if(rest.terms, [&](const LinearTerm &each) { return equal(each.term, term.term); });
        const std::optional<Linear> scaled = rewrite::scale(rest, rest_scale);
        const std::optional<Linear> value = rewrite::linear_form(by);
        std::optional<Linear> sum = scaled && value ? rewrite::add_scaled(*scaled, *value, by_scale) : std::nullopt;
        if (sum) {
            sum->constant += constant;
        }
        return sum;
    }

    Solution with(const Linear &form, const LinearTerm &term, const Expr &by) {
        const std::optional<Linear> next = replaced(form, term, by, term.coefficient, 1, 0);
        return next ? not_positive(*next) : std::nullopt;
    }

    /// Eliminates a term that varies in the body.
    Solution without(const Linear &form, const LinearTerm &term) {
        const Expr &e = term.term;
        const bool above = term.coefficient > 0; // the term is unfavourable where it is large
        switch (e->kind()) {
        case ExprKind::Variable:
            if (const int position = inner_.find(e->symbol()); position >= 0) {
                const InnerLoops::Loop &loop = inner_.at(position);
                Solution solution = with(form, term, above ? loop.max : loop.min);
                if (solution && !inner_.is_short(position)) {
                    solution->spans_inner_loops = true;
                }
                return solution;
            }
            return std::nullopt;
        case ExprKind::Min:
        case ExprKind::Max: {
            const bool one_suffices = (e->kind() == ExprKind::Min) == above;
            const Solution a = with(form, term, e->arg(0));
            const auto b = [&] { return with(form, term, e->arg(1)); };
            return one_suffices ? any_of(a, b) : all_of(a, b);
        }
        case ExprKind::Select:
            return all_of(with(form, term, e->arg(1)), [&] { return with(form, term, e->arg(2)); });
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
            return with(form, term, e->arg(0));
        case ExprKind::Div:
            return without_quotient(form, term);
        case ExprKind::Mod: {
            int64_t divisor = 0;
            if (!is_const_int(e->arg(1), &divisor) || divisor <= 0) {
                return std::nullopt;
            }
            return with(form, term, int32(above ? divisor - 1 : 0));
        }
        default: // no solution, which is correct for any kind
            return std::nullopt;
        }
    }

    /// k floor(e / n) + R <= 0 where e has a min or max that varies:
    /// floor(min(a, b) / n) = min(floor(a / n), floor(b / n)).
    Solution with_split_quotient(const Linear &form, const LinearTerm &term, int64_t divisor) {
        const std::optional<Linear> dividend = rewrite::linear_form(term.term->arg(0));
        if (!dividend) {
            return std::nullopt;
        }
        const auto extreme = std::ranges::find_if(dividend->terms, [&](const LinearTerm &each) {
            return (is_kind(each.term, ExprKind::Min) || is_kind(each.term, ExprKind::Max)) &&
                   inner_.motion(each.term) != InnerLoops::Motion::None;
        });
        if (extreme == dividend->terms.end()) {
            return std::nullopt;
        }
        const auto part = [&](size_t operand) -> Solution {
            const std::optional<Linear> e =
                replaced(*dividend, *extreme, extreme->term->arg(operand), extreme->coefficient, 1, 0);
            const Expr value = e ? rewrite::to_expr(*e, Int(32)) : Expr();
            return value.defined()
                       ? with(form, term, rewrite::simplify(div(value, int32(static_cast<int32_t>(divisor)))))
                       : std::nullopt;
        };
        const bool above = (term.coefficient > 0) == (extreme->coefficient > 0);
        const bool one_suffices = is_kind(extreme->term, ExprKind::Min) == above;
        const Solution a = part(0);
        const auto b = [&] { return part(1); };
        return one_suffices ? any_of(a, b) : all_of(a, b);
    }

    Solution without_quotient(const Linear &form, const LinearTerm &term) {
        int64_t divisor = 0;
        if (!is_const_int(term.term->arg(1), &divisor) || divisor <= 0) {
            return std::nullopt;
        }
        const int64_t k = term.coefficient;
        if (k != 1 && k != -1) {
            if (const Solution split = with_split_quotient(form, term, divisor)) {
                return split;
            }
        }
        // floor(e/n) + R <= 0  <=>  e + n R - (n - 1) <= 0;   k e/n + R <= 0 follows from k e + n R <= 0, k > 0
        // -floor(e/n) + R <= 0  <=>  n R - e <= 0;            for k < 0, floor(e/n) >= (e - (n - 1)) / n
        const int64_t constant = k == 1 ? 1 - divisor : k < -1 ? -k * (divisor - 1) : 0;
        const std::optional<Linear> next = replaced(form, term, term.term->arg(0), k, divisor, constant);
        return next ? not_positive(*next) : std::nullopt;
    }

    Solution bounds_from(const Linear &form) const {
        Linear rest = form;
        int64_t coefficient = 0;
        for (const LinearTerm &term : form.terms) {
            if (is_kind(term.term, ExprKind::Variable) && term.term->symbol() == var_) {
                coefficient = term.coefficient;
            }
        }
        std::erase_if(rest.terms, [&](const LinearTerm &term) {
            return is_kind(term.term, ExprKind::Variable) && term.term->symbol() == var_;
        });
        if (coefficient == 0) {
            if (rest.is_constant()) {
                return rest.constant <= 0 ? Solution(LoopBounds()) : std::nullopt;
            }
            const Expr value = required_ == Required::Any ? rewrite::to_expr(rest, Int(32)) : Expr();
            return value.defined() ? Solution(LoopBounds{{}, {}, {less_equal(value, int32(0))}}) : std::nullopt;
        }
        const std::optional<Linear> side = coefficient > 0 ? rewrite::scale(rest, -1) : std::optional<Linear>(rest);
        const int64_t divisor = coefficient > 0 ? coefficient : -coefficient;
        if (!side || divisor > (int64_t{1} << 30)) {
            return std::nullopt;
        }
        Linear rounded = *side;
        rounded.constant += coefficient > 0 ? 0 : divisor - 1;
        Expr bound = rewrite::to_expr(rounded, Int(32));
        if (!bound.defined()) {
            return std::nullopt;
        }
        bound = divisor == 1 ? bound : div(bound, int32(divisor));
        return coefficient > 0 ? LoopBounds{{}, {bound}, {}} : LoopBounds{{bound}, {}, {}};
    }
};

} // namespace

bool LoopLengths::is_short(const Expr &extent) {
    constexpr int64_t most_iterations = 8;
    const auto [at, is_new] = known_.try_emplace(extent, false);
    if (is_new) {
        const std::optional<int64_t> iterations = rewrite::constant_value(extent);
        at->second = iterations && *iterations <= most_iterations;
    }
    return at->second;
}

void InnerLoops::push(const Symbol &var, const Expr &min, const Expr &extent) {
    const bool varies = std::max(motion(min), motion(extent)) == Motion::WithVariable;
    loop_motions_.insert_or_assign(var, varies ? Motion::WithVariable : Motion::Inside);
    positions_.emplace(var, size());
    loops_.push_back({var, min, index_binary(ExprKind::Sub, add(min, extent), make_one(Int(32))), extent});
}

void InnerLoops::pop() {
    positions_.erase(loops_.back().var);
    loops_.pop_back();
}

int InnerLoops::find(const Symbol &symbol) const {
    const auto found = positions_.find(symbol);
    return found == positions_.end() ? -1 : found->second;
}

InnerLoops::Motion InnerLoops::motion_of_leaf(const Expr &leaf) const {
    if (leaf->kind() != ExprKind::Variable) {
        return Motion::None;
    }
    const auto loop = loop_motions_.find(leaf->symbol());
    return leaf->symbol() == var_ ? Motion::WithVariable : loop == loop_motions_.end() ? Motion::None : loop->second;
}

InnerLoops::Motion InnerLoops::motion(const Expr &expr) const {
    std::vector<Expr> pending = {expr};
    Motion found = Motion::None;
    while (!pending.empty()) {
        const Expr node = pending.back();
        const size_t waiting = pending.size();
        found = motion_of_leaf(node);
        if (const auto known = motions_.find(node); known != motions_.end()) {
            found = known->second;
        } else {
            for (const Expr &operand : node->args()) {
                const auto of_operand = motions_.find(operand);
                if (operand->arg_count() > 0 && of_operand == motions_.end()) {
                    pending.push_back(operand);
                } else {
                    found = std::max(found, operand->arg_count() > 0 ? of_operand->second : motion_of_leaf(operand));
                }
            }
        }
        if (pending.size() == waiting) {
            pending.pop_back();
            if (node->arg_count() > 0) {
                motions_.emplace(node, found);
            }
        }
    }
    return found;
}

/// A condition over values from outside of the loop only does not bound the loop. It counts where it always holds.
static Solution about_variable(const Expr &condition, const InnerLoops &inner, bool wanted) {
    const bool varies = inner.motion(condition) == InnerLoops::Motion::WithVariable;
    const Solution solution =
        Solver(inner, varies ? Solver::Required::Any : Solver::Required::Constant).solve(condition, wanted);
    const bool is_about = solution && (solution->bounds_variable() || solution->required.empty());
    return is_about ? solution : std::nullopt;
}

std::optional<LoopBounds> solve_condition(const Expr &condition, const InnerLoops &inner) {
    return about_variable(condition, inner, true);
}

std::optional<LoopBounds> solve_negation(const Expr &condition, const InnerLoops &inner) {
    return about_variable(condition, inner, false);
}

std::optional<std::vector<Expr>> required_throughout(const Expr &condition, const InnerLoops &loops) {
    const Solution solution = Solver(loops, Solver::Required::Any).solve(condition, true);
    return solution ? std::optional(solution->required) : std::nullopt;
}

} // namespace fluorite::lowering
