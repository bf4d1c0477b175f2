// Updates: sums, products, scans, overwrites, maxima, histograms, tuples.
#include "tests/derivative/gradients.h"

namespace fluorite::updates_test {
namespace {

const Var x("x"), y("y");

TEST(DerivativeUpdates, SumOverAnRDom) {
    const Buffer<double> a = numbers<double>({7, 5}, 1), b = numbers<double>({5}, 2);
    RDom r(0, 5, "r");
    Func f("f");
    f(x) = a(x, 0);
    f(x) += a(x, r) * b(r);
    expect_gradients<double>(f, {a, b}, {{7}});
}

TEST(DerivativeUpdates, ProductOfAllNumbers) {
    const Buffer<double> a = numbers<double>({7}, 1);
    RDom r(0, 7, "r");
    Func f("f");
    f() = cast<double>(1);
    f() *= a(r);
    expect_gradients<double>(f, {a}, {{}});
}

TEST(DerivativeUpdates, ProductOfEachRow) {
    const Buffer<double> a = numbers<double>({3, 5}, 1);
    RDom r(0, 5, "r");
    r.where(r.x != 2);
    Func f("f");
    f(x) = a(x, 0);
    f(x) *= a(x, r);
    expect_gradients<double>(f, {a}, {{3}});
}

TEST(DerivativeUpdates, OverwrittenPoints) {
    const Buffer<double> a = numbers<double>({7}, 1);
    Func f("f");
    f(x) = a(x) * a(x);
    f(3) = a(5);
    f(x) = sin(f(x)) * a(x);
    expect_gradients<double>(f, {a}, {{7}});
}

TEST(DerivativeUpdates, LastWriteWins) {
    const Buffer<double> a = numbers<double>({7}, 1), b = numbers<double>({3}, 2);
    RDom r(0, 7, "r");
    Func f("f");
    f(x) = b(x);
    f(1) = a(r);
    expect_gradients<double>(f, {a, b}, {{3}});
}

TEST(DerivativeUpdates, PrefixSum) {
    const Buffer<double> a = numbers<double>({7, 3}, 1);
    RDom r(1, 6, "r");
    Func f("f");
    f(x, y) = a(x, y);
    f(r, y) += f(r - 1, y);
    expect_gradients<double>(f, {a}, {{7, 3}});
}

TEST(DerivativeUpdates, RecurrenceWithProducts) {
    const Buffer<double> a = numbers<double>({7}, 1, 0.5, 1.5), b = numbers<double>({7}, 2);
    RDom r(1, 6, "r");
    Func f("f");
    f(x) = b(x);
    f(r) = f(r - 1) * f(r - 1) * a(r) + f(r) * b(r);
    expect_gradients<double>(f, {a, b}, {{7}});
}

TEST(DerivativeUpdates, BackwardRecurrenceOfSecondOrder) {
    const Buffer<double> a = numbers<double>({9}, 1);
    RDom r(2, 7, "r");
    Func f("f");
    f(x) = a(x);
    f(8 - r) = sin(f(9 - r)) + f(10 - r) * a(8 - r);
    expect_gradients<double>(f, {a}, {{9}});
}

TEST(DerivativeUpdates, SmoothingInPlace) {
    const Buffer<double> a = numbers<double>({8}, 1);
    RDom r(1, 6, "r");
    Func f("f");
    f(x) = a(x);
    f(r) = f(r - 1) * f(r) + f(r + 1) * f(r + 1);
    expect_gradients<double>(f, {a}, {{8}});
}

TEST(DerivativeUpdates, RecurrenceInTwoDimensions) {
    const Buffer<double> a = numbers<double>({5, 4}, 1, -1, 1);
    RDom r(1, 4, 1, 3, "r");
    Func f("f");
    f(x, y) = a(x, y);
    f(r.x, r.y) = f(r.x - 1, r.y) * a(r.x, r.y) + sin(f(r.x, r.y - 1)) + f(r.x - 1, r.y - 1);
    expect_gradients<double>(f, {a}, {{5, 4}});
}

TEST(DerivativeUpdates, RecurrenceWithAPredicate) {
    const Buffer<double> a = numbers<double>({9}, 1);
    RDom r(0, 9, "r");
    r.where(r > 0 && r % 3 != 1);
    Func f("f");
    f(x) = a(x);
    f(r) = sin(f(r - 1)) * a(r - 1);
    expect_gradients<double>(f, {a}, {{9}});
}

TEST(DerivativeUpdates, PlanesThatAlternate) {
    const Buffer<double> a = numbers<double>({6, 2}, 1);
    RDom r(1, 4, "r");
    Func f("f");
    f(x, y) = a(x, y);
    f(r, 0) = f(r - 1, 1) * f(r + 1, 1);
    f(r, 1) = f(r - 1, 0) * f(r, 1);
    expect_gradients<double>(f, {a}, {{6, 2}});
}

TEST(DerivativeUpdates, Maximum) {
    const Buffer<double> a = numbers<double>({3, 9}, 1);
    RDom r(0, 9, "r");
    Func f("f");
    f(x) = maximum(a(x, r) * a(x, r)) + minimum(sin(a(x, r)));
    expect_gradients<double>(f, {a}, {{3}});
}

TEST(DerivativeUpdates, ArgumentOfTheMaximum) {
    const Buffer<double> a = numbers<double>({9}, 1), b = numbers<double>({9}, 2);
    RDom r(0, 9, "r");
    Func best("best"), f("f");
    best() = argmax(a(r));
    f() = b(clamp(best()[0], 0, 8)) * best()[1];
    expect_gradients<double>(f, {a, b}, {{}});
}

TEST(DerivativeUpdates, Histogram) {
    const Buffer<double> a = numbers<double>({11}, 1);
    Buffer<uint8_t> bin(11);
    for (int i = 0; i < 11; i++) {
        bin(i) = static_cast<uint8_t>(i * 7 % 5);
    }
    RDom r(0, 11, "r");
    Func f("f");
    f(x) = cast<double>(0);
    f(clamp(cast<int>(bin(r)), 0, 4)) += a(r) * a(r);
    expect_gradients<double>(f, {a}, {{5}});
}

TEST(DerivativeUpdates, HistogramOfProducts) {
    const Buffer<double> a = numbers<double>({11}, 1, 0.5, 1.5), b = numbers<double>({2, 5}, 2);
    Buffer<uint8_t> bin(11);
    for (int i = 0; i < 11; i++) {
        bin(i) = static_cast<uint8_t>(i * 7 % 5);
    }
    RDom r(0, 11, "r");
    const Expr place = clamp(cast<int>(bin(r)), 0, 4);
    Func f("f");
    f(x, y) = b(x, y);
    f(x, place) = f(x, place) * a(r) + f(x, clamp(place + 1, 0, 4));
    expect_gradients<double>(f, {a, b}, {{2, 5}});
}

TEST(DerivativeUpdates, Tuples) {
    const Buffer<double> a = numbers<double>({7}, 1);
    RDom r(0, 7, "r");
    Func z("z"), f("f");
    z() = Tuple(cast<double>(1), cast<double>(0.5));
    z() = Tuple(z()[0] * a(r) - z()[1], z()[0] + z()[1] * a(r));
    f(x) = z()[0] * a(x) + z()[1];
    expect_gradients<double>(f, {a}, {{7}});
}

TEST(DerivativeUpdates, TupleOfCountAndSum) {
    const Buffer<double> a = numbers<double>({7}, 1);
    RDom r(0, 7, "r");
    Func z("z"), f("f");
    z() = Tuple(0, cast<double>(0));
    z() = Tuple(z()[0] + 1, z()[1] + a(r) * a(r));
    f() = z()[1] / cast<double>(z()[0]);
    expect_gradients<double>(f, {a}, {{}});
}

TEST(DerivativeUpdates, PointsThatKeepTheirValue) {
    const Buffer<double> a = numbers<double>({7}, 1);
    RDom r(0, 7, "r");
    Func f("f");
    f(x) = a(x);
    f(r) = select(a(r) > 0, a(6 - r) * f(r), undef<double>());
    expect_gradients<double>(f, {a}, {{7}});
}

TEST(DerivativeUpdates, PredicatesOnTheFuncItself) {
    const Buffer<double> a = numbers<double>({8}, 1);
    Func f("f");
    f(x) = a(x) * 1.5;
    RDom r(1, 7, "r");
    r.where(f(r - 1) > 0.25);
    f(r) = f(r - 1) * a(r);
    expect_gradients<double>(f, {a}, {{8}});
}

TEST(DerivativeUpdates, RDomsOfRunTimeSize) {
    const Buffer<double> a = numbers<double>({8, 3}, 1);
    Param<int> count("count", 5), first("first", 2);
    RDom r(first, count, 0, 3, "r");
    Func f("f"), g("g"), h("h");
    f() = cast<double>(1);
    f() = f() * a(r.x, r.y) + 0.25;
    g(x, y) = a(x, y);
    g(r.x, r.y) = sin(g(r.x - 1, r.y)) * a(r.x, r.y);
    h(x) = f() * g(x, 1);
    expect_gradients<double>(h, {a}, {{8}});
}

TEST(DerivativeUpdates, EmptyRDoms) {
    const Buffer<double> a = numbers<double>({8}, 1);
    RDom r(1, 0, "r");
    Func f("f"), g("g"), h("h");
    f() = a(Expr(2));
    f() += a(r);
    f() *= a(r);
    g(x) = a(x);
    g(r) = g(r - 1) * a(r);
    h(x) = f() * g(x);
    expect_gradients<double>(h, {a}, {{8}});
}

TEST(DerivativeUpdates, FactoredReductions) {
    const Buffer<double> a = numbers<double>({8, 3}, 1);
    RDom r(0, 8, 0, 3, "r");
    Func f("f");
    f() = cast<double>(0);
    f() += a(r.x, r.y) * a(r.x, r.y);
    f.allow_reassociation();
    f.update().rfactor(r.y, Var("u")).compute_root();
    expect_gradients<double>(f, {a}, {{}});
}

TEST(DerivativeUpdates, TupleOutputsWithIntegers) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f"), weights("weights");
    f(x) = Tuple(x, sin(a(x)), cast<float>(a(x) * a(x)));
    weights(x) = Tuple(7.0f, cast<double>(2), cast<float>(x));
    const Derivative d = propagate_adjoints(f, weights, {{1, 3}});
    const Buffer<double> seen = interpreted<double>(d(a), {5});
    for (int i = 0; i < 5; i++) {
        const bool is_inside = i >= 1 && i < 4;
        EXPECT_NEAR(seen(i), is_inside ? 2 * std::cos(a(i)) + 2 * i * a(i) : 0, 1e-12) << i;
    }
    EXPECT_EQ(d(f).types(), (std::vector<Type>{Float(32), Float(64), Float(32)}));
}

TEST(DerivativeUpdates, ManyUpdatesThatReadFormerValues) {
    const Buffer<double> a = numbers<double>({6}, 1);
    RDom r(1, 5, "r");
    Func f("f");
    f(x) = a(x);
    f(x) = f(x) * f(x);
    f(r) = sin(f(r)) * f(r - 1);
    f(2) = f(3) * f(4);
    f(x) += a(x) * f(x) * f(x);
    f(5) *= f(2);
    expect_gradients<double>(f, {a}, {{6}});
}

} // namespace
} // namespace fluorite::updates_test
