// Reads as gathers.
//
//   f(x) += w(r) * g(2 * x + r)     adjoint of f: d_f, adjoint of the read of g: d_f(x) * w(r)
//   -->  d_g(y) += select((y - r) % 2 == 0 && (y - r) / 2 in the box of f, d_f((y - r) / 2) * w(r), 0)     over r
//   -->  d_w(y) += d_f(x) * g(2 * x + y)                                                                    over x
//
// The coordinates of a read are solved for the variables of the stage (inversion.h). Each point of the adjoint then
// sums over what is left, in parallel with all others. Where nothing is left, the term is part of the pure definition.
// A coordinate that determines no variable (it is data, or a constant) is compared with the target's Var if nothing is
// left to sum over; otherwise the term is an update at that coordinate: a scatter.
//
// A solved variable may be outside of its range. It is clamped to it where it is used, and the value is 0 there: no
// point outside of the stage's is read. Ranges that are proved to hold over the target's box need neither.
//
// A predicate of the stage restricts the sum (RDom::where), as it may protect reads. It is part of the comparisons
// where there is no sum; ranges are narrowed by it, so that what it protects by bounds stays so.
//
// Order of additions: terms as the reads occur in the definitions; sums run over the stage's pure variables, innermost
// first, and then over its RVars.

#include "language/derivative/gather.h"

#include "analysis/bounds_where.h"
#include "fluorite/ops.h"
#include "language/derivative/inversion.h"
#include "language/derivative/local_adjoints.h"
#include "language/operands.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::language::derivative {

using analysis::BoundsFinder;
using analysis::Interval;
using ir::ExprKind;

analysis::Scope IterationSpace::scope() const {
    analysis::Scope result;
    for (const SpaceDim &dim : dims) {
        result[dim.symbol] = {dim.min, dim.max};
    }
    return result;
}

namespace {

/// Decides conditions over the target's box and the variables that are left.
class Prover {
  public:
    Prover(const Target &target, const std::vector<SpaceDim> &left) : finder_(scope_of(target, left)) {}

    bool holds(const Expr &condition) {
        const Expr known = rewrite::simplify(condition);
        return ir::is_true(known) || is_always(finder_.bounds_of(known).min);
    }
    bool is_at_least(const Expr &value, const Expr &bound) {
        const Expr least = finder_.bounds_of(value).min;
        return least.defined() && rewrite::can_prove(bound <= least);
    }
    bool is_at_most(const Expr &value, const Expr &bound) {
        const Expr greatest = finder_.bounds_of(value).max;
        return greatest.defined() && rewrite::can_prove(greatest <= bound);
    }

  private:
    BoundsFinder finder_;

    static bool is_always(const Expr &least) { return least.defined() && ir::is_true(least); }
    static analysis::Scope scope_of(const Target &target, const std::vector<SpaceDim> &left) {
        analysis::Scope scope;
        for (size_t i = 0; i < target.vars.size(); i++) {
            scope[target.vars[i]] = i < target.box.size() ? target.box[i] : Interval::everything();
        }
        for (const SpaceDim &dim : left) {
            scope[dim.symbol] = {dim.min, dim.max};
        }
        return scope;
    }
};

/// The ranges of the space where the condition holds; nothing if they are known to be empty.
std::optional<std::vector<SpaceDim>> narrowed(const IterationSpace &space, const Expr &condition) {
    std::vector<SpaceDim> dims = space.dims;
    BoundsFinder finder(space.scope());
    for (SpaceDim &dim : dims) {
        const Interval where = condition.defined()
                                   ? analysis::bounds_where(ir::make_var(Int(32), dim.symbol), condition, finder)
                                   : Interval::everything();
        if (where.min.defined()) {
            dim.min = rewrite::simplify(max(where.min, dim.min));
        }
        if (where.max.defined()) {
            dim.max = rewrite::simplify(min(where.max, dim.max));
        }
        if (rewrite::can_prove(dim.max < dim.min)) {
            return std::nullopt;
        }
    }
    return dims;
}

/// The solved variables inside of their ranges, and where they are so without being clamped.
struct Inside {
    ir::SymbolMap<Expr> values;
    Expr condition; // undefined: everywhere
};

Inside inside_of_ranges(const Inversion &inversion, Prover &prover) {
    Inside inside;
    for (const Inversion::Solution &solution : inversion.solutions()) {
        const SpaceDim &dim = solution.dim;
        const Expr &value = solution.value;
        const bool reaches_below = !prover.is_at_least(value, dim.min), beyond = !prover.is_at_most(value, dim.max);
        if (reaches_below) {
            inside.condition = both(inside.condition, value >= dim.min);
        }
        if (beyond) {
            inside.condition = both(inside.condition, value <= dim.max);
        }
        inside.values[dim.symbol] = reaches_below || beyond ? into_range(value, dim.min, dim.max) : value;
    }
    for (const Expr &condition : inversion.conditions()) {
        inside.condition = prover.holds(condition) ? inside.condition : both(inside.condition, condition);
    }
    return inside;
}

/// Pure variables before RVars, each in their order, and the remainders of divisions last.
std::vector<SpaceDim> in_order_of_sum(std::vector<SpaceDim> dims) {
    std::stable_partition(dims.begin(), dims.end(), [](const SpaceDim &dim) { return dim.is_pure; });
    return dims;
}

class Gather {
  public:
    Gather(const Contribution &contribution, const Target &target, const std::vector<SpaceDim> &dims)
        : contribution_(contribution), target_(target), inversion_(contribution.args, dims, target.vars),
          prover_(target, inversion_.left()), inside_(inside_of_ranges(inversion_, prover_)) {}

