// A normal form of clamped sums.
//
// What: coordinates that pass several boundary conditions are clamps of sums of clamps, such as
//   clamp(clamp(y + 1, m, M) + 1, m, M)  ==  max(min(y + 2, M), min(m + 1, M), m)
// Minimum and maximum distribute over each other and over sums, so each such value is a maximum of minima of linear
// forms. In this form nested clamps stay as small as one clamp, and values can be compared: of two linear forms whose
// difference is constant, the lesser is known, and
//   max_k min_l a_kl - max_i min_j b_ij  <=  max_k min_i max_j min_l (a_kl - b_ij).
// The simplifier bounds differences of other forms (quotients).
//
// Redundant parts are dropped: a form in a group if another form of the group never exceeds it, and a group if another
// group never lies below it. The rest is sorted, so that equal values with equal parts have equal forms.
//
// Relies on: no overflow in index arithmetic. Does not do: selects, remainders, differences of moving clamps; such a
// value is one opaque term, or has no form. Cost: the product of the part counts, which `most_forms` bounds.

#include "analysis/max_of_mins.h"

#include "analysis/monotonic.h"
#include "rewrite/simplifier.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::analysis {

using namespace ir;
using rewrite::Linear;
using rewrite::LinearTerm;

namespace {

constexpr size_t most_forms = 32; // linear forms in all groups together: chains of clamps have two or three per clamp

bool is_extreme(const Expr &expr) { return expr->kind() == ExprKind::Min || expr->kind() == ExprKind::Max; }

bool uses_any(const Expr &expr, const std::vector<Symbol> &symbols) {
    return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol &each) { return uses_symbol(expr, each); });
}

bool uses_any(const Linear &form, const std::vector<Symbol> &symbols) {
    return std::any_of(form.terms.begin(), form.terms.end(),
                       [&](const LinearTerm &term) { return uses_any(term.term, symbols); });
}

bool has_moving_extreme(const Expr &expr, const std::vector<Symbol> &moving) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) { found = found || (is_extreme(node) && uses_any(node, moving)); });
    return found;
}

bool has_quotient(const Linear &form) {
    return std::any_of(form.terms.begin(), form.terms.end(),
                       [](const LinearTerm &term) { return term.term->kind() == ExprKind::Div; });
}

/// The least constant known to bound a - b from above.
std::optional<int64_t> difference(const Linear &a, const Linear &b) {
    const std::optional<Linear> form = rewrite::subtract(a, b);
    if (!form || form->is_constant()) {
        return form ? std::optional(form->constant) : std::nullopt;
    }
    if (!has_quotient(*form)) {
        return std::nullopt;
    }
    const Expr expr = rewrite::to_expr(*form, Int(32));
    if (!expr.defined()) {
        return std::nullopt;
    }
    rewrite::Simplifier simplifier;
    const Expr simple = simplifier.simplify(expr, rewrite::Arithmetic::Index);
    const int64_t most = simplifier.bounds(simple, rewrite::Arithmetic::Index).hi;
    return most < (int64_t{1} << 30) ? std::optional(most) : std::nullopt;
}

bool not_above(const Linear &a, const Linear &b) {
    const std::optional<int64_t> most = difference(a, b);
    return most && *most <= 0;
}

bool comes_before(const Linear &a, const Linear &b) {
    const size_t shared = std::min(a.terms.size(), b.terms.size());
    for (size_t i = 0; i < shared; i++) {
        if (const int order = compare(a.terms[i].term, b.terms[i].term)) {
            return order < 0;
        }
        if (a.terms[i].coefficient != b.terms[i].coefficient) {
            return a.terms[i].coefficient < b.terms[i].coefficient;
        }
    }
    return a.terms.size() != b.terms.size() ? a.terms.size() < b.terms.size() : a.constant < b.constant;
}

using Group = MaxOfMins::Group;

/// Whether the minimum of group a never exceeds that of group b.
bool not_above(const Group &a, const Group &b) {
    return std::all_of(b.begin(), b.end(), [&](const Linear &of_b) {
        return std::any_of(a.begin(), a.end(), [&](const Linear &of_a) { return not_above(of_a, of_b); });
    });
}

/// Drops redundant parts; of two parts that make each other redundant, drops the later one.
template <typename Part, typename IsRedundant> void drop(std::vector<Part> &parts, const IsRedundant &is_redundant) {
    for (size_t i = parts.size(); i-- > 0;) {
        for (size_t j = 0; j < parts.size(); j++) {
            if (j != i && is_redundant(parts[i], parts[j])) {
                parts.erase(parts.begin() + static_cast<long>(i));
                break;
            }
        }
    }
}

} // namespace

/// Drops redundant parts and sorts; false where too many parts remain.
bool MaxOfMins::tidy() {
    for (Group &group : groups_) {
        drop(group, [](const Linear &form, const Linear &other) { return not_above(other, form); });
        std::sort(group.begin(), group.end(), comes_before);
    }
    drop(groups_, [](const Group &group, const Group &other) { return not_above(group, other); });
    std::sort(groups_.begin(), groups_.end(), [](const Group &a, const Group &b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), comes_before);
    });
    size_t forms = 0;
    for (const Group &group : groups_) {
        forms += group.size();
    }
    return forms <= most_forms;
}

