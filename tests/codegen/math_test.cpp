// Math functions: every processor and every vector width gives the bits of the runtime's C functions, which are also
// those of the interpreter.

#include "fluorite/fluorite.h"
#include "fluorite/runtime/math.h"
#include "support/check.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace fluorite::math_test {
namespace {

using Unary = Expr (*)(const LocatedExpr &);
using Binary = Expr (*)(const LocatedExpr &, const LocatedExpr &);
template <typename T> using UnaryOf = T (*)(T);
template <typename T> using BinaryOf = T (*)(T, T);

struct UnaryFunction {
    const char *name;
    Unary of_expr;
    UnaryOf<float> of_single;
    UnaryOf<double> of_double;
};
struct BinaryFunction {
    const char *name;
    Binary of_expr;
    BinaryOf<float> of_single;
    BinaryOf<double> of_double;
};

#define FLUORITE_ROW(name) {#name, name, fluorite_##name##_f32, fluorite_##name##_f64}
const UnaryFunction unary[] = {FLUORITE_ROW(sin),   FLUORITE_ROW(cos),   FLUORITE_ROW(tan),   FLUORITE_ROW(asin),
                               FLUORITE_ROW(acos),  FLUORITE_ROW(atan),  FLUORITE_ROW(sinh),  FLUORITE_ROW(cosh),
                               FLUORITE_ROW(tanh),  FLUORITE_ROW(asinh), FLUORITE_ROW(acosh), FLUORITE_ROW(atanh),
                               FLUORITE_ROW(exp),   FLUORITE_ROW(log),   FLUORITE_ROW(erf),   FLUORITE_ROW(sqrt),
                               FLUORITE_ROW(round), FLUORITE_ROW(floor)};
const UnaryFunction fast[] = {FLUORITE_ROW(fast_exp), FLUORITE_ROW(fast_log), FLUORITE_ROW(fast_sin),
                              FLUORITE_ROW(fast_cos)};
const BinaryFunction binary[] = {FLUORITE_ROW(pow), FLUORITE_ROW(atan2), FLUORITE_ROW(hypot)};
#undef FLUORITE_ROW

/// Processors whose code this one runs.
std::vector<Target> processors() {
    const Target host = get_host_target();
    std::vector<Target> list;
    for (const char *name : {"x86-64-linux", "x86-64-linux-sse41", "x86-64-linux-avx2", "x86-64-linux-avx2-fma-f16c",
                             "x86-64-linux-avx512_skylake"}) {
        const Target target(name);
        if ((!target.has_feature(Target::AVX2) || host.has_feature(Target::AVX2)) &&
            (!target.has_feature(Target::FMA) || host.has_feature(Target::FMA)) &&
            (!target.has_feature(Target::AVX512_Skylake) || host.has_feature(Target::AVX512_Skylake))) {
            list.push_back(target);
        }
    }
    list.push_back(host);
    return list;
}

template <typename T> std::vector<T> special() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (const double magnitude : {0.0,
                                   0.25,
                                   0.5,
                                   1.0,
                                   1.5,
                                   2.0,
                                   3.0,
                                   8.0,
                                   86.5,
                                   88.0,
                                   88.8,
                                   103.0,
                                   105.0,
                                   110.0,
                                   16777216.0,
                                   double{Limits::min()},
                                   double{Limits::denorm_min()},
                                   double{Limits::max()},
                                   double{Limits::infinity()},
                                   double{Limits::quiet_NaN()}}) {
        values.push_back(static_cast<T>(magnitude));
        values.push_back(static_cast<T>(-magnitude));
    }
    return values;
}

/// Special values in every pair of places, then ranges in which functions are usual, then any bits.
template <typename T> std::vector<T> arguments(int operand) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    const std::vector<T> some = special<T>();
    std::vector<T> values;
    for (size_t i = 0; i < some.size() * some.size(); i++) {
        values.push_back(some[operand == 0 ? i / some.size() : i % some.size()]);
    }
    std::mt19937_64 random(static_cast<uint64_t>(operand) + 1);
    for (const double range : {1.0, 3.0, 20.0, 80.0, 110.0, 1000.0}) {
        std::uniform_real_distribution<double> number(-range, range);
        for (int i = 0; i < 512; i++) {
            values.push_back(static_cast<T>(number(random)));
        }
        // Whole vectors without negative numbers, which the logarithm's usual kernel takes.
        for (int i = 0; i < 512; i++) {
            values.push_back(static_cast<T>(std::abs(number(random))));
        }
    }
    while (values.size() < 16384) {
        values.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
    }
    return values;
}