    Term term() {
        Term term;
        term.value = contribution_.value;
        term.dims = in_order_of_sum(inversion_.left());
        Expr condition = inside_.condition, predicate = at_point(contribution_.space->predicate);
        const Expr alternative = at_point(contribution_.condition);
        bool is_scatter = false;
        for (size_t i = 0; i < target_.vars.size(); i++) {
            const Expr var = ir::make_var(Int(32), target_.vars[i]);
            if (inversion_.is_solved(i)) {
                term.args.push_back(var);
                continue;
            }
            const Expr coordinate = rewrite::simplify(ir::substitute(inversion_.coordinate(i), inside_.values));
            if (term.dims.empty()) {
                condition = both(condition, var == coordinate);
            } else {
                is_scatter = true;
            }
            term.args.push_back(term.dims.empty() ? var : coordinate);
        }
        (is_scatter ? predicate : condition) = both(is_scatter ? predicate : condition, alternative);
        if (term.dims.empty()) {
            condition = both(condition, predicate);
        } else {
            term.predicate = predicate;
        }
        const Expr value = ir::substitute(contribution_.adjoint, inside_.values);
        term.summand = condition.defined() ? guarded(rewrite::simplify(condition), likely(value)) : value;
        return term;
    }

  private:
    const Contribution &contribution_;
    const Target &target_;
    Inversion inversion_;
    Prover prover_;
    Inside inside_;

    /// A condition at the solved point; undefined if it always holds.
    Expr at_point(const Expr &condition) {
        if (!condition.defined()) {
            return condition;
        }
        const Expr here = ir::substitute(condition, inside_.values);
        return prover_.holds(here) ? Expr() : here;
    }
};

} // namespace

std::vector<Term> terms_of(const Contribution &contribution, const Target &target) {
    std::vector<Term> terms;
    for (const Contribution &alternative : alternatives_of(contribution)) {
        const Expr condition = both(contribution.space->predicate, alternative.condition);
        if (const std::optional<std::vector<SpaceDim>> dims = narrowed(*contribution.space, condition)) {
            terms.push_back(Gather(alternative, target, *dims).term());
        }
    }
    return terms;
}

std::optional<Preimage> preimage_of(const std::vector<Expr> &args, const IterationSpace &space, const Target &target) {
    const std::optional<std::vector<SpaceDim>> dims = narrowed(space, space.predicate);
    if (!dims) {
        return Preimage{{}, ir::make_bool(false)};
    }
    const Inversion inversion(args, *dims, target.vars);
    if (!inversion.left().empty()) {
        return std::nullopt;
    }
    Prover prover(target, {});
    Inside inside = inside_of_ranges(inversion, prover);
    Expr condition = inside.condition;
    for (size_t i = 0; i < args.size(); i++) {
        if (!inversion.is_solved(i)) {
            const Expr coordinate = ir::substitute(inversion.coordinate(i), inside.values);
            condition = both(condition, ir::make_var(Int(32), target.vars[i]) == coordinate);
        }
    }
    if (space.predicate.defined()) {
        condition = both(condition, ir::substitute(space.predicate, inside.values));
    }
    if (condition.defined() && prover.holds(condition)) {
        condition = Expr();
    }
    return Preimage{std::move(inside.values), condition};
}

} // namespace fluorite::language::derivative
