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
#include "rewrite/simplify.h"

#include <utility>

namespace fluorite::language::derivative {

using ir::ExprKind;

namespace {

constexpr size_t most_alternatives = 27; // three dimensions that are clamped

struct Case {
    Expr coordinate, condition; // undefined: always
};

void split(const Expr &coordinate, const Expr &condition, std::vector<Case> &cases) {
    Expr choice, otherwise;
    size_t yes = 0, no = 1;
    switch (coordinate->kind()) {
    case ExprKind::Min:
        choice = coordinate->arg(0) < coordinate->arg(1);
        otherwise = coordinate->arg(0) >= coordinate->arg(1);
        break;
    case ExprKind::Max:
        choice = coordinate->arg(0) > coordinate->arg(1);
        otherwise = coordinate->arg(0) <= coordinate->arg(1);
        break;
    case ExprKind::Select:
        choice = coordinate->arg(0);
        otherwise = rewrite::simplify(!choice);
        yes = 1;
        no = 2;
        break;
    default: // no choice between coordinates
        cases.push_back({coordinate, condition});
        return;
    }
    split(coordinate->arg(yes), both(condition, choice), cases);
    split(coordinate->arg(no), both(condition, otherwise), cases);
}

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
        split(plain, Expr(), cases);
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
