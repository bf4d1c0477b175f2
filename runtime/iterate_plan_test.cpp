// Plans of iterated pipelines, read from their text.

#include "runtime/iterate_plan.h"

#include <gtest/gtest.h>

namespace fluorite_runtime::iterate::iterate_plan_test {

namespace {

TEST(IteratePlan, ReadsEveryField) {
    // An input, a scalar and two outputs; `jacobi` over two dimensions with two fields, of which the second starts as
    // argument 0, with tiles of 8 and 3 steps; its fields are the outputs, exchanged.
    const Plan plan = read_plan("4 0 2 1 1 "
                                "1 9 2 2 1 1 8194 65537 -1 0 "
                                "4 2 0 0 1 1 "
                                "5 1 6 0 "
                                "6 5 3 0 4 1 5 0 2 7 6 2 "
                                "33554432 2 8 1 16 0 0 0 7 1 3 1 0 3 0 0 2 1 64 8 0 1 9 1 5 0 "
                                "0 0 2 0 1 0 0");
    EXPECT_EQ(plan.args, (std::vector{ArgKind::Input, ArgKind::Scalar, ArgKind::Output, ArgKind::Output}));
    ASSERT_EQ(plan.iterations.size(), 1U);
    const Iteration &jacobi = plan.iterations[0];
    EXPECT_EQ(jacobi.name, 9);
    EXPECT_EQ(jacobi.rank, 2U);
    EXPECT_TRUE(jacobi.has_before);
    EXPECT_TRUE(jacobi.stops);
    EXPECT_EQ(jacobi.types, (std::vector<uint32_t>{8194, 65537}));
    EXPECT_EQ(jacobi.initial_args, (std::vector<int32_t>{-1, 0}));
    EXPECT_EQ(jacobi.control.function, 4);
    ASSERT_EQ(jacobi.control.args.size(), 2U);
    EXPECT_EQ(jacobi.control.args[1].kind, Argument::Entry);
    EXPECT_EQ(jacobi.control.args[1].index, 1);
    EXPECT_EQ(jacobi.initial.function, 5);
    EXPECT_EQ(jacobi.initial.args.at(0).kind, Argument::Output);
    EXPECT_EQ(jacobi.streaming_bytes, 33554432);
    ASSERT_EQ(jacobi.passes.size(), 3U) << "both tiles, and the body behind them";
    EXPECT_EQ(jacobi.passes[0].steps, 8);
    EXPECT_TRUE(jacobi.passes[0].streams);
    EXPECT_EQ(jacobi.passes[0].least_row, 16);
    EXPECT_EQ(jacobi.passes[0].call.function, 7);
    EXPECT_EQ(jacobi.passes[0].call.args.at(0).kind, Argument::State);
    EXPECT_EQ(jacobi.passes[0].call.args.at(0).index, 1);
    EXPECT_EQ(jacobi.passes[1].steps, 3);
    EXPECT_FALSE(jacobi.passes[1].streams);
    EXPECT_EQ(jacobi.passes[0].shape, BlockShape::None);
    EXPECT_EQ(jacobi.passes[1].shape, BlockShape::Diamond);
    EXPECT_EQ(jacobi.passes[1].dimension, 1U);
    EXPECT_EQ(jacobi.passes[1].extent, 64);
    EXPECT_EQ(jacobi.passes[1].call.function, 8);
    EXPECT_FALSE(jacobi.passes[0].reach);
    ASSERT_TRUE(jacobi.passes[1].reach);
    EXPECT_EQ(jacobi.passes[1].reach->function, 9);
    EXPECT_EQ(jacobi.passes[1].reach->args.at(0).kind, Argument::Step);
    EXPECT_EQ(jacobi.passes[2].steps, 1);
    EXPECT_EQ(jacobi.passes[2].call.function, 6);
    ASSERT_EQ(jacobi.passes[2].call.args.size(), 5U);
    EXPECT_EQ(jacobi.passes[2].call.args[1].kind, Argument::Before);
    EXPECT_EQ(jacobi.passes[2].call.args[2].kind, Argument::Step);
    EXPECT_EQ(jacobi.passes[2].call.args[3].index, 7);
    EXPECT_EQ(plan.outputs_are, (std::vector<std::pair<size_t, size_t>>{{0, 1}, {0, 0}}));
}

} // namespace

} // namespace fluorite_runtime::iterate::iterate_plan_test
