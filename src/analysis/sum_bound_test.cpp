// Bounds of sums are never exceeded, and are exact where both ends of a region grow alike.
#include "analysis/sum_bound.h"

#include "ir/print.h"
#include "rewrite/simplify.h"

#include <gtest/gtest.h>

#include <random>

namespace fluorite::analysis::sum_bound_test {
namespace {

using namespace ir;

const Symbol b_symbol(SymbolKind::Loop, "b"), m_symbol(SymbolKind::Param, "m");
const Expr b = make_var(Int(32), b_symbol), m = make_var(Int(32), m_symbol);

Expr plus(const Expr &a, int c) { return add(a, int32(c)); }
Expr times(const Expr &a, int c) { return mul(a, int32(c)); }
Expr over(const Expr &a, int c) { return make_binary(ExprKind::Div, a, int32(c)); }
Expr within(const Expr &a, int c) { return make_binary(ExprKind::Mod, a, int32(c)); }

int64_t value_at(const Expr &expr, int at_b, int at_m) {
    const SymbolMap<Expr> values = {{b_symbol, int32(at_b)}, {m_symbol, int32(at_m)}};
    return rewrite::constant_value(substitute(expr, values)).value_or(INT64_MAX);
}

TEST(SumBound, ClampsAndQuotientsCancel) {
    const Expr first = times(b, 4), last = min_of(plus(first, 31), m), start = min_of(first, plus(m, -31));
    EXPECT_EQ(constant_above(sub(last, start)), 31);
    EXPECT_EQ(constant_above(sub(over(plus(last, 1), 2), over(plus(start, 1), 2))), 16);
    EXPECT_EQ(constant_above(sub(times(over(b, 2), 2), times(over(plus(b, 1), 2), 2))), 0);
    EXPECT_EQ(constant_above(sub(over(b, 2), over(plus(b, -5), 2))), 3);
    EXPECT_EQ(constant_above(sub(plus(b, 7), sub(b, within(m, 8)))), 14);
    EXPECT_EQ(constant_above(sub(max_of(b, m), min_of(b, m))), std::nullopt);
    EXPECT_EQ(constant_above(sub(last, first)), 31);
    EXPECT_EQ(constant_above(m), std::nullopt);
    EXPECT_EQ(constant_above(int32(5)), 5);
}

TEST(SumBound, HasALimit) {
    Expr high = b, low = b;
    for (int i = 0; i < 40; i++) { // no two clamps cancel
        high = max_of(plus(times(high, 3), i), times(m, i + 2));
        low = min_of(plus(times(low, 3), -i), times(m, -i - 2));
    }
    EXPECT_EQ(constant_above(sub(high, low)), std::nullopt);
}

/// A value that grows with b: sums, clamps by m, quotients and products of others.
Expr random_end(std::mt19937 &random, int depth) {
    const auto drawn = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    if (depth == 0) {
        return plus(b, drawn(-4, 4));
    }
    const Expr inner = random_end(random, depth - 1);
    switch (drawn(0, 6)) {
    case 0:
        return plus(inner, drawn(-9, 9));
    case 1:
        return min_of(inner, plus(m, drawn(-9, 9)));
    case 2:
        return max_of(inner, plus(m, drawn(-9, 9)));
    case 3:
        return times(over(plus(inner, drawn(-3, 3)), 2), 2);
    case 4:
        return over(plus(times(inner, 3), drawn(-3, 3)), 3);
    case 5:
        return min_of(inner, random_end(random, depth - 1));
    default:
        return add(inner, within(b, drawn(2, 5)));
    }
}

TEST(SumBound, IsNeverExceeded) {
    std::mt19937 random(20261127);
    int bounded = 0;
    for (int round = 0; round < 400; round++) {
        const Expr difference = sub(random_end(random, 1 + round % 4), random_end(random, 1 + round % 3));
        const std::optional<int64_t> bound = constant_above(difference);
        if (!bound) {
            continue;
        }
        bounded++;
        for (int at = -30; at <= 30; at++) {
            for (const int at_m : {-40, -7, 0, 3, 11, 26, 50}) {
                ASSERT_LE(value_at(difference, at, at_m), *bound)
                    << to_text(difference) << " at " << at << ", " << at_m;
            }
        }
    }
    EXPECT_GT(bounded, 150);
}

} // namespace
} // namespace fluorite::analysis::sum_bound_test
