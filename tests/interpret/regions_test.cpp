// Regions of accesses at loaded coordinates and of fused loops: small enough, and bounded where the program says.

#include "driver/test_interpreter.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::regions_test {

namespace {

TEST(Regions, BoundaryConditionsBoundWhatDataAddresses) {
    Var x("x");
    const Buffer<int32_t> source = random_buffer<int32_t>({11}, 1);
    const Buffer<int8_t> shift = random_buffer<int8_t>({40}, 2);
    for (int mode = 0; mode < 4; mode++) {
        const Func bounded = mode == 0   ? BoundaryConditions::repeat_edge(source)
                             : mode == 1 ? BoundaryConditions::repeat_image(source)
                             : mode == 2 ? BoundaryConditions::mirror_image(source)
                                         : BoundaryConditions::mirror_interior(source);
        Func f("f");
        f(x) = bounded(x + cast<int32_t>(shift(x)));
        expect_same<int32_t>(f, {40});
    }
}

TEST(Regions, ArithmeticOnClampedDataIsBounded) {
    Var x("x");
    const Buffer<float> data = random_buffer<float>({40}, 1);
    Func g("g"), f("f");
    g(x) = 3 * x;
    f(x) = g(clamp(min(x, cast<int32_t>(data(x))), 2, 9) - 2);
    g.compute_root();
    expect_same<int32_t>(f, {40});
}

// Converted to an integer, a NaN gives 0; the second operand of min and max decides whether it is held.
TEST(Regions, NansAddressZero) {
    Var x("x");
    Buffer<float> data(16);
    data.for_each_element([&](const int *at) { data(at) = at[0] % 3 == 1 ? std::nanf("") : 5.0f; });
    const Expr v = cast<float>(x);
    for (const Expr &value : {Expr(data(x)), (v - 5) / (v - 5), sqrt(v - 5), fast_log(v - 5), pow(v - 5, 0.5f)}) {
        const Expr clamped = max(3.0f, min(9.0f, value));
        for (const Expr &at : {cast<int32_t>(clamped), saturating_cast<int32_t>(clamped)}) {
            Func g("g"), f("f");
            g(x) = 10 * x + 7;
            f(x) = g(at);
            g.compute_root();
            EXPECT_NE(f.explain_bounds().find("so it needs x in [0, "), std::string::npos) << f.explain_bounds();
            expect_same<int32_t>(f, {16});
        }
    }
}

TEST(Regions, AClampThatIsProvedToDoNothingMayBeDropped) {
    Var x("x");
    const Buffer<uint8_t> data = random_buffer<uint8_t>({40}, 1);
    Func g("g"), f("f");
    g(x) = 3 * x;
    f(x) = g(clamp(cast<int32_t>(absd(cast<int32_t>(data(x)), 5)), 0, 9));
    g.compute_root();
    expect_same<int32_t>(f, {40});
}

TEST(Regions, FusedLoopsThatRoundUpGrowByARowAtMost) {
    Var x("x"), y("y"), xy("xy"), outer("outer"), inner("inner");
    ImageParam in(Int(32), 2, "in");
    Func g("g"), f("f");
    g(x, y) = in(x, y);
    f(x, y) = g(x, y) + 1;
    g.compute_root().fuse(x, y, xy).split(xy, outer, inner, 8, TailStrategy::RoundUp);
    f.infer_input_bounds({7, 5});
    EXPECT_EQ(in.get().dim(0).extent(), 7);
    EXPECT_EQ(in.get().dim(1).min(), 0);
    EXPECT_EQ(in.get().dim(1).extent(), 6);
}

TEST(Regions, ReadsUnderConditionsThatNeverHoldNeedNothing) {
    Var x("x");
    ImageParam in(UInt(8), 1, "in");
    RDom r(1, 15, 2, 7, "r");
    r.where(r.x + r.y < 0);
    Func f("f");
    f(x) = 0;
    f(r.x) += cast<int32_t>(in(r.y));
    f.infer_input_bounds({20});
    EXPECT_EQ(in.get().dim(0).extent(), 0);
    const Buffer<int32_t> seen = f.realize({20});
    seen.for_each_element([&](const int *at) { EXPECT_EQ(seen(at), 0); });
}

} // namespace

} // namespace fluorite::regions_test
