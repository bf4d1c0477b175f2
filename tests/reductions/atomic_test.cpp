// atomic: updates from many threads and lanes give the bits of the serial loop.
#include "driver/test_interpreted.h"

#include <functional>
#include <gtest/gtest.h>

namespace fluorite::atomic_test {
namespace {

using Combine = std::function<Expr(Expr old, Expr brought)>;

const std::vector<std::pair<const char *, Combine>> operators = {
    {"+", [](Expr a, Expr b) { return a + b; }},
    {"-", [](Expr a, Expr b) { return a - b; }},
    {"*", [](Expr a, Expr b) { return (b | 1) * a; }},
    {"min", [](Expr a, Expr b) { return min(a, b); }},
    {"max", [](Expr a, Expr b) { return max(a, b); }},
    {"&", [](Expr a, Expr b) { return a & (b | 0x11); }},
    {"|", [](Expr a, Expr b) { return a | (b & 0x11); }},
    {"^", [](Expr a, Expr b) { return a ^ b; }},
    {"guarded +", [](Expr a, Expr b) { return select(b % 3 != 0, a + b, a); }},
};

template <typename T>
void each_schedule(const char *name, const Combine &combine, std::vector<int> schedules = {0, 1, 2, 3, 4, 5}) {
    const Buffer<T> in = random_buffer<T>({67, 31}, 3);
    for (int schedule : schedules) {
        Func f("f");
        Var x("x");
        RDom r(0, 63, 0, 31, "r");
        RVar ro("ro"), ri("ri");
        r.where(r.x != 5);
        f(x) = cast(in.type(), x + 3);
        f(x) = cast(in.type(), combine(f(x), in(x + r.x, r.y)));
        Stage update = f.update();
        switch (schedule) {
        case 0: // needs no promise: lanes are combined
            update.vectorize(r.x, 8);
            break;
        case 1: // with a tail and inner loops
            update.reorder(r.y, r.x).vectorize(r.x, 16);
            break;
        case 2:
            update.atomic().parallel(r.y);
            break;
        case 3:
            update.atomic().parallel(r.y).vectorize(r.x, 8);
            break;
        case 4:
            update.atomic().fuse(r.x, r.y, ro).parallel(ro, 16);
            break;
        default:
            update.atomic().split(r.x, ro, ri, 5).reorder(ri, r.y, ro).parallel(ro).vectorize(ri);
            break;
        }
        expect_interpreted(f, {4}, concat(name, " of ", in.type(), ", schedule ", schedule));
    }
}

/// Every operator under two of the schedules each; `first` varies the schedules between types.
template <typename T> void all_operators(int first) {
    for (size_t i = 0; i < operators.size(); i++) {
        const int a = (static_cast<int>(i) + first) % 6;
        each_schedule<T>(operators[i].first, operators[i].second, {a, (a + 3) % 6});
    }
}

TEST(Atomic, EveryScheduleOfOneOperator) { each_schedule<uint8_t>(operators[8].first, operators[8].second); }
TEST(Atomic, NarrowIntegers) {
    all_operators<uint8_t>(0);
    all_operators<int16_t>(1);
}
TEST(Atomic, WideIntegers) {
    all_operators<int32_t>(2);
    all_operators<uint64_t>(0);
}
TEST(Atomic, OtherIntegers) {
    const auto &[name, combine] = operators[3];
    each_schedule<int8_t>(name, combine, {0, 3});
    each_schedule<uint16_t>(name, combine, {1, 4});
    each_schedule<uint32_t>(name, combine, {2, 5});
    each_schedule<int64_t>(name, combine, {3, 1});
}
TEST(Atomic, Bools) {
    each_schedule<bool>("&&", [](Expr a, Expr b) { return a && b; }, {0, 3});
    each_schedule<bool>("||", [](Expr a, Expr b) { return a || b; }, {1, 4});
    each_schedule<bool>("^", [](Expr a, Expr b) { return a ^ b; }, {3, 5});
}
TEST(Atomic, SaturatingSums) {
    const Combine add = [](Expr a, Expr b) { return saturating_add(a, b / 64); };
    each_schedule<uint8_t>("saturating_add", add, {0, 3});
    each_schedule<uint16_t>("saturating_add", add, {1, 2});
    each_schedule<uint32_t>("saturating_add", add, {5});
    each_schedule<uint64_t>("saturating_add", add, {0, 4});
}

TEST(Atomic, Histograms) {
    const Buffer<uint8_t> in = random_buffer<uint8_t>({131, 67}, 3);
    for (int schedule = 0; schedule < 3; schedule++) {
        Func f("f");
        Var x("x");
        RDom r(in, {});
        RVar ro("ro"), ri("ri");
        f(x) = cast<uint16_t>(x);
        f(cast<int>(in(r.x, r.y)) / 2) += cast<uint16_t>(r.x);
        Stage update = f.update().atomic();
        if (schedule == 0) {
            update.parallel(r.y);
        } else if (schedule == 1) {
            update.vectorize(r.x, 8).parallel(r.y);
        } else {
            update.split(r.y, ro, ri, 9).reorder(r.x, ri, ro).parallel(ro).parallel(ri);
        }
        expect_interpreted(f, {128}, concat("schedule ", schedule));
    }
}

/// Lanes have points of their own; the last vector has some without a point.
template <typename T> void lanes_of_points(const char *name, const Combine &combine) {
    const Buffer<T> in = random_buffer<T>({32, 31}, 3);
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::Predicate}) {
        Func f("f");
        Var x("x"), xo("xo"), xi("xi");
        RDom r(0, 31, "r");
        f(x) = cast(in.type(), x + 3);
        f(x) = cast(in.type(), combine(f(x), in(clamp(x, 0, 31), r)));
        f.update().split(x, xo, xi, 8, tail).reorder(xi, xo, r).vectorize(xi).atomic().parallel(r);
        expect_interpreted(f, {29}, concat(name, " of ", in.type(), ", tail ", static_cast<int>(tail)));
    }
}

