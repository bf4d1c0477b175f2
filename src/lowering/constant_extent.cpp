// The constant extent of a loop that is to be unrolled or vectorized.
//
// Such a loop becomes a known number of copies or lanes. The extent is simplified as it is; if the result is not
// constant, the lets around the loop are substituted; if that gives no constant either, a constant upper bound is
// derived through min, max, select, sums, products, quotients and remainders with constants, differences of two
// minima or maxima, and of a quotient and a value; a variable of a loop around it is between the bounds of that loop's
// first and last value. A loop with an upper bound runs to the bound, and its body becomes conditional:
//   vectorized for x in [m, m + min(n, 8)) { body }
//   -->  vectorized for x in [m, m + 8) { if (x < m + min(n, 8)) body }
// The condition is not marked likely: such loops are mostly inside others, whose partitioning it would hinder. An
// extent or bound above the limits of schedule/limits.h is refused.
//
// Relies on: rewrite/simplify for constants. Does not use facts about parameters. Cost: linear in the sizes of the
// extent and of the bounds of the loops around; bounds are derived only where simplification fails.

#include "lowering/constant_extent.h"

#include "loopnest/user_text.h"
#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "schedule/limits.h"
#include "support/check.h"
#include "support/loop_name.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

/// Constant lower and upper bounds, through the few operations that extents consist of.
class ConstantBounds {
  public:
    explicit ConstantBounds(const LetScope &scope) : scope_(scope) {}
    std::optional<int64_t> upper(const Expr &expr) { return bound(expr, true); }

  private:
    using Bound = std::optional<int64_t>;
    const LetScope &scope_;
    static constexpr int most_nesting = 3; // of differences of minima: each level makes four more
    std::unordered_map<const ExprNode *, Bound> known_[2];
    std::vector<Expr> kept_; // keeps the nodes made here alive, as their addresses are keys
    int nesting_ = 0;

    Bound bound(const Expr &expr, bool above) {
        auto &known = known_[above ? 1 : 0];
        auto found = known.find(expr.get());
        if (found != known.end()) {
            return found->second;
        }
        const Bound result = compute(expr, above);
        known.emplace(expr.get(), result);
        return result;
    }

    static Bound both(const Bound &a, const Bound &b, bool greater) {
        if (!a || !b) {
            return std::nullopt;
        }
        return greater ? std::max(*a, *b) : std::min(*a, *b);
    }
    static Bound either(const Bound &a, const Bound &b, bool greater) {
        return a && b ? both(a, b, greater) : a ? a : b;
    }

    Bound scaled(const Expr &value, const Expr &factor, bool above) {
        int64_t constant = 0;
        if (!is_const_int(factor, &constant)) {
            return std::nullopt;
        }
        const Bound inner = bound(value, constant >= 0 ? above : !above);
        return inner ? Bound(*inner * constant) : std::nullopt;
    }

    /// min(a, b) - min(c, d) is between the two differences of either pairing, a - c and b - d, or a - d and b - c;
    /// likewise max. The extents that the last tile of a consumer requires have this form.
    Bound difference(const Expr &x, const Expr &y, bool above) {
        const bool alike = x->kind() == y->kind() && (x->kind() == ExprKind::Min || x->kind() == ExprKind::Max);
        if (!alike || nesting_ == most_nesting) {
            return std::nullopt;
        }
        nesting_++;
        const auto side = [&](size_t i, size_t j) {
            kept_.push_back(rewrite::simplify(sub(x->arg(i), y->arg(j))));
            return bound(Expr(kept_.back()), above);
        };
        const Bound straight = both(side(0, 0), side(1, 1), above), crossed = both(side(0, 1), side(1, 0), above);
        nesting_--;
        return either(straight, crossed, !above);
    }

    static Bound quotient(const Bound &value, int64_t divisor) {
        return value ? Bound((*value - (((*value % divisor) + divisor) % divisor)) / divisor) : std::nullopt;
    }

    /// a / k - b is (a - b * k) / k, as b is whole. The extent of a split loop in the last block of a consumer whose
    /// loop is split, too, has this form.
    Bound of_quotient(const Expr &x, const Expr &y, bool above) {
        int64_t divisor = 0;
        if (x->kind() != ExprKind::Div || !is_const_int(x->arg(1), &divisor) || divisor <= 0 ||
            nesting_ == most_nesting) {
            return std::nullopt;
        }
        nesting_++;
        kept_.push_back(rewrite::simplify(sub(x->arg(0), mul(y, x->arg(1)))));
        const Bound result = quotient(bound(Expr(kept_.back()), above), divisor);
        nesting_--;
        return result;
    }

