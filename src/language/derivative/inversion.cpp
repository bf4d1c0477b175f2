// Inversion of coordinates.
//
//   y0 = x + r,  y1 = 2 * x        -->   x = y1 / 2 where y1 % 2 == 0,  r = y0 - x
//   y0 = (x + r) / 2               -->   x = 2 * y0 + u - r,  for u in [0, 1]
//
// Each step picks a coordinate and a variable that it is affine in, substitutes the solution everywhere, and goes on
// until no coordinate determines a variable. Pure variables come first, so that what is left to sum over are the RVars
// of the stage rather than its points; unit coefficients come before others, which need conditions. Coordinates that
// determine nothing more remain as expressions.
//
// Cost: coordinates * variables linear forms for each variable.

#include "language/derivative/inversion.h"

#include "analysis/hints.h"
#include "language/function.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <cstdlib>

namespace fluorite::language::derivative {

using ir::ExprKind;
using rewrite::Linear;
using rewrite::LinearTerm;

namespace {

Expr expr_of(const Linear &form) { return rewrite::simplify(rewrite::to_expr(form, Int(32))); }

/// The index of the only term that contains the variable.
std::optional<size_t> only_term_with(const Linear &form, const ir::Symbol &variable) {
    std::optional<size_t> found;
    for (size_t i = 0; i < form.terms.size(); i++) {
        if (ir::uses_symbol(form.terms[i].term, variable)) {
            if (found) {
                return std::nullopt;
            }
            found = i;
        }
    }
    return found;
}

/// The divisor of a division that rounds down, by a positive constant; 0 for other expressions.
int64_t divisor_of(const Expr &expr) {
    int64_t amount = 0;
    if (expr->kind() == ExprKind::Div && ir::is_const_int(expr->arg(1), &amount)) {
        return amount > 0 ? amount : 0;
    }
    if (expr->kind() == ExprKind::ShiftRight && ir::is_const_int(expr->arg(1), &amount)) {
        return amount >= 0 && amount < 31 ? int64_t{1} << amount : 0;
    }
    return 0;
}

} // namespace

Linear without_term(const Linear &form, size_t i) {
    Linear rest = form;
    rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(i));
    return rest;
}

std::optional<AffineCoordinate> affine_in(const Expr &coordinate, const ir::Symbol &variable) {
    const std::optional<Linear> form = rewrite::linear_form(coordinate);
    const std::optional<size_t> at = form ? only_term_with(*form, variable) : std::nullopt;
    if (!at) {
        return std::nullopt;
    }
    const LinearTerm &term = form->terms[*at];
    const Expr rest = expr_of(without_term(*form, *at)), zero = ir::int32(0);
    if (term.term->kind() == ExprKind::Variable) {
        return AffineCoordinate{term.coefficient, 1, rest, zero};
    }
    const int64_t divisor = divisor_of(term.term);
    if (divisor == 0 || term.coefficient != 1) {
        return std::nullopt;
    }
    const std::optional<Linear> inner = rewrite::linear_form(term.term->arg(0));
    const std::optional<size_t> inside = inner ? only_term_with(*inner, variable) : std::nullopt;
    if (!inside || inner->terms[*inside].term->kind() != ExprKind::Variable) {
        return std::nullopt;
    }
    return AffineCoordinate{inner->terms[*inside].coefficient, divisor, expr_of(without_term(*inner, *inside)), rest};
}

Inversion::Inversion(const std::vector<Expr> &args, std::vector<SpaceDim> dims, const std::vector<ir::Symbol> &vars)
    : solved_(args.size()), left_(std::move(dims)) {
    for (size_t i = 0; i < args.size(); i++) {
        args_.push_back(rewrite::simplify(analysis::strip_hints(args[i])));
        vars_.push_back(ir::make_var(Int(32), vars[i]));
    }
    while (solve_one()) {
    }
}

bool Inversion::solve_one() {
    std::optional<AffineCoordinate> best;
    size_t coordinate = 0, variable = 0;
    int least = 4;
    for (size_t i = 0; i < args_.size(); i++) {
        for (size_t v = 0; v < left_.size() && !solved_[i]; v++) {
            const std::optional<AffineCoordinate> form = affine_in(args_[i], left_[v].symbol);
            if (!form) {
                continue;
            }
            const bool is_unit = std::abs(form->scale) == 1 && form->divisor == 1;
            const int rank = (left_[v].is_pure ? 0 : 2) + (is_unit ? 0 : 1);
            if (rank < least) {
                least = rank;
                best = form;
                coordinate = i;
                variable = v;
            }
        }
    }
    if (best) {
        solve(coordinate, variable, *best);
    }
    return best.has_value();
}

void Inversion::solve(size_t coordinate, size_t variable, const AffineCoordinate &form) {
    const SpaceDim dim = left_[variable];
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(variable));
    // scale * variable = divisor * (y - outer) + u - inner
    Expr scaled = ir::sub(vars_[coordinate], form.outer);
    if (form.divisor > 1) {
        const ir::Symbol remainder(ir::SymbolKind::Var, anonymous_name("u"));
        left_.push_back({remainder, ir::int32(0), ir::int32(form.divisor - 1), false});
        scaled = ir::add(ir::mul(scaled, ir::int32(form.divisor)), ir::make_var(Int(32), remainder));
    }
    scaled = rewrite::simplify(ir::sub(scaled, form.inner));
    Expr value = scaled;
    if (form.scale == -1) {
        value = ir::sub(ir::int32(0), scaled);
    } else if (form.scale != 1) {
        const Expr scale = ir::int32(form.scale);
        conditions_.push_back(ir::equals(ir::mod(scaled, ir::int32(std::abs(form.scale))), ir::int32(0)));
        value = ir::div(scaled, scale);
    }
    value = rewrite::simplify(value);

    const ir::SymbolMap<Expr> change = {{dim.symbol, value}};
    const auto update = [&](Expr &expr) { expr = rewrite::simplify(ir::substitute(expr, change)); };
    for (Expr &arg : args_) {
        update(arg);
    }
    for (Solution &solution : solutions_) {
        update(solution.value);
    }
    for (Expr &condition : conditions_) {
        update(condition);
    }
    solutions_.push_back({dim, value});
    solved_[coordinate] = true;
}

} // namespace fluorite::language::derivative