TEST(Atomic, LanesUnderAPredicate) {
    for (const size_t i : {size_t{0}, size_t{4}, size_t{8}}) {
        const auto &[name, combine] = operators[i];
        lanes_of_points<uint8_t>(name, combine);
        lanes_of_points<int16_t>(name, combine);
        lanes_of_points<int32_t>(name, combine);
        lanes_of_points<uint64_t>(name, combine);
    }
    lanes_of_points<bool>("^", [](Expr a, Expr b) { return a ^ b; });
}

TEST(Atomic, TuplesUnderALock) {
    const Buffer<int16_t> in = random_buffer<int16_t>({61, 33}, 3);
    Func f("f");
    Var x("x");
    RDom r(0, 61, 0, 33, "r");
    f(x) = Tuple(0, cast<int16_t>(-5), cast<uint8_t>(200));
    const Expr at = cast<int>(in(r.x, r.y)) & 3;
    f(at) = Tuple(f(at)[0] + r.x, max(f(at)[1], in(r.x, r.y)), f(at)[2] ^ cast<uint8_t>(r.x * r.y));
    f.update().atomic().parallel(r.y);
    expect_interpreted(f, {4}, "tuple");
}

TEST(Atomic, FloatsWhereTheProgramAllowsIt) {
    const Buffer<int8_t> in = random_buffer<int8_t>({64, 31}, 3); // sums of small integers are exact
    for (int schedule = 0; schedule < 4; schedule++) {
        for (const Type &type : {Float(32), Float(64)}) {
            Func f("f");
            Var x("x");
            RDom r(0, 60, 0, 31, "r");
            f(x) = cast(type, 0);
            f(x) += cast(type, in(x + r.x, r.y));
            f.allow_reassociation();
            Stage update = f.update().atomic();
            if (schedule != 1) {
                update.vectorize(r.x, 8);
            }
            if (schedule == 1 || schedule == 2) {
                update.parallel(r.y);
            }
            if (schedule == 3) {
                update.reorder(r.y, r.x);
            }
            expect_interpreted(f, {4}, concat("schedule ", schedule, " of ", type));
        }
    }
}

TEST(Atomic, FloatExtremesOfIntegersNeedNoPermission) {
    const Buffer<int16_t> in = random_buffer<int16_t>({64, 31}, 3);
    Func f("f");
    Var x("x");
    RDom r(0, 60, 0, 31, "r");
    f(x) = 1.0F;
    f(x) = min(f(x), cast<float>(in(x + r.x, r.y)));
    f.update().atomic().parallel(r.y).vectorize(r.x, 8);
    expect_interpreted(f, {4}, "min of plain floats");
}

TEST(Atomic, DotProductsInLanes) {
    // Sums of products of small integers are exact in float too; contraction turns them into fused operations.
    const Buffer<int8_t> in = random_buffer<int8_t>({203, 5}, 3);
    for (const Type &type : {Int(32), Float(32), Int(16), UInt(64)}) {
        for (int schedule = 0; schedule < 3; schedule++) {
            Func f("f");
            Var x("x");
            RDom r(0, 199, 0, 5, "r");
            f(x) = cast(type, x);
            f(x) += cast(type, in(r.x + x, r.y)) * cast(type, in(r.x, r.y) % 8);
            f.allow_reassociation();
            Stage update = f.update().atomic();
            if (schedule == 0) {
                update.vectorize(r.x, 16);
            } else if (schedule == 1) {
                update.vectorize(r.x, 8).unroll(r.x, 3).parallel(r.y);
            } else {
                update.reorder(x, r.y, r.x).vectorize(r.x, 32).unroll(x);
                f.bound(x, 0, 4);
            }
            expect_interpreted(f, {4}, concat("schedule ", schedule, " of ", type));
        }
    }
}

