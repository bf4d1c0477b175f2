// Normal forms of clamped sums preserve the values of expressions, keep nested clamps small, and never underestimate
// the greatest difference.
#include "analysis/max_of_mins.h"

#include "ir/print.h"
#include "rewrite/simplify.h"

#include <gtest/gtest.h>

#include <random>

namespace fluorite::analysis::max_of_mins_test {
namespace {

using namespace ir;

const Symbol y(SymbolKind::Loop, "y"), low(SymbolKind::Param, "low"), high(SymbolKind::Param, "high");

Expr variable(const Symbol &symbol) { return make_var(Int(32), symbol); }
Expr clamped(const Expr &value) { return max_of(min_of(value, variable(high)), variable(low)); }
Expr moved(const Expr &value, int64_t by) { return add(value, int32(by)); }

MaxOfMins form(const Expr &expr) {
    const std::optional<MaxOfMins> found = MaxOfMins::of(expr, {y});
    EXPECT_TRUE(found);
    return found.value_or(MaxOfMins());
}

size_t size_of(const MaxOfMins &form) {
    size_t size = 0;
    for (const MaxOfMins::Group &group : form.groups()) {
        size += group.size();
    }
    return size;
}

int64_t value_at(const Expr &expr, int at, int lowest, int highest) {
    const SymbolMap<Expr> values = {{y, int32(at)}, {low, int32(lowest)}, {high, int32(highest)}};
    const std::optional<int64_t> value = rewrite::constant_value(substitute(expr, values));
    EXPECT_TRUE(value) << to_text(expr);
    return value.value_or(0);
}

/// Generates clamps, shifts, minima, maxima, doublings and halves of y.
class Random {
  public:
    explicit Random(unsigned seed) : random_(seed) {}
    int in(int from, int to) { return from + static_cast<int>(random_() % static_cast<unsigned>(to - from + 1)); }
    Expr expr(int depth) {
        switch (depth == 0 ? 0 : in(1, 7)) {
        case 0:
            return variable(y);
        case 1:
        case 2:
            return clamped(expr(depth - 1));
        case 3:
            return moved(expr(depth - 1), in(-3, 3));
        case 4:
            return min_of(expr(depth - 1), expr(depth - 1));
        case 5:
            return max_of(expr(depth - 1), moved(variable(in(0, 1) ? low : high), in(-2, 2)));
        case 6:
            return mul(expr(depth - 1), int32(in(1, 3)));
        default:
            return div(expr(depth - 1), int32(in(2, 3)));
        }
    }

  private:
    std::mt19937 random_;
};

template <typename Check> void at_all_points(const Check &check) {
    for (int at = -6; at <= 6; at++) {
        for (const auto &[lowest, highest] : {std::pair(0, 3), {-2, -2}, {1, 0}, {-5, 5}, {2, -3}}) {
            check(at, lowest, highest);
        }
    }
}

TEST(MaxOfMins, HasTheValuesOfTheExpression) {
    int found = 0;
    for (unsigned seed = 0; seed < 300; seed++) {
        const Expr expr = Random(seed).expr(4);
        const std::optional<MaxOfMins> normal = MaxOfMins::of(expr, {y});
        if (!normal) {
            continue;
        }
        found++;
        const Expr back = normal->to_expr();
        at_all_points([&](int at, int lowest, int highest) {
            ASSERT_EQ(value_at(expr, at, lowest, highest), value_at(back, at, lowest, highest))
                << to_text(expr) << " and " << to_text(back) << " at " << at;
        });
    }
    EXPECT_GT(found, 250);
}

TEST(MaxOfMins, BoundsDifferences) {
    int found = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        Random random(seed);
        const Expr one = random.expr(3), other = random.expr(3);
        const std::optional<MaxOfMins> a = MaxOfMins::of(one, {y}), b = MaxOfMins::of(other, {y});
        const std::optional<int64_t> most = a && b ? greatest_difference(*a, *b) : std::nullopt;
        if (!most) {
            continue;
        }
        found++;
        at_all_points([&](int at, int lowest, int highest) {
            ASSERT_LE(value_at(one, at, lowest, highest) - value_at(other, at, lowest, highest), *most)
                << to_text(one) << " - (" << to_text(other) << ") at " << at << ", " << lowest << ", " << highest;
        });
    }
    EXPECT_GT(found, 50);
}

TEST(MaxOfMins, NestedClampsStaySmall) {
    Expr expr = variable(y), before = variable(y);
    for (int i = 0; i < 40; i++) {
        expr = clamped(moved(expr, 1));
        before = clamped(moved(before, -1));
    }
    const MaxOfMins upper = form(expr), lower = form(before);
    EXPECT_EQ(to_text(upper.to_expr()), "max(min(high@param, y@loop + 40), max(low@param, min(high, low + 39)))");
    EXPECT_EQ(size_of(lower), 3U);
    EXPECT_EQ(greatest_difference(upper, lower), std::optional<int64_t>(80));
}

TEST(MaxOfMins, MovesOneWay) {
    const MaxOfMins up = form(clamped(moved(variable(y), 1)));
    EXPECT_TRUE(up.is_monotonic(y, true));
    EXPECT_FALSE(up.is_monotonic(y, false));
    const MaxOfMins both = form(min_of(variable(y), sub(variable(high), variable(y))));
    EXPECT_FALSE(both.is_monotonic(y, true));
    EXPECT_FALSE(both.is_monotonic(y, false));
}

TEST(MaxOfMins, MarksWhatMoves) {
    EXPECT_EQ(to_text(form(clamped(moved(variable(y), 1))).to_likely_expr({y})),
              "max(min(likely(y@loop + 1), high@param), low@param)");
    EXPECT_EQ(to_text(form(moved(variable(y), 1)).to_likely_expr({y})), "y@loop + 1");
}

TEST(MaxOfMins, HasNoFormOfDifferencesOfClamps) {
    EXPECT_FALSE(MaxOfMins::of(sub(variable(low), clamped(variable(y))), {y}));
    EXPECT_TRUE(MaxOfMins::of(sub(variable(y), clamped(variable(low))), {y}));
}

TEST(MaxOfMins, HasNoFormOfQuotientsByWhatIsNoPositiveConstant) {
    EXPECT_FALSE(MaxOfMins::of(div(clamped(variable(y)), variable(high)), {y}));
    EXPECT_FALSE(MaxOfMins::of(div(clamped(variable(y)), int32(-3)), {y}));
    EXPECT_FALSE(MaxOfMins::of(add(div(variable(high), clamped(variable(y))), int32(1)), {y}));
}

} // namespace
} // namespace fluorite::analysis::max_of_mins_test