    Bound compute(const Expr &expr, bool above) {
        int64_t constant = 0;
        if (is_const_int(expr, &constant)) {
            return constant;
        }
        auto side = [&](size_t i) { return bound(expr->arg(i), above); };
        switch (expr->kind()) {
        case ExprKind::Add: {
            const Bound a = side(0), b = side(1);
            return a && b ? Bound(*a + *b) : std::nullopt;
        }
        case ExprKind::Sub: {
            const Bound a = side(0), b = bound(expr->arg(1), !above);
            return either(
                either(a && b ? Bound(*a - *b) : std::nullopt, difference(expr->arg(0), expr->arg(1), above), !above),
                of_quotient(expr->arg(0), expr->arg(1), above), !above);
        }
        case ExprKind::Mul: {
            const Bound result = scaled(expr->arg(0), expr->arg(1), above);
            return result ? result : scaled(expr->arg(1), expr->arg(0), above);
        }
        case ExprKind::Div: {
            const Bound a = side(0);
            const bool positive = is_const_int(expr->arg(1), &constant) && constant > 0;
            return positive ? quotient(a, constant) : std::nullopt;
        }
        case ExprKind::Mod: {
            const bool positive = is_const_int(expr->arg(1), &constant) && constant > 0;
            return positive ? Bound(above ? constant - 1 : 0) : std::nullopt;
        }
        case ExprKind::Min:
            return above ? either(side(0), side(1), false) : both(side(0), side(1), false);
        case ExprKind::Max:
            return above ? both(side(0), side(1), true) : either(side(0), side(1), true);
        case ExprKind::Select:
            return both(side(1), side(2), above);
        case ExprKind::Variable: {
            const LetScope::Range *range = scope_.range(expr->symbol());
            return range ? bound(above ? range->last : range->first, above) : std::nullopt;
        }
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
            return side(0);
        default: // no bound is known, which is correct for any kind
            return std::nullopt;
        }
    }
};

/// Refuses more iterations than may become copies or lanes.
void check_length(const For &loop, int64_t length, const PassContext &context, bool is_unrolled) {
    if (length <= (is_unrolled ? schedule::most_copies : schedule::most_lanes)) {
        return;
    }
    const FuncDef *func = context.func_of(loop.var);
    const schedule::LoopDim *dim = context.loop_dim_of(loop.var);
    const std::string name = with_dotted_loops(dim ? dim->var : loop.var.name());
    throw CompileError(is_unrolled ? "unroll-too-long" : "vectorize-too-wide",
                       concat("in ", func ? func->name() : std::string("the pipeline"), ", stage ",
                              std::max(loop.var.owner().stage, 0), ": ",
                              is_unrolled ? schedule::too_long(name, length) : schedule::too_wide(name, length)),
                       dim    ? dim->location
                       : func ? func->location
                              : Location());
}

[[noreturn]] void refuse(const For &loop, const Expr &seen, const PassContext &context, const char *what,
                         const char *slug) {
    const FuncDef *func = context.func_of(loop.var);
    const schedule::LoopDim *dim = context.loop_dim_of(loop.var);
    const std::string name = with_dotted_loops(dim ? dim->var : loop.var.name());
    const std::string verb = what == std::string("unrolled") ? "unroll" : "vectorize";
    throw CompileError(slug,
                       concat("in ", func ? func->name() : std::string("the pipeline"), ", stage ",
                              std::max(loop.var.owner().stage, 0), ": the loop ", name, " is ", what,
                              " but its extent is ", text_for_user(seen, context.pipeline.graph),
                              "; the extent of such a loop must be a constant; ", verb, " by a factor, as in ", verb,
                              "(", name, ", 8), or promise a constant extent with bound()"),
                       dim    ? dim->location
                       : func ? func->location
                              : Location());
}

} // namespace

ConstantExtent constant_extent_of(const For &loop, const LetScope &scope, const PassContext &context, const char *what,
                                  const char *slug) {
    std::optional<int64_t> extent = rewrite::constant_value(loop.extent);
    Expr seen = loop.extent;
    if (!extent) {
        seen = rewrite::simplify(scope.expand(loop.extent));
        extent = rewrite::constant_value(seen);
    }
    const bool is_unrolled = what == std::string("unrolled");
    if (extent) {
        check_length(loop, *extent, context, is_unrolled);
        return {static_cast<int>(std::max<int64_t>(*extent, 0)), Expr()};
    }
    const std::optional<int64_t> bound = ConstantBounds(scope).upper(seen);
    if (!bound) {
        refuse(loop, seen, context, what, slug);
    }
    check_length(loop, *bound, context, is_unrolled);
    return {static_cast<int>(std::max<int64_t>(*bound, 0)), add(loop.min, loop.extent)};
}

Stmt guarded_body(const For &loop, const ConstantExtent &extent) {
    if (!extent.end.defined()) {
        return loop.body;
    }
    return IfThenElse::make(less(make_var(Int(32), loop.var), extent.end), loop.body);
}

} // namespace fluorite::lowering
