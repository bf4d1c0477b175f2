#include "distribute/halo_plan.h"

#include "distribute/test_points.h"
#include "support/check.h"
#include "support/test_errors.h"

#include <map>
#include <random>

namespace fluorite::distribute::halo_plan_test {

namespace {

const std::vector<int64_t> rank_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64};

/// A number for each point of a box; -1 outside of it.
int64_t label(const Box &box, const std::vector<int64_t> &at) {
    int64_t number = 0;
    for (size_t d = box.size(); d-- > 0;) {
        if (!box[d].contains(at[d])) {
            return -1;
        }
        number = number * box[d].extent() + at[d] - box[d].begin;
    }
    return number;
}

/// The point of the domain that a needed coordinate stands for.
std::vector<int64_t> wrapped(const Layout &layout, std::vector<int64_t> at) {
    for (size_t d = 0; d < at.size(); d++) {
        const Axis &axis = layout.axes[d];
        if (axis.periodic) {
            const int64_t extent = axis.domain.extent(), turned = (at[d] - axis.domain.begin) % extent;
            at[d] = axis.domain.begin + (turned + extent) % extent;
        }
    }
    return at;
}

/// What one rank holds at the end: for each flow, the labels that arrived for each point of the need.
class Received {
  public:
    explicit Received(const HaloPlan &plan) : needs_(plan.needs) {
        for (const Box &need : needs_) {
            values_.emplace_back(static_cast<size_t>(volume(need)), -1);
        }
    }

    void unpack(const Transfer &transfer, const std::vector<int64_t> &values) {
        size_t next = 0;
        for_each_point(transfer.destination, [&](const std::vector<int64_t> &at) {
            const int64_t place = label(needs_[transfer.flow], at);
            ASSERT_GE(place, 0) << "outside of the need";
            int64_t &value = values_[transfer.flow][static_cast<size_t>(place)];
            EXPECT_EQ(value, -1) << "written twice";
            value = values.at(next++);
        });
        EXPECT_EQ(next, values.size());
    }

    void expect_complete(const ExchangePoint &point) const {
        for (size_t i = 0; i < point.flows.size(); i++) {
            const Layout &have = point.flows[i].have;
            for_each_point(needs_[i], [&](const std::vector<int64_t> &at) {
                const int64_t expected = label(have.domain(), wrapped(have, at));
                ASSERT_EQ(values_[i][static_cast<size_t>(label(needs_[i], at))], expected);
            });
        }
    }

  private:
    std::vector<Box> needs_;
    std::vector<std::vector<int64_t>> values_;
};

/// The labels of a box that a rank sends out of what it has.
std::vector<int64_t> packed(const ExchangePoint &point, const HaloPlan &sender, const Transfer &transfer) {
    const Box domain = point.flows[transfer.flow].have.domain();
    std::vector<int64_t> values;
    for_each_point(transfer.source, [&](const std::vector<int64_t> &at) {
        EXPECT_GE(label(sender.has[transfer.flow], at), 0) << "rank " << sender.rank << " sends what it has not";
        values.push_back(label(domain, at));
    });
    EXPECT_EQ(static_cast<int64_t>(values.size()) * point.flows[transfer.flow].bytes, transfer.bytes);
    return values;
}

/// Runs all sends and receives of all ranks on labelled arrays: every rank gets what it needs, each value once.
void expect_exact(const ExchangePoint &point) {
    std::vector<HaloPlan> plans;
    std::map<std::pair<int64_t, int64_t>, const Message *> sent; // by sender and receiver
    for (int64_t rank = 0; rank < point.ranks(); rank++) {
        plans.push_back(plan_exchange(point, rank));
    }
    for (const HaloPlan &plan : plans) {
        for (const Message &message : plan.sends) {
            EXPECT_TRUE(sent.emplace(std::pair(plan.rank, message.peer), &message).second) << "two messages for a peer";
            EXPECT_NE(message.peer, plan.rank);
        }
    }
    size_t received = 0;
    for (const HaloPlan &plan : plans) {
        Received arrays(plan);
        for (const Transfer &transfer : plan.local) {
            arrays.unpack(transfer, packed(point, plan, transfer));
        }
        for (const Message &message : plan.receives) {
            const auto found = sent.find({message.peer, plan.rank});
            ASSERT_NE(found, sent.end()) << "rank " << plan.rank << " waits for " << message.peer;
            const Message &partner = *found->second;
            ASSERT_EQ(partner.bytes, message.bytes);
            ASSERT_EQ(partner.transfers.size(), message.transfers.size());
            for (size_t i = 0; i < message.transfers.size(); i++) {
                const Transfer &out = partner.transfers[i], &in = message.transfers[i];
                EXPECT_EQ(out.source, in.source);
                EXPECT_EQ(out.offset, in.offset);
                ASSERT_EQ(out.flow, in.flow);
                arrays.unpack(in, packed(point, plans[static_cast<size_t>(message.peer)], out));
            }
            received++;
        }
        arrays.expect_complete(point);
    }
    EXPECT_EQ(received, sent.size()) << "some message is not received";
}

// ---- Random layouts and needs.

class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    int64_t from_to(int64_t least, int64_t most) { return std::uniform_int_distribution(least, most)(engine_); }
    bool one_in(int64_t n) { return from_to(1, n) == 1; }

