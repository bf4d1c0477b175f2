// Expressions as sums of products.

#include "verify/witnesses/polynomial.h"
#include "verify/witnesses/prover.h"

#include <algorithm>

namespace fluorite::verify {

bool equal_up_to_ring(const Index &a, const Index &b) {
    if (a == b) {
        return true;
    }
    try {
        Opaque opaque;
        add_opaque(a, opaque);
        add_opaque(b, opaque);
        return to_polynomial(a, opaque) == to_polynomial(b, opaque);
    } catch (const PolynomialOverflow &) {
        return false;
    }
}

static bool has_remainder(const Index &index) {
    return !index.is_leaf() &&
           (index.kind() == Index::Kind::Mod || has_remainder(index.a()) || has_remainder(index.b()));
}

// With a name for each remainder, which as a polynomial would be its definition by a quotient.
static Index without_remainders(const Index &index, std::vector<Index> &remainders) {
    if (index.is_leaf()) {
        return index;
    }
    if (index.kind() != Index::Kind::Mod) {
        return Index::binary(index.kind(), without_remainders(index.a(), remainders),
                             without_remainders(index.b(), remainders));
    }
    const auto found = std::ranges::find(remainders, index);
    const std::string name = "%" + std::to_string(found - remainders.begin()); // no word of certificates
    if (found == remainders.end()) {
        remainders.push_back(index);
    }
    return Index(name);
}

// Quotients, remainders, minima and maxima stay as they are written: ring normal forms compare them so.
Index simplified(const Index &index) {
    if (has_remainder(index)) {
        std::vector<Index> remainders;
        Index result = simplified(without_remainders(index, remainders));
        for (size_t r = 0; r < remainders.size(); r++) {
            result = substitute(result, "%" + std::to_string(r), remainders[r]);
        }
        return result;
    }
    try {
        Opaque opaque;
        add_opaque(index, opaque);
        std::optional<Polynomial> p = to_polynomial(index, opaque);
        if (!p) {
            return index;
        }
        std::optional<Index> sum;
        for (const auto &[monomial, value] : p->terms) {
            if (monomial.empty()) {
                continue;
            }
            if (value > INT64_MAX || value < -INT64_MAX) {
                return index;
            }
            std::optional<Index> product;
            for (const std::string &variable : monomial) {
                Index factor = variable[0] == '#' ? opaque[std::stoul(variable.substr(1))] : Index(variable);
                product = product ? *product * factor : factor;
            }
            int64_t magnitude = int64_t(value < 0 ? -value : value);
            if (magnitude != 1) {
                product = *product * Index(magnitude);
            }
            sum = !sum ? (value < 0 ? Index(0) - *product : *product) : value < 0 ? *sum - *product : *sum + *product;
        }
        Wide constant = p->coefficient({});
        if (constant > INT64_MAX || constant < -INT64_MAX) {
            return index;
        }
        if (!sum) {
            return Index(int64_t(constant));
        }
        return constant > 0 ? *sum + Index(int64_t(constant)) : constant < 0 ? *sum - Index(int64_t(-constant)) : *sum;
    } catch (const PolynomialOverflow &) {
        return index;
    }
}

} // namespace fluorite::verify
