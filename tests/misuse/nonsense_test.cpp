// Programs that must not compile, as C++ would convert their values to something else. Each line is a requirement, so
// this file compiles only if none of them does. Most have a similar line that is legal.
#include "fluorite/fluorite.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::nonsense_test {
namespace {

/// The type, dependent on a parameter, so that a requirement that fails gives false and no error.
template <typename T, typename> struct Later {
    using type = T;
};

#define FLUORITE_COMPILES(parameters, ...)                                                                             \
    ([]<typename D>(D) {                                                                                               \
        using Fn [[maybe_unused]] = typename Later<Func, D>::type;                                                     \
        using Ex [[maybe_unused]] = typename Later<Expr, D>::type;                                                     \
        using V [[maybe_unused]] = typename Later<Var, D>::type;                                                       \
        using Rv [[maybe_unused]] = typename Later<RVar, D>::type;                                                     \
        using Rd [[maybe_unused]] = typename Later<RDom, D>::type;                                                     \
        using Pl [[maybe_unused]] = typename Later<Pipeline, D>::type;                                                 \
        using Im [[maybe_unused]] = typename Later<ImageParam, D>::type;                                               \
        using Bf [[maybe_unused]] = typename Later<Buffer<float>, D>::type;                                            \
        using Bv [[maybe_unused]] = typename Later<Buffer<>, D>::type;                                                 \
        using Pi [[maybe_unused]] = typename Later<Param<int>, D>::type;                                               \
        using Pb [[maybe_unused]] = typename Later<Param<bool>, D>::type;                                              \
        using Tu [[maybe_unused]] = typename Later<Tuple, D>::type;                                                    \
        using Re [[maybe_unused]] = typename Later<Realization, D>::type;                                              \
        using Ll [[maybe_unused]] = typename Later<LoopLevel, D>::type;                                                \
        return                                                                                                         \
            requires parameters                                                                                        \
        {                                                                                                              \
            __VA_ARGS__;                                                                                               \
        };                                                                                                             \
    }(0))
#define FLUORITE_MEANT(...) static_assert(FLUORITE_COMPILES(__VA_ARGS__))
#define FLUORITE_NONSENSE(...) static_assert(!FLUORITE_COMPILES(__VA_ARGS__))

// Sizes are integers.
FLUORITE_MEANT((Fn f), f.realize(10, 20u));
FLUORITE_MEANT((Fn f, size_t n), f.realize(n, n, n, n));
FLUORITE_NONSENSE((Fn f), f.realize(10.5));
FLUORITE_NONSENSE((Fn f), f.realize(10.5f));
FLUORITE_NONSENSE((Fn f), f.realize(10, 10.5));
FLUORITE_NONSENSE((Fn f), f.realize(10, 10, 10, 10.5));
FLUORITE_NONSENSE((Fn f), f.realize({10, 10.5}));
FLUORITE_NONSENSE((Fn f, std::vector<double> sizes), f.realize(sizes));
FLUORITE_NONSENSE((Fn f), f.realize(true));
FLUORITE_NONSENSE((Fn f), f.realize('a'));
FLUORITE_NONSENSE((Fn f, V x), f.realize(x));
FLUORITE_NONSENSE((Fn f), f.realize("10"));
FLUORITE_NONSENSE((Pl p), p.realize(10.5));
FLUORITE_NONSENSE((Pl p), p.realize(10, 10.5));
FLUORITE_NONSENSE((Fn f), f.infer_input_bounds(10.5));
FLUORITE_NONSENSE((Fn f), f.infer_input_bounds(10, 10.5));
FLUORITE_MEANT((size_t n), Bf(n, n));
FLUORITE_MEANT((), Bf(10, 10, "name"));
FLUORITE_NONSENSE((), Bf(10.5));
FLUORITE_NONSENSE((), Bf(10.5, 10));
FLUORITE_NONSENSE((), Bf(10, 10.5));
FLUORITE_NONSENSE((), Bf(true));
FLUORITE_NONSENSE((), Bf(nullptr));
FLUORITE_NONSENSE((), Bf("name"));
FLUORITE_NONSENSE((), Bv(Int(32), 10.5));
FLUORITE_NONSENSE((std::vector<double> sizes), Bf(sizes));

// The result of a call cannot be assigned to, unless it is that of a Func.
FLUORITE_MEANT((Fn f, V x), f(x) = 3);
FLUORITE_MEANT((Bf b), b(0) = 3);
FLUORITE_MEANT((Bf b, V x), b(x) + 1);
FLUORITE_NONSENSE((Bf b, V x), b(x) = 3);
FLUORITE_NONSENSE((Bf b, V x), b(x) = x);
FLUORITE_NONSENSE((Bf b, V x), b(x) += 3);
FLUORITE_NONSENSE((Im b, V x), b(x) = 3);
FLUORITE_NONSENSE((Ex e), e + 1 = e);

// Coordinates are numbers.
FLUORITE_MEANT((Fn f, V x), f(x, 3));
FLUORITE_NONSENSE((Fn f), f("x"));
FLUORITE_NONSENSE((Fn f), f("x") = 3);
FLUORITE_NONSENSE((Fn f, std::string x), f(x));
FLUORITE_NONSENSE((Fn f, V x), f(x, "y"));
FLUORITE_NONSENSE((Fn f), f('x'));
FLUORITE_NONSENSE((Fn f), f(true));
FLUORITE_NONSENSE((Fn f), f(nullptr));
FLUORITE_NONSENSE((Fn f, Fn g), f(g));
FLUORITE_NONSENSE((Im b), b("x"));
FLUORITE_NONSENSE((Im b), b('x'));
FLUORITE_NONSENSE((Im b), b(true));
FLUORITE_NONSENSE((Bf b), b(0.5));
FLUORITE_NONSENSE((Bf b), b("x"));
FLUORITE_NONSENSE((Bf b), b(nullptr));
FLUORITE_NONSENSE((Bf b, V x), b(x, 0.5));
FLUORITE_NONSENSE((Bf b, V x), b(x, "y"));

// Values are not texts, pointers, Funcs or buffers.
FLUORITE_NONSENSE((Fn f, V x), f(x) = "hello");
FLUORITE_NONSENSE((Fn f, V x, std::string text), f(x) = text);
FLUORITE_NONSENSE((Fn f, V x), f(x) = nullptr);
FLUORITE_NONSENSE((Fn f, V x), f(x) = &x);
FLUORITE_NONSENSE((Fn f, V x, Fn g), f(x) = g);
FLUORITE_NONSENSE((Fn f, V x, Bf b), f(x) = b);
FLUORITE_NONSENSE((Fn f, V x, Im b), f(x) = b);
FLUORITE_NONSENSE((Fn f, V x), f(x) += "hello");
FLUORITE_NONSENSE((Fn f, V x), f(x)[0] = "hello");
FLUORITE_NONSENSE((Ex e), e + "a");
FLUORITE_NONSENSE((Ex e), e == "a");
FLUORITE_NONSENSE((Ex e), e += "a");
FLUORITE_NONSENSE((Ex e), e == nullptr);
FLUORITE_NONSENSE((Ex e, int *p), e + p);
FLUORITE_NONSENSE((Ex e), select(e, "a", "b"));
FLUORITE_NONSENSE((Ex e), select("a", e, e));
FLUORITE_NONSENSE((Ex e), min(e, "a"));
FLUORITE_NONSENSE((Ex e), clamp(e, "a", "b"));
FLUORITE_NONSENSE((Ex e), pow(e, nullptr));
FLUORITE_MEANT((Ex e), print(e, "is", 2.5, "or", 3));
FLUORITE_MEANT((Ex e), require(e, e, "reason", e));

// Pointers and texts are not conditions; Exprs and Funcs are not conditions of C++.
FLUORITE_NONSENSE((int *p), Ex(p));
FLUORITE_NONSENSE((), Ex(nullptr));
FLUORITE_NONSENSE((Ex e), e = nullptr);
FLUORITE_MEANT((), Ex(true));
FLUORITE_NONSENSE((Ex e), e ? 1 : 2);
FLUORITE_NONSENSE((Fn f), f ? 1 : 2);
FLUORITE_NONSENSE((Fn f, Fn g), f == g);
FLUORITE_NONSENSE((Fn f, Fn g), f < g);
FLUORITE_NONSENSE((Fn f), !f);
FLUORITE_NONSENSE((Fn f), f + 1);
FLUORITE_NONSENSE((Pb p), p.set("a"));
FLUORITE_NONSENSE((Pb p, int *q), p.set(q));
FLUORITE_NONSENSE((), Pb(nullptr));
FLUORITE_NONSENSE((), Pi(nullptr));
FLUORITE_NONSENSE((Pi p), p.set("a"));
FLUORITE_NONSENSE((Pi p), p.set_range(0, "a"));
FLUORITE_NONSENSE((Fn f, V x), f.fold_storage(x, 2, "a"));
FLUORITE_NONSENSE((Fn f, V x), f.fold_storage(x, 2, 5));
FLUORITE_MEANT((Fn f, V x), f.fold_storage(x, 2, false));
FLUORITE_NONSENSE((Fn f), f.atomic(3));
FLUORITE_NONSENSE((Fn f), f.atomic("a"));
FLUORITE_MEANT((Fn f), f.atomic(true));

// Names are texts.
FLUORITE_MEANT((std::string name), V(name));
FLUORITE_NONSENSE((), V(nullptr));
FLUORITE_NONSENSE((), V(0));
FLUORITE_NONSENSE((), V('x'));
FLUORITE_NONSENSE((V x), x = 3);
FLUORITE_NONSENSE((), Rv(nullptr));
FLUORITE_NONSENSE((), Rv(0));
FLUORITE_NONSENSE((), Fn(nullptr));
FLUORITE_NONSENSE((), Fn(0));
FLUORITE_NONSENSE((), Pl(nullptr));

// Domains are pairs.
FLUORITE_MEANT((), Rd(0, 10, "r"));
FLUORITE_MEANT((Ex e), Rd(0, e, 5, 7u));
FLUORITE_NONSENSE((), Rd(10));
FLUORITE_NONSENSE((), Rd(0, 10, 5));
FLUORITE_NONSENSE((), Rd(0, "r"));
FLUORITE_NONSENSE((), Rd(0, 10, nullptr));
FLUORITE_NONSENSE((Rd r), r.where(nullptr));

// Numbers that denote an element are integers.
FLUORITE_NONSENSE((Fn f), f.update(0.5));
FLUORITE_NONSENSE((Fn f), f.update(true));
FLUORITE_NONSENSE((Rd r), r[0.5]);
FLUORITE_NONSENSE((Tu t), t[0.5]);
FLUORITE_NONSENSE((Re r), r[0.5]);
FLUORITE_NONSENSE((Fn f, V x), f(x)[0.5]);
FLUORITE_NONSENSE((Fn f, V x), f(x)[true]);
FLUORITE_NONSENSE((Bf b), b.dim(0.5));
FLUORITE_NONSENSE((Bf b), b.crop(0, 0.5, 2));
FLUORITE_NONSENSE((Bf b), b.set_min(0.5));
FLUORITE_NONSENSE((Bf b), b.transposed(0.5, 1));
FLUORITE_NONSENSE((Im b), b.dim(0.5));
FLUORITE_NONSENSE((Im b), b.dim(true));
FLUORITE_NONSENSE((Im b), b.set_host_alignment(2.5));
FLUORITE_NONSENSE((), Im(Int(32), 2.5));
FLUORITE_NONSENSE((Fn f, V x), Ll(f, x, 2.5));
FLUORITE_NONSENSE((Fn f, V x), Ll(f, x, true));
FLUORITE_NONSENSE((Fn f), f.vectorize("x", 8));
FLUORITE_NONSENSE((Fn f, Ex e), f.parallel(e));

std::string slug_of(const std::function<void()> &run) {
    try {
        run();
    } catch (const Error &error) {
        return error.slug();
    }
    return "";
}

TEST(Nonsense, SizesThatAreNoInt32AreRefused) {
    const Var x("x");
    Func f("f");
    f(x) = x;
    try {
        f.realize(uint32_t{4294967295});
        ADD_FAILURE() << "a size of 2^32 - 1 is accepted";
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "buffer-too-large");
        EXPECT_EQ(error.message(),
                  "in realize: the size 4294967295 is given; sizes are 32-bit; give one below 2147483648");
    }
    EXPECT_EQ(slug_of([&] { f.realize((size_t{1} << 32) + 10); }), "buffer-too-large");
    EXPECT_EQ(slug_of([&] { f.realize(-5); }), "negative-extent");
    EXPECT_EQ(slug_of([] { const Buffer<int> b((int64_t{1} << 32) + 1); }), "buffer-too-large");
    EXPECT_EQ(slug_of([] { const Buffer<int> b(4, -1); }), "negative-extent");
    EXPECT_EQ(slug_of([] { Tuple(Expr(1), Expr(2))[2]; }), "tuple-size");
    EXPECT_EQ(slug_of([] { Tuple(Expr(1), Expr(2))[-1]; }), "tuple-size");
}

