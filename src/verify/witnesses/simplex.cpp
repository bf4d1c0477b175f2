#include "verify/witnesses/simplex.h"

#include <algorithm>

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

} // namespace

Rational::Rational(Wide t, Wide b) : top(b < 0 ? -t : t), bottom(b < 0 ? -b : b) {
    if (const Wide g = gcd(top, bottom); g > 1) {
        top /= g;
        bottom /= g;
    }
}

namespace {

Rational operator*(const Rational &a, const Rational &b) {
    if (a.bottom == 1 && b.bottom == 1) {
        return Rational(times(a.top, b.top));
    }
    Wide g = gcd(a.top, b.bottom), h = gcd(b.top, a.bottom);
    g = g ? g : 1;
    h = h ? h : 1;
    return Rational(times(a.top / g, b.top / h), times(a.bottom / h, b.bottom / g));
}
Rational operator-(const Rational &a, const Rational &b) {
    if (a.bottom == 1 && b.bottom == 1) {
        return Rational(plus(a.top, -b.top));
    }
    return Rational(plus(times(a.top, b.bottom), -times(b.top, a.bottom)), times(a.bottom, b.bottom));
}
Rational operator/(const Rational &a, const Rational &b) { return a * Rational(b.bottom, b.top); }
bool less(const Rational &a, const Rational &b) { return times(a.top, b.bottom) < times(b.top, a.bottom); }

// One row for each equation, with an artificial basic variable; columns: the multipliers, then the artificial
// variables, which never come back once they have left the basis, and the right-hand side.
struct Tableau {
    std::vector<std::vector<Rational>> rows;
    std::vector<Rational> cost; // z - c of the sum of the artificial variables, which is to become zero
    std::vector<int> basic;     // the multiplier of a row, or -1 for its artificial variable
    size_t multipliers = 0, columns = 0;

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
        if (!p.is_one()) {
            for (Rational &value : rows[r]) {
                if (!value.is_zero()) {
                    value = value / p;
                }
            }
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
            while (c < multipliers && !(cost[c].top > 0)) {
                c++;
            }
            if (c == multipliers) {
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

// Inequalities of which a combination may contradict itself, and for the others in which order they were left out.
class Presolved {
  public:
    Presolved(const std::vector<SparseRow> &rows, size_t columns)
        : rows_(rows), is_left(rows.size(), true), of_column_(columns), positive_(columns), negative_(columns) {
        for (size_t i = 0; i < rows.size(); i++) {
            for (const auto &[c, value] : rows[i]) {
                of_column_[c].push_back(i);
                (value > 0 ? positive_ : negative_)[c]++;
            }
        }
        std::vector<size_t> work;
        for (size_t c = 1; c < columns; c++) {
            work.push_back(c);
        }
        while (!work.empty()) {
            const size_t c = work.back();
            work.pop_back();
            if ((positive_[c] == 0) == (negative_[c] == 0)) {
                continue;
            }
            steps.push_back({c, {}});
            for (const size_t i : of_column_[c]) {
                if (is_left[i]) {
                    is_left[i] = false;
                    steps.back().rows.push_back(i);
                    for (const auto &[other, value] : rows_[i]) {
                        (value > 0 ? positive_ : negative_)[other]--;
                        if (other != 0) {
                            work.push_back(other);
                        }
                    }
                }
            }
        }
    }
    struct Step {
        size_t column;
        std::vector<size_t> rows;
    };

  private:
    const std::vector<SparseRow> &rows_;

  public:
    std::vector<bool> is_left;
    std::vector<Step> steps;

  private:
    std::vector<std::vector<size_t>> of_column_;
    std::vector<int> positive_, negative_;
};

// Values of the columns that were left out: as near to zero as the inequalities let them.
void complete(const std::vector<SparseRow> &rows, const Presolved &presolved, std::vector<Rational> &model) {
    model[0] = 1;
    for (auto step = presolved.steps.rbegin(); step != presolved.steps.rend(); ++step) {
        std::optional<Rational> tightest;
        for (const size_t i : step->rows) {
            Rational rest, factor;
            for (const auto &[c, value] : rows[i]) {
                if (c == step->column) {
                    factor = value;
                } else {
                    rest = rest - Rational(-value) * model[c];
                }
            }
            const Rational bound = Rational(0) - rest / factor; // at least this, or at most
            if (!tightest || (factor.top > 0 ? less(*tightest, bound) : less(bound, *tightest))) {
                tightest = bound;
            }
        }
        if (tightest) {
            model[step->column] = *tightest;
        }
    }
}

std::optional<std::vector<Wide>> solve(const std::vector<SparseRow> &rows, size_t columns,
                                       std::vector<Rational> *model) {
    const Presolved presolved(rows, columns);
    std::vector<size_t> left;
    std::vector<size_t> equation(columns, 0); // of a column, from 1 on
    std::vector<size_t> column_of;            // of an equation; the last one is that of the constant
    for (size_t i = 0; i < rows.size(); i++) {
        if (presolved.is_left[i]) {
            left.push_back(i);
            for (const auto &[c, value] : rows[i]) {
                if (c != 0 && equation[c] == 0) {
                    column_of.push_back(c);
                    equation[c] = column_of.size();
                }
            }
        }
    }
    column_of.push_back(0);
    equation[0] = column_of.size();
    Tableau tableau;
    const size_t count = column_of.size();
    tableau.multipliers = left.size();
    tableau.columns = left.size() + count;
    tableau.rows.assign(count, std::vector<Rational>(tableau.columns + 1));
    tableau.basic.assign(count, -1);
    tableau.cost.assign(tableau.columns + 1, 0);
    for (size_t i = 0; i < left.size(); i++) {
        for (const auto &[c, value] : rows[left[i]]) {
            const Wide entry = c == 0 ? -value : value;
            tableau.rows[equation[c] - 1][i] = entry;
            tableau.cost[i] = tableau.cost[i] - Rational(-entry);
        }
    }
    for (size_t e = 0; e < count; e++) {
        tableau.rows[e][left.size() + e] = 1;
    }
    tableau.rows[count - 1][tableau.columns] = 1;
    tableau.cost[tableau.columns] = 1;
    if (!tableau.solve()) {
        if (model) {
            // The dual variables are those of the artificial columns, up to the cost of these.
            model->assign(columns, Rational{});
            const Rational scale = tableau.cost[left.size() + count - 1] - Rational(-1);
            for (size_t e = 0; e + 1 < count; e++) {
                (*model)[column_of[e]] = Rational(0) - (tableau.cost[left.size() + e] - Rational(-1)) / scale;
            }
            complete(rows, presolved, *model);
        }
        return std::nullopt;
    }
    Wide scale = 1;
    std::vector<Rational> values(rows.size());
    for (size_t i = 0; i < tableau.rows.size(); i++) {
        if (tableau.basic[i] >= 0) {
            const Rational &value = tableau.rows[i][tableau.columns];
            values[left[size_t(tableau.basic[i])]] = value;
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

std::optional<Rational> sum_of_product(const Rational &sum, const Rational &value, Wide factor) {
    try {
        return sum - value * Rational(-factor);
    } catch (const Overflow &) {
        return std::nullopt;
    }
}

std::optional<std::vector<Wide>> find_contradiction(const std::vector<SparseRow> &rows, size_t columns,
                                                    std::vector<Rational> *model) {
    try {
        return solve(rows, columns, model);
    } catch (const Overflow &) {
        if (model) {
            model->clear();
        }
        return std::nullopt;
    }
}

} // namespace fluorite::verify