std::optional<MaxOfMins> greatest_of(const MaxOfMins &a, const MaxOfMins &b) {
    MaxOfMins result = a;
    result.groups_.insert(result.groups_.end(), b.groups_.begin(), b.groups_.end());
    return result.tidy() ? std::optional(result) : std::nullopt;
}

std::optional<MaxOfMins> least_of(const MaxOfMins &a, const MaxOfMins &b) {
    MaxOfMins result;
    for (const Group &of_a : a.groups_) {
        for (const Group &of_b : b.groups_) {
            result.groups_.push_back(of_a);
            result.groups_.back().insert(result.groups_.back().end(), of_b.begin(), of_b.end());
        }
    }
    return result.tidy() ? std::optional(result) : std::nullopt;
}

MaxOfMins MaxOfMins::plus(int64_t value) const {
    MaxOfMins result = *this;
    for (Group &group : result.groups_) {
        for (Linear &form : group) {
            form.constant += value;
        }
    }
    return result;
}

class MaxOfMins::Builder {
  public:
    Builder(const std::vector<Symbol> &moving, Expanded expanded) : moving_(moving), expanded_(expanded) {}

    using Form = std::optional<MaxOfMins>;

    Form build(const Expr &expr) {
        if (expr.type() != Int(32)) {
            return std::nullopt;
        }
        if (const auto known = built_.find(expr); known != built_.end()) {
            return known->second;
        }
        return built_.emplace(expr, build_anew(expr)).first->second;
    }

    /// Applies a nondecreasing function to every linear form.
    template <typename Change> static Form map(const Form &form, const Change &change) {
        if (!form) {
            return std::nullopt;
        }
        MaxOfMins result = *form;
        for (Group &group : result.groups_) {
            for (Linear &each : group) {
                const std::optional<Linear> changed = change(each);
                if (!changed) {
                    return std::nullopt;
                }
                each = *changed;
            }
        }
        return result.tidy() ? Form(result) : std::nullopt;
    }

  private:
    const std::vector<Symbol> &moving_;
    const Expanded expanded_;
    ExprMap<Form> built_; // what clamps share is one node, in which trees would double with each of them

    Form build_anew(const Expr &expr) {
        if (is_extreme(expr)) {
            const Form a = build(expr->arg(0)), b = a ? build(expr->arg(1)) : std::nullopt;
            return !a || !b ? std::nullopt : expr->kind() == ExprKind::Min ? least_of(*a, *b) : greatest_of(*a, *b);
        }
        if (is_quotient_of_extremes(expr)) {
            return quotient(build(expr->arg(0)), expr->arg(1)->int_value());
        }
        return sum(expr);
    }

    bool is_expanded(const LinearTerm &term) const {
        return has_moving_extreme(term.term, moving_) ||
               (expanded_ == Expanded::All && term.coefficient > 0 && is_extreme(term.term));
    }

    /// Whether a quotient is a nondecreasing function of moving minima and maxima.
    bool is_quotient_of_extremes(const Expr &expr) const {
        int64_t divisor = 0;
        return expr->kind() == ExprKind::Div && is_const_int(expr->arg(1), &divisor) && divisor > 0 &&
               has_moving_extreme(expr->arg(0), moving_);
    }

    static MaxOfMins single(const Linear &form) {
        MaxOfMins result;
        result.groups_ = {{form}};
        return result;
    }

    static Form quotient(const Form &form, int64_t divisor) {
        return map(form, [&](const Linear &each) -> std::optional<Linear> {
            const Expr dividend = rewrite::to_expr(each, Int(32));
            return dividend.defined() ? rewrite::linear_form(rewrite::simplify(div(dividend, int32(divisor))))
                                      : std::nullopt;
        });
    }

    Form sum(const Expr &expr) {
        const std::optional<Linear> form = rewrite::linear_form(expr);
        if (!form) {
            return std::nullopt;
        }
        Linear rest = *form;
        std::erase_if(rest.terms, [&](const LinearTerm &term) { return is_expanded(term); });
        Form result = single(rest);
        for (const LinearTerm &term : form->terms) {
            if (!is_expanded(term)) {
                continue;
            }
            const bool opens = is_extreme(term.term) || is_quotient_of_extremes(term.term);
            if (!opens || term.coefficient < 0 || !result) {
                return std::nullopt;
            }
            const Form scaled =
                map(build(term.term), [&](const Linear &each) { return rewrite::scale(each, term.coefficient); });
            result = scaled ? added(*result, *scaled) : std::nullopt;
        }
        return result;
    }

    /// The sum: for each pair of groups, the sums of all pairs of forms.
    static Form added(const MaxOfMins &a, const MaxOfMins &b) {
        MaxOfMins result;
        for (const Group &of_a : a.groups_) {
            for (const Group &of_b : b.groups_) {
                Group &group = result.groups_.emplace_back();
                for (const Linear &x : of_a) {
                    for (const Linear &y : of_b) {
                        const std::optional<Linear> sum = rewrite::add_scaled(x, y, 1);
                        if (!sum) {
                            return std::nullopt;
                        }
                        group.push_back(*sum);
                    }
                }
            }
        }
        return result.tidy() ? Form(result) : std::nullopt;
    }
};