  private:
    std::mt19937 engine_;
};

Layout random_layout(Dice &dice, size_t dimensions, int64_t ranks, const Box &domain) {
    if (dice.one_in(8)) {
        return Layout::everywhere(domain, ranks);
    }
    Layout layout = Layout::blocks(domain, ranks, std::vector<int64_t>(dimensions, 1));
    int64_t left = dice.one_in(4) ? dice.from_to(1, ranks) : ranks; // some grids leave ranks idle
    for (size_t d = 0; d < dimensions; d++) {
        Axis &axis = layout.axes[d];
        layout.grid[d] = d + 1 == dimensions ? left : dice.from_to(1, left);
        left /= layout.grid[d];
        axis.parts = dice.one_in(4) ? dice.from_to(1, layout.grid[d]) : layout.grid[d];
        axis.tile = dice.one_in(5) ? dice.from_to(2, 4) : 1;
    }
    return layout;
}

Box random_domain(Dice &dice, size_t dimensions, bool small) {
    Box domain;
    for (size_t d = 0; d < dimensions; d++) {
        const int64_t begin = dice.from_to(-5, 5), most = dimensions == 1 ? 70 : dimensions == 2 ? 17 : 7;
        domain.push_back({begin, begin + dice.from_to(1, small ? std::min<int64_t>(most, 9) : most)});
    }
    return domain;
}

AxisNeed random_need(Dice &dice, size_t consumer_dimensions, Span producer) {
    AxisNeed need;
    if (dice.one_in(6)) {
        need.fixed = dice.one_in(2) ? producer : Span{dice.from_to(-6, 0), dice.from_to(1, 8)};
    } else {
        need.follows = static_cast<size_t>(dice.from_to(0, static_cast<int64_t>(consumer_dimensions) - 1));
    }
    for (int64_t steps = dice.from_to(0, 4); steps-- > 0;) {
        switch (dice.from_to(0, 3)) {
        case 0:
            need.steps.emplace_back(Scale{dice.from_to(1, 3) * (dice.one_in(4) ? -1 : 1), dice.from_to(1, 3)});
            break;
        case 1: {
            const int64_t begin = producer.begin + dice.from_to(-1, 1);
            need.steps.emplace_back(Clamp{{begin, begin + dice.from_to(1, producer.extent() + 2)}});
            break;
        }
        default: {
            const int64_t min = dice.from_to(-3, 1);
            need.steps.emplace_back(Grow{min, min + dice.from_to(0, 4)});
        }
        }
    }
    return need;
}

Flow random_flow(Dice &dice, int64_t ranks) {
    const bool small = ranks > 17;
    Flow flow;
    const auto have = static_cast<size_t>(dice.from_to(1, 3)), consumer = static_cast<size_t>(dice.from_to(1, 3));
    flow.have = random_layout(dice, have, ranks, random_domain(dice, have, small));
    flow.consumer = random_layout(dice, consumer, ranks, random_domain(dice, consumer, small));
    for (size_t d = 0; d < have; d++) {
        Axis &axis = flow.have.axes[d];
        axis.periodic = dice.one_in(3);
        flow.need.push_back(random_need(dice, consumer, axis.domain));
    }
    flow.name = "array";
    flow.bytes = dice.from_to(1, 8);
    return flow;
}

Flow stencil(const Layout &layout, const std::vector<int64_t> &radius) {
    Flow flow{"array", layout, layout, {}, 4};
    for (size_t d = 0; d < radius.size(); d++) {
        flow.need.push_back(AxisNeed::stencil(d, -radius[d], radius[d]));
    }
    return flow;
}

} // namespace

