// The recurrence against all divisions of small graphs; what it takes to be exact; how many states linear graphs have.
#include "autoschedule/grouping/recurrence.h"

#include "autoschedule/grouping/test_graphs.h"

#include <gtest/gtest.h>

namespace fluorite::autoschedule::recurrence_test {
namespace {

using namespace testing;

/// All divisions of stages into groups, tried one after the other.
class AllDivisions {
  public:
    AllDivisions(const Precedence &graph, const GroupCost &cost) : graph_(graph), cost_(cost) { divide(0); }
    std::optional<Price> least;
    Grouping grouping;
    int64_t valid = 0;

  private:
    const Precedence &graph_;
    const GroupCost &cost_;
    std::vector<StageSet> groups_;

    void divide(size_t stage) {
        if (stage == graph_.size()) {
            rate();
            return;
        }
        for (size_t group = 0; group < groups_.size(); ++group) {
            groups_[group].insert(stage);
            divide(stage + 1);
            groups_[group].erase(stage);
        }
        groups_.push_back({stage});
        divide(stage + 1);
        groups_.pop_back();
    }
    void rate() {
        if (find_fault(graph_, groups_)) {
            return;
        }
        ++valid;
        const Grouping candidate = make_grouping(graph_, groups_).value();
        const std::optional<Price> price = price_of(candidate, cost_);
        if (price && (!least || *price < *least)) {
            least = price;
            grouping = candidate;
        }
    }
};

TEST(Recurrence, FindsTheLeastOfAllDivisions) {
    std::mt19937 random(7);
    for (uint32_t seed = 0; seed < 240; ++seed) {
        const Shape shape = random_shape(random, 1 + random() % 7);
        const Link link = seed % 3 == 0 ? Link::SharesSources : Link::Reads;
        const Precedence graph = shape.precedence(link);
        const TestCost costs[] = {tiled_cost(graph, seed), random_cost(seed), saw_cost(seed),
                                  forbidding_cost(seed * 97, shape.count), equal_cost()};
        const TestCost &cost = costs[seed % 5];
        const AllDivisions all(graph, cost);
        const RecurrenceResult found = group_by_recurrence(graph, cost);
        ASSERT_EQ(found.price, *all.least) << "seed " << seed;
        ASSERT_EQ(to_text(found.grouping), to_text(all.grouping)) << "seed " << seed;
        ASSERT_EQ(find_fault(graph, found.grouping.groups), std::nullopt);
    }
}

// "For any linear pipeline graph with n stages, there are 2^(n-1) valid grouping possibilities", considered in n (n +
// 1) / 2 steps (sections 2.4 and 3.3 of the text).
TEST(Recurrence, ChainsHaveAsManyGroupingsAndStatesAsTheTextSays) {
    const Precedence five = chain(5).precedence();
    EXPECT_EQ(AllDivisions(five, equal_cost()).valid, 16);
    for (size_t length : {1, 5, 12}) {
        const RecurrenceResult found = group_by_recurrence(chain(length).precedence(), equal_cost());
        EXPECT_EQ(found.states, static_cast<int64_t>(length * (length + 1) / 2));
    }
}

// The text's first limitation of greedy merging: after {D E} neither {A B C D} {E} nor {A} {B C D} {E} is ever seen.
TEST(Recurrence, SeesGroupsThatPairwiseMergingNeverDoes) {
    const Precedence graph = chain(5).precedence();
    TestCost cost;
    cost.cost = [](const StageSet &group) -> std::optional<Cost> {
        return group == StageSet{3, 4} ? 150
                                       : (group == StageSet{1, 2, 3} ? 50 : 100 * static_cast<Cost>(group.size()));
    };
    EXPECT_EQ(to_text(group_by_recurrence(graph, cost).grouping), "{0} {1 2 3} {4}");
}

// Edges 0->2, 1->3, 0->3, 1->2: no stage of {0 3} and {1 2} leads to another successor of its group, so the published
// check lets both be made, and each group reads the other.
TEST(Recurrence, RefusesGroupsThatReadEachOther) {
    Shape shape;
    shape.stage({});
    shape.stage({});
    shape.stage({0, 1});
    shape.stage({0, 1});
    const Precedence graph = shape.precedence();
    EXPECT_EQ(find_fault(graph, {{0, 3}, {1, 2}}), "groups read each other in a cycle");
    TestCost cost;
    cost.cost = [](const StageSet &group) -> std::optional<Cost> {
        return group == StageSet{0, 3} || group == StageSet{1, 2} ? 1 : 100 * static_cast<Cost>(group.size());
    };
    EXPECT_EQ(group_by_recurrence(graph, cost).price.cost, 201); // one of the two, and two single stages
}

// 0 -> 1 -> 2 -> 3 and 0 -> 3: once {0} is finished, 3 is a successor; so it is again once {2} is. It is paid for once.
TEST(Recurrence, PaysOnceForStagesThatAreReadAcrossLevels) {
    Shape shape = chain(4);
    shape.edges.push_back({0, 3});
    const RecurrenceResult found = group_by_recurrence(shape.precedence(), equal_cost());
    EXPECT_EQ(found.price.cost, 4);
    EXPECT_EQ(to_text(found.grouping), "{0 1 2 3}");
}

// 0 -> 1 -> 2 -> 4 and 0 -> 3 -> 4: {2 3 4} begins with 2, behind {1}, and with 3, behind {0}.
TEST(Recurrence, LockStepMissesGroupsThatBeginAtTwoDepths) {
    Shape shape = chain(3);
    shape.stage({0});
    shape.stage({2, 3});
    const Precedence graph = shape.precedence();
    TestCost cost;
    cost.cost = [](const StageSet &group) -> std::optional<Cost> {
        return group == StageSet{2, 3, 4} ? 1 : (group.size() == 1 ? 100 : 1000);
    };
    EXPECT_EQ(to_text(group_by_recurrence(graph, cost).grouping), "{0} {1} {2 3 4}");
    EXPECT_EQ(group_by_recurrence(graph, cost).price.cost, 201);
    EXPECT_EQ(group_by_recurrence(graph, cost, Fronts::LockStep).price.cost, 500);
}

// Stages that read one stage may form a group without a stage of theirs reading another, where the rule says so.
TEST(Recurrence, GroupsSiblingsWhereSharedSourcesLink) {
    Shape shape;
    shape.stage({});
    shape.stage({0});
    shape.stage({0});
    TestCost cost;
    cost.cost = [](const StageSet &group) -> std::optional<Cost> {
        return group == StageSet{1, 2} ? 1 : 100 * static_cast<Cost>(group.size());
    };
    EXPECT_EQ(to_text(group_by_recurrence(shape.precedence(Link::SharesSources), cost).grouping), "{0} {1 2}");
    EXPECT_EQ(group_by_recurrence(shape.precedence(Link::Reads), cost).price.cost, 300);
}

} // namespace
} // namespace fluorite::autoschedule::recurrence_test
