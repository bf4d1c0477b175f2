// Coordinates that are min, max or select of others, by cases.
//
//   f(x) = g(clamp(x, 0, n - 1))       a read of g at 0 where x <= 0, at x where 0 < x < n - 1, at n - 1 elsewhere
//
// Inside, the read can be gathered; the edges sum over the few points that are clamped to them. Without cases, all
// points would have to be added one after the other, at coordinates that nobody knows. A coordinate is divided only if
// one of its cases determines a variable, and no further than to `most_alternatives` for the whole read, as the
// alternatives of several coordinates multiply; what remains undivided is a scatter.

#include "analysis/hints.h"
#include "fluorite/ops.h"
#include "language/derivative/gather.h"
#include "language/derivative/inversion.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fluorite::language::derivative {

using ir::ExprKind;

namespace {

constexpr size_t most_alternatives = 27; // three dimensions that are clamped

struct Case {
    Expr coordinate, condition; // undefined: always
};

class Splitter {
  public:
    explicit Splitter(const IterationSpace &space) : space_(space) {}

    /// The cases of a coordinate, in which a choice is a term: 2 * min(x, n) + 1.
    void split(const Expr &coordinate, const Expr &condition, std::vector<Case> &cases) const {
        const std::optional<rewrite::Linear> form = rewrite::linear_form(coordinate);
        for (size_t i = 0; form && i < form->terms.size(); i++) {
            const std::vector<Case> choices = choices_of(form->terms[i].term);
            for (const Case &choice : choices) {
                const Expr rest = rewrite::to_expr(without_term(*form, i), Int(32));
                const Expr chosen = ir::int32(form->terms[i].coefficient) * choice.coordinate;
                if (!ir::is_false(choice.condition)) {
                    split(rewrite::simplify(rest + chosen), both(condition, choice.condition), cases);
                }
            }
            if (!choices.empty()) {
                return;
            }
        }
        cases.push_back({coordinate, condition});
    }

  private:
    const IterationSpace &space_;

    bool varies(const Expr &expr) const {
        return std::any_of(space_.dims.begin(), space_.dims.end(),
                           [&](const SpaceDim &dim) { return ir::uses_symbol(expr, dim.symbol); });
    }

    /// The cases of an expression that is a choice; none for others.
    std::vector<Case> choices_of(const Expr &expr) const {
        switch (expr->kind()) {
        case ExprKind::Min:
        case ExprKind::Max:
            return extreme(expr);
        case ExprKind::Select: {
            const Expr condition = expr->arg(0);
            return {{expr->arg(1), condition}, {expr->arg(2), rewrite::simplify(!condition)}};
        }
        default: // no choice
            return {};
        }
    }

    /// min(a, b) where b does not vary, if one of them does not; and so for max.
    std::vector<Case> extreme(const Expr &expr) const {
        const bool is_min = expr->kind() == ExprKind::Min;
        Expr a = expr->arg(0), b = expr->arg(1);
        if (!varies(a)) {
            std::swap(a, b);
        }
        const ExprKind inner = is_min ? ExprKind::Max : ExprKind::Min;
        if (varies(b) || a->kind() != inner || (varies(a->arg(0)) && varies(a->arg(1)))) {
            return is_min ? std::vector<Case>{{a, a < b}, {b, a >= b}} : std::vector<Case>{{a, a > b}, {b, a <= b}};
        }
        return clamped(varies(a->arg(0)) ? a->arg(0) : a->arg(1), varies(a->arg(0)) ? a->arg(1) : a->arg(0), b, is_min);
    }

    /// min(max(e, first), last), or max(min(e, first), last): conditions on e alone, from which ranges follow, and the
    /// case that the ends are in the wrong order.
    static std::vector<Case> clamped(const Expr &e, const Expr &first, const Expr &last, bool is_min) {
        const Expr beyond = is_min ? e >= last : e <= last, within = is_min ? e < last : e > last;
        const Expr inner = ir::make_binary(is_min ? ExprKind::Max : ExprKind::Min, e, first);
        const Expr in_order = is_min ? first <= last : first >= last;
        if (holds_of_images(in_order)) {
            return {{inner, within}, {last, beyond}};
        }
        const Expr reversed = is_min ? first > last : first < last;
        return {{inner, within && in_order}, {last, beyond}, {last, within && reversed}};
    }

    /// Proves a condition for images that have elements: nothing is read of others.
    static bool holds_of_images(const Expr &condition) {
        return rewrite::can_prove(ir::transform(condition, [](const Expr &node) {
            const bool is_extent = node->kind() == ExprKind::BufferField && node->member().field == ir::Field::Extent;
            return is_extent ? max(node, ir::make_one(node.type())) : node;
        }));
    }
};

bool determines_any(const Expr &coordinate, const IterationSpace &space) {
    for (const SpaceDim &dim : space.dims) {
        if (determines(coordinate, dim.symbol)) {
            return true;
        }
    }
    return false;
}

/// The cases of one coordinate; one, without condition, where nothing is gained by more.
std::vector<Case> cases_of(const Expr &coordinate, const IterationSpace &space) {
    const Expr plain = rewrite::simplify(analysis::strip_hints(coordinate));
    std::vector<Case> cases;
    if (!determines_any(plain, space)) {
        Splitter(space).split(plain, Expr(), cases);
        for (const Case &one : cases) {
            if (cases.size() > 1 && determines_any(one.coordinate, space)) {
                return cases;
            }
        }
    }
    return {{coordinate, Expr()}};
}

} // namespace

bool determines(const Expr &coordinate, const ir::Symbol &variable) {
    return affine_in(coordinate, variable).has_value();
}

std::vector<Contribution> alternatives_of(const Contribution &contribution) {
    std::vector<Contribution> result = {contribution};
    for (size_t i = 0; i < contribution.args.size(); i++) {
        const std::vector<Case> cases = cases_of(contribution.args[i], *contribution.space);
        if (cases.size() == 1 || result.size() * cases.size() > most_alternatives) {
            continue;
        }
        std::vector<Contribution> divided;
        for (const Contribution &whole : result) {
            for (const Case &one : cases) {
                Contribution part = whole;
                part.args[i] = one.coordinate;
                part.condition = both(whole.condition, one.condition);
                divided.push_back(std::move(part));
            }
        }
        result = std::move(divided);
    }
    return result;
}

} // namespace fluorite::language::derivative