// Points outside of a domain that is not periodic are needed by nobody: no value arrives there (label -1).
TEST(HaloPlan, every_rank_gets_exactly_what_it_needs) {
    for (int64_t ranks : rank_counts) {
        for (unsigned seed = 0; seed < 25; seed++) {
            Dice dice(seed * 100 + static_cast<unsigned>(ranks));
            ExchangePoint point{"point", 1, {}};
            for (int64_t flows = dice.from_to(1, 3); flows-- > 0;) {
                point.flows.push_back(random_flow(dice, ranks));
            }
            SCOPED_TRACE(concat(ranks, " ranks, seed ", seed));
            expect_exact(point);
            if (testing::Test::HasFailure()) {
                return;
            }
        }
    }
}

TEST(HaloPlan, random_stencils_are_exact_and_have_few_peers) {
    for (int64_t ranks : rank_counts) {
        for (unsigned seed = 0; seed < 20; seed++) {
            Dice dice(seed * 1000 + static_cast<unsigned>(ranks));
            const auto dimensions = static_cast<size_t>(dice.from_to(1, 3));
            const Box domain = random_domain(dice, dimensions, ranks > 17);
            Layout layout = Layout::blocks(domain, ranks);
            std::vector<int64_t> radius;
            for (Axis &axis : layout.axes) {
                axis.periodic = dice.one_in(3);
                radius.push_back(dice.from_to(0, axis.smallest_part()));
            }
            ExchangePoint point{"point", 1, {stencil(layout, radius)}};
            SCOPED_TRACE(concat(ranks, " ranks, seed ", seed, ": ", to_string(layout)));
            expect_exact(point);
            size_t most = 1;
            for (size_t d = 0; d < dimensions; d++) {
                most *= 3;
            }
            EXPECT_LE(most_stencil_peers(layout, radius), static_cast<int64_t>(most) - 1);
            for (int64_t rank = 0; rank < ranks; rank++) {
                const HaloPlan plan = plan_exchange(point, rank);
                EXPECT_LE(static_cast<int64_t>(plan.receives.size()), most_stencil_peers(layout, radius));
                EXPECT_LE(static_cast<int64_t>(plan.sends.size()), most_stencil_peers(layout, radius));
            }
            if (testing::Test::HasFailure()) {
                return;
            }
        }
    }
}

// The table of the text's introductory example: 10 values on 3 ranks, each needs its neighbours' one. Our slices are
// balanced, [0, 3), [3, 6) and [6, 10).
TEST(HaloPlan, introductory_example) {
    ExchangePoint point{"f", 0, {stencil(Layout::blocks({{0, 10}}, 3), {1})}};
    EXPECT_EQ(to_string(point, plan_exchange(point, 1)), R"(exchange f, tag 0: rank 1 of 3
  array: has [3, 6), needs [2, 7)
  local    12 bytes: array [3, 6)
  receive   4 bytes from rank 2: array [6, 7)
  receive   4 bytes from rank 0: array [2, 3)
  send      4 bytes to rank 2: array [5, 6)
  send      4 bytes to rank 0: array [3, 4)
)");
}

TEST(HaloPlan, wraps_around_periodic_arrays) {
    Layout layout = Layout::blocks({{0, 10}}, 2);
    layout.axes[0].periodic = true;
    ExchangePoint point{"f", 0, {stencil(layout, {1})}};
    EXPECT_EQ(to_string(point, plan_exchange(point, 0)), R"(exchange f, tag 0: rank 0 of 2
  array: has [0, 5), needs [-1, 6)
  local    20 bytes: array [0, 5)
  receive   8 bytes from rank 1: array [9, 10) as [-1, 0), [5, 6)
  send      8 bytes to rank 1: array [4, 5), [0, 1) as [10, 11)
)");
}

// Arrays of one point travel together.
TEST(HaloPlan, one_message_for_each_peer) {
    const Layout rows = Layout::blocks({{0, 8}, {0, 8}}, 4, {1, 4});
    ExchangePoint point{"f", 0, {stencil(rows, {1, 1}), stencil(rows, {0, 2}), stencil(rows, {2, 0})}};
    const HaloPlan plan = plan_exchange(point, 1);
    ASSERT_EQ(plan.sends.size(), 2u);
    EXPECT_EQ(plan.sends[0].transfers.size(), 2u);
    EXPECT_EQ(plan.sends[0].bytes, (8 + 16) * 4);
}

