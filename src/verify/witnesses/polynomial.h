#pragma once
// Polynomials over names and opaque terms (quotients, minima, maxima), with integer coefficients.

#include "verify/terms/term.h"
#include "verify/witnesses/simplex.h"

#include <map>

namespace fluorite::verify {

struct PolynomialOverflow {};

/// A product of variables, sorted; a variable is a name, or "#" and the number of an opaque term.
using Monomial = std::vector<std::string>;

struct Polynomial {
    std::map<Monomial, Wide> terms; // no coefficient is zero; the constant belongs to the empty product

    static Polynomial constant(Wide value);
    static Polynomial variable(std::string name);
    Wide coefficient(const Monomial &monomial) const;
    bool is_constant() const { return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty()); }
    bool operator==(const Polynomial &other) const = default;
};
/// Throw PolynomialOverflow where a coefficient leaves 127 bits.
Polynomial operator+(const Polynomial &a, const Polynomial &b);
Polynomial operator-(const Polynomial &a, const Polynomial &b);
Polynomial operator*(const Polynomial &a, const Polynomial &b);

using Opaque = std::vector<Index>;
/// The opaque terms of an expression, as proofs/Solver.v (opaque_of) lists them; a remainder gives its quotient.
void add_opaque(const Index &index, Opaque &opaque);
void add_opaque(const Condition &condition, Opaque &opaque);

/// Nothing where an opaque term is not listed.
std::optional<Polynomial> to_polynomial(const Index &index, const Opaque &opaque);

} // namespace fluorite::verify
