// Footprints of coordinates.
//
// Method: the linear form of a coordinate (rewrite/linear.h); its terms are loops, RVars, which range over their
// domains, and leaves that are looked into: a quotient by a constant scales what it divides, a remainder ranges below
// its divisor, a clamp is taken for what it clamps, as what lies outside is never more, and so is a coordinate that an
// edge reflects or repeats, and a select for both values. What reads memory, follows two loops, or a loop backwards, is
// unbounded.
//
// Offsets of fractional scales are rounded outwards: floor(x / 2) + floor(x / 2) is x or x - 1.
#include "autoschedule/from_graph/footprints.h"

#include "analysis/periodic_coordinate.h"
#include "rewrite/fold.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::autoschedule {

using namespace ir;
using Kind = Footprint::Kind;

namespace {

bool is_broken(const Rational &scale) { return scale.denominator != 1; }

} // namespace

Footprint sum_of(const Footprint &a, const Footprint &b) {
    if (a.kind == Kind::Unbounded || b.kind == Kind::Unbounded) {
        return Footprint::unbounded();
    }
    Footprint sum = a.kind == Kind::Affine ? a : b;
    sum.min = a.min + b.min;
    sum.max = a.max + b.max;
    if (a.kind == Kind::Affine && b.kind == Kind::Affine) {
        sum.scale = Rational::of(a.scale.numerator * b.scale.denominator + b.scale.numerator * a.scale.denominator,
                                 a.scale.denominator * b.scale.denominator);
        if (a.loop != b.loop || sum.scale.numerator <= 0) {
            return Footprint::unbounded();
        }
        sum.min -= is_broken(a.scale) && is_broken(b.scale) ? 1 : 0;
    }
    return sum;
}

Footprint scaled(const Footprint &a, int64_t factor) {
    Footprint result = a;
    result.min = std::min(a.min * factor, a.max * factor);
    result.max = std::max(a.min * factor, a.max * factor);
    if (a.kind == Kind::Affine) {
        result.scale = a.scale * Rational::of(factor);
        if (is_broken(a.scale)) {
            (factor > 0 ? result.min : result.max) -= factor - 1;
        }
    }
    return result;
}

Footprint union_of(const Footprint &a, const Footprint &b) {
    if (a.kind != b.kind || a.kind == Kind::Unbounded || a.loop != b.loop || !(a.scale == b.scale)) {
        return Footprint::unbounded();
    }
    Footprint both = a;
    both.min = std::min(a.min, b.min);
    both.max = std::max(a.max, b.max);
    return both;
}

FootprintReader::FootprintReader(loopnest::NestValues &values, const FuncDef &func, const Stage &stage)
    : values_(values), func_(func), stage_(stage) {}

Footprint FootprintReader::of(const Expr &coordinate) {
    if (const std::optional<analysis::PeriodicCoordinate> periodic = analysis::find_periodic(coordinate)) {
        return of(periodic->inner);
    }
    const std::optional<rewrite::Linear> form =
        coordinate.type().is_int() && coordinate.type().bits() >= 32 ? rewrite::linear_form(coordinate) : std::nullopt;
    if (!form) {
        return of_leaf(coordinate);
    }
    Footprint sum = Footprint::constant(form->constant, form->constant);
    for (const rewrite::LinearTerm &term : form->terms) {
        sum = sum_of(sum, scaled(of_leaf(term.term), term.coefficient));
    }
    // A loop may run backwards in a part of a sum, but not in all of it.
    return sum.kind == Kind::Affine && sum.scale.numerator <= 0 ? Footprint::unbounded() : sum;
}

Footprint FootprintReader::of_leaf(const Expr &expr) {
    switch (expr->kind()) {
    case ExprKind::Variable:
        return of_variable(expr);
    case ExprKind::Div:
    case ExprKind::Mod:
        return of_quotient(expr);
    case ExprKind::Min:
    case ExprKind::Max:
        return of_bound(expr);
    case ExprKind::Select:
        return union_of(of(expr->arg(1)), of(expr->arg(2)));
    case ExprKind::Cast:
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return expr.type().is_int_or_uint() && expr->arg(0).type().is_int_or_uint() ? of(expr->arg(0))
                                                                                    : Footprint::unbounded();
    case ExprKind::Let:
        let(expr->symbol(), expr->arg(0));
        return of(expr->arg(1));
    default:
        break;
    }
    const std::optional<int64_t> value = expr->reads_memory() ? std::nullopt : values_(expr);
    return value ? Footprint::constant(*value, *value) : Footprint::unbounded();
}

Footprint FootprintReader::of_variable(const Expr &variable) {
    const Symbol &symbol = variable->symbol();
    const auto bound = lets_.find(symbol);
    if (bound != lets_.end()) {
        const Expr value = bound->second;
        return of(value);
    }
    for (size_t loop = 0; loop < func_.args.size(); ++loop) {
        if (func_.args[loop] == symbol) {
            return Footprint::affine(loop);
        }
    }
    for (const ReductionVar &rvar : stage_.rvars) {
        if (rvar.var == symbol) {
            const std::optional<int64_t> min = values_(rvar.min), extent = values_(rvar.extent);
            return min && extent ? Footprint::constant(*min, *min + std::max<int64_t>(*extent, 1) - 1)
                                 : Footprint::unbounded();
        }
    }
    const std::optional<int64_t> value = values_(variable);
    return value ? Footprint::constant(*value, *value) : Footprint::unbounded();
}

Footprint FootprintReader::of_quotient(const Expr &expr) {
    const std::optional<int64_t> divisor = values_(expr->arg(1));
    if (!divisor || *divisor <= 0) {
        return Footprint::unbounded();
    }
    if (expr->kind() == ExprKind::Mod) {
        return expr->reads_memory() ? Footprint::unbounded() : Footprint::constant(0, *divisor - 1);
    }
    Footprint part = of(expr->arg(0));
    if (part.kind == Kind::Unbounded) {
        return part;
    }
    if (part.kind == Kind::Affine) {
        part.scale = part.scale / Rational::of(*divisor);
        part.max += is_broken(part.scale) ? *divisor - 1 : 0; // floor(a + b) is up to 1 above floor(a) + floor(b)
    }
    part.min = rewrite::euclidean_div(part.min, *divisor);
    part.max = rewrite::euclidean_div(part.max, *divisor);
    return part;
}

Footprint FootprintReader::of_bound(const Expr &expr) {
    const Footprint a = of(expr->arg(0)), b = of(expr->arg(1));
    if (a.kind == Kind::Affine && b.kind != Kind::Affine) {
        return a;
    }
    if (b.kind == Kind::Affine && a.kind != Kind::Affine) {
        return b;
    }
    return union_of(a, b);
}

} // namespace fluorite::autoschedule