std::optional<MaxOfMins> MaxOfMins::with(const Symbol &variable, const Expr &value) const {
    return Builder::map(*this, [&](const Linear &each) -> std::optional<Linear> {
        const Expr expr = rewrite::to_expr(each, Int(32));
        return expr.defined() ? rewrite::linear_form(rewrite::simplify(substitute(expr, variable, value)))
                              : std::nullopt;
    });
}

std::optional<MaxOfMins> MaxOfMins::of(const Expr &expr, const std::vector<Symbol> &moving, Expanded expanded) {
    return Builder(moving, expanded).build(expr);
}

namespace {

/// The least (or greatest) of two parts, where an undefined part does not count.
Expr extreme(ExprKind kind, const Expr &a, const Expr &b) {
    return !a.defined() ? b : !b.defined() ? a : make_binary(kind, a, b);
}

} // namespace

Expr MaxOfMins::to_expr() const {
    Expr result;
    for (const Group &group : groups_) {
        Expr least;
        for (const Linear &form : group) {
            const Expr expr = rewrite::to_expr(form, Int(32));
            if (!expr.defined()) {
                return {};
            }
            least = extreme(ExprKind::Min, least, expr);
        }
        result = extreme(ExprKind::Max, result, least);
    }
    return rewrite::simplify(result);
}

Expr MaxOfMins::to_likely_expr(const std::vector<Symbol> &moving) const {
    Expr moves, stands;
    for (const Group &group : groups_) {
        Expr likely, others;
        for (const Linear &form : group) {
            const Expr expr = rewrite::to_expr(form, Int(32));
            if (!expr.defined()) {
                return {};
            }
            Expr &side = uses_any(form, moving) ? likely : others;
            side = extreme(ExprKind::Min, side, expr);
        }
        if (likely.defined() && (others.defined() || groups_.size() > 1)) {
            likely = make_unary(ExprKind::Likely, rewrite::simplify(likely));
        }
        Expr &all = likely.defined() ? moves : stands;
        all = extreme(ExprKind::Max, all, extreme(ExprKind::Min, likely, others));
    }
    return extreme(ExprKind::Max, moves, stands.defined() ? rewrite::simplify(stands) : stands);
}

bool MaxOfMins::is_monotonic(const Symbol &variable, bool up) const {
    const Monotonic wrong = up ? Monotonic::Decreasing : Monotonic::Increasing;
    return std::all_of(groups_.begin(), groups_.end(), [&](const Group &group) {
        return std::all_of(group.begin(), group.end(), [&](const Linear &form) {
            const Expr expr = rewrite::to_expr(form, Int(32));
            const Monotonic moves = expr.defined() ? monotonic_in(expr, variable) : Monotonic::Unknown;
            return moves != wrong && moves != Monotonic::Unknown;
        });
    });
}

std::optional<int64_t> greatest_difference(const MaxOfMins &a, const MaxOfMins &b) {
    std::optional<int64_t> greatest;
    for (const MaxOfMins::Group &of_a : a.groups()) {
        std::optional<int64_t> least; // over groups of b
        for (const MaxOfMins::Group &of_b : b.groups()) {
            std::optional<int64_t> most;
            for (const Linear &y : of_b) {
                std::optional<int64_t> lowest;
                for (const Linear &x : of_a) {
                    const std::optional<int64_t> each = difference(x, y);
                    lowest = each && (!lowest || *each < *lowest) ? each : lowest;
                }
                if (!lowest) {
                    most = std::nullopt;
                    break;
                }
                most = !most || *lowest > *most ? lowest : most;
            }
            least = most && (!least || *most < *least) ? most : least;
        }
        if (!least) {
            return std::nullopt;
        }
        greatest = !greatest || *least > *greatest ? least : greatest;
    }
    return greatest;
}

bool is_at_most(const Expr &a, const Expr &b) {
    const std::optional<Linear> form = rewrite::linear_form(sub(a, b));
    if (!form) {
        return false;
    }
    Linear added = *form, taken;
    std::erase_if(added.terms, [](const LinearTerm &term) { return term.coefficient < 0; });
    for (const LinearTerm &term : form->terms) {
        if (term.coefficient < 0) {
            taken.terms.push_back({term.term, -term.coefficient});
        }
    }
    const Expr left = rewrite::to_expr(added, Int(32)), right = rewrite::to_expr(taken, Int(32));
    if (!left.defined() || !right.defined()) {
        return false;
    }
    std::vector<Symbol> variables;
    for (const Expr &side : {left, right}) {
        for_each_node(side, [&](const Expr &node) {
            if (node->kind() == ExprKind::Variable) {
                variables.push_back(node->symbol());
            }
        });
    }
    const std::optional<MaxOfMins> greater = MaxOfMins::of(left, variables), lesser = MaxOfMins::of(right, variables);
    return greater && lesser && is_at_most(*greater, *lesser);
}

} // namespace fluorite::analysis
