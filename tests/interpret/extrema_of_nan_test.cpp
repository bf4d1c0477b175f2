// Minima and maxima of floats, of each other and cast to integers, where a value is NaN or a zero: the code computes
// what the definitions say, whatever LLVM makes of nested ones.

#include "fluorite/fluorite.h"

#include <bit>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace fluorite::extrema_of_nan_test {
namespace {

template <typename T> class ExtremaOfNan : public testing::Test {
  protected:
    static constexpr int points = 19;
    Var x{"x"};
    Buffer<T> values{points};
    Func in{"in"};

    void SetUp() override {
        const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
        const T some[] = {nan, -nan, T(-0.0), T(0), infinity, -infinity, T(-1), T(0.5), T(1), T(300), T(-300)};
        values.for_each_element([&](int i) { values(i) = some[i % 11]; });
        in(x) = values(x);
    }

    /// One value is exact to its bits, since -0.0 and 0.0 are equal.
    static uint64_t bits_of(T value) {
        if constexpr (sizeof(T) == 4) {
            return std::bit_cast<uint32_t>(value);
        } else {
            return std::bit_cast<uint64_t>(value);
        }
    }

    template <typename R> struct Case {
        std::function<Expr(Expr)> of;
        std::function<R(T)> meaning;
    };

    /// All cases as outputs of one pipeline, as they are, in vectors, and of values that another Func stores.
    /// `few` leaves out half of the combinations.
    template <typename R> void expect(const std::vector<Case<R>> &cases, bool few = false) {
        for (const int lanes : {1, 8}) {
            for (const bool is_stored : {false, true}) {
                if (few && is_stored == (lanes > 1)) {
                    continue;
                }
                std::vector<Func> outputs;
                std::vector<Buffer<>> results;
                for (const Case<R> &each : cases) {
                    Func stored("stored"), f("f");
                    stored(x) = in(x);
                    f(x) = each.of(is_stored ? stored(x) : in(x));
                    if (is_stored) {
                        stored.compute_at(f, x);
                    }
                    if (lanes > 1) {
                        f.vectorize(x, lanes, TailStrategy::GuardWithIf);
                    }
                    outputs.push_back(f);
                    results.push_back(Buffer<R>(points));
                }
                Pipeline(outputs).realize(Realization(results));
                for (size_t k = 0; k < cases.size(); k++) {
                    for (int i = 0; i < points; i++) {
                        expect_equal(Buffer<R>(results[k])(i), cases[k].meaning(values(i)),
                                     "case " + std::to_string(k) + ", point " + std::to_string(i) + ", lanes " +
                                         std::to_string(lanes));
                    }
                }
            }
        }
    }

    template <typename R> static void expect_equal(R result, R expected, const std::string &where) {
        if constexpr (!std::is_floating_point_v<R>) {
            EXPECT_EQ(int64_t(result), int64_t(expected)) << where;
        } else if (expected != expected) {
            EXPECT_NE(result, result) << where;
        } else {
            EXPECT_EQ(bits_of(result), bits_of(expected)) << where << ": " << result << " and " << expected;
        }
    }

    static Expr constant(double value) { return cast(type_of<T>(), Expr(value)); }
};

using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(ExtremaOfNan, Floats);

TYPED_TEST(ExtremaOfNan, OfEachOtherInAnyOrder) {
    using T = TypeParam;
    const auto most = [](T a, T b) { return a > b ? a : b; };
    const auto least = [](T a, T b) { return a < b ? a : b; };
    std::vector<typename TestFixture::template Case<T>> cases;
    for (const double limit : {0.0, -0.0, 1.0, -1.0}) {
        const T c = static_cast<T>(limit);
        const Expr e = this->constant(limit), zero = this->constant(-0.0);
        cases.push_back({[=](Expr v) { return max(max(e, v), e); }, [=](T v) { return most(most(c, v), c); }});
        cases.push_back({[=](Expr v) { return max(e, max(v, e)); }, [=](T v) { return most(c, most(v, c)); }});
        cases.push_back({[=](Expr v) { return min(min(e, v), e); }, [=](T v) { return least(least(c, v), c); }});
        cases.push_back({[=](Expr v) { return min(e, min(v, e)); }, [=](T v) { return least(c, least(v, c)); }});
        cases.push_back({[=](Expr v) { return max(max(v, e), zero); }, [=](T v) { return most(most(v, c), T(-0.0)); }});
    }
    this->template expect<T>(cases);
}

/// Selects that are minima or maxima with a constant, of one another, and converted to double.
TYPED_TEST(ExtremaOfNan, AsSelects) {
    using T = TypeParam;
    struct Form {
        std::function<Expr(Expr, Expr, bool)> of;
        std::function<T(T, T)> meaning;
    };
    std::vector<Form> forms;
    for (int number = 0; number < 32; number++) {
        const bool is_least = number & 1, is_strict = number & 2, is_negated = number & 4;
        const bool is_swapped = number & 8, takes_second = number & 16;
        forms.push_back({[=](Expr v, Expr c, bool is_double) {
                             const Expr a = is_swapped ? c : v, b = is_swapped ? v : c;
                             const Expr compared = is_least ? (is_strict ? a < b : a <= b) : is_strict ? a > b : a >= b;
                             const Expr first = takes_second ? c : v, second = takes_second ? v : c;
                             const auto typed = [&](const Expr &e) { return is_double ? cast<double>(e) : e; };
                             return select(is_negated ? !compared : compared, typed(first), typed(second));
                         },
                         [=](T v, T c) {
                             const T a = is_swapped ? c : v, b = is_swapped ? v : c;
                             const bool compared = is_least ? (is_strict ? a < b : a <= b) : is_strict ? a > b : a >= b;
                             return compared != is_negated ? (takes_second ? c : v) : (takes_second ? v : c);
                         }});
    }
    const Expr one = this->constant(1);
    for (size_t number = 0; number < forms.size(); number += 4) {
        if ((number & 8) != 0) {
            continue; // the same comparisons, with operands swapped
        }
        std::vector<typename TestFixture::template Case<T>> cases;
        for (size_t k = number; k < number + 4; k++) {
            const Form &outer = forms[k], &inner = forms[(7 * k + 3) % forms.size()];
            const auto meaning = [=](T v) { return outer.meaning(inner.meaning(v, T(1)), T(1)); };
            cases.push_back({[=](Expr v) { return outer.of(inner.of(v, one, false), one, false); }, meaning});
            for (const bool is_least : {true, false}) {
                const auto extremum = [=](T a, T b) { return is_least ? (a < b ? a : b) : a > b ? a : b; };
                for (const double limit : {1.0, 0.0}) {
                    const Expr c = this->constant(limit);
                    const T of_type = static_cast<T>(limit);
                    const auto most = [=](const Expr &v) { return is_least ? min(c, v) : max(c, v); };
                    const auto meant = [=](T v) { return outer.meaning(extremum(of_type, v), of_type); };
                    cases.push_back({[=](Expr v) { return outer.of(most(v), c, false); }, meant});
                    if (limit == 1) {
                        cases.push_back({[=](Expr v) { return cast<T>(outer.of(most(v), c, true)); }, meant});
                    }
                }
            }
        }
        this->template expect<T>(cases, /*few=*/true);
    }
}

TYPED_TEST(ExtremaOfNan, CastToIntegers) {
    using T = TypeParam;
    const auto saturated = [](T v, T low, T high) { return v != v ? T(0) : v < low ? low : v > high ? high : v; };
    const auto most = [](T a, T b) { return a > b ? a : b; };
    const auto least = [](T a, T b) { return a < b ? a : b; };
    const auto c = [this](double value) { return this->constant(value); };
    Func number("number"); // of whole numbers, whose fraction is a constant to the code generator only
    number(this->x) = this->x;
    const Expr nothing = fract(cast(type_of<T>(), number(this->x)));
    this->template expect<uint8_t>({{[=](Expr v) { return cast<uint8_t>(max(c(0), v)); },
                                     [=](T v) { return uint8_t(saturated(most(T(0), v), 0, 255)); }},
                                    {[=](Expr v) { return cast<uint8_t>(min(c(255), v)); },
                                     [=](T v) { return uint8_t(saturated(least(T(255), v), 0, 255)); }},
                                    {[=](Expr v) { return cast<uint8_t>(max(nothing, v)); },
                                     [=](T v) { return uint8_t(saturated(most(T(0), v), 0, 255)); }},
                                    {[=](Expr v) { return cast<uint8_t>(clamp(v, 0, 255)); },
                                     [=](T v) { return uint8_t(most(least(v, T(255)), T(0))); }}});
    this->template expect<int16_t>({{[=](Expr v) { return cast<int16_t>(max(c(-32768), v)); },
                                     [=](T v) { return int16_t(saturated(most(T(-32768), v), -32768, 32767)); }}});
}

} // namespace
} // namespace fluorite::extrema_of_nan_test
