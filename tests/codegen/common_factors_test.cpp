// Sums whose terms have common factors: one product for each factor, and the values of the sum as written.

#include "driver/test_assembly.h"
#include "driver/test_interpreted.h"

#include <gtest/gtest.h>

#include <vector>

namespace fluorite::common_factors_test {

/// Weights that repeat with both signs, powers of two, one and zero among them; narrow types take their low bits.
const std::vector<int> weights = {6, 1, -6, 4, 24, 6, 0, -1, 4, 128, 24, 24, -128, 36, 4, 1};

class FactoredSums : public testing::TestWithParam<Type> {};

TEST_P(FactoredSums, HaveTheValuesOfTheirTerms) {
    const Type type = GetParam();
    const int width = 75, taps = static_cast<int>(weights.size());
    Buffer<> in(type, {width + taps});
    auto *bytes = static_cast<uint8_t *>(in.data());
    for (size_t i = 0; i < in.size_in_bytes(); i++) {
        bytes[i] = static_cast<uint8_t>(i * i * 37 + i * 11);
    }
    for (const int lanes : {4, 7, 32}) {
        Var x("x");
        Func left("left"), nested("nested");
        Expr sum = in(x)*cast(type, weights[0]), first = cast(type, 0), second = cast(type, 0);
        for (int i = 1; i < taps; i++) {
            sum = sum + in(x + i) * cast(type, weights[i]);
            (i % 2 == 0 ? first : second) += in(x + i) * cast(type, weights[i]);
        }
        left(x) = sum;
        nested(x) = (first + (second - in(x)*cast(type, 6))) * cast(type, 6) + in(x + 1) * cast(type, 6) + first;
        for (Func *f : {&left, &nested}) {
            f->vectorize(x, lanes, TailStrategy::GuardWithIf);
            expect_interpreted(*f, {width}, f->name() + " with lanes: " + std::to_string(lanes));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Integers, FactoredSums,
                         testing::Values(Int(8), UInt(8), Int(16), UInt(16), Int(32), UInt(32), Int(64), UInt(64)));

/// Products of 32-bit lanes in a loop over whole vectors.
size_t products(const Func &f) { return count(assembly(f, "x86-64-linux-sse41"), "pmulld"); }

TEST(CommonFactors, TakeOneProductEach) {
    ImageParam in(Int(32), 1, "in");
    Var x("x");
    Func f("symmetric"), twice("shared");
    f(x) = in(x) * 19 + in(x + 1) * 11 + in(x + 2) * 13 + in(x + 3) * 11 + in(x + 4) * 19;
    f.vectorize(x, 4, TailStrategy::RoundUp);
    EXPECT_EQ(products(f), 3U);
    // The product by 19 is a value of its own; it stays one, and the others become one.
    twice(x) = Tuple(in(x) * 19, in(x) * 19 + in(x + 1) * 11 + in(x + 2) * 11);
    twice.vectorize(x, 4, TailStrategy::RoundUp);
    EXPECT_EQ(products(twice), 2U);
}

} // namespace fluorite::common_factors_test
