#pragma once
// Linear forms: an integer expression as constant + sum of coefficient * term.

#include "ir/expr_node.h"

#include <optional>
#include <vector>

namespace fluorite::rewrite {

struct LinearTerm {
    Expr term; // not a sum, difference, constant or product by a constant
    int64_t coefficient = 0;
};

/// constant + sum of coefficient * term over the integers. Terms are distinct and in canonical order; coefficients are
/// nonzero.
struct Linear {
    std::vector<LinearTerm> terms;
    int64_t constant = 0;

    bool is_constant() const { return terms.empty(); }
    bool operator==(const Linear &other) const;
};

/// Whether `a` precedes `b` in canonical order: constants come last, variables precede all others and are ordered by
/// name, and ir::compare orders the rest.
bool canonical_less(const Expr &a, const Expr &b);

/// The linear form of an Int expression of 32 or 64 bits in Index arithmetic (no signed overflow); nothing where a
/// coefficient overflows 64 bits or the form has more than `max_linear_terms` terms.
std::optional<Linear> linear_form(const Expr &expr);
constexpr size_t max_linear_terms = 24;

/// a + factor * b; nothing where a coefficient overflows.
std::optional<Linear> add_scaled(const Linear &a, const Linear &b, int64_t factor);
std::optional<Linear> scale(const Linear &a, int64_t factor);
inline std::optional<Linear> subtract(const Linear &a, const Linear &b) { return add_scaled(a, b, -1); }

/// The greatest common divisor of the terms' coefficients; 0 for a constant.
int64_t coefficient_gcd(const Linear &a);

/// The canonical expression of a form: terms with positive coefficients, then the negative ones subtracted, then the
/// constant added; an undefined Expr where a number does not fit the type. Neither folds constants nor applies rules.
Expr to_expr(const Linear &form, Type type);

} // namespace fluorite::rewrite
