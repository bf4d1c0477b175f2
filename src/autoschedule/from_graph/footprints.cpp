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
#include "autoschedule/costs.h"
#include "ir/expr_traits.h"
#include "rewrite/fold.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace fluorite::autoschedule {

using namespace ir;
using Kind = Footprint::Kind;

namespace {

bool is_broken(const Rational &scale) { return scale.denominator != 1; }

/// scale * loop + [min, max], in real numbers.
struct RealLine {
    std::optional<size_t> loop;
    double scale = 0, min = 0, max = 0;
};

RealLine times(RealLine line, double factor) {
    line.scale *= factor;
    line.min *= factor;
    line.max *= factor;
    if (factor < 0) {
        std::swap(line.min, line.max);
    }
    return line;
}

std::optional<RealLine> plus(const std::optional<RealLine> &a, const std::optional<RealLine> &b) {
    if (!a || !b || (a->loop && b->loop && *a->loop != *b->loop)) {
        return {};
    }
    return RealLine{a->loop ? a->loop : b->loop, a->scale + b->scale, a->min + b->min, a->max + b->max};
}

std::optional<RealLine> real_line(const Expr &value, const std::function<Footprint(const Expr &)> &of_integer);

std::optional<RealLine> real_product(const std::optional<RealLine> &a, const std::optional<RealLine> &b) {
    const auto is_number = [](const std::optional<RealLine> &line) {
        return line && !line->loop && line->min == line->max;
    };
    return is_number(b) && a   ? std::optional(times(*a, b->min))
           : is_number(a) && b ? std::optional(times(*b, a->min))
                               : std::nullopt;
}

std::optional<RealLine> real_line(const Expr &value, const std::function<Footprint(const Expr &)> &of_integer) {
    const auto of = [&](size_t i) { return real_line(value->arg(i), of_integer); };
    switch (value->kind()) {
    case ExprKind::FloatImm: {
        const double number = value->float_value();
        return RealLine{{}, 0, number, number};
    }
    case ExprKind::Cast: {
        if (value->arg(0).type().is_float()) {
            return of(0);
        }
        const Footprint footprint = of_integer(value->arg(0));
        if (footprint.kind == Kind::Unbounded) {
            return {};
        }
        const bool is_affine = footprint.kind == Kind::Affine;
        return RealLine{is_affine ? std::optional(footprint.loop) : std::nullopt,
                        is_affine ? footprint.scale.value() : 0, static_cast<double>(footprint.min),
                        static_cast<double>(footprint.max)};
    }
    case ExprKind::Add:
        return plus(of(0), of(1));
    case ExprKind::Sub: {
        const std::optional<RealLine> b = of(1);
        return b ? plus(of(0), times(*b, -1)) : std::nullopt;
    }
    case ExprKind::Mul:
        return real_product(of(0), of(1));
    case ExprKind::Fma:
        return plus(real_product(of(0), of(1)), of(2));
    case ExprKind::Div: {
        const std::optional<RealLine> b = of(1);
        const bool is_number = b && !b->loop && b->min == b->max && b->min != 0;
        return is_number ? real_product(of(0), RealLine{{}, 0, 1 / b->min, 1 / b->min}) : std::nullopt;
    }
    case ExprKind::Math: {
        const MathOp op = value->math_op();
        if (op != MathOp::Floor && op != MathOp::Ceil && op != MathOp::Round && op != MathOp::Trunc) {
            return {};
        }
        std::optional<RealLine> line = of(0);
        if (line) {
            line->min -= 1;
            line->max += 1;
        }
        return line;
    }
    default: // no line is known, which is correct for any kind
        return {};
    }
}

} // namespace

Footprint sum_of(const Footprint &a, const Footprint &b) {
    if (a.kind == Kind::Unbounded || b.kind == Kind::Unbounded) {
        return Footprint::unbounded();
    }
    Footprint sum = a.kind == Kind::Affine ? a : b;
    sum.min = a.min + b.min;
    sum.max = a.max + b.max;
    sum.is_rounded = a.is_rounded || b.is_rounded;
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
    both.is_rounded = a.is_rounded || b.is_rounded;
    return both;
}

FootprintReader::FootprintReader(loopnest::NestValues &values, const FuncDef &func, const Stage &stage,
                                 const std::vector<LoopExtent> *loops)
    : values_(values), func_(func), stage_(stage), loops_(loops) {}

Footprint FootprintReader::of(const Expr &coordinate, RVars rvars) {
    rvars_ = rvars;
    return find(coordinate);
}