template <typename T>
void compare(const Buffer<T> &got, const std::function<T(int)> &wanted, const std::string &where) {
    int differing = 0;
    for (int i = 0; i < got.width(); i++) {
        const T g = got(i), w = wanted(i);
        const bool is_same = std::memcmp(&g, &w, sizeof(T)) == 0 || (std::isnan(g) && std::isnan(w));
        if (!is_same && differing++ == 0) {
            ADD_FAILURE() << where << ": element " << i << " is " << g << ", not " << w;
        }
    }
    EXPECT_EQ(differing, 0) << where;
}

template <typename T> void compare_all(const Target &target, int lanes) {
    std::vector<T> xs = arguments<T>(0), ys = arguments<T>(1);
    const int count = static_cast<int>(xs.size());
    const Buffer<T> a(xs.data(), count), b(ys.data(), count);
    Var x("x");
    std::vector<Expr> values;
    std::vector<std::function<T(int)>> wanted;
    std::vector<std::string> names;
    const auto add = [&](const std::string &name, const Expr &value, const std::function<T(int)> &function) {
        values.push_back(value);
        wanted.push_back(function);
        names.push_back(concat(name, " of ", type_of<T>(), " in vectors of ", lanes, " for ", target.to_string()));
    };
    const auto add_unary = [&](const UnaryFunction &row) {
        add(row.name, row.of_expr(a(x)), [&xs, &row](int i) {
            const auto at = static_cast<size_t>(i);
            if constexpr (sizeof(T) == 4) {
                return row.of_single(xs[at]);
            } else {
                return row.of_double(xs[at]);
            }
        });
    };
    for (const UnaryFunction &row : unary) {
        add_unary(row);
    }
    if (sizeof(T) == 4) {
        for (const UnaryFunction &row : fast) {
            add_unary(row);
        }
    }
    const auto power = [](T u, T v) {
        if constexpr (sizeof(T) == 4) {
            return fluorite_pow_f32(u, v);
        } else {
            return fluorite_pow_f64(u, v);
        }
    };
    for (const BinaryFunction &row : binary) {
        add(row.name, row.of_expr(a(x), b(x)), [&xs, &ys, &row](int i) {
            const auto at = static_cast<size_t>(i);
            if constexpr (sizeof(T) == 4) {
                return row.of_single(xs[at], ys[at]);
            } else {
                return row.of_double(xs[at], ys[at]);
            }
        });
    }
    // Constants give the bits of variables.
    for (const double constant : {0.4, 2.2, -1.5, 0.5, 7.25}) {
        add(concat("power ", constant), pow(a(x), cast<T>(Expr(constant))),
            [&xs, power, constant](int i) { return power(xs[static_cast<size_t>(i)], static_cast<T>(constant)); });
    }
    for (const double constant : {2.0, 10.0, 0.25}) {
        add(concat("power of ", constant), pow(cast<T>(Expr(constant)), a(x)),
            [&xs, power, constant](int i) { return power(static_cast<T>(constant), xs[static_cast<size_t>(i)]); });
    }
    Func f("math");
    f(x) = Tuple(values);
    if (lanes > 1) {
        f.vectorize(x, lanes);
    }
    const Realization outputs = f.realize({count}, target);
    for (size_t i = 0; i < values.size(); i++) {
        compare<T>(outputs[i], wanted[i], names[i]);
    }
}

TEST(MathFunctions, HaveTheSameBitsOnEveryProcessor) {
    for (const Target &target : processors()) {
        compare_all<float>(target, 8);
        compare_all<double>(target, 4);
    }
}

TEST(MathFunctions, HaveTheSameBitsInEveryVectorWidth) {
    const std::vector<Target> all = processors();
    for (const int lanes : {1, 4, 16}) {
        compare_all<float>(all.back(), lanes);
        compare_all<float>(all[1], lanes);
    }
    for (const int lanes : {1, 2, 8}) {
        compare_all<double>(all.back(), lanes);
    }
}

} // namespace
} // namespace fluorite::math_test
