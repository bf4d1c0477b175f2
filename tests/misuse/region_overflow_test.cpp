// Regions and coordinates that do not fit 32 bits are refused before anything is computed, whatever overflows and
// wherever it is computed; those that just fit work.
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::region_overflow_test {
namespace {

const char *const fix = "; realize less, begin nearer to 0, or use coordinates that grow less";

void expect_region(const std::function<void()> &run, const std::string &seen) {
    expect_error<RuntimeError>(run, "region-overflow",
                               seen + "; regions and extents lie between -2147418112 and 2147418111" + fix);
}
void expect_coordinate(const std::function<void()> &run, const std::string &seen) {
    expect_error<RuntimeError>(run, "region-overflow", seen + "; coordinates are integers of 32 bits" + fix);
}

/// A buffer that begins at a given coordinate.
class FarBuffer {
  public:
    FarBuffer(int min, int extent)
        : values_(static_cast<size_t>(extent)), dim_(min, extent, 1),
          buffer_(values_.data(), std::vector<fluorite_dimension_t>{dim_}) {}
    Buffer<int> &operator*() { return buffer_; }

  private:
    std::vector<int> values_;
    fluorite_dimension_t dim_;
    Buffer<int> buffer_;
};

class RegionOverflow : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"};
    Func f{"f"}, g{"g"};
    ImageParam in{Int(32), 1, "in"};
    Buffer<int> image{100};

    void SetUp() override {
        f(x) = x;
        image.fill(3);
        in.set(image);
    }
};

TEST_F(RegionOverflow, FuncAtRoot) {
    g(x) = f(x * 1000000);
    f.compute_root();
    expect_region([&] { (void)g.realize({3000}); },
                  "in f: the region along x that is computed for g is [0, 2999000000]");
    EXPECT_EQ(Buffer<int>(g.realize({20}))(19), 19000000);
}

TEST_F(RegionOverflow, FuncFurtherIn) {
    Func h("h");
    h(x, y) = x + y;
    Func k("k");
    k(x, y) = h(x, y * 1000000) + h(x, y * 1000000 + 1);
    h.compute_at(k, y).vectorize(x, 8);
    expect_region([&] { (void)k.realize({4, 3000}); },
                  "in h: the region along y that is computed for k is [0, 2999000001]");
    EXPECT_EQ(Buffer<int>(k.realize({4, 2000}))(1, 1999), static_cast<int>(3998000003U));
}

TEST_F(RegionOverflow, StoredFurtherOutThanComputed) {
    Func h("h");
    h(x, y) = x + y;
    Func k("k");
    k(x, y) = h(x, y + 2147483000) + h(x, y + 2147483001);
    h.store_root().compute_at(k, y);
    expect_region([&] { (void)k.realize({4, 1000}); },
                  "in h: the region along y that is computed for k is [2147483000, 2147484000]");
}

TEST_F(RegionOverflow, InputIsRead) {
    g(x) = in(x * 1000000);
    expect_region([&] { (void)g.realize({3000}); }, "in in: what is read along dimension 0 is [0, 2999000000]");
    expect_region([&] { (void)g.vectorize(x, 8).realize({3000}); },
                  "in in: what is read along dimension 0 is [0, 2999000000]");
}

TEST_F(RegionOverflow, QueryOfBounds) {
    ImageParam free(Int(32), 1, "free");
    g(x) = free(x * 1000000);
    expect_region([&] { g.infer_input_bounds({3000}); }, "in free: what is read along dimension 0 is [0, 2999000000]");
}

TEST_F(RegionOverflow, OutputNearTheEnd) {
    g(x) = x;
    FarBuffer beyond(2147483640, 10), within(2147418102, 10);
    expect_region([&] { g.realize(*beyond); },
                  "in g: what the buffer holds along dimension 0 (x) is [2147483640, 2147483649]");
    g.realize(*within);
    EXPECT_EQ((*within)(2147418111), 2147418111);
    Func wide("wide");
    wide(x) = f(x - 1) + f(x + 1);
    f.compute_root();
    expect_region([&] { wide.realize(*within); },
                  "in f: the region along x that is computed for wide is [2147418101, 2147418112]");
}

TEST_F(RegionOverflow, InputNearTheEnd) {
    FarBuffer far(2147483640, 10);
    in.set(*far);
    g(x) = in(x);
    expect_region([&] { (void)g.realize({3}); },
                  "in in: what the buffer holds along dimension 0 is [2147483640, 2147483649]");
}

TEST_F(RegionOverflow, ConstantsThatAddUp) {
    Func h("h");
    h(x) = f(x + 100000);
    g(x) = h(x + 2147400000);
    f.compute_root(), h.compute_root();
    expect_region([&] { (void)g.realize({10}); },
                  "in f: the region along x that is computed for h is [2147500000, 2147500009]");
    EXPECT_EQ(Buffer<int>(Func(h).realize({10}))(9), 100009);
}

TEST_F(RegionOverflow, Reductions) {
    RDom r(0, 3000, "r");
    g(x) = sum(in(clamp(r * 1000000 + x, 0, 99)));
    expect_coordinate([&] { (void)g.realize({4}); },
                      "in sum, stage 1: the coordinate max(min(r.x * 1000000 + x, 99), 0) of in is "
                      "computed by way of [0, 2999000003]");
    RDom far(2147483000, 1000, "far");
    Func h("h");
    h(x) = 0;
    h(x) += far;
    expect_coordinate([&] { (void)h.realize({4}); }, "in h, stage 1: the last point of far.x is 2147483999");
}

TEST_F(RegionOverflow, Updates) {
    Func h("h");
    RDom r(0, 50, "r");
    Param<int> scale("scale");
    h(x) = 0;
    h(clamp(r * scale, 0, 9)) += 1;
    scale.set(100000000);
    expect_coordinate([&] { (void)h.realize({10}); },
                      "in h, stage 1: the coordinate max(min(r.x * scale, 9), 0) is computed by "
                      "way of [0, 4900000000]");
    scale.set(1);
    EXPECT_EQ(Buffer<int>(h.realize({10}))(9), 41);
}

TEST_F(RegionOverflow, Clamps) {
    g(x) = in(clamp(x * 1000000, 0, 9));
    expect_coordinate([&] { (void)g.realize({3000}); },
                      "in g, stage 0: the coordinate max(min(x * 1000000, 9), 0) of in is "
                      "computed by way of [0, 2999000000]");
    EXPECT_EQ(Buffer<int>(g.realize({2000}))(1999), 3);
}

TEST_F(RegionOverflow, BoundaryConditions) {
    Func edge = BoundaryConditions::repeat_edge(in);
    g(x) = edge(x * 1000000);
    EXPECT_THROW((void)g.realize({3000}), RuntimeError);
    Func mirror = BoundaryConditions::mirror_image(in), h("h");
    h(x) = mirror(x + 2147483000);
    EXPECT_THROW((void)h.realize({1000}), RuntimeError);
    Func wrapped = BoundaryConditions::repeat_image(in), k("k");
    k(x) = wrapped(x + 2147482000);
    EXPECT_EQ(Buffer<int>(k.realize({1000}))(999), 3);
}

TEST_F(RegionOverflow, BoundaryConditionsOfLargeImages) {
    const int width = 1'500'000'000;
    Param<int> w("w");
    w.set(width);
    const auto values = [&](const Func &around) {
        Func h("h");
        h(x) = around(x + (width - 2));
        Buffer<int> out = h.realize({5});
        return std::vector<int>{out(0) - width, out(1) - width, out(2) - width, out(3) - width, out(4) - width};
    };
    const std::string mirrored = " gives a range of 1500000000 points; the image and its mirror image together have "
                                 "coordinates of 32 bits; give a smaller one";
    expect_error<CompileError>([&] { BoundaryConditions::mirror_image(f, {{0, width}}); }, "region-overflow",
                               "in f: mirror_image" + mirrored);
    expect_error<CompileError>([&] { BoundaryConditions::mirror_interior(f, {{0, width}}); }, "region-overflow",
                               "in f: mirror_interior" + mirrored);
    const std::string seen = "in h, stage 0: the image and its mirror image, twice w, is 3000000000";
    expect_coordinate([&] { values(BoundaryConditions::mirror_image(f, {{0, w}})); }, seen);
    expect_coordinate([&] { values(BoundaryConditions::mirror_interior(f, {{0, w}})); }, seen);
    for (const Expr &extent : {Expr(width), Expr(w)}) {
        const Region box = {{0, extent}};
        EXPECT_EQ(values(BoundaryConditions::repeat_image(f, box)),
                  (std::vector<int>{-2, -1, -width, 1 - width, 2 - width}));
        EXPECT_EQ(values(BoundaryConditions::repeat_edge(f, box)), (std::vector<int>{-2, -1, -1, -1, -1}));
    }
    const std::string end = " gives the range [2000000000, 3999999999]; coordinates are integers of 32 bits; give a "
                            "smaller one";
    const Region far = {{2'000'000'000, 2'000'000'000}};
    expect_error<CompileError>([&] { BoundaryConditions::mirror_image(f, far); }, "region-overflow",
                               "in f: mirror_image" + end, {"region_overflow_test", __LINE__ - 1});
    expect_error<CompileError>([&] { BoundaryConditions::constant_exterior(f, 0, far); }, "region-overflow",
                               "in f: constant_exterior" + end, {"region_overflow_test", __LINE__ - 1});
    w.set(width);
    g(x) = BoundaryConditions::mirror_image(f, {{w, w}})(x);
    expect_coordinate([&] { (void)g.realize({5}); }, "in g, stage 0: what is compared, w * 2 - 1, is 2999999999");
}

/// Loops are cut where likely conditions hold, which are solved for a variable.
TEST_F(RegionOverflow, LikelyComparisons) {
    Param<int> p("p"), q("q");
    const auto set = [&](int first, int second) {
        p.set(first);
        q.set(second);
    };
    g(x) = select(x + p < q, likely(x + 10), x + 100);
    set(2'000'000'000, -2'000'000'000);
    expect_coordinate([&] { (void)g.realize({8}); },
                      "in g, stage 0: the difference of x + p and q, which are compared, is [4000000000, 4000000007]");
    set(2'147'483'647, 2'147'483'647);
    expect_coordinate([&] { (void)g.realize({8}); },
                      "in g, stage 0: what is compared, x + p, is [2147483647, 2147483654]");
    set(2'000'000'000, 2'000'000'003);
    Buffer<int> out = g.realize({8});
    out.for_each_element([&](int i) { EXPECT_EQ(out(i), i < 3 ? i + 10 : i + 100); });

    Func reads("reads"), clamped("clamped"), product("product");
    FarBuffer far(-2'000'000'000, 6);
    in.set(*far);
    reads(x) = in(min(x + p, q));
    set(2'000'000'000, -1'999'999'998);
    expect_coordinate([&] { (void)reads.realize({8}); }, "in reads, stage 0: the difference of x + p and q, which are "
                                                         "compared, is [3999999998, 4000000005]");
    clamped(x) = BoundaryConditions::repeat_edge(in)(x);
    FarBuffer there(2'000'000'000, 3);
    EXPECT_THROW(clamped.realize(*there), RuntimeError);
    FarBuffer here(-1'999'999'999, 8);
    clamped.realize(*here);
    EXPECT_EQ((*here)(-1'999'999'999), 0);

    product(x) = select(likely(x * x * x < q), 1, 2); // no bound of a loop: a value, which wraps
    set(0, 2'147'483'647);
    out = product.realize({3000});
    EXPECT_TRUE(out.all_equal(1));
}

TEST_F(RegionOverflow, FusedLoops) {
    Func h("h");
    Var both("both");
    ImageParam wide(Int(32), 2, "wide");
    h(x, y) = x + y;
    h.fuse(x, y, both);
    fluorite_dimension_t dims[] = {{0, 50000, 1}, {0, 50000, 50000}};
    int value = 0;
    Buffer<int> all(&value, std::vector<fluorite_dimension_t>{dims[0], dims[1]});
    h.output_buffer().dim(0).set_stride(Expr());
    expect_coordinate([&] { h.realize(all); }, "in h, stage 0: the last iteration of loop both is 2499999999");
}

TEST_F(RegionOverflow, SkewedLoops) {
    const auto expect = [&](const char *seen, const std::function<void(Func, Func)> &schedule) {
        Func h("h"), k("k");
        h(x, y) = x + y;
        k(x, y) = h(x, y);
        schedule(h, k);
        expect_region([&] { (void)k.realize({13, 7}); }, seen);
    };
    const Var t("t");
    const int far = 1'000'000'000;
    expect("in k, stage 0: the range of the skewed loop t is [0, 6000000012]",
           [&](Func, Func k) { k.skew(x, y, t, far); });
    expect("in k, stage 0: the range of the skewed loop t is [0, 6000000012]",
           [&](Func, Func k) { k.bound(x, 0, 13).bound(y, 0, 7).skew(x, y, t, far).vectorize(t, 4); });
    expect("in k, stage 0: the range of the skewed loop t is [-6000000000, 12]",
           [&](Func, Func k) { k.skew(x, y, t, -far).reorder(y, t); });
    expect("in h, stage 0: the range of the skewed loop t is [0, 6000000012]",
           [&](Func h, Func k) { h.compute_at(k, y).skew(x, y, t, far); });
    Func all("all"), within("within");
    const RDom r(0, 5, 0, 7);
    const RVar rt("rt");
    all() = 0;
    all() += r.x;
    all.update().skew(r.x, r.y, rt, far);
    expect_region([&] { (void)all.realize(); }, "in all, stage 1: the range of the skewed loop rt is [0, 6000000004]");
    within(x, y) = x + y;
    within.skew(x, y, t, far / 3);
    EXPECT_EQ(Buffer<int>(within.realize({13, 7}))(12, 6), 18);
}

TEST_F(RegionOverflow, Tails) {
    g(x) = f(x);
    f.compute_root().split(x, xo, xi, 64, TailStrategy::RoundUp);
    FarBuffer within(2147418060, 48);
    expect_region([&] { g.realize(*within); },
                  "in f: the region along x that is computed for g is [2147418060, 2147418123]");
}

TEST_F(RegionOverflow, Floats) {
    Param<float> scale("scale");
    g(x) = in(clamp(cast<int>(x * scale) + 1, 0, 99));
    scale.set(0.5F);
    EXPECT_EQ(Buffer<int>(g.realize({100}))(99), 3);
    scale.set(1e9F);
    EXPECT_THROW((void)g.realize({100}), RuntimeError);
    // Coordinates without a known interval are not refused.
    Func h("h");
    h(x) = in(clamp(cast<int>(exp(cast<float>(x))) + 1, 0, 99));
    EXPECT_EQ(Buffer<int>(h.realize({100}))(99), 3);
}

TEST_F(RegionOverflow, UnderAPredicate) {
    Func h("h");
    RDom all(0, 64, "all");
    all.where(all < 30);
    h(x) = 0;
    h(x) += in(clamp(all * 100000000, 0, 99));
    expect_coordinate([&] { (void)h.realize({64}); },
                      "in h, stage 1: the coordinate max(min(all.x * 100000000, 99), 0) of in is computed by way of "
                      "[0, 2900000000]");
    Func scattered("scattered");
    scattered(x) = 0;
    scattered(clamp(all * 100000000, 0, 9)) += 1;
    expect_coordinate([&] { (void)scattered.realize({10}); },
                      "in scattered, stage 1: the coordinate max(min(all.x * 100000000, 9), 0) is computed by way of "
                      "[0, 2900000000]");
}

TEST_F(RegionOverflow, WhatAPredicateKeepsSmallFits) {
    Func h("h"), scattered("scattered");
    RDom few(0, 64, "few");
    few.where(few < 20);
    h(x) = 0;
    h(x) += in(clamp(few * 100000000, 0, 99));
    EXPECT_EQ(Buffer<int>(h.realize({4}))(3), 60);
    scattered(x) = 0;
    scattered(clamp(few * 100000000, 0, 9)) += 1;
    EXPECT_EQ(Buffer<int>(scattered.realize({10}))(9), 19);
    // The tail of a split that rfactor keeps is a predicate.
    Func sum("sum");
    RDom r(0, 21, "r");
    RVar ro("ro"), ri("ri");
    Var u("u");
    sum(x) = 0;
    sum(x) += in(clamp(r * 100000000, 0, 99));
    sum.update().split(r, ro, ri, 16).rfactor(ro, u).compute_root();
    EXPECT_EQ(Buffer<int>(sum.realize({4}))(3), 63);
}

TEST_F(RegionOverflow, FusedLoopsFurtherIn) {
    Func h("h"), k("k");
    Var both("both");
    h(x, y) = x + y;
    k(x, y) = h(x % 65536, y % 65536) + h(0, 0) + h(65535, 65535);
    h.compute_at(k, y).fuse(x, y, both);
    expect_coordinate([&] { (void)k.realize({4, 4}); }, "in h, stage 0: the last iteration of loop both is 4294967295");
}

TEST_F(RegionOverflow, FactorsFurtherIn) {
    Func h("h"), k("k");
    Param<int> factor("factor");
    h(x, y) = x + y;
    k(x, y) = h(x, y) + h(x + 1, y);
    h.compute_at(k, y).split(x, xo, xi, factor, TailStrategy::GuardWithIf);
    factor.set(2147483647);
    expect_coordinate([&] { (void)k.realize({4, 4}); },
                      "in h, stage 0: the last iteration of loop xo is computed by way of 2147483651");
    factor.set(3);
    EXPECT_EQ(Buffer<int>(k.realize({4, 4}))(3, 3), 13);
}

TEST_F(RegionOverflow, GuardedSplitsEndWithTheirLoop) {
    for (const int factor : {1 << 17, 1 << 30}) {
        Func h("h"), k("k"), outer("outer");
        h(x) = x;
        h.split(x, xo, xi, factor, TailStrategy::GuardWithIf);
        EXPECT_EQ(Buffer<int>(h.realize({100}))(99), 99) << factor;
        k(x, y) = x + y;
        k.parallel(y, factor, TailStrategy::GuardWithIf);
        EXPECT_EQ(Buffer<int>(k.realize({3, 5}))(2, 4), 6) << factor;
        k.compute_root();
        outer(x, y) = k(x, y);
        EXPECT_EQ(Buffer<int>(outer.realize({3, 5}))(2, 4), 6) << factor;
    }
    RDom r(0, 7, "r");
    RVar ro("ro"), ri("ri");
    Func h("h");
    h(x) = 0;
    h(x) += in(r);
    h.update().split(r, ro, ri, 1 << 30);
    EXPECT_EQ(Buffer<int>(h.realize({4}))(3), 21);
}

TEST_F(RegionOverflow, SplitsOfRVarsNearTheEnd) {
    RDom r(2147483600, 30, "r");
    RVar ro("ro"), ri("ri");
    Func h("h");
    h(x) = 0;
    h(x) += r - 2147483600;
    EXPECT_EQ(Buffer<int>(h.realize({4}))(3), 435);
    h.update().split(r, ro, ri, 64);
    expect_region([&] { (void)h.realize({4}); },
                  "in h, stage 1: the range of r.x, with the ends of its splits, is [2147483536, 2147483693]");
}

TEST_F(RegionOverflow, FunctionsWithoutKnownRangeWrap) {
    Func h("h");
    h(x) = in(cast<int>(exp(cast<float>(x))) * 1000 % 100); // a multiple of 100 unless the product wraps
    for (int i = 0; i < 100; i++) {
        image(i) = i;
    }
    const auto expected = [&](int i) {
        const float value = std::exp(static_cast<float>(i));
        const auto whole = value >= 2147483648.0F ? 2147483647 : static_cast<int32_t>(value);
        const auto product = static_cast<int32_t>(static_cast<uint32_t>(whole) * 1000U);
        return (product % 100 + 100) % 100;
    };
    h.vectorize(x, 8);
    Buffer<int> result = h.realize({100});
    for (int i = 0; i < 100; i++) {
        EXPECT_EQ(result(i), expected(i)) << i;
    }
}

TEST_F(RegionOverflow, BitsAndShifts) {
    Param<int> p("p");
    g(x) = in(clamp((x ^ p) * 1000000, 0, 99));
    p.set(4095);
    expect_coordinate([&] { (void)g.realize({100}); },
                      "in g, stage 0: the coordinate max(min((x ^ p) * 1000000, 99), 0) of in is computed by way of "
                      "[0, 4095000000]");
    p.set(1);
    EXPECT_EQ(Buffer<int>(g.realize({100}))(99), 3);
    Func h("h");
    h(x) = in(clamp((x << p) * 1000000, 0, 99));
    p.set(20);
    EXPECT_THROW((void)h.realize({100}), RuntimeError);
    p.set(2);
    EXPECT_EQ(Buffer<int>(h.realize({100}))(99), 3);
}

TEST_F(RegionOverflow, SmallDivisors) {
    Param<float> scale("scale");
    g(x) = in(clamp(cast<int>(x / scale) + 1, 0, 99));
    scale.set(0.5F);
    EXPECT_EQ(Buffer<int>(g.realize({100}))(99), 3);
    scale.set(1e-30F);
    EXPECT_THROW((void)g.realize({100}), RuntimeError);
}

TEST_F(RegionOverflow, CoordinatesOf64Bits) {
    Param<int64_t> far("far");
    Param<uint32_t> count("count");
    g(x) = in(clamp(cast<int64_t>(x) * far, 0, 99)) + in(cast<uint32_t>(x) % 100);
    far.set(int64_t{1} << 40);
    EXPECT_EQ(Buffer<int>(g.realize({10}))(9), 6);
    Func h("h");
    h(x) = f(cast<int64_t>(x) + far);
    f.compute_root();
    EXPECT_THROW((void)h.realize({10}), RuntimeError);
    far.set(5);
    EXPECT_EQ(Buffer<int>(h.realize({10}))(9), 14);
    RDom r(0, count, "r");
    Func sum("sum");
    sum(x) = 0;
    sum(x) += r;
    count.set(4000000000U);
    EXPECT_THROW((void)sum.realize({10}), RuntimeError);
    count.set(4);
    EXPECT_EQ(Buffer<int>(sum.realize({10}))(9), 6);
}

TEST(BufferStruct, ElementsBeyond64BitsAreNotNone) {
    std::vector<fluorite_dimension_t> dims(4, fluorite_dimension_t(0, 65536, 0));
    fluorite_buffer_t raw{};
    raw.dimensions = 4;
    raw.dim = dims.data();
    EXPECT_FALSE(raw.is_empty());
    dims[2].extent = 0;
    EXPECT_TRUE(raw.is_empty());
}

TEST_F(RegionOverflow, ValuesWrap) {
    g(x) = x * 1000000;
    EXPECT_EQ(Buffer<int>(g.realize({3000}))(2999), static_cast<int>(2999000000U));
    Func h("h");
    h(x) = in(clamp(in(x) * 1000000000, 0, 99));
    EXPECT_EQ(Buffer<int>(h.realize({10}))(5), 3);
}

TEST_F(RegionOverflow, ErrorsAreReportedOnce) {
    static int calls = 0;
    calls = 0;
    g(x) = in(x * 1000000);
    g.jit_handlers().custom_error = [](JITUserContext *, const char *) { calls++; };
    (void)g.realize({3000});
    EXPECT_EQ(calls, 2) << "once for the question of what is written, once for the run";
}

} // namespace
} // namespace fluorite::region_overflow_test
