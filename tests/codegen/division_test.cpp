// Vectors that are divided by one number, which is known at run time only: the back end multiplies by its reciprocal.

#include "fluorite/fluorite.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace fluorite::division_test {
namespace {

/// floor(a / |b|), with the sign of b: Euclidean division, and 0 where b is 0.
template <typename T> int64_t quotient(T a, T b) {
    if (b == 0) {
        return 0;
    }
    const int64_t wide = b, magnitude = wide < 0 ? -wide : wide;
    int64_t floor = int64_t{a} / magnitude;
    floor -= floor * magnitude > int64_t{a} ? 1 : 0;
    return wide < 0 ? -floor : floor;
}

template <typename T> std::vector<T> interesting() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (int64_t around : {int64_t{Limits::min()}, int64_t{0}, int64_t{Limits::max()}, int64_t{Limits::max()} / 2}) {
        for (int64_t d = -3; d <= 3; d++) {
            values.push_back(static_cast<T>(around + d));
        }
    }
    uint64_t state = 88172645463325252ULL;
    while (values.size() < 64) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        values.push_back(static_cast<T>(state >> (state & 31)));
    }
    return values;
}

template <typename T> class DivisionByOneNumber : public testing::Test {};
using Types = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;
TYPED_TEST_SUITE(DivisionByOneNumber, Types);

// Dividends are multiples of the divisor and their neighbours, where a quotient that is rounded would be off by one;
// those of 16 bits are all there are.
TYPED_TEST(DivisionByOneNumber, IsExact) {
    using T = TypeParam;
    ImageParam in(type_of<T>(), 1);
    Param<T> divisor;
    Var x("x");
    Func f("f");
    f(x) = Tuple(in(x) / divisor, in(x) % divisor);
    f.vectorize(x, 16);
    f.compile_jit();
    for (const T b : interesting<T>()) {
        std::vector<T> dividends;
        if (sizeof(T) <= 2) {
            for (int64_t a = std::numeric_limits<T>::min(); a <= std::numeric_limits<T>::max(); a++) {
                dividends.push_back(static_cast<T>(a));
            }
        } else {
            dividends = interesting<T>();
            for (const T multiple : interesting<T>()) {
                for (int64_t beside : {-1, 0, 1}) {
                    dividends.push_back(static_cast<T>(quotient(multiple, b) * int64_t{b} + beside));
                }
            }
        }
        divisor.set(b);
        const int count = static_cast<int>(dividends.size());
        in.set(Buffer<T>(dividends.data(), count));
        Buffer<T> quotients(count), remainders(count);
        f.realize({quotients, remainders});
        int wrong = 0;
        for (int i = 0; i < count; i++) {
            const T a = dividends[static_cast<size_t>(i)];
            const int64_t q = quotient(a, b), r = b == 0 ? 0 : int64_t{a} - q * int64_t{b};
            wrong += quotients(i) != static_cast<T>(q) || remainders(i) != static_cast<T>(r);
        }
        EXPECT_EQ(wrong, 0) << "divided by " << int64_t{b};
    }
}

} // namespace
} // namespace fluorite::division_test
