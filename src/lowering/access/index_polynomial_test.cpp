#include "lowering/access/index_polynomial.h"

#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::index_polynomial_test {
namespace {

using namespace ir;

/// Expressions over common symbols.
struct Names {
    Symbol x{SymbolKind::Loop, "x"}, y{SymbolKind::Loop, "y"}, f{SymbolKind::Buffer, "f"}, g{SymbolKind::Buffer, "g"};
    Expr operator()(const char *text) const {
        ParseOptions options;
        options.symbols = {x, y, f, g};
        return parse_expr(text, options);
    }
};

TEST(IndexForms, DistancesDoNotDependOnTheWayOfWriting) {
    const Names e;
    IndexForms forms;
    EXPECT_EQ(forms.distance(e("y + (x - m) * 256 + 1"), e("256 * (x - m) + y")), 1);
    EXPECT_EQ(forms.distance(e("(x + 1) * (y + 1)"), e("x * y + x + y")), 1);
    EXPECT_EQ(forms.distance(e("cast<int64>(x + 3)"), e("cast<int64>(x)")), 3);
    EXPECT_EQ(forms.distance(e("x"), e("y")), std::nullopt);
    // Values of memory wrap, so sums of them are leaves.
    EXPECT_EQ(forms.distance(e("g[x]:int32 + 1"), e("g[x]:int32")), std::nullopt);
    EXPECT_EQ(forms.distance(e("g[x]:int32 + 1"), e("g[x]:int32 + 1")), 0);
}

TEST(IndexForms, LeafBetween) {
    const Names e;
    IndexForms forms;
    EXPECT_EQ(to_text(forms.leaf_between(e("x + s * 3 + 5"), e("x"))), "s");
    EXPECT_FALSE(forms.leaf_between(e("x + 5"), e("x")).defined());
    EXPECT_FALSE(forms.leaf_between(e("x + s * t"), e("x")).defined());
}

TEST(IndexForms, StepsOfALoopVariable) {
    const Names e;
    IndexForms forms;
    EXPECT_EQ(forms.step(e("x * 16 + y * s + 3"), e.x), 16);
    EXPECT_EQ(forms.step(e("cast<int64>(x * 16) + cast<int64>((x - y) * 2)"), e.x), 18);
    EXPECT_EQ(forms.step(e("y + 3"), e.x), 0);
    EXPECT_EQ(forms.step(e("(x + 1) * 4 - x * 4"), e.x), 0);
    EXPECT_EQ(forms.step(e("x * s"), e.x), std::nullopt);
    EXPECT_EQ(forms.step(e("x * x"), e.x), std::nullopt);
    EXPECT_EQ(forms.step(e("x / 2"), e.x), std::nullopt);
    EXPECT_EQ(forms.step(e("x + g[x]:int32"), e.x), std::nullopt);
}

TEST(IndexForms, PlacesOfOneFamilyDifferByTheirOffsets) {
    const Names e;
    IndexForms forms;
    const auto at = [&](const char *text) { return forms.place(e(text)); };
    EXPECT_EQ(at("x * 16 + y + 3").family, at("y + 16 * (x - 1)").family);
    EXPECT_EQ(at("x * 16 + y + 3").offset, 3);
    EXPECT_EQ(at("y + 16 * (x - 1)").offset, -16);
    EXPECT_NE(at("x * 16").family, at("x * 8").family);
    EXPECT_EQ(at("7").family, at("0").family);
}

TEST(IndexForms, OrderOfCoordinates) {
    const Names e;
    IndexForms forms;
    EXPECT_EQ(forms.is_after(e("x + f->stride[1]"), e("x + 5"), e.f), true);
    EXPECT_EQ(forms.is_after(e("x - f->stride[2] + f->stride[1]"), e("x"), e.f), false);
    EXPECT_EQ(forms.is_after(e("x + 1"), e("x"), e.f), true);
    EXPECT_EQ(forms.is_after(e("x"), e("x"), e.f), false);
    EXPECT_EQ(forms.is_after(e("x + g->stride[1]"), e("x"), e.f), std::nullopt);
}

} // namespace
} // namespace fluorite::lowering::index_polynomial_test