TEST(Dependence, RVarsThatTouchDisjointPointsRunAtOnce) {
    const Buffer<int32_t> in = random_buffer<int32_t>({100}, 3);
    Func f("f");
    Var x("x"), y("y");
    RDom r(0, 4, 0, 20, "r");
    f(x, y) = in(x) + y;
    f(4 * r.y + r.x + 3, y) = f(4 * r.y + r.x + 3, y) * f(r.x + 3 + r.y * 4, y) - r.x;
    f.update().parallel(r.y).vectorize(r.x);
    expect_interpreted(f, {90, 3}, "blocks");

    Func g("g");
    RDom e(0, 40, "e");
    g(x) = in(x);
    g(2 * e.x + 1) = g(2 * e.x) + g(2 * e.x + 2) * g(2 * e.x + 1); // red from black
    g.update().parallel(e.x, 7);
    expect_interpreted(g, {90}, "red-black");

    Func h("h");
    RDom s(0, 30, "s");
    h(x) = in(x);
    h(s.x) = h(s.x + 30) - h(s.x); // reads other points than it writes
    h.update().vectorize(s.x, 8);
    expect_interpreted(h, {90}, "apart");
}

// A reduction inside the vectorized loop computes the index of each lane, which is thus loaded from memory of that
// lane.
TEST(Scatters, PlacesFromInnerReductions) {
    const Buffer<uint8_t> in = random_buffer<uint8_t>({48}, 5);
    for (const bool is_atomic : {false, true}) {
        Func largest("largest"), f("f");
        Var x("x");
        RDom near(0, 3), r(0, 37);
        largest(x) = maximum(in(x + near) % 9);
        f(x) = 1;
        f(cast<int>(largest(r))) += 1;
        if (is_atomic) {
            f.update().atomic();
        }
        f.update().vectorize(r, 8, TailStrategy::GuardWithIf);
        const Buffer<int> result = f.realize({9});
        std::vector<int> expected(9, 1);
        for (int i = 0; i < 37; i++) {
            expected[static_cast<size_t>(std::max({in(i) % 9, in(i + 1) % 9, in(i + 2) % 9}))]++;
        }
        for (int i = 0; i < 9; i++) {
            EXPECT_EQ(result(i), expected[static_cast<size_t>(i)]) << "place " << i << ", atomic " << is_atomic;
        }
    }
}

// Atomic updates of values that do not depend on the old one, with each operand that might be taken for it.
TEST(Atomic, StoresThatReplaceTheOldValue) {
    const Buffer<int> in = random_buffer<int>({40}, 5);
    Var x("x");
    for (int kind = 0; kind < 6; kind++) {
        Func f("f");
        RDom r(0, 32, "r");
        f(x) = x * 7;
        const Expr a = in(r), b = in(r + 3), other = f(63 - r);
        const Expr values[] = {a + b, min(a, b), a - other, other - a, other + other, a ^ b};
        f(r) = values[kind];
        f.update().atomic(true).parallel(r);
        const Buffer<int> result = f.realize({64});
        for (int i = 0; i < 32; i++) {
            const int p = in(i), q = in(i + 3), o = (63 - i) * 7;
            const auto wrap = [](int64_t value) { return static_cast<int>(value); };
            const int expected[] = {wrap(int64_t{p} + q), std::min(p, q), wrap(int64_t{p} - o),
                                    wrap(int64_t{o} - p), o + o,          p ^ q};
            EXPECT_EQ(result(i), expected[kind]) << "kind " << kind << " at " << i;
            EXPECT_EQ(result(i + 32), (i + 32) * 7);
        }
    }
}

// If a value is refused while the lock of its Func is held, the lock must be released: otherwise the next run would
// wait forever.
TEST(Atomic, LocksAreReleasedWhereAValueIsRefused) {
    Func f("f");
    Var x("x");
    RDom r(0, 100, "r");
    Param<int> p("p", 1);
    f(x) = Tuple(0, 1);
    f(r % 7) = Tuple(f(r % 7)[0] + require(p > 0, r, "p is", p), f(r % 7)[1] * 3);
    f.update().atomic(/*override_associativity_test=*/true).parallel(r);
    const Realization before = f.realize({7});
    p.set(0);
    EXPECT_THROW(f.realize({7}), RuntimeError);
    p.set(1);
    const Realization after = f.realize({7});
    for (size_t value = 0; value < 2; value++) {
        const Buffer<int> old_values = before[value], new_values = after[value];
        for (int i = 0; i < 7; i++) {
            EXPECT_EQ(old_values(i), new_values(i));
        }
    }
}

} // namespace
} // namespace fluorite::atomic_test
