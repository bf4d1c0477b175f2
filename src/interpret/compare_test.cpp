// compare_bits: which elements count as different, and the line that reports them.

#include "interpret/compare.h"

#include "interpret/test_graph.h"

#include <cmath>
#include <gtest/gtest.h>

namespace fluorite::interpret::compare_test {
namespace {

using test::TestBuffer;

TEST(Compare, EqualBuffers) {
    TestBuffer<int16_t> a({-1, 2}, {3, 4}), b({-1, 2}, {3, 4});
    a.randomize(1);
    b.data = a.data;
    EXPECT_TRUE(compare_bits(*a.raw(), *b.raw()));
}

TEST(Compare, NamesTheFirstDifference) {
    TestBuffer<int16_t> a({-1, 2}, {3, 4}), b({-1, 2}, {3, 4});
    b(0, 3) = -2;
    b(-1, 4) = 7;
    const Comparison result = compare_bits(*a.raw(), *b.raw());
    EXPECT_EQ(result.text, "2 of 12 elements differ, the first at (0, 3): 0 (0x0) and -2 (0xfffe)");
    EXPECT_EQ(result.differing, 2U);
    EXPECT_EQ(result.first, (std::vector<int32_t>{0, 3}));
}

TEST(Compare, FloatsByTheirBits) {
    TestBuffer<float> a({1}), b({1});
    a.data = {0.0F};
    b.data = {-0.0F};
    EXPECT_EQ(compare_bits(*a.raw(), *b.raw()).text,
              "1 of 1 elements differ, the first at (0): 0 (0x0) and -0 (0x80000000)");
}

TEST(Compare, NansAreEqualUnlessAskedFor) {
    TestBuffer<float> a({1}), b({1});
    a.data = {std::nanf("1")};
    b.data = {-std::nanf("2")};
    EXPECT_TRUE(compare_bits(*a.raw(), *b.raw()));
    EXPECT_FALSE(compare_bits(*a.raw(), *b.raw(), NanPolicy::Exact));
    b.data = {1.0F};
    EXPECT_FALSE(compare_bits(*a.raw(), *b.raw()));
}

TEST(Compare, ShapesMustAgree) {
    TestBuffer<float> a({2, 3}), b({2, 4}), c({2});
    TestBuffer<int32_t> d({2, 3});
    EXPECT_EQ(compare_bits(*a.raw(), *b.raw()).text, "dimension 1 starts at 0 with extent 3 and at 0 with extent 4");
    EXPECT_EQ(compare_bits(*a.raw(), *c.raw()).text, "the ranks are 2 and 1");
    EXPECT_EQ(compare_bits(*a.raw(), *d.raw()).text, "the types are float32 and int32");
}

TEST(Compare, StridesMayDiffer) {
    TestBuffer<uint8_t> a({2, 3}), b({3, 2});
    for (int32_t y = 0; y < 3; y++) {
        for (int32_t x = 0; x < 2; x++) {
            a(x, y) = b(y, x) = static_cast<uint8_t>(x * 10 + y);
        }
    }
    std::swap(b.raw()->dim[0], b.raw()->dim[1]);
    EXPECT_TRUE(compare_bits(*a.raw(), *b.raw()));
}

} // namespace
} // namespace fluorite::interpret::compare_test
