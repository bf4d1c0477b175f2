// rfactor: partial results and their combination give the bits of the original definition, for all operators and types.
#include "driver/test_interpreted.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace fluorite::rfactor_test {
namespace {

/// Compares with the interpreter, and checks that the schedule rewrites the definition.
void expect_rewritten(const Func &f, const std::vector<int> &sizes, const std::string &what = "") {
    EXPECT_TRUE(language::freeze({f}).rewritten) << what;
    expect_interpreted(f, sizes, what);
}

using Combine = std::function<Expr(Expr old, Expr brought)>;

struct Operator {
    const char *name;
    Combine combine;
};

const std::vector<Operator> integer_operators = {
    {"+", [](Expr a, Expr b) { return a + b; }},
    {"-", [](Expr a, Expr b) { return a - b; }},
    {"*", [](Expr a, Expr b) { return a * b; }},
    {"min", [](Expr a, Expr b) { return min(a, b); }},
    {"max", [](Expr a, Expr b) { return max(b, a); }},
    {"&", [](Expr a, Expr b) { return a & b; }},
    {"|", [](Expr a, Expr b) { return b | a; }},
    {"^", [](Expr a, Expr b) { return a ^ b; }},
    {"guarded +", [](Expr a, Expr b) { return select(b % 3 != 0, a + b, a); }},
    {"select as max", [](Expr a, Expr b) { return select(b > a, b, a); }},
};

/// The schedules of f(x) = op over r.x, r.y with which every operator is tested.
const std::vector<std::function<void(Func &)>> schedules = {
    [](Func &f) {
        Var u("u");
        f.update().rfactor(f.rvars()[1], u).compute_root();
    },
    [](Func &f) { // keeps the inner loop, which changes the order of iterations
        Var u("u");
        f.update().rfactor(f.rvars()[0], u).compute_root().update().vectorize(u, 4);
    },
    [](Func &f) { // a split with a tail; partial results are lanes
        Var u("u");
        RVar ro("ro"), ri("ri");
        const RVar rx = f.rvars()[0];
        Func partial = f.update().split(rx, ro, ri, 4).rfactor(ri, u);
        partial.compute_root().vectorize(u, 4).update().vectorize(u);
    },
    [](Func &f) { // two loops of a tile; partial results are computed inside of f
        Var u("u"), v("v"), x = f.args()[0];
        RVar xo("xo"), xi("xi"), yo("yo"), yi("yi");
        const RVar rx = f.rvars()[0], ry = f.rvars()[1];
        Func partial = f.update().split(rx, xo, xi, 3).split(ry, yo, yi, 2).rfactor({{xi, u}, {yo, v}});
        partial.compute_at(f, x).update().parallel(v);
        f.update().parallel(x);
    },
    [](Func &f) { // a fused loop, and a second rfactor of the partial results
        Var u("u"), v("v");
        RVar rf("rf"), ro("ro"), ri("ri"), so("so"), si("si");
        Func partial = f.update().fuse(f.rvars()[0], f.rvars()[1], rf).split(rf, ro, ri, 8).rfactor(ro, u);
        partial.compute_root().update().parallel(u);
        Func lanes = partial.update().split(ri, so, si, 2).rfactor(si, v);
        lanes.compute_at(partial, u).update().unroll(v);
    },
    [](Func &f) { // the combination is factored again
        Var u("u"), v("v"), w("w");
        const RVar rx = f.rvars()[0], ry = f.rvars()[1];
        f.update().rfactor({{rx, u}, {ry, v}}).compute_root();
        Func rows = f.update().rfactor(f.rvars()[1], w);
        rows.compute_root().update().parallel(w);
        f.update().atomic().parallel(f.rvars()[0]);
    },
};

template <typename T> void run(const Operator &op, size_t schedule) {
    const Buffer<T> in = random_buffer<T>({7 + 6, 11}, 3);
    Func f("f");
    Var x("x");
    RDom r(0, 7, 0, 11, "r");
    f(x) = cast(in.type(), x + 3);
    f(x) = cast(in.type(), op.combine(f(x), in(x + r.x, r.y)));
    schedules[schedule](f);
    expect_rewritten(f, {6}, concat(op.name, " of ", in.type(), ", schedule ", schedule));
}

/// Every operator under another schedule; `first` varies the schedules between types.
template <typename T> void run_each(const std::vector<Operator> &operators, size_t first) {
    for (size_t i = 0; i < operators.size(); i++) {
        run<T>(operators[i], (i + first) % schedules.size());
    }
}

TEST(RFactor, EveryOperatorUnderEverySchedule) {
    for (size_t s = 0; s < schedules.size(); s++) {
        run_each<uint8_t>(integer_operators, s);
    }
}

TEST(RFactor, EveryInteger) {
    run_each<int8_t>(integer_operators, 0);
    run_each<uint16_t>(integer_operators, 1);
    run_each<int16_t>(integer_operators, 2);
    run_each<int32_t>(integer_operators, 3);
    run_each<uint32_t>(integer_operators, 4);
    run_each<int64_t>(integer_operators, 1);
    run_each<uint64_t>(integer_operators, 2);
}

TEST(RFactor, Bools) {
    run_each<bool>({{"&&", [](Expr a, Expr b) { return a && b; }},
                    {"||", [](Expr a, Expr b) { return b || a; }},
                    {"^", [](Expr a, Expr b) { return a ^ b; }}},
                   2);
}

TEST(RFactor, SaturatingSums) {
    const Operator sum = {"saturating_add", [](Expr a, Expr b) { return saturating_add(a, b / 8); }};
    run<uint8_t>(sum, 2);
    run<uint16_t>(sum, 3);
    run<uint32_t>(sum, 1);
    run<uint64_t>(sum, 2);
}

/// Floats with NaNs, infinities and zeros of both signs.
template <typename T> Buffer<T> special_floats(int width, int height) {
    Buffer<T> buffer(width, height);
    const float values[] = {NAN, -0.0F, 0.0F, INFINITY, -INFINITY, 1.5F, -2.0F};
    std::mt19937 random(5);
    buffer.for_each_value([&](T &value) { value = static_cast<T>(values[random() % 7]); });
    return buffer;
}

template <typename T> void float_extremes_in_order() {
    const Buffer<T> in = special_floats<T>(7 + 30, 11);
    for (bool least : {true, false}) {
        for (bool by_select : {true, false}) {
            Func f("f");
            Var x("x"), u("u");
            RDom r(0, 7, 0, 11, "r");
            const Expr brought = in(x + r.x, r.y);
            f(x) = in(x, 0);
            const Expr old = f(x);
            if (by_select) {
                f(x) = select(least ? brought < old : brought > old, brought, old);
            } else {
                f(x) = least ? min(brought, old) : max(brought, old);
            }
            f.update().rfactor(r.y, u).compute_root(); // keeps the outer loop, which preserves the order
            expect_rewritten(f, {30}, concat(least, by_select, in.type()));
        }
    }
}

TEST(RFactor, FloatExtremesThatKeepTheFirst) {
    float_extremes_in_order<float>();
    float_extremes_in_order<double>();
    float_extremes_in_order<float16_t>();
    float_extremes_in_order<bfloat16_t>();
}

TEST(RFactor, FloatExtremesOfIntegersAnyOrder) {
    const Buffer<int16_t> in = random_buffer<int16_t>({7 + 6, 11}, 9);
    for (size_t s = 0; s < schedules.size(); s++) {
        Func f("f");
        Var x("x");
        RDom r(0, 7, 0, 11, "r");
        f(x) = 3.0F;
        f(x) = max(f(x), cast<float>(in(x + r.x, r.y)));
        schedules[s](f);
        expect_rewritten(f, {6}, concat("max of plain floats, schedule ", s));
    }
}

TEST(RFactor, FloatSumsWhereTheProgramAllowsIt) {
    // Sums of small integers are exact, so the bits can be compared.
    const Buffer<int8_t> in = random_buffer<int8_t>({7 + 6, 11}, 9);
    for (size_t s = 0; s < schedules.size(); s++) {
        Func f("f");
        Var x("x");
        RDom r(0, 7, 0, 11, "r");
        f(x) = 3.0F;
        f(x) += cast<float>(in(x + r.x, r.y));
        f.allow_reassociation();
        schedules[s](f);
        expect_rewritten(f, {6}, concat("float sum, schedule ", s));
    }
}

TEST(RFactor, ArgminKeepsTheFirstOfEquals) {
    const Buffer<uint8_t> in = random_buffer<uint8_t>({5 + 9, 40}, 4);
    Func f("f"), few("few");
    Var x("x"), y("y"), u("u");
    RDom r(0, 5, 0, 40, "r");
    RVar ro("ro"), ri("ri");
    few(x, y) = in(x, y) % 4; // many ties
    few.compute_root();
    f(x) = Tuple(-1, -1, cast<uint8_t>(255));
    f(x) = select(few(x + r.x, r.y) < f(x)[2], Tuple(r.x, r.y, few(x + r.x, r.y)), f(x));
    Func partial = f.update().split(r.y, ro, ri, 7).rfactor(ro, u);
    partial.compute_root().update().parallel(u);
    expect_rewritten(f, {9});
}

TEST(RFactor, ArgmaxOfFloatsSkipsNaNs) {
    const Buffer<float> in = special_floats<float>(40 + 9, 1);
    Func f("f");
    Var x("x"), u("u");
    RDom r(0, 40, "r");
    RVar ro("ro"), ri("ri");
    f(x) = Tuple(-1, in(x, 0));
    f(x) = select(in(x + r, 0) > f(x)[1], Tuple(Expr(r), in(x + r, 0)), f(x));
    f.update().split(r, ro, ri, 6).rfactor(ro, u).compute_root();
    expect_rewritten(f, {9});
}

TEST(RFactor, ArgminByAllValuesCommutes) {
    const Buffer<uint8_t> in = random_buffer<uint8_t>({50}, 8);
    Func f("f");
    Var u("u");
    RDom r(0, 48, "r");
    RVar ro("ro"), ri("ri");
    f() = Tuple(1000, cast<uint8_t>(255));
    const Expr key = in(r) % 5, old_at = f()[0], old_key = f()[1];
    f() = select(key < old_key || (key == old_key && r < old_at), Tuple(Expr(r), key), Tuple(old_at, old_key));
    f.update().split(r, ro, ri, 8).rfactor(ri, u).compute_root();
    expect_rewritten(f, {});
}

TEST(RFactor, ProductsOfComplexAndDualNumbers) {
    const Buffer<int32_t> in = random_buffer<int32_t>({20, 2}, 2);
    for (bool complex : {true, false}) {
        Func f("f");
        Var u("u");
        RDom r(0, 20, "r");
        RVar ro("ro"), ri("ri");
        const Expr a = in(r, 0), b = in(r, 1);
        f() = Tuple(3, 5);
        const Expr re = f()[0], im = f()[1];
        f() = complex ? Tuple(re * a - im * b, re * b + im * a) : Tuple(re * a, im * a + re * b);
        f.update().split(r, ro, ri, 6).rfactor(ri, u).compute_root();
        expect_rewritten(f, {}, complex ? "complex" : "dual");
    }
}

TEST(RFactor, TuplesValueByValue) {
    const Buffer<int16_t> in = random_buffer<int16_t>({30}, 2);
    Func f("f");
    Var u("u");
    RDom r(0, 30, "r");
    RVar ro("ro"), ri("ri");
    f() = Tuple(0, cast<int16_t>(32767), cast<uint8_t>(1), 7);
    f() = Tuple(f()[0] + cast<int>(in(r)), min(f()[1], in(r)), f()[2] * cast<uint8_t>(in(r) | 1), f()[3]);
    f.update().split(r, ro, ri, 4).rfactor(ri, u).compute_root().update().unroll(u);
    expect_rewritten(f, {});
}

TEST(RFactor, HistogramsWithPredicates) {
    const Buffer<uint8_t> in = random_buffer<uint8_t>({37, 19}, 6);
    Func f("f");
    Var x("x"), u("u");
    RDom r(0, 37, 0, 19, "r");
    RVar yo("yo"), yi("yi");
    r.where(r.x + 2 * r.y < 60);
    f(x) = 0;
    f(cast<int>(in(r.x, r.y)) / 4) += r.x + 1;
    Func partial = f.update().split(r.y, yo, yi, 4).rfactor(yo, u);
    partial.compute_root().update().parallel(u);
    expect_rewritten(f, {64});
}

TEST(RFactor, RowsOfAMatrixAndRandomNumbers) {
    Func f("f"), noise("noise");
    Var x("x"), y("y"), u("u");
    RDom r(1, 6, 2, 9, "r");
    f(x, y) = random_int();
    f(x, r.y) += random_int() % 1000 + r.x * x;
    f(x, 3) = max(f(x, 3), random_int());
    f.update().rfactor(r.x, u).compute_root().vectorize(x, 4);
    expect_rewritten(f, {5, 12});
}

TEST(RFactor, BoundsFromParameters) {
    Param<int> n("n");
    ImageParam in(UInt(16), 1, "in");
    Func f("f");
    Var u("u");
    RDom r(n, n + 13, "r");
    RVar ro("ro"), ri("ri");
    f() = cast<uint32_t>(1);
    f() += cast<uint32_t>(in(r));
    Func partial = f.update().split(r, ro, ri, 8).rfactor(ri, u);
    partial.compute_root().vectorize(u, 8).update().vectorize(u);
    Buffer<uint16_t> data = random_buffer<uint16_t>({90}, 12);
    data.set_min(-30);
    in.set(data);
    for (int value : {0, 1, 3, 11, -9, -13, -20}) {
        n.set(value);
        expect_rewritten(f, {}, concat("n = ", value));
    }
}

// Funcs that stand in coordinates of updates, or in a condition, and nowhere else.
TEST(RFactor, CallsOfCoordinatesAndConditions) {
    const Buffer<uint8_t> data = random_buffer<uint8_t>({48}, 3);
    for (const bool is_condition : {false, true}) {
        Func mark("mark"), bin("bin"), f("f");
        Var x("x"), u("u");
        RDom r(0, 48, "r");
        RVar ro("ro"), ri("ri");
        bin(x) = cast<int>(data(x) % 7);
        mark(x) = cast<int>(data(x) % 3);
        f(x) = 0;
        f(mark(2) + 4) = 7;
        if (is_condition) {
            r.where(bin(r) > 2);
            f(r % 7) += r;
        } else {
            f(bin(r)) += r;
        }
        bin.compute_root();
        mark.compute_root();
        f.update(1).split(r, ro, ri, 8).rfactor(ro, u).compute_root().update().parallel(u);
        expect_rewritten(f, {7}, is_condition ? "condition" : "coordinate");
    }
}

TEST(RFactor, CarriesPureLoopsAndWrappers) {
    const Buffer<uint8_t> data = random_buffer<uint8_t>({40, 20}, 2);
    Func in("in"), f("f");
    Var x("x"), y("y"), xo("xo"), xi("xi"), u("u");
    RDom r(0, 8, "r");
    in(x, y) = data(x, y) * 3;
    f(x, y) = cast<uint8_t>(0);
    f(x, y) += in(x + r, y);
    in.in(f).compute_root();
    Func partial = f.update().split(x, xo, xi, 5).parallel(y).rfactor(r, u);
    partial.compute_at(f, y).update().reorder(u, xi, xo, y);
    EXPECT_EQ(partial.update().loops(), (std::vector<std::string>{"u", "xi", "xo", "y"}));
    EXPECT_EQ(f.update().loops(), (std::vector<std::string>{"r$x", "xi", "xo", "y"}));
    EXPECT_EQ(partial.name(), "f_intm");
    expect_rewritten(f, {31, 17});
}

} // namespace
} // namespace fluorite::rfactor_test
