#pragma once
// Exact linear programming over rationals, as far as witnesses need it.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite::verify {

using Wide = __int128;

/// A linear expression: coefficients by column, in ascending order; column 0 is the constant.
using SparseRow = std::vector<std::pair<size_t, Wide>>;

/// A rational number: bottom > 0, no common factor.
struct Rational {
    Wide top = 0, bottom = 1;
    Rational(Wide value = 0) : top(value) {} // NOLINT: numbers are rationals
    /// Brings t / b to that form; b is not 0.
    Rational(Wide t, Wide b);
    bool operator==(const Rational &other) const = default;
    bool is_zero() const { return top == 0; }
    bool is_one() const { return top == 1 && bottom == 1; }
};
/// sum + value * factor; nothing where a number leaves 127 bits.
std::optional<Rational> sum_of_product(const Rational &sum, const Rational &value, Wide factor);

/// Multipliers m >= 0, integers, with sum m[i] * rows[i][j] = 0 for every column j but that of the constant, and
/// negative there: a combination of the inequalities rows[i] >= 0 that contradicts itself. Nothing if there is none;
/// then the model has a value of each column at which all hold. If a number leaves 127 bits there are neither, and the
/// model is empty.
///
/// Method: inequalities with a column that has one sign everywhere cannot be combined and are left out; the rest is the
/// first phase of the simplex algorithm with Bland's rule, which never cycles. Where it fails, its dual variables are
/// the model.
std::optional<std::vector<Wide>> find_contradiction(const std::vector<SparseRow> &rows, size_t columns,
                                                    std::vector<Rational> *model = nullptr);

} // namespace fluorite::verify
