// Dependence between iterations of an update, from the arguments of its writes to and reads of its own Func.
//
// An update writes f(w) and reads f(s), where w and s are vectors of expressions. Two iterations that differ in the
// RVar r access different points in dimension d if  w_d(r, ...) = s_d(r', ...)  has no solution with r != r' inside the
// domain. Both sides are linear forms; terms without RVars are equal in both iterations and cancel (updates keep pure
// Vars). The remaining equation
//     k r - k' r' + others = 0
// is tested in three ways (Banerjee 1988, section 4): the greatest common divisor of the coefficients must divide the
// constant; the range of the left side over the domain must contain 0; and if k = k', the others must reach a multiple
// of k that r - r' can make.
//     f(r.x, ...)           k = 1, others = 0: only r = r'                             independent
//     f(4*r.y + r.x)        r.x in [0, 4): others in [-3, 3], no multiple of 4 but 0   both are independent
//     f(2*r) = f(2*r + 1)   even and odd points                                        independent
//     f(r) = f(r + n)       n at least the extent                                      independent
//     f(r + n) = f(n-1-r)   n at least the extent: what is read is below               independent
// Distances are simpler: where an argument is k r + c on both sides, with one RVar, r' - r = (c_w - c_s) / k. They are
// constant if the arguments give one for each RVar.
//
// A span of [-unbounded, unbounded] means unknown. The analysis is conservative: unknown cases count as dependent,
// which may refuse a schedule but never accepts a wrong one. Relies on: coordinates do not overflow. Cost: linear in
// the arguments for each self-call.

#include "schedule/dependence.h"

#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace fluorite::schedule {

using namespace ir;

namespace {

bool is_self_call(const Expr &expr, const Symbol &func) {
    if (!is_kind(expr, ExprKind::Call)) {
        return false;
    }
    const Symbol &callee = expr->symbol();
    return callee == func || (callee.object() && callee.object() == func.object());
}

template <typename Visit> void for_each_expr(const Stage &stage, const Visit &visit) {
    for (const Expr &arg : stage.args) {
        for_each_node(arg, visit);
    }
    for (const Expr &value : stage.values) {
        for_each_node(value, visit);
    }
    if (stage.predicate.defined()) {
        for_each_node(stage.predicate, visit);
    }
}

constexpr int64_t unbounded = int64_t{1} << 40; // beyond any coordinate, far from overflow

constexpr int64_t most_tried = 1 << 14; // iterations that are tried one by one

struct Span {
    int64_t low = 0, high = 0;
};

/// One argument as a linear form.
struct Form {
    bool known = false;
    int64_t of_rvar = 0;                            // the coefficient of the RVar
    std::vector<std::pair<size_t, int64_t>> others; // other RVars of the update and their coefficients
    rewrite::Linear rest;                           // the part without RVars
};

class Tester {
  public:
    Tester(const Stage &update, const Symbol &func, const Symbol &rvar) : update_(update), func_(func) {
        for (size_t i = 0; i < update.rvars.size(); i++) {
            if (update.rvars[i].var == rvar) {
                rvar_ = i;
            }
        }
    }

    bool is_independent() const {
        const std::optional<int64_t> extent = rewrite::constant_value(update_.rvars[rvar_].extent);
        if (extent && *extent <= 1) {
            return true;
        }
        std::vector<Form> written;
        for (const Expr &arg : update_.args) {
            written.push_back(form_of(arg));
        }
        if (!never_meet(written, written)) {
            return false;
        }
        bool independent = true;
        for_each_expr(update_, [&](const Expr &node) {
            if (independent && is_self_call(node, func_)) {
                std::vector<Form> read;
                for (const Expr &arg : node->args()) {
                    read.push_back(form_of(arg));
                }
                independent = never_meet(written, read);
            }
        });
        return independent;
    }

  private:
    const Stage &update_;
    const Symbol &func_;
    size_t rvar_ = 0;

    std::optional<size_t> rvar_index(const Expr &expr) const {
        for (size_t i = 0; i < update_.rvars.size(); i++) {
            if (is_kind(expr, ExprKind::Variable) && expr->symbol() == update_.rvars[i].var) {
                return i;
            }
        }
        return std::nullopt;
    }

    /// Whether a term may have another value in another iteration.
    bool varies(const Expr &term) const {
        bool found = false;
        for_each_node(term, [&](const Expr &node) {
            found = found || rvar_index(node) || is_self_call(node, func_) || node->kind() == ExprKind::Random;
        });
        return found;
    }

