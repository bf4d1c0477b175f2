// What is needed of images that are continued by mirroring or repeating them, compared with all points of intervals.
#include "analysis/periodic_coordinate.h"

#include "rewrite/simplify.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace fluorite::analysis::periodic_coordinate_test {
namespace {

using namespace ir;
using Rule = PeriodicCoordinate::Rule;

constexpr Rule all_rules[] = {Rule::MirrorImage, Rule::MirrorInterior, Rule::RepeatImage};

const Symbol t(SymbolKind::Var, "t"), width(SymbolKind::Param, "width");
constexpr int least = 2; // the image begins there

Expr clamped(const Expr &value, const Expr &min, const Expr &max) { return max_of(min_of(value, max), min); }
Expr likely(const Expr &value) { return make_unary(ExprKind::Likely, value); }

/// As BoundaryConditions write them, with min and extent.
Expr coordinate(Rule rule, const Expr &x, const Expr &min, const Expr &extent) {
    const Expr one = make_int(x.type(), 1), two = make_int(x.type(), 2);
    const Expr max = sub(add(min, extent), one), last = sub(extent, one);
    Expr outside;
    if (rule == Rule::RepeatImage) {
        outside = mod(sub(x, min), extent);
    } else if (rule == Rule::MirrorImage) {
        const Expr offset = mod(sub(x, min), mul(two, extent));
        outside =
            make_select(make_binary(ExprKind::GE, offset, extent), sub(sub(mul(two, extent), one), offset), offset);
    } else {
        const Expr offset = mod(sub(x, min), max_of(mul(two, last), one));
        // The simplifier makes the second form of the first one, but not of vectors.
        const Expr is_beyond =
            x.type().is_scalar() ? make_binary(ExprKind::GT, offset, last) : make_binary(ExprKind::GE, offset, extent);
        outside = make_select(is_beyond, sub(mul(two, last), offset), offset);
    }
    const Expr is_outside = make_binary(ExprKind::Or, less(x, min), make_binary(ExprKind::GT, x, max));
    return rewrite::simplify(
        make_select(is_outside, clamped(add(outside, min), min, max), likely(clamped(likely(x), min, max))));
}

PeriodicCoordinate periodic(Rule rule) {
    const std::optional<PeriodicCoordinate> found =
        find_periodic(coordinate(rule, make_var(Int(32), t), int32(least), make_var(Int(32), width)));
    EXPECT_TRUE(found);
    EXPECT_TRUE(!found || found->rule == rule);
    return found.value_or(PeriodicCoordinate{int32(0), int32(0), int32(0), rule});
}

int64_t constant(const Expr &expr, int extent) {
    int64_t value = -1000;
    EXPECT_TRUE(is_const_int(rewrite::simplify(substitute(expr, width, int32(extent))), &value)) << expr;
    return value;
}

std::pair<int64_t, int64_t> range(const PeriodicCoordinate &of, int a, int b, int first, int last, int extent) {
    const Interval all{int32(first), int32(last)};
    const Interval found = of.hull({int32(a), int32(b)}, of.reflected_min(all), of.reflected_max(all));
    return {constant(found.min, extent), constant(found.max, extent)};
}

/// The point of an image of `extent` points, from 0, that stands at x: counted, not computed.
int point(Rule rule, int x, int extent) {
    int at = 0, step = 1;
    for (int i = 0; i < std::abs(x); i++) {
        if (rule == Rule::RepeatImage) {
            at = (at + (x > 0 ? 1 : extent - 1)) % extent;
        } else if (const int next = at + step; next >= 0 && next < extent) {
            at = next;
        } else {
            step = -step;
            at = extent == 1 || rule == Rule::MirrorImage ? at : at + step;
        }
        // To the left, the first step goes beyond the edge.
        if (i == 0 && x < 0 && rule != Rule::RepeatImage) {
            at = extent == 1 || rule == Rule::MirrorImage ? 0 : 1;
            step = 1;
        }
    }
    return at;
}

TEST(PeriodicCoordinate, HoldsEveryPointOfAnyInterval) {
    for (const Rule rule : all_rules) {
        const PeriodicCoordinate of = periodic(rule);
        for (const int extent : {1, 2, 3, 7}) {
            for (int a = -9; a < 14; a++) {
                int64_t lowest = 1000, highest = -1000;
                for (int b = a; b < 14; b++) {
                    lowest = std::min<int64_t>(lowest, least + point(rule, b - least, extent));
                    highest = std::max<int64_t>(highest, least + point(rule, b - least, extent));
                    // Sides that hold for a larger interval hold for this one.
                    for (const auto &[first, last] : {std::pair(a, b), {a - 3, b}, {a, b + 2}, {a - 9, b + 9}}) {
                        const auto [min, max] = range(of, a, b, first, last, extent);
                        ASSERT_TRUE(min <= lowest && max >= highest && min >= least && max < least + extent)
                            << "rule " << static_cast<int>(rule) << ": " << a << " to " << b << " of " << extent
                            << " is in " << lowest << " to " << highest << ", not " << min << " to " << max;
                    }
                }
            }
        }
    }
}

TEST(PeriodicCoordinate, IsTightInsideAndBesideAnEdge) {
    const auto expect = [](Rule rule, int a, int b, int64_t min, int64_t max) {
        EXPECT_EQ(range(periodic(rule), a, b, a, b, 100), std::pair(min, max))
            << "rule " << static_cast<int>(rule) << ": " << a << " to " << b;
    };
    for (const Rule rule : all_rules) {
        expect(rule, 40, 42, 40, 42); // the image is 2 to 101
        expect(rule, 2, 101, 2, 101);
    }
    expect(Rule::MirrorImage, -3, 1, 2, 6);
    expect(Rule::MirrorInterior, -3, 1, 2, 7);
    expect(Rule::MirrorImage, 100, 104, 99, 101);
    expect(Rule::MirrorInterior, 100, 104, 98, 101);
    expect(Rule::RepeatImage, 100, 102, 2, 101);
}

TEST(PeriodicCoordinate, IsOneMinWhereTheImageIsEmpty) {
    for (const Rule rule : all_rules) {
        EXPECT_EQ(range(periodic(rule), -4, 7, -4, 7, 0), std::pair(int64_t{least}, int64_t{least}));
    }
}

TEST(PeriodicCoordinate, IsFoundWithConstants) {
    for (const Rule rule : all_rules) {
        for (const int extent : {3, 10000}) {
            EXPECT_TRUE(find_periodic(coordinate(rule, add(make_var(Int(32), t), int32(1)), int32(0), int32(extent))));
        }
    }
}

TEST(PeriodicCoordinate, IsFoundInVectors) {
    const Expr lanes = make_ramp(make_var(Int(32), t), int32(1), 8), extent = make_var(Int(32), width);
    for (const Rule rule : all_rules) {
        const Expr of_lanes = coordinate(rule, lanes, make_broadcast(int32(least), 8), make_broadcast(extent, 8));
        const auto found = find_periodic(of_lanes);
        ASSERT_TRUE(found) << of_lanes;
        EXPECT_EQ(found->rule, rule);
        EXPECT_TRUE(equal(found->inner, lanes)) << found->inner;
    }
}

// The min of a buffer is subtracted again for its index.
TEST(PeriodicCoordinate, IsFoundInIndices) {
    const Expr begin = make_var(Int(32), Symbol(SymbolKind::Param, "begin")), at = make_var(Int(32), t);
    for (const Rule rule : all_rules) {
        const Expr whole = coordinate(rule, at, begin, make_var(Int(32), width));
        const auto shifted = [&](const Expr &value) { return rewrite::simplify(sub(value, begin)); };
        const Expr index = make_select(whole->arg(0), shifted(whole->arg(1)), shifted(whole->arg(2)));
        const auto found = find_periodic(index, Image::HasPoints);
        ASSERT_TRUE(found) << index;
        EXPECT_EQ(found->rule, rule);
        EXPECT_TRUE(is_zero(found->min)) << found->min;
        EXPECT_TRUE(equal(found->inner, shifted(at))) << found->inner;
    }
}

// min(t % w, w - 1) is -1 where w is 0, and the clamp makes it 0.
TEST(PeriodicCoordinate, MayLackAPartOfItsClampIfTheImageHasPoints) {
    const Expr whole = coordinate(Rule::RepeatImage, make_var(Int(32), t), int32(0), make_var(Int(32), width));
    const Expr clamp = whole->arg(1);
    ASSERT_TRUE(is_kind(clamp, ExprKind::Max)) << clamp;
    const Expr part = make_select(whole->arg(0), clamp->arg(is_zero(clamp->arg(0)) ? 1 : 0), whole->arg(2));
    EXPECT_FALSE(find_periodic(part));
    EXPECT_TRUE(find_periodic(part, Image::HasPoints)) << part;
}

TEST(PeriodicCoordinate, LeavesOthersAlone) {
    const Expr x = make_var(Int(32), t), m = int32(0), max = int32(9);
    const Expr is_outside = make_binary(ExprKind::Or, less(x, m), less(max, x)),
               inside = likely(clamped(likely(x), m, max));
    EXPECT_FALSE(find_periodic(x));
    EXPECT_FALSE(find_periodic(rewrite::simplify(clamped(likely(x), m, max))));
    // Has another period, and turns at another point.
    const Expr wrapped = clamped(mod(x, int32(11)), m, max), turned = clamped(sub(int32(18), x), m, max);
    EXPECT_FALSE(find_periodic(rewrite::simplify(make_select(is_outside, wrapped, inside))));
    EXPECT_FALSE(find_periodic(rewrite::simplify(make_select(is_outside, turned, inside))));
}

} // namespace
} // namespace fluorite::analysis::periodic_coordinate_test
