#include "lowering/access/vector_algebra.h"

#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::vector_algebra_test {
namespace {

using namespace ir;

std::string normal(const char *index) { return to_text(normalize_index(parse_expr(index))); }

TEST(VectorAlgebra, IndicesBecomeRamps) {
    EXPECT_EQ(normal("ramp(x, 1, 8) + broadcast(y, 8)"), "ramp(x + y, 1, 8)");
    EXPECT_EQ(normal("ramp(x, 2, 8) - ramp(y, 1, 8)"), "ramp(x - y, 1, 8)");
    EXPECT_EQ(normal("ramp(x, 1, 8) * broadcast(3, 8)"), "ramp(x * 3, 3, 8)");
    EXPECT_EQ(normal("ramp(x, 4, 8) / broadcast(2, 8)"), "ramp(x / 2, 2, 8)");
    EXPECT_EQ(normal("ramp(x, 3, 8) / broadcast(2, 8)"), "ramp(x, 3, 8) / broadcast(2, 8)");
    EXPECT_EQ(normal("cast<int64x8>(ramp(x, 1, 8))"), "ramp(cast<int64>(x), 1:int64, 8)");
    EXPECT_EQ(normal("ramp(x, 1, 8) - ramp(y, 1, 8)"), "broadcast(x - y, 8)");
}

TEST(VectorAlgebra, NestedRampsThatContinueEachOtherAreOne) {
    EXPECT_EQ(normal("ramp(ramp(x, 1, 8), broadcast(8, 8), 4)"), "ramp(x, 1, 32)");
    EXPECT_EQ(normal("ramp(ramp(x, 1, 8), broadcast(9, 8), 4)"), "ramp(ramp(x, 1, 8), broadcast(9, 8), 4)");
    EXPECT_EQ(normal("broadcast(broadcast(x, 8), 4)"), "broadcast(x, 32)");
}

TEST(VectorAlgebra, OnlyLoadsGetNormalIndices) {
    const auto with = [](const char *text) { return to_text(with_normal_index(parse_expr(text))); };
    EXPECT_EQ(with("f[ramp(x, 1, 8) + broadcast(1, 8)]:int32x8"), "f[ramp(x + 1, 1, 8)]:int32x8");
    EXPECT_EQ(with("ramp(x, 1, 8) + broadcast(1, 8)"), "ramp(x, 1, 8) + broadcast(1, 8)");
    EXPECT_EQ(with("f[x + 0]:int32"), "f[x + 0]:int32");
}

TEST(VectorAlgebra, DivisorsOfStrides) {
    const auto divisor = [](const char *ramp, const char *by) {
        return divisor_of_stride(parse_expr(ramp), parse_expr(by));
    };
    EXPECT_EQ(divisor("ramp(x, 4, 8)", "broadcast(2, 8)"), 2);
    EXPECT_EQ(divisor("ramp(ramp(x, 2, 4), broadcast(16, 4), 2)", "broadcast(2, 8)"), 2);
    EXPECT_EQ(divisor("ramp(x, 4, 8)", "broadcast(3, 8)"), std::nullopt);
    EXPECT_EQ(divisor("ramp(x, 4, 8)", "broadcast(-2, 8)"), std::nullopt);
    EXPECT_EQ(divisor("ramp(g[x]:int32, 4, 8)", "broadcast(2, 8)"), std::nullopt); // which may wrap
    EXPECT_EQ(divisor("ramp(x:uint32, 4:uint32, 8)", "broadcast(2:uint32, 8)"), std::nullopt);
}

} // namespace
} // namespace fluorite::lowering::vector_algebra_test