TEST(HaloPlan, transposing_visits_all_ranks_and_sends_each_a_block) {
    const Layout columns = Layout::blocks({{0, 20}, {0, 12}}, 4, {4, 1}),
                 rows = Layout::blocks({{0, 12}, {0, 20}}, 4, {4, 1});
    ExchangePoint point{"transpose", 0, {{"in", columns, rows, {AxisNeed::same(1), AxisNeed::same(0)}, 4}}};
    const HaloPlan plan = plan_exchange(point, 2);
    ASSERT_EQ(plan.receives.size(), 3u);
    for (const Message &message : plan.receives) {
        EXPECT_EQ(message.bytes, 5 * 3 * 4);
    }
    expect_exact(point);
}

// The time to plan is in benchmarks/halo_plan.cpp; here is what it follows from.
TEST(HaloPlan, looks_at_neighbours_only_whatever_the_ranks) {
    for (const Box &domain : {Box{{0, 1000000}, {0, 1000000}}, Box{{0, 10000}, {0, 10000}, {0, 10000}}}) {
        const Layout layout = Layout::blocks(domain, 16384);
        ExchangePoint point{"f", 0, {stencil(layout, std::vector<int64_t>(domain.size(), 4))}};
        const int64_t cells = domain.size() == 2 ? 9 : 27;
        for (int64_t rank : {0, 1, 127, 8000, 8128, 16383}) {
            EXPECT_LE(plan_exchange(point, rank).visited, 2 * cells);
        }
    }
}

// Extents far below the number of ranks: empty parts between owners are stepped over.
TEST(HaloPlan, does_not_look_at_empty_parts) {
    const Layout layout = Layout::blocks({{0, 3}}, 16384);
    ExchangePoint point{"f", 0, {stencil(layout, {2})}};
    for (int64_t rank = 0; rank < 16384; rank++) {
        EXPECT_LE(plan_exchange(point, rank).visited, 6);
    }
}

TEST(HaloPlan, refuses) {
    const Layout layout = Layout::blocks({{0, 10}}, 3);
    ExchangePoint point{"p", 0, {stencil(layout, {1})}};
    const auto expect = [&](const std::string &text) {
        expect_error<RuntimeError>([&] { plan_exchange(point, 1); }, "bad-distribution", text);
    };
    point.flows[0].need.clear();
    expect(
        "in the need of array: 0 dimensions of an array of 1; every dimension is needed somewhere; use AxisNeed::all "
        "for whole dimensions");
    point.flows[0].need = {AxisNeed::same(1)};
    expect(
        "in the need of array: dimension 1 of the consumer is followed, which has 1; a need follows a dimension that "
        "there is; count from 0");
    point.flows[0].need = {AxisNeed::same(0).then(Scale{1, 0})};
    expect("in the need of array: a scale of 1/0; a scale is not 0, its denominator is positive, and both are at most "
           "1048576; reduce it, or let the dimension follow nothing");
    point.flows[0].need = {AxisNeed::stencil(0, 1, -1)};
    expect("in the need of array: a footprint from 1 to -1; it goes upwards, from -4294967296 to 4294967296 at most; "
           "order and limit its ends");
    point.flows[0].need = {AxisNeed::same(0).then(Clamp{{3, 3}})};
    expect(
        "in the need of array: coordinates are clamped to an empty range; there has to be a nearest coordinate; clamp "
        "to the domain");
    point.flows[0].need = {AxisNeed::same(0)};
    for (int i = 0; i < 1000; i++) {
        point.flows[0].need[0] = point.flows[0].need[0].then(Grow{-1, 1});
    }
    expect("in the need of array: 1000 steps; there are at most 256; combine some");
    point.flows[0].need = {AxisNeed::same(0)};
    point.flows[0].bytes = 0;
    expect("in the exchange of array: elements of 0 bytes; an element has from 1 to 4096 bytes; use a dimension for "
           "larger ones");
    point.flows[0].bytes = 4;
    point.flows[0].consumer = Layout::blocks({{0, 10}}, 4);
    expect("in the exchange of array: layouts on 3 and 4 ranks at a point of 3; all layouts of an exchange are of the "
           "same ranks; use idle ranks, not fewer");
    point.flows[0].consumer = layout;
    expect_error<RuntimeError>([&] { plan_exchange(point, 3); }, "bad-distribution",
                               "in the exchange p: a plan of rank 3 of 3; ranks are numbered from 0; use one of them");
}

} // namespace fluorite::distribute::halo_plan_test
