// Puts the parts of fused loops together again in addresses.
//
// A loop that fuse(c, x, t) makes has lets for the loops that are gone. Where the memory of both is adjacent, as the
// channels of interleaved pixels are, their address is one sum:
//   let c = t % 3, x = t / 3:   f[3 * x + c]   -->   f[t]
// so that vectors of t are dense, where the remainder would make them gathers. Method: linear forms of coordinates. The
// terms k (n / d) of a coordinate with stride s and l (n % d) of one with stride r are l r n together if k s = d l r.
// Relies on: Euclidean division, n = d (n / d) + n % d. Does not do: extents that are known only at run time.
// Cost: for each access inside of a fused loop, a linear form of each coordinate.

#include "lowering/storage/fused_coordinates.h"

#include "rewrite/linear.h"
#include "rewrite/simplify.h"

namespace fluorite::lowering {

using namespace ir;

void FusedCoordinates::learn(const Symbol &symbol, const Expr &value) {
    if (value.type() != Int(32) || value->reads_memory()) {
        return;
    }
    std::optional<rewrite::Linear> form = rewrite::linear_form(value);
    for (size_t i = 0; form && i < form->terms.size(); i++) {
        const auto [term, times] = form->terms[i];
        int64_t divisor = 0;
        const bool is_quotient = term->kind() == ExprKind::Div;
        if ((!is_quotient && term->kind() != ExprKind::Mod) || times != 1 || !is_const_int(term->arg(1), &divisor) ||
            divisor <= 0) {
            continue;
        }
        form->terms.erase(form->terms.begin() + static_cast<long>(i));
        const Expr rest = rewrite::to_expr(*form, Int(32));
        if (rest.defined()) {
            parts_.insert_or_assign(symbol, Part{term->arg(0), rest, divisor, is_quotient});
        }
        return;
    }
}

std::vector<FusedCoordinates::Use> FusedCoordinates::uses_in(std::span<const Expr> coordinates) const {
    std::vector<Use> uses;
    for (size_t d = 0; d < coordinates.size(); d++) {
        const std::optional<rewrite::Linear> form = coordinates[d]->reads_memory() || coordinates[d].type() != Int(32)
                                                        ? std::nullopt
                                                        : rewrite::linear_form(coordinates[d]);
        for (size_t i = 0; form && i < form->terms.size(); i++) {
            const auto &[term, times] = form->terms[i];
            const auto part = term->kind() == ExprKind::Variable ? parts_.find(term->symbol()) : parts_.end();
            if (part != parts_.end()) {
                uses.push_back({d, times, term, &part->second});
            }
        }
    }
    return uses;
}

std::vector<Expr> FusedCoordinates::joined(std::span<const Expr> coordinates, std::span<const Expr> strides) const {
    std::vector<Expr> result(coordinates.begin(), coordinates.end());
    if (parts_.empty()) {
        return result;
    }
    const std::vector<Use> uses = uses_in(coordinates);
    const auto replace = [&](const Use &use, const Expr &by) {
        Expr &coordinate = result[use.dimension];
        const Expr change = mul(sub(by, use.variable), int32(static_cast<int32_t>(use.times)));
        coordinate = rewrite::simplify(add(coordinate, change));
    };
    for (const Use &quotient : uses) {
        for (const Use &remainder : uses) {
            int64_t outer = 0, inner = 0, high = 0, low = 0;
            const bool is_pair = quotient.part->is_quotient && !remainder.part->is_quotient &&
                                 quotient.part->divisor == remainder.part->divisor &&
                                 equal(quotient.part->whole, remainder.part->whole) &&
                                 is_const_int(strides[quotient.dimension], &outer) &&
                                 is_const_int(strides[remainder.dimension], &inner);
            if (!is_pair || __builtin_mul_overflow(outer, quotient.times, &high) ||
                __builtin_mul_overflow(inner, remainder.times, &low) ||
                __builtin_mul_overflow(low, remainder.part->divisor, &low) || high != low) {
                continue;
            }
            replace(quotient, quotient.part->rest);
            replace(remainder, add(remainder.part->whole, remainder.part->rest));
            return result;
        }
    }
    return result;
}

} // namespace fluorite::lowering
