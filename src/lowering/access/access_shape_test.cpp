#include "lowering/access/access_shape.h"

#include "ir/parse.h"
#include "ir/print.h"
#include "support/check.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::access_shape_test {
namespace {

using namespace ir;

/// `strided x by 2, 8 lanes` for the index of a text.
std::string shape_text(const std::string &index) {
    static const char *const words[] = {"scalar", "uniform", "strided", "blocks", "other"};
    const AccessShape shape = access_shape(parse_expr(index));
    return concat(shape.is_dense() ? "dense " : "", words[index_of(shape.kind)],
                  shape.first.defined() ? " " + to_text(shape.first) : "",
                  shape.stride.defined() ? " by " + to_text(shape.stride) : "", ", ", shape.lanes, " lanes");
}

TEST(AccessShape, FollowsFromTheFormOfTheIndex) {
    EXPECT_EQ(shape_text("x + 1"), "scalar x + 1, 1 lanes");
    EXPECT_EQ(shape_text("broadcast(x, 8)"), "uniform x, 8 lanes");
    EXPECT_EQ(shape_text("ramp(x, 1, 8)"), "dense strided x by 1, 8 lanes");
    EXPECT_EQ(shape_text("ramp(x:int64, 1:int64, 8)"), "dense strided x:int64 by 1:int64, 8 lanes");
    EXPECT_EQ(shape_text("ramp(x, -1, 8)"), "strided x by -1, 8 lanes");
    EXPECT_EQ(shape_text("ramp(x, s, 3)"), "strided x by s, 3 lanes");
    EXPECT_EQ(shape_text("ramp(x, 1, 8) + broadcast(y, 8)"), "other, 8 lanes");
    EXPECT_EQ(shape_text("x:int32x4"), "other, 4 lanes");
    EXPECT_EQ(shape_text("g[ramp(x, 1, 8)]:int32x8"), "other, 8 lanes");
}

TEST(AccessShape, RampsOfVectorsAreBlocks) {
    EXPECT_EQ(shape_text("ramp(ramp(x, 1, 8), broadcast(w, 8), 4)"),
              "blocks ramp(x, 1, 8) by broadcast(w, 8), 32 lanes");
    EXPECT_EQ(shape_text("broadcast(ramp(x, 1, 8), 4)"), "blocks ramp(x, 1, 8), 32 lanes");
    EXPECT_EQ(shape_text("broadcast(broadcast(x, 8), 4)"), "blocks broadcast(x, 8), 32 lanes");
    // A stride of 1 from block to block does not make the lanes neighbours.
    EXPECT_EQ(shape_text("ramp(ramp(x, 2, 4), broadcast(1, 4), 2)"),
              "blocks ramp(x, 2, 4) by broadcast(1, 4), 8 lanes");
}

TEST(AccessShape, ConstantStrides) {
    const auto stride = [](const char *index) { return access_shape(parse_expr(index)).constant_stride(); };
    EXPECT_EQ(stride("ramp(x, 3, 8)"), 3);
    EXPECT_EQ(stride("ramp(x, s, 8)"), std::nullopt);
    EXPECT_EQ(stride("broadcast(x, 8)"), std::nullopt);
    EXPECT_EQ(stride("ramp(ramp(x, 1, 8), broadcast(8, 8), 4)"), std::nullopt);
    EXPECT_EQ(stride("x"), std::nullopt);
}

TEST(AccessShape, DenseIndicesAreMadeAndRead) {
    const Expr x = parse_expr("x"), wide = parse_expr("x:int64");
    EXPECT_EQ(to_text(dense_index(x, 8)), "ramp(x, 1, 8)");
    EXPECT_TRUE(equal(dense_index(x, 1), x));
    EXPECT_TRUE(equal(first_of_dense(dense_index(wide, 5)), wide));
    EXPECT_FALSE(first_of_dense(x).defined());
    EXPECT_FALSE(first_of_dense(parse_expr("ramp(x, 2, 8)")).defined());
    EXPECT_FALSE(first_of_dense(parse_expr("broadcast(x, 8)")).defined());
}

TEST(AccessShape, UniformValues) {
    const auto uniform = [](const char *value) {
        const Expr found = uniform_value(parse_expr(value));
        return found.defined() ? to_text(found) : "none";
    };
    EXPECT_EQ(uniform("x < 3"), "x < 3");
    EXPECT_EQ(uniform("broadcast(x < 3, 4)"), "x < 3");
    EXPECT_EQ(uniform("ramp(x, 1, 4) < broadcast(3, 4)"), "none");
    EXPECT_EQ(uniform("broadcast(ramp(x, 1, 4), 2)"), "none");
}

} // namespace
} // namespace fluorite::lowering::access_shape_test
