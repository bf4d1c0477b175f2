// Programs in the namespace and spelling of the peer: they must compile, and the tests check their meaning without
// running them.

#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "language/test_support.h"

namespace api_test {

namespace Halide = fluorite;
using namespace Halide;

extern "C" {
float declared_function(float value, int exponent) { return value + static_cast<float>(exponent); }
}
FLUORITE_EXTERN_2(float, declared_function, float, int)
FLUORITE_EXTERN_1(int, exported_function, int)

namespace {

void check_graph(const std::vector<Func> &outputs) {
    const schedule::ScheduledGraph frozen = language::freeze(outputs);
    ir::verify_graph(frozen.graph);
}

} // namespace

TEST(Api, BlurInTheSpellingOfToday) {
    Buffer<uint16_t> input(64, 48);
    Halide::Var x("x"), y("y"), xi("xi"), yi("yi");
    Halide::Func clamped = BoundaryConditions::repeat_edge(input), blur_x("blur_x"), blur_y("blur_y");
    blur_x(x, y) = (clamped(x - 1, y) + clamped(x, y) + clamped(x + 1, y)) / 3;
    blur_y(x, y) = (blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1)) / 3;
    blur_y.tile(x, y, xi, yi, 32, 16).vectorize(xi, 8).parallel(y).set_estimates({{0, 64}, {0, 48}});
    blur_x.compute_at(blur_y, x).store_at(blur_y, x).vectorize(x, 8, TailStrategy::RoundUp);
    EXPECT_EQ(blur_y.type(), UInt(16));
    check_graph({blur_y});
}

TEST(Api, HistogramAndTuplesAndMultipleOutputs) {
    ImageParam in(type_of<uint8_t>(), 3, "in");
    Param<float> gamma("gamma", 2.2f), offset;
    gamma.set_range(0.5f, 4.0f);
    Var x, y, c, i;
    Func gray("gray"), histogram("histogram"), cdf("cdf"), out("out");
    gray(x, y) = cast<uint8_t>(0.299f * in(x, y, 0) + 0.587f * in(x, y, 1) + 0.114f * in(x, y, 2));
    RDom r(0, in.width(), 0, in.height());
    histogram(i) = 0u;
    histogram(gray(r.x, r.y)) += cast<uint32_t>(1);
    RDom ri(1, 255);
    cdf(i) = cast<float>(histogram(i));
    cdf(ri) += cdf(ri - 1);
    out(x, y, c) = {cast<uint8_t>(clamp(pow(in(x, y, c) / 255.f, gamma) * 255.f + offset, 0.f, 255.f)),
                    cdf(cast<int>(gray(x, y)))};
    Tuple both = out(x, y, 0);
    Func best("best"), chosen("chosen");
    best() = argmax(r, in(r.x, r.y, 0));
    chosen(x, y) = select(x > y, Tuple(x, y), both[0] > 3, Tuple(y, x), Tuple(0, 0));
    Func of_calls("of_calls");
    of_calls(x, y) = select(x > 3, gray(x, y), y > 3, gray(y, x), x > y, gray(x, x), gray(y, y));
    EXPECT_EQ(of_calls.type(), UInt(8));
    Func mixed("mixed");
    mixed(x, y) = select((x > 3 && y < 5) || x == y, gray(x, y), gray(y, x)) + mux(c.name().empty() ? x : y, {x, y, 3});
    gray.compute_root().parallel(y, 8).vectorize(x, 16);
    histogram.compute_root().update().unroll(r.x, 4);
    Pipeline pipeline({out, best, chosen, mixed});
    pipeline.add_requirement(in.width() > 0, "an empty picture of width", in.width());
    const schedule::ScheduledGraph frozen = language::freeze(*pipeline.contents());
    ir::verify_graph(frozen.graph);
    EXPECT_EQ(frozen.graph.requirements.size(), 1U);
    EXPECT_EQ(frozen.graph.outputs.size(), 4U);
}

TEST(Api, OperatorsTakeEverythingThatIsAValue) {
    Var x, y;
    Param<int> p;
    Param<uint8_t> q(3);
    Buffer<float> b(8, 8);
    RDom r(0, 8, "r");
    Func f("f"), g("g");
    f(x, y) = b(x, y) * p + q - x + r.x.name().size() + 1u;
    f(x, r) = f(x, r) + b(r, 0) * r - p / 2 % 3;
    g(x) = min(f(x, 0), f(0, x), 3) + max(p, 1, q) + abs(x - p) + absd(x, p) + (p << 2) + ((~x ^ p) | 3) +
           select(p == 3, 1, 2) + cast<int>(likely(x > 3)) + cast(Int(32), sin(x) + sqrt(p) + fast_exp(b(x, x)));
    g(x) += declared_function(x, p) + exported_function(x) + cast<int>(random_uint() & 3) + print(x, "is x");
    Expr e = x;
    e += p;
    EXPECT_EQ((e * 3).type(), Int(32));
    EXPECT_EQ(g.num_update_definitions(), 1);
    g.bound(x, 0, 16).unroll(x, 2).update(0).vectorize(x, 4);
    check_graph({g});
    EXPECT_NE(detail::find_extern("declared_function"), nullptr);
}

TEST(Api, BoundaryConditionsTakeFuncsAndBuffersAndRanges) {
    using namespace BoundaryConditions;
    Buffer<int> b(8, 4);
    ImageParam im(Float(32), 3);
    Var x, y, c;
    Func f("f");
    f(x, y) = Tuple(x, cast<uint8_t>(y));
    check_graph({repeat_edge(b), repeat_edge(im, {{0, im.width()}, {Expr(), Expr()}}), repeat_image(b),
                 mirror_image(im), mirror_interior(b, 0, 8, 0, 4), constant_exterior(im, 0),
                 constant_exterior(b, 7, 0, 8, 0, 4),
                 constant_exterior(f, Tuple(1, cast<uint8_t>(2)), {{0, 3}, {0, 4}}), repeat_edge(f, 0, 3)});
    language::expect_compile_error(
        "wrong-arity",
        "in f: repeat_edge gives 3 ranges; it has 2 dimensions; give at most one range for each "
        "dimension",
        [&] { repeat_edge(f, {{0, 1}, {0, 1}, {0, 1}}); }, __LINE__);
}

TEST(Api, LambdasAndFuncsFromValues) {
    Var x, y;
    Buffer<uint8_t> b(4, 4);
    Func f = lambda(x, y, x * y), g(b), h = Func(f(_) + 1);
    ImageParam im(UInt(8), 2);
    Func from_param = im;
    EXPECT_EQ(h.dimensions(), 2);
    EXPECT_EQ(g.type(), UInt(8));
    EXPECT_EQ(from_param.dimensions(), 2);
    Func zero("zero");
    zero() = 3;
    EXPECT_EQ(zero.dimensions(), 0);
    check_graph({f, g, h, from_param, zero});
}

TEST(Api, RealizationsOfOneBufferAreThatBuffer) {
    Buffer<int> a(2), b(3);
    const Realization one(a), two(a, b);
    Buffer<int> same = one;
    EXPECT_TRUE(same.same_as(a));
    try {
        same = two;
        ADD_FAILURE();
    } catch (const Halide::RuntimeError &error) {
        EXPECT_EQ(error.slug(), "realization-size");
        EXPECT_EQ(error.message(),
                  "in a Realization: it has 2 buffers; only a Realization of one converts to a Buffer; index it, r[0]");
    }
}

} // namespace api_test
