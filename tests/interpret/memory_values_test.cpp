// Arithmetic on values that come from memory wraps, even where it determines which element is read: coordinates do not
// overflow, but such values may. Each program passes a value v through some construct and then computes 4 * v / 4,
// which differs from v if the product wraps; the table element at that index tells.

#include "driver/test_interpreter.h"

#include <functional>
#include <gtest/gtest.h>

namespace fluorite::memory_values_test {
namespace {

constexpr int table_size = 256;

struct Values {
    Var x{"x"};
    Buffer<int> in = random_buffer<int>({64}, 7);
    Buffer<int> table = random_buffer<int>({table_size}, 8);

    Values() {
        for (int i = 0; i < 64; i += 3) {
            in(i) = 0x40000000 + i; // the product is 4 * i
        }
    }
    /// The table element at 4 * v / 4.
    Expr look_up(const Expr &v) { return table(clamp(4 * v / 4, 0, table_size - 1)); }
};

int32_t ignore_event(void *, const fluorite_trace_event_t *) { return 0; }

TEST(MemoryValues, WrapWhereLoadsAreTraced) {
    for (const bool vectorizes : {false, true}) {
        Values c;
        Func g("g"), f("f");
        g(c.x) = c.in(c.x);
        f(c.x) = c.look_up(g(c.x));
        g.compute_root().trace_loads();
        if (vectorizes) {
            f.vectorize(c.x, 8);
        }
        const fluorite_trace_t before = set_custom_trace(ignore_event);
        expect_same<int>(f, {64}, vectorizes ? "in vectors" : "");
        set_custom_trace(before);
    }
}

TEST(MemoryValues, WrapWhereStoresAreTraced) {
    Values c;
    Func f("f");
    RDom r(0, 64, "r");
    f(c.x) = 0;
    f(clamp(4 * c.in(r) / 4, 0, 63)) += c.in(r);
    f.trace_stores();
    const fluorite_trace_t before = set_custom_trace(ignore_event);
    expect_same<int>(f, {64});
    set_custom_trace(before);
}

TEST(MemoryValues, WrapWhereLanesAccumulate) {
    for (const int lanes : {2, 4, 8}) {
        Values c;
        Func f("f");
        RDom r(0, 64, "r");
        f() = 0;
        f() += c.look_up(c.in(r));
        f.update().vectorize(r, lanes);
        expect_same<int>(f, {}, std::to_string(lanes));
    }
}

TEST(MemoryValues, WrapWhereTheyAreRandom) {
    for (const int lanes : {1, 8}) {
        Values c;
        Func f("f");
        f(c.x) = c.look_up(random_int() | 0x40000000);
        if (lanes > 1) {
            f.vectorize(c.x, lanes);
        }
        expect_same<int>(f, {64}, std::to_string(lanes));
    }
}

TEST(RandomNumbers, AreThoseOfTheInterpreter) {
    for (const int lanes : {1, 5, 8, 16}) {
        Var x("x"), y("y");
        Func f("f"), g("g"), h("h");
        f(x, y) = random_int();
        g(x, y) = random_uint() + random_uint();
        h(x, y) = random_float(Expr(3)) - random_float();
        for (Func each : {f, g, h}) {
            each.vectorize(x, lanes);
        }
        expect_same<int32_t>(f, {32, 7}, std::to_string(lanes));
        expect_same<uint32_t>(g, {32, 7}, std::to_string(lanes));
        expect_same<float>(h, {32, 7}, std::to_string(lanes));
    }
}

TEST(MemoryValues, WrapWhereSharedValuesAreNamed) {
    Values c;
    Func f("f");
    Expr v = c.in(c.x);
    for (int i = 0; i < 12; i++) { // shared so often that a let binds it
        v = v * v + c.in(c.x);
    }
    f(c.x) = c.look_up(v | 0x40000000) + c.look_up(v);
    expect_same<int>(f, {64});
}

TEST(MemoryValues, WrapInCoordinatesOfTuples) {
    for (const int lanes : {1, 8}) {
        Values c;
        Func f("f"), g("g");
        RDom r(0, 64, "r");
        f(c.x) = Tuple(c.x, 1);
        const Expr at = clamp(4 * c.in(r) / 4, 0, 63);
        f(at) = Tuple(f(at)[1] + c.in(r), c.look_up(f(at)[0]));
        g(c.x) = f(c.x)[0] + 3 * f(c.x)[1];
        f.compute_root();
        if (lanes > 1) {
            g.vectorize(c.x, lanes);
        }
        expect_same<int>(g, {64}, std::to_string(lanes));
    }
}

TEST(MemoryValues, WrapWhereNeighboursShareThem) {
    Values c;
    Func f("f");
    const auto v = [&](const Expr &x) {
        const Expr a = c.in(clamp(x, 0, 63));
        return a * a * 77 + (a ^ (a >> 3)) * 5 + (a | 0x40000000);
    };
    f(c.x) = c.look_up(v(c.x)) + c.look_up(v(c.x + 1)) + c.look_up(v(c.x + 2)) + v(c.x) * v(c.x + 1) * v(c.x + 2);
    f.vectorize(c.x, 16);
    expect_same<int>(f, {64});
}

/// Bounds of a reduction that are read from an input, under schedules that bind them by lets.
TEST(MemoryValues, BoundLoops) {
    using Schedule = std::function<void(Stage, RVar, Func)>;
    const RVar ro("ro"), ri("ri");
    const std::vector<Schedule> schedules = {
        [](const Stage &, const RVar &, const Func &) {},
        [&](Stage update, const RVar &r, const Func &) { update.split(r, ro, ri, 4); },
        [](Stage update, const RVar &r, const Func &) { update.unroll(r, 4); },
        [](Stage update, const RVar &r, const Func &) { update.vectorize(r, 8); },
        [](const Stage &, const RVar &, Func g) { g.compute_root(); },
        [&](Stage update, const RVar &r, Func g) {
            g.compute_root().vectorize(g.args()[0], 8);
            update.split(r, ro, ri, 4).unroll(ri);
        },
    };
    for (size_t i = 0; i < schedules.size(); i++) {
        Values c;
        c.in(0) = 0x40000005, c.in(1) = 0x40000013;
        Func f("f"), g("g");
        RDom r(clamp(4 * c.in(Expr(0)) / 4, 0, 50), clamp(4 * c.in(Expr(1)) / 4, 0, 100), "r");
        g(c.x) = c.table(clamp(c.x, 0, 63)) ^ c.x;
        f() = 0;
        f() += g(r) * 3 + r;
        schedules[i](f.update(), r.x, g);
        expect_same<int>(f, {}, std::to_string(i));
    }
}

} // namespace
} // namespace fluorite::memory_values_test