    Form form_of(const Expr &arg) const {
        Form form;
        const std::optional<rewrite::Linear> linear = rewrite::linear_form(arg);
        if (arg.type() != Int(32) || !linear) {
            return form;
        }
        form.rest.constant = linear->constant;
        for (const rewrite::LinearTerm &term : linear->terms) {
            if (const std::optional<size_t> index = rvar_index(term.term)) {
                if (*index == rvar_) {
                    form.of_rvar = term.coefficient;
                } else {
                    form.others.emplace_back(*index, term.coefficient);
                }
            } else if (varies(term.term)) {
                return form;
            } else {
                form.rest.terms.push_back(term);
            }
        }
        form.known = true;
        return form;
    }

    bool never_meet(const std::vector<Form> &a, const std::vector<Form> &b) const {
        for (size_t d = 0; d < a.size() && d < b.size(); d++) {
            if (a[d].known && b[d].known && differ(a[d], b[d])) {
                return true;
            }
        }
        return false;
    }

    /// Whether a in one iteration never equals b in one with another value of the RVar.
    bool differ(const Form &a, const Form &b) const {
        const std::optional<rewrite::Linear> rest = rewrite::subtract(a.rest, b.rest);
        if (!rest || !rest->is_constant() || rest->constant <= -unbounded || rest->constant >= unbounded) {
            return false;
        }
        int64_t divisor = 0; // gcd of the coefficients of other RVars
        Span others{rest->constant, rest->constant};
        for (const auto &[form, sign] : {std::pair(&a, 1), std::pair(&b, -1)}) {
            for (const auto &[index, coefficient] : form->others) {
                divisor = std::gcd(divisor, coefficient);
                others = widened(others, index, sign * coefficient);
            }
        }
        const int64_t all = std::gcd(divisor, std::gcd(a.of_rvar, b.of_rvar));
        if (all != 0 ? rest->constant % all != 0 : rest->constant != 0) {
            return true;
        }
        const Span whole = widened(widened(others, rvar_, a.of_rvar), rvar_, -b.of_rvar);
        if (whole.low > 0 || whole.high < 0) {
            return true;
        }
        return a.of_rvar == b.of_rvar && a.of_rvar != 0 &&
               misses_multiples(others, rest->constant, divisor, std::abs(a.of_rvar));
    }

    /// The span after adding coefficient * RVar.
    Span widened(Span span, size_t index, int64_t coefficient) const {
        const ReductionVar &rvar = update_.rvars[index];
        const std::optional<int64_t> min = rewrite::constant_value(rvar.min),
                                     extent = rewrite::constant_value(rvar.extent);
        if (!min || !extent || std::abs(coefficient) > (int64_t{1} << 20) || span.low <= -unbounded ||
            span.high >= unbounded) {
            return {-unbounded, unbounded};
        }
        const int64_t first = coefficient * *min, last = coefficient * (*min + std::max<int64_t>(*extent, 1) - 1);
        return {span.low + std::min(first, last), span.high + std::max(first, last)};
    }

    /// Whether no value of the span that is constant + a multiple of others equals step * n with 1 <= |n| <= extent -
    /// 1.
    bool misses_multiples(const Span &span, int64_t constant, int64_t others, int64_t step) const {
        const std::optional<int64_t> extent = rewrite::constant_value(update_.rvars[rvar_].extent);
        const auto is_value = [&](int64_t value) {
            return value >= span.low && value <= span.high &&
                   (others == 0 ? value == constant : (value - constant) % others == 0);
        };
        if (extent && *extent <= most_tried && step < unbounded) {
            for (int64_t n = 1; n < *extent; n++) {
                if (is_value(step * n) || is_value(-step * n)) {
                    return false;
                }
            }
            return true;
        }
        return span.low > -step && span.high < step;
    }
};

} // namespace

namespace {

/// An argument as k * RVar + rest, without an RVar if k is 0.
struct SimpleForm {
    size_t rvar = 0;
    int64_t factor = 0;
    rewrite::Linear rest;
};

class DistanceFinder {
  public:
    DistanceFinder(const Stage &update, const Symbol &func) : update_(update), func_(func) {}