Footprint FootprintReader::find(const Expr &coordinate) {
    if (const std::optional<analysis::PeriodicCoordinate> periodic = analysis::find_periodic(coordinate)) {
        return find(periodic->inner);
    }
    const std::optional<rewrite::Linear> form =
        ir::is_index_type(coordinate.type()) ? rewrite::linear_form(coordinate) : std::nullopt;
    if (!form) {
        return of_leaf(coordinate);
    }
    std::vector<Footprint> terms;
    for (const rewrite::LinearTerm &term : form->terms) {
        terms.push_back(scaled(of_leaf(term.term), term.coefficient));
    }
    flatten_short(terms);
    Footprint sum = Footprint::constant(form->constant, form->constant);
    for (const Footprint &term : terms) {
        sum = sum_of(sum, term);
    }
    // A loop may run backwards in a part of a sum, but not in all of it.
    return sum.kind == Kind::Affine && sum.scale.numerator <= 0 ? Footprint::unbounded() : sum;
}

/// Of terms that follow several loops, all but the one of the longest loop become the range of their values.
void FootprintReader::flatten_short(std::vector<Footprint> &terms) const {
    if (!loops_) {
        return;
    }
    std::optional<size_t> longest;
    for (const Footprint &term : terms) {
        if (term.kind == Kind::Affine && (!longest || (*loops_)[term.loop].extent > (*loops_)[*longest].extent)) {
            longest = term.loop;
        }
    }
    for (Footprint &term : terms) {
        if (term.kind != Kind::Affine || term.loop == *longest ||
            (*loops_)[term.loop].extent * costs::least_longer > (*loops_)[*longest].extent) {
            continue;
        }
        const LoopExtent &loop = (*loops_)[term.loop];
        const auto at = [&](int64_t value) {
            return rewrite::euclidean_div(value * term.scale.numerator, term.scale.denominator);
        };
        const int64_t first = at(loop.min), last = at(loop.min + loop.extent - 1);
        term = Footprint::constant(std::min(first, last) + term.min, std::max(first, last) + term.max);
    }
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
        return union_of(find(expr->arg(1)), find(expr->arg(2)));
    case ExprKind::Cast:
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        if (expr.type().is_int_or_uint() && expr->arg(0).type().is_float()) {
            return of_rounded(expr->arg(0));
        }
        return expr.type().is_int_or_uint() && expr->arg(0).type().is_int_or_uint() ? find(expr->arg(0))
                                                                                    : Footprint::unbounded();
    case ExprKind::Let:
        let(expr->symbol(), expr->arg(0));
        return find(expr->arg(1));
    default: // kinds with a footprint only if their value is known
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
        return find(value);
    }
    for (size_t loop = 0; loop < func_.args.size(); ++loop) {
        if (func_.args[loop] == symbol) {
            return Footprint::affine(loop);
        }
    }
    for (const ReductionVar &rvar : stage_.rvars) {
        if (rvar.var == symbol) {
            const std::optional<int64_t> min = values_(rvar.min), extent = values_(rvar.extent);
            if (!min || !extent) {
                return Footprint::unbounded();
            }
            const int64_t range = rvars_ == RVars::Range ? std::max<int64_t>(*extent, 1) : 1;
            return Footprint::constant(*min, *min + range - 1);
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
    Footprint part = find(expr->arg(0));
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

/// A value of floats that is linear in one loop, as where pictures are scaled: as wide as rounding may make it.
Footprint FootprintReader::of_rounded(const Expr &value) {
    const std::optional<RealLine> line = real_line(value, [&](const Expr &leaf) { return find(leaf); });
    if (!line || !line->loop) {
        return Footprint::unbounded();
    }
    for (int64_t denominator = 1; denominator <= costs::most_denominator; ++denominator) {
        const double numerator = line->scale * static_cast<double>(denominator);
        if (numerator > 0.5 && numerator < 1e6 && std::fabs(numerator - std::round(numerator)) < 1e-4) {
            Footprint result =
                Footprint::affine(*line->loop, static_cast<int64_t>(std::floor(line->min)) - 1,
                                  static_cast<int64_t>(std::ceil(line->max)) + 1,
                                  Rational::of(static_cast<int64_t>(std::round(numerator)), denominator));
            result.is_rounded = true;
            return result;
        }
    }
    return Footprint::unbounded();
}

Footprint FootprintReader::of_bound(const Expr &expr) {
    const Footprint a = find(expr->arg(0)), b = find(expr->arg(1));
    if (a.kind == Kind::Affine && b.kind != Kind::Affine) {
        return a;
    }
    if (b.kind == Kind::Affine && a.kind != Kind::Affine) {
        return b;
    }
    return union_of(a, b);
}

FootprintReader reader_of(loopnest::NestValues &values, const FuncDef &func, const Stage &stage,
                          const std::vector<LoopExtent> *loops, const loopnest::StageAccesses &accesses) {
    FootprintReader reader(values, func, stage, loops);
    for (const auto &[symbol, value] : accesses.lets) {
        reader.let(symbol, value);
    }
    return reader;
}

} // namespace fluorite::autoschedule
