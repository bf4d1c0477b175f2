// Random groupings are valid, and each grouping with one stage that is read from outside of each group is met.
#include "autoschedule/grouping/sampling.h"

#include "autoschedule/grouping/test_graphs.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace fluorite::autoschedule::sampling_test {
namespace {

using namespace testing;

TEST(DrawGrouping, IsValidAndHasOneStageOfEachGroupReadOutside) {
    std::mt19937 random(7);
    for (uint32_t seed = 0; seed < 100; ++seed) {
        const Shape shape = random_shape(random, 1 + seed % 14);
        const Precedence graph = shape.precedence();
        const TestCost cost = tiled_cost(graph, seed);
        for (int draw = 0; draw < 10; ++draw) {
            const Grouping grouping = draw_grouping(graph, cost, random);
            ASSERT_EQ(find_fault(graph, grouping.groups), std::nullopt) << to_text(grouping);
            for (const StageSet &group : grouping.groups) {
                size_t read_outside = 0;
                for (const size_t stage : group) {
                    const StageSet &consumers = graph.consumers[stage];
                    read_outside += consumers.empty() || !consumers.is_subset_of(group) ? 1 : 0;
                }
                ASSERT_EQ(read_outside, 1U) << to_text(grouping);
            }
        }
    }
}

TEST(DrawGrouping, MeetsEveryGroupingOfAChain) {
    const Precedence graph = chain(5).precedence();
    const TestCost cost = equal_cost();
    std::mt19937 random(1);
    std::set<std::string> met;
    for (int draw = 0; draw < 2000; ++draw) {
        met.insert(to_text(draw_grouping(graph, cost, random)));
    }
    EXPECT_EQ(met.size(), 16U) << "each of four edges joins two groups or does not";
}

TEST(DrawGrouping, HasNoGroupWithoutCost) {
    const Precedence graph = chain(6).precedence();
    TestCost cost = equal_cost();
    cost.cost = [](const StageSet &group) { return group.size() > 2 ? std::nullopt : std::optional<Cost>(1); };
    std::mt19937 random(1);
    for (int draw = 0; draw < 200; ++draw) {
        for (const StageSet &group : draw_grouping(graph, cost, random).groups) {
            ASSERT_LE(group.size(), 2U);
        }
    }
}

} // namespace
} // namespace fluorite::autoschedule::sampling_test
