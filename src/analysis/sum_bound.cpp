// Upper bounds of sums in which what is subtracted grows as what is added does.
//
// What: the extent of a region is max - min + 1, where both ends grow with the same coordinate of a tile, and pass
// clamps and quotients on the way:
//   (min(4b + 31, m) + 1) / 2 - (min(4b, m - 31) + 1) / 2 + 1  <=  17
// Intervals bound both ends separately, so that the bound grows with m. Here the whole sum is bounded, as a linear form
// whose terms are opened one after the other until all of them cancel:
//   c * (e / k), k | c    c / k * e from above if c > 0; c / k * (e - k + 1) if c < 0; another c is scaled first
//   c * (e % k)           c * (k - 1) if c > 0; 0 if c < 0
//   c * max(a, b), c > 0, or c * min(a, b), c < 0, or a select   the greater of the bounds with a and with b
//   c * min(a, b), c > 0, or c * max(a, b), c < 0                the less of the bounds with a and with b
// The third kind is opened before the fourth, so that for each case the better operand is chosen.
//
// Relies on: no overflow in index arithmetic. Does not do: ranges of variables; a sum in which one remains has no
// bound. Cost: exponential in the clamps that do not cancel; `most_openings` bounds it.

#include "analysis/sum_bound.h"

#include "analysis/hints.h"
#include "rewrite/fold.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <numeric>

namespace fluorite::analysis {

using namespace ir;
using rewrite::Linear;
using rewrite::LinearTerm;

namespace {

constexpr int most_openings = 4096; // an extent of two clamps in each of three ends has 64

/// How a term of a sum can be opened.
enum class Opening : uint8_t { None, Quotient, Remainder, Either, Best };

Opening opening_of(const LinearTerm &term) {
    const bool adds = term.coefficient > 0;
    int64_t divisor = 0;
    switch (term.term->kind()) {
    case ExprKind::Div:
        return is_const_int(term.term->arg(1), &divisor) && divisor > 0 ? Opening::Quotient : Opening::None;
    case ExprKind::Mod:
        return is_const_int(term.term->arg(1), &divisor) && divisor > 0 ? Opening::Remainder : Opening::None;
    case ExprKind::Min:
        return adds ? Opening::Best : Opening::Either;
    case ExprKind::Max:
        return adds ? Opening::Either : Opening::Best;
    case ExprKind::Select:
        return Opening::Either;
    default: // a term that does not cancel, whatever it is, has no bound
        return Opening::None;
    }
}

class SumBound {
  public:
    std::optional<int64_t> above(const Linear &form) {
        if (--left_ < 0 || form.is_constant()) {
            return left_ < 0 ? std::nullopt : std::optional(form.constant);
        }
        for (const Opening opening : {Opening::Quotient, Opening::Remainder, Opening::Either, Opening::Best}) {
            for (const LinearTerm &term : form.terms) {
                if (opening_of(term) == opening) {
                    return opened(form, term, opening);
                }
            }
        }
        return std::nullopt;
    }

  private:
    int left_ = most_openings;

    std::optional<int64_t> opened(const Linear &form, const LinearTerm &term, Opening opening) {
        switch (opening) {
        case Opening::Quotient:
            return with_quotient(form, term);
        case Opening::Remainder: {
            int64_t divisor = 0;
            is_const_int(term.term->arg(1), &divisor);
            return replaced(form, term, Linear{{}, term.coefficient > 0 ? divisor - 1 : 0}, term.coefficient);
        }
        case Opening::Either:
        case Opening::Best:
            return with_operands(form, term, opening == Opening::Best);
        case Opening::None:
            break;
        }
        return std::nullopt;
    }

    /// The bound of the form with factor * value instead of the term.
    std::optional<int64_t> replaced(const Linear &form, const LinearTerm &term, const std::optional<Linear> &value,
                                    int64_t factor) {
        const std::optional<Linear> rest =
            value ? rewrite::add_scaled(form, {{{term.term, 1}}, 0}, -term.coefficient) : std::nullopt;
        const std::optional<Linear> next = rest ? rewrite::add_scaled(*rest, *value, factor) : std::nullopt;
        return next ? above(*next) : std::nullopt;
    }

    std::optional<int64_t> with_quotient(const Linear &form, const LinearTerm &term) {
        int64_t divisor = 0;
        is_const_int(term.term->arg(1), &divisor);
        const int64_t scale = divisor / std::gcd(divisor, term.coefficient);
        const std::optional<Linear> scaled = rewrite::scale(form, scale);
        std::optional<Linear> dividend = rewrite::linear_form(term.term->arg(0));
        if (!scaled || !dividend) {
            return std::nullopt;
        }
        const int64_t coefficient = term.coefficient * scale;
        dividend->constant -= coefficient < 0 ? divisor - 1 : 0;
        const std::optional<int64_t> bound =
            replaced(*scaled, {term.term, coefficient}, dividend, coefficient / divisor);
        return bound ? std::optional(rewrite::euclidean_div(*bound, scale)) : std::nullopt;
    }

    std::optional<int64_t> with_operands(const Linear &form, const LinearTerm &term, bool best) {
        const size_t first = term.term->kind() == ExprKind::Select ? 1 : 0;
        const auto with = [&](size_t operand) {
            return replaced(form, term, rewrite::linear_form(term.term->arg(operand)), term.coefficient);
        };
        const std::optional<int64_t> a = with(first);
        if (!a && !best) {
            return std::nullopt;
        }
        const std::optional<int64_t> b = with(first + 1);
        return best ? (a && b ? std::min(*a, *b) : a ? a : b) : b ? std::optional(std::max(*a, *b)) : std::nullopt;
    }
};

} // namespace

std::optional<int64_t> constant_above(const Expr &expr) {
    if (expr.type() != Int(32)) {
        return std::nullopt;
    }
    const std::optional<Linear> form = rewrite::linear_form(rewrite::simplify(strip_hints(expr)));
    return form ? SumBound().above(*form) : std::nullopt;
}

} // namespace fluorite::analysis
