#include "verify/simplex.h"

#include <algorithm>
#include <numeric>

namespace fluorite::verify {

namespace {

struct Overflow {};

Wide times(Wide a, Wide b) {
    Wide result;
    if (__builtin_mul_overflow(a, b, &result)) {
        throw Overflow();
    }
    return result;
}
Wide plus(Wide a, Wide b) {
    Wide result;
    if (__builtin_add_overflow(a, b, &result)) {
        throw Overflow();
    }
    return result;
}
Wide gcd(Wide a, Wide b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        Wide r = a % b;
        a = b;
        b = r;
    }
    return a;
}

struct Rational {
    Wide top = 0, bottom = 1;                // bottom > 0, no common factor
    Rational(Wide value = 0) : top(value) {} // NOLINT: numbers are rationals
    Rational(Wide t, Wide b) : top(t), bottom(b) {
        if (bottom < 0) {
            top = -top;
            bottom = -bottom;
        }
        if (Wide g = gcd(top, bottom); g > 1) {
            top /= g;
            bottom /= g;
        }
    }
    bool is_zero() const { return top == 0; }
};
Rational operator*(const Rational &a, const Rational &b) {
    Wide g = gcd(a.top, b.bottom), h = gcd(b.top, a.bottom);
    g = g ? g : 1;
    h = h ? h : 1;
    return Rational(times(a.top / g, b.top / h), times(a.bottom / h, b.bottom / g));
}
Rational operator-(const Rational &a, const Rational &b) {
    return Rational(plus(times(a.top, b.bottom), -times(b.top, a.bottom)), times(a.bottom, b.bottom));
}
Rational operator/(const Rational &a, const Rational &b) { return a * Rational(b.bottom, b.top); }
bool less(const Rational &a, const Rational &b) { return times(a.top, b.bottom) < times(b.top, a.bottom); }

// One row for each equation, with an artificial basic variable; columns: the multipliers, then the right-hand side.
// Artificial variables that leave the basis never come back, hence they have no columns.
struct Tableau {
    std::vector<std::vector<Rational>> rows;
    std::vector<Rational> cost; // the sum of the rows that still have artificial variables, negated reduced costs
    std::vector<int> basic;     // the multiplier of a row, or -1 for its artificial variable
    size_t columns = 0;

    void subtract(std::vector<Rational> &row, const std::vector<Rational> &pivot, const Rational &factor) const {
        if (factor.is_zero()) {
            return;
        }
        for (size_t j = 0; j <= columns; j++) {
            if (!pivot[j].is_zero()) {
                row[j] = row[j] - factor * pivot[j];
            }
        }
    }
    void pivot(size_t r, size_t c) {
        Rational p = rows[r][c];
        for (Rational &value : rows[r]) {
            value = value / p;
        }
        for (size_t i = 0; i < rows.size(); i++) {
            if (i != r) {
                Rational factor = rows[i][c];
                subtract(rows[i], rows[r], factor);
            }
        }
        Rational factor = cost[c];
        subtract(cost, rows[r], factor);
        basic[r] = int(c);
    }
    // Whether the sum of the artificial variables reaches zero.
    bool solve() {
        while (!cost[columns].is_zero()) {
            size_t c = 0;
            while (c < columns && !(cost[c].top > 0)) {
                c++;
            }
            if (c == columns) {
                return false;
            }
            std::optional<size_t> r;
            for (size_t i = 0; i < rows.size(); i++) {
                if (!(rows[i][c].top > 0)) {
                    continue;
                }
                Rational ratio = rows[i][columns] / rows[i][c];
                if (!r) {
                    r = i;
                    continue;
                }
                Rational best = rows[*r][columns] / rows[*r][c];
                if (less(ratio, best) || (!less(best, ratio) && basic[i] < basic[*r])) {
                    r = i;
                }
            }
            if (!r) {
                return false;
            }
            pivot(*r, c);
        }
        return true;
    }
};

std::optional<std::vector<Wide>> solve(const std::vector<std::vector<Wide>> &inequalities) {
    if (inequalities.empty()) {
        return std::nullopt;
    }
    Tableau tableau;
    tableau.columns = inequalities.size();
    size_t last = inequalities[0].size() - 1;
    for (size_t j = 0; j <= last; j++) {
        std::vector<Rational> row;
        bool zero = true;
        for (const std::vector<Wide> &inequality : inequalities) {
            Wide value = j == last ? -inequality[j] : inequality[j];
            zero = zero && value == 0;
            row.emplace_back(value);
        }
        row.emplace_back(j == last ? 1 : 0);
        if (!zero || j == last) {
            tableau.rows.push_back(std::move(row));
        }
    }
    tableau.basic.assign(tableau.rows.size(), -1);
    tableau.cost.assign(tableau.columns + 1, 0);
    for (const std::vector<Rational> &row : tableau.rows) {
        for (size_t j = 0; j <= tableau.columns; j++) {
            tableau.cost[j] = tableau.cost[j] - Rational(-1) * row[j];
        }
    }
    if (!tableau.solve()) {
        return std::nullopt;
    }
    Wide scale = 1;
    std::vector<Rational> values(tableau.columns);
    for (size_t i = 0; i < tableau.rows.size(); i++) {
        if (tableau.basic[i] >= 0) {
            const Rational &value = tableau.rows[i][tableau.columns];
            values[size_t(tableau.basic[i])] = value;
            scale = times(scale, value.bottom / gcd(scale, value.bottom));
        }
    }
    std::vector<Wide> result;
    for (const Rational &value : values) {
        result.push_back(times(value.top, scale / value.bottom));
    }
    return result;
}

} // namespace

std::optional<std::vector<Wide>> find_contradiction(const std::vector<std::vector<Wide>> &rows) {
    try {
        return solve(rows);
    } catch (const Overflow &) {
        return std::nullopt;
    }
}

} // namespace fluorite::verify
