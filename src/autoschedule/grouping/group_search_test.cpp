// Branch and bound against the recurrence, and on graphs of the sizes that the text has.
#include "autoschedule/grouping/group_search.h"

#include "autoschedule/grouping/greedy.h"
#include "autoschedule/grouping/recurrence.h"
#include "autoschedule/grouping/stage_bounds.h"
#include "autoschedule/grouping/test_graphs.h"
#include "support/check.h"
#include "support/test_golden.h"

#include <gtest/gtest.h>

#include <set>

namespace fluorite::autoschedule::group_search_test {
namespace {

using namespace testing;

void expect_as_oracle(const Shape &shape, Link link, uint32_t seed) {
    const Precedence graph = shape.precedence(link);
    const TestCost costs[] = {tiled_cost(graph, seed), random_cost(seed), saw_cost(seed),
                              forbidding_cost(seed * 97, shape.count), equal_cost()};
    for (size_t which = 0; which < std::size(costs); ++which) {
        const RecurrenceResult wanted = group_by_recurrence(graph, costs[which]);
        const SearchResult found = search_grouping(graph, costs[which]);
        ASSERT_EQ(found.price, wanted.price) << "seed " << seed << ", cost " << which;
        ASSERT_EQ(to_text(found.grouping), to_text(wanted.grouping)) << "seed " << seed << ", cost " << which;
        ASSERT_TRUE(found.is_optimal());
        SearchLimits any;
        any.break_ties = false;
        const SearchResult first = search_grouping(graph, costs[which], any);
        ASSERT_EQ(first.price.cost, wanted.price.cost) << "seed " << seed << ", cost " << which;
        ASSERT_EQ(find_fault(graph, first.grouping.groups), std::nullopt);
    }
}

TEST(GroupSearch, EqualsTheRecurrenceOnRandomGraphs) {
    std::mt19937 random(11);
    for (uint32_t seed = 0; seed < 500; ++seed) {
        const size_t stages = seed % 10 == 0 ? 12 : 1 + random() % 9;
        const Shape shape = random_shape(random, stages);
        expect_as_oracle(shape, seed % 4 == 0 ? Link::SharesSources : Link::Reads, seed);
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST(GroupSearch, EqualsTheRecurrenceOnShapes) {
    const Shape shapes[] = {
        chain(1), chain(4), chain(12), products_of_derivatives(), interpolation_pyramid(3), multigrid(2, 1, 2, 2, 2)};
    for (const Shape &shape : shapes) {
        expect_as_oracle(shape, Link::Reads, 3);
    }
}

TEST(GroupTable, HoldsEachConvexLinkedGroupOnce) {
    std::mt19937 random(5);
    for (uint32_t seed = 0; seed < 60; ++seed) {
        const Shape shape = random_shape(random, 2 + random() % 8);
        const Precedence graph = shape.precedence(seed % 2 == 0 ? Link::Reads : Link::SharesSources);
        std::set<StageSet> wanted;
        for (uint32_t mask = 1; mask < (1u << shape.count); ++mask) {
            StageSet group;
            for (size_t stage = 0; stage < shape.count; ++stage) {
                if (mask >> stage & 1) {
                    group.insert(stage);
                }
            }
            if (graph.is_linked(group) && graph.convex_hull(group) == group) {
                wanted.insert(group);
            }
        }
        const GroupTable table = find_groups(graph, equal_cost(), {}).value();
        std::set<StageSet> found;
        for (size_t group = 0; group < table.size(); ++group) {
            EXPECT_TRUE(found.insert(table.stages(group)).second) << to_text(table.stages(group)) << " is there twice";
        }
        EXPECT_EQ(found, wanted) << "seed " << seed;
    }
}

TEST(StageBounds, BoundEveryRestFromBelow) {
    std::mt19937 random(3);
    for (uint32_t seed = 0; seed < 40; ++seed) {
        const Shape shape = random_shape(random, 2 + random() % 7);
        const Precedence graph = shape.precedence();
        const TestCost cost = random_cost(seed);
        const GroupTable table = find_groups(graph, cost, {}).value();
        const SearchResult least = search_grouping(graph, cost);
        const StageBounds prices = find_stage_bounds(graph, table, least.grouping, least.price.cost + 500);
        EXPECT_LE(prices.bound(graph.all()), least.price.cost);
        for (size_t group = 0; group < table.size(); ++group) { // a step costs no less than the bound falls by
            const StageSet left = graph.all() - table.stages(group);
            EXPECT_LE(prices.bound(graph.all()), table.cost(group) + prices.bound(left));
        }
    }
}

// The bound of a linear graph is its optimum: the search visits no state beside those of the way.
TEST(GroupSearch, NeedsNoSearchForChains) {
    const Precedence graph = chain(60).precedence();
    const SearchResult found = search_grouping(graph, tiled_cost(graph, 1));
    EXPECT_TRUE(found.is_optimal());
    EXPECT_EQ(found.groups_costed, 60u * 61u / 2u);
    EXPECT_LE(found.states, 61u);
}

// 2926 = 76 * 77 / 2: the groups that the text's own table counts for a graph of 76 stages that is nearly a chain.
TEST(GroupSearch, ProvesTheOptimumOfGraphsOfTheTextsSizes) {
    const Shape shapes[] = {interleaved_phases(), interpolation_pyramid(10), multigrid(4, 1, 4, 4, 4),
                            multigrid(4, 2, 4, 4, 4), multigrid(4, 2, 10, 0, 0)};
    for (const Shape &shape : shapes) {
        const Precedence graph = shape.precedence();
        SearchLimits limits;
        limits.break_ties = false;
        const SearchResult found = search_grouping(graph, tiled_cost(graph, 5), limits);
        EXPECT_TRUE(found.is_optimal()) << shape.count << " stages";
        EXPECT_EQ(find_fault(graph, found.grouping.groups), std::nullopt);
        EXPECT_LE(found.price.cost,
                  price_of(merge_pairs(graph, tiled_cost(graph, 5), 1024), tiled_cost(graph, 5))->cost);
    }
}

TEST(GroupSearch, StatesAGapWhereALimitEndsIt) {
    std::mt19937 random(17);
    const Shape shape = random_shape(random, 40);
    const Precedence graph = shape.precedence();
    const TestCost cost = tiled_cost(graph, 2);
    SearchLimits limits;
    limits.groups = 200;
    const SearchResult few_groups = search_grouping(graph, cost, limits);
    EXPECT_LT(few_groups.stages_of_a_group, 40u);
    EXPECT_LT(few_groups.bound, few_groups.price.cost);
    EXPECT_EQ(find_fault(graph, few_groups.grouping.groups), std::nullopt);
    // The rounds that put groups together count, too.
    const size_t alone = find_groups(graph, cost, {few_groups.stages_of_a_group}).value().size();
    EXPECT_GT(few_groups.groups_costed, alone);
    SearchLimits table_only = limits;
    table_only.stages_of_a_group = few_groups.stages_of_a_group;
    const SearchResult table = search_grouping(graph, cost, table_only);
    EXPECT_EQ(table.groups_costed, alone);
    EXPECT_GE(few_groups.states, table.states);
    EXPECT_GT(search_incrementally(graph, cost, {few_groups.stages_of_a_group, 2, {}}).groups_costed, alone);
    const TestCost hard = random_cost(3);
    limits = {};
    limits.stages_of_a_group = 5;
    const SearchResult whole = search_grouping(graph, hard, limits);
    limits.states = 3;
    const SearchResult few_states = search_grouping(graph, hard, limits);
    EXPECT_TRUE(whole.is_optimal());
    EXPECT_LE(few_states.bound, whole.price.cost);
    EXPECT_GE(few_states.price.cost, whole.price.cost);
    EXPECT_EQ(find_fault(graph, few_states.grouping.groups), std::nullopt);
    EXPECT_EQ(to_text(search_grouping(graph, hard, limits).grouping), to_text(few_states.grouping)); // deterministic
}

TEST(GroupSearch, KeepsGroupsWithinTheLimitOfStages) {
    const Precedence graph = products_of_derivatives().precedence();
    SearchLimits limits;
    limits.stages_of_a_group = 3;
    const SearchResult found = search_grouping(graph, equal_cost(), limits);
    for (const StageSet &group : found.grouping.groups) {
        EXPECT_LE(group.size(), 3u);
    }
    EXPECT_TRUE(found.is_optimal());
    // Also where the table cannot hold all groups.
    std::mt19937 random(29);
    for (uint32_t seed = 0; seed < 20; ++seed) {
        const Precedence large = random_shape(random, 40).precedence();
        limits.groups = 100;
        limits.stages_of_a_group = 3 + seed % 4;
        for (const StageSet &group : search_grouping(large, tiled_cost(large, seed), limits).grouping.groups) {
            EXPECT_LE(group.size(), limits.stages_of_a_group) << "seed " << seed;
        }
    }
}

TEST(GroupSearch, IncrementalIsExactWithoutABoundAndNoBetterWithOne) {
    std::mt19937 random(23);
    bool is_worse = false;
    for (uint32_t seed = 0; seed < 60; ++seed) {
        const Shape shape = random_shape(random, 10);
        const Precedence graph = shape.precedence();
        const TestCost cost = seed % 2 == 0 ? saw_cost(seed) : tiled_cost(graph, seed);
        const SearchResult exact = search_grouping(graph, cost);
        IncrementalLimits limits;
        limits.first = 16;
        EXPECT_EQ(search_incrementally(graph, cost, limits).price, exact.price);
        limits.first = 2;
        const SearchResult rounds = search_incrementally(graph, cost, limits);
        EXPECT_GE(rounds.price, exact.price);
        EXPECT_LE(rounds.bound, exact.price.cost);
        EXPECT_EQ(find_fault(graph, rounds.grouping.groups), std::nullopt);
        is_worse = is_worse || rounds.price.cost > exact.price.cost;
    }
    EXPECT_TRUE(is_worse); // what a round put together stays together
}

// How much searches look at: limits, steps of prices and what is dropped change no grouping, only the time to find it.
// tests/autoschedule/searches.txt has the counts; FLUORITE_UPDATE_GOLDENS rewrites it.
TEST(GroupSearch, LooksAtAsMuchAsItsFileSays) {
    std::mt19937 random(41);
    std::ostringstream seen;
    const auto add = [&](const std::string &name, const Shape &shape, const TestCost &cost,
                         const SearchLimits &limits) {
        const Precedence graph = shape.precedence();
        const SearchResult found = search_grouping(graph, cost, limits);
        seen << name << ", " << shape.count << " stages: cost " << found.price.cost << ", tie " << found.price.tie
             << ", bound " << found.bound << ", " << found.groups_costed << " groups of up to "
             << found.stages_of_a_group << ", " << found.groups_kept << " kept, " << found.states << " states\n";
        if (const std::optional<GroupTable> table = find_groups(graph, cost, {limits.stages_of_a_group, 3000})) {
            const Grouping known = merge_pairs(graph, cost, 4);
            const Cost known_cost = price_of(known, cost)->cost;
            const StageBounds prices = find_stage_bounds(graph, *table, known, known_cost);
            seen << "  prices from " << known_cost << ": " << prices.bound(graph.all());
            for (size_t stage = 0; stage < shape.count; stage += 3) {
                seen << " " << prices.of_stage[stage];
            }
            seen << "\n";
        }
    };
    SearchLimits whole, any, few, small, states;
    any.break_ties = false;
    few.groups = 60;
    small.stages_of_a_group = 4;
    states.states = 5;
    const std::pair<const char *, Shape> shapes[] = {{"chain", chain(20)},
                                                     {"derivatives", products_of_derivatives()},
                                                     {"pyramid", interpolation_pyramid(4)},
                                                     {"multigrid", multigrid(2, 1, 2, 2, 2)},
                                                     {"random", random_shape(random, 12)},
                                                     {"large", random_shape(random, 30)}};
    for (const auto &[name, shape] : shapes) {
        add(concat(name, " tiled"), shape, tiled_cost(shape.precedence(), 7), any);
        add(concat(name, " random"), shape, random_cost(5), small);
        add(concat(name, " few groups"), shape, tiled_cost(shape.precedence(), 3), few);
        if (shape.count <= 13) {
            add(concat(name, " with ties"), shape, equal_cost(), whole);
            add(concat(name, " few states"), shape, random_cost(9), states);
        }
    }
    expect_golden(seen.str(), "tests/autoschedule/searches.txt");
}

} // namespace
} // namespace fluorite::autoschedule::group_search_test