TEST(Nonsense, ParamsKeepTheirValues) {
    Param<int> integer("integer");
    Param<uint8_t> byte("byte");
    Param<bool> flag("flag");
    Param<float> number("number");
    try {
        integer.set(2.5);
        ADD_FAILURE() << "an int Param takes 2.5";
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "literal-out-of-range");
        EXPECT_EQ(error.message(),
                  "in integer: its value is set to 2.500000, and its type is int32; a value is one of the "
                  "type's, floats may round; set such a value, or give the Param another type");
    }
    for (const auto &bad : std::vector<std::function<void()>>{
             [&] { integer.set(int64_t{1} << 40); }, [&] { integer.set(3000000000U); }, [&] { integer.set(1e10); },
             [&] { byte.set(300); }, [&] { byte.set(-1); }, [&] { flag.set(2); }, [&] { flag.set(0.5); },
             [&] { number.set(1e300); }, [&] { Param<int> made(2.5); }, [&] { Param<uint8_t> made("made", 256); },
             [&] { integer.set_estimate(0.5); }, [&] { Param<int> made(2.5, 0, 10); }}) {
        EXPECT_EQ(slug_of(bad), "literal-out-of-range");
    }
    integer.set(2.0);
    EXPECT_EQ(integer.get(), 2);
    byte.set(255L);
    EXPECT_EQ(byte.get(), 255);
    number.set(0.1);
    EXPECT_EQ(number.get(), 0.1f);
    number.set(16777217);
    EXPECT_EQ(number.get(), 16777216.0f);
    flag.set(1);
    EXPECT_TRUE(flag.get());
}

} // namespace
} // namespace fluorite::nonsense_test