    std::optional<DependenceDistances> find() {
        DependenceDistances found;
        for (const ReductionVar &rvar : update_.rvars) {
            found.rvars.push_back(rvar.name);
        }
        bool is_constant = add(update_.args, found);
        for_each_expr(update_, [&](const Expr &node) {
            if (is_constant && is_self_call(node, func_)) {
                is_constant = add(node->args(), found);
            }
        });
        return is_constant ? std::optional(std::move(found)) : std::nullopt;
    }

  private:
    const Stage &update_;
    const Symbol &func_;

    std::optional<SimpleForm> form_of(const Expr &arg) const {
        const std::optional<rewrite::Linear> linear = rewrite::linear_form(arg);
        if (arg.type() != Int(32) || !linear) {
            return std::nullopt;
        }
        SimpleForm form;
        form.rest.constant = linear->constant;
        for (const rewrite::LinearTerm &term : linear->terms) {
            const size_t rvar = rvar_of(term.term);
            if (rvar == update_.rvars.size()) {
                if (varies(term.term)) {
                    return std::nullopt;
                }
                form.rest.terms.push_back(term);
            } else if (form.factor != 0) {
                return std::nullopt;
            } else {
                form.rvar = rvar, form.factor = term.coefficient;
            }
        }
        return form;
    }

    size_t rvar_of(const Expr &term) const {
        const auto is_it = [&](const ReductionVar &rvar) {
            return is_kind(term, ExprKind::Variable) && term->symbol() == rvar.var;
        };
        return static_cast<size_t>(std::find_if(update_.rvars.begin(), update_.rvars.end(), is_it) -
                                   update_.rvars.begin());
    }

    bool varies(const Expr &term) const {
        bool found = false;
        for_each_node(term, [&](const Expr &node) {
            found = found || rvar_of(node) < update_.rvars.size() || is_self_call(node, func_) ||
                    node->kind() == ExprKind::Random;
        });
        return found;
    }

    /// Adds the dependence between the update's stores and its accesses at `args`, in either direction. Returns false
    /// if its distance is not constant.
    bool add(std::span<const Expr> args, DependenceDistances &found) const {
        std::vector<std::optional<int64_t>> distance(update_.rvars.size());
        for (size_t d = 0; d < args.size(); d++) {
            const std::optional<SimpleForm> stored = form_of(update_.args[d]), other = form_of(args[d]);
            if (!stored || !other || stored->factor != other->factor ||
                (stored->factor != 0 && stored->rvar != other->rvar)) {
                continue;
            }
            const std::optional<rewrite::Linear> rest = rewrite::subtract(stored->rest, other->rest);
            if (!rest || !rest->is_constant() || std::abs(rest->constant) >= unbounded) {
                continue;
            }
            if (stored->factor == 0 ? rest->constant != 0 : rest->constant % stored->factor != 0) {
                return true; // never the same point
            }
            if (stored->factor != 0) {
                std::optional<int64_t> &known = distance[stored->rvar];
                const int64_t here = rest->constant / stored->factor;
                if (known && *known != here) {
                    return true;
                }
                known = here;
            }
        }
        std::vector<int64_t> constant;
        for (size_t i = 0; i < distance.size(); i++) {
            const std::optional<int64_t> extent = rewrite::constant_value(update_.rvars[i].extent);
            const bool is_single = extent && *extent <= 1;
            if (!distance[i] && !is_single) {
                return false;
            }
            constant.push_back(distance[i] ? *distance[i] : 0);
            if (extent && std::abs(constant.back()) >= *extent) {
                return true; // the loop is too short
            }
        }
        insert(std::move(constant), found);
        return true;
    }

    /// As the later iteration minus the earlier one: the last RVar is outermost.
    static void insert(std::vector<int64_t> distance, DependenceDistances &found) {
        const auto first = std::find_if(distance.rbegin(), distance.rend(), [](int64_t step) { return step != 0; });
        if (first == distance.rend()) {
            return; // within one iteration
        }
        if (*first < 0) {
            std::transform(distance.begin(), distance.end(), distance.begin(), std::negate<>());
        }
        if (std::find(found.distances.begin(), found.distances.end(), distance) == found.distances.end()) {
            found.distances.push_back(std::move(distance));
        }
    }
};

} // namespace

std::optional<DependenceDistances> dependence_distances(const Stage &update, const Symbol &func) {
    return DistanceFinder(update, func).find();
}

bool rvar_is_independent(const Stage &update, const Symbol &func, const Symbol &rvar) {
    return Tester(update, func, rvar).is_independent();
}

} // namespace fluorite::schedule
