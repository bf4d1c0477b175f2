#include "verify/witnesses/polynomial.h"

#include <algorithm>

namespace fluorite::verify {

static Wide checked_add(Wide a, Wide b) {
    Wide result;
    if (__builtin_add_overflow(a, b, &result)) {
        throw PolynomialOverflow();
    }
    return result;
}

Polynomial Polynomial::constant(Wide value) {
    Polynomial result;
    if (value != 0) {
        result.terms[{}] = value;
    }
    return result;
}
Polynomial Polynomial::variable(std::string name) {
    Polynomial result;
    result.terms[{std::move(name)}] = 1;
    return result;
}
Wide Polynomial::coefficient(const Monomial &monomial) const {
    auto found = terms.find(monomial);
    return found == terms.end() ? 0 : found->second;
}

static void add(Polynomial &sum, const Monomial &monomial, Wide value) {
    Wide &coefficient = sum.terms[monomial];
    coefficient = checked_add(coefficient, value);
    if (coefficient == 0) {
        sum.terms.erase(monomial);
    }
}
Polynomial operator+(const Polynomial &a, const Polynomial &b) {
    Polynomial sum = a;
    for (const auto &[monomial, value] : b.terms) {
        add(sum, monomial, value);
    }
    return sum;
}
Polynomial operator-(const Polynomial &a, const Polynomial &b) {
    Polynomial difference = a;
    for (const auto &[monomial, value] : b.terms) {
        add(difference, monomial, -value);
    }
    return difference;
}
Polynomial operator*(const Polynomial &a, const Polynomial &b) {
    Polynomial product;
    for (const auto &[m, v] : a.terms) {
        for (const auto &[n, w] : b.terms) {
            Monomial both = m;
            both.insert(both.end(), n.begin(), n.end());
            std::ranges::sort(both);
            Wide value;
            if (__builtin_mul_overflow(v, w, &value)) {
                throw PolynomialOverflow();
            }
            add(product, both, value);
        }
    }
    return product;
}

static void add_once(const Index &index, Opaque &opaque) {
    if (std::ranges::find(opaque, index) == opaque.end()) {
        opaque.push_back(index);
    }
}
void add_opaque(const Index &index, Opaque &opaque) {
    if (index.is_leaf()) {
        return;
    }
    switch (index.kind()) {
    case Index::Kind::Mod:
        add_once(index.a() / index.b(), opaque);
        break;
    case Index::Kind::Div:
    case Index::Kind::Min:
    case Index::Kind::Max:
        add_once(index, opaque);
        break;
    default:
        break;
    }
    add_opaque(index.a(), opaque);
    add_opaque(index.b(), opaque);
}
void add_opaque(const Condition &condition, Opaque &opaque) {
    for (const Index &index : condition.indices) {
        add_opaque(index, opaque);
    }
    for (const Condition &operand : condition.operands) {
        add_opaque(operand, opaque);
    }
}

static std::optional<Polynomial> opaque_variable(const Index &index, const Opaque &opaque) {
    auto found = std::ranges::find(opaque, index);
    if (found == opaque.end()) {
        return std::nullopt;
    }
    return Polynomial::variable("#" + std::to_string(found - opaque.begin()));
}

std::optional<Polynomial> to_polynomial(const Index &index, const Opaque &opaque) {
    using Kind = Index::Kind;
    switch (index.kind()) {
    case Kind::Number:
        return Polynomial::constant(index.value());
    case Kind::Name:
        return Polynomial::variable(index.name());
    case Kind::Div:
    case Kind::Min:
    case Kind::Max:
        return opaque_variable(index, opaque);
    default:
        break;
    }
    std::optional<Polynomial> a = to_polynomial(index.a(), opaque), b = to_polynomial(index.b(), opaque);
    if (!a || !b) {
        return std::nullopt;
    }
    switch (index.kind()) {
    case Kind::Add:
        return *a + *b;
    case Kind::Sub:
        return *a - *b;
    case Kind::Mul:
        return *a * *b;
    default:
        break; // Mod
    }
    std::optional<Polynomial> quotient = opaque_variable(index.a() / index.b(), opaque);
    return quotient ? std::optional(*a - *b * *quotient) : std::nullopt;
}

} // namespace fluorite::verify
