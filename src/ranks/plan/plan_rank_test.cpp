// Exchanges of random layouts and reads: each rank gets each value that it needs once, and what it waits for is sent.

#include "ranks/plan/plan_text.h"
#include "ranks/plan/test_sweeps.h"
#include "ranks/transport/thread_transport.h"
#include "support/check.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>

namespace fluorite::distribute::plan_rank_test {

namespace {

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

/// What one rank holds of the arrays of an exchange: for each point of the need, the label that is there.
class Held {
  public:
    Held(const RankPlan &plan, const RankPlan::Exchange &exchange) : plan_(plan), exchange_(exchange) {
        for (size_t f = 0; f < exchange.flows.size(); f++) {
            const size_t a = exchange.flows[f];
            values_.emplace_back(static_cast<size_t>(volume(plan.needs[a])), -1);
            const Box in_place = intersect(plan.needs[a], plan.owned[a]);
            put({f, in_place, in_place, 0, 0}, labels(plan, exchange, {f, in_place, in_place, 0, 0}));
        }
    }

    /// The labels of what an owner sends.
    static std::vector<int64_t> labels(const RankPlan &owner, const RankPlan::Exchange &exchange,
                                       const Transfer &transfer) {
        const size_t a = exchange.flows[transfer.flow];
        std::vector<int64_t> values;
        for_each_point(transfer.source, [&](const std::vector<int64_t> &at) {
            EXPECT_GE(label(owner.owned[a], at), 0) << "rank " << owner.rank << " sends what it has not";
            values.push_back(label(owner.domains[a], at));
        });
        return values;
    }

    void put(const Transfer &transfer, const std::vector<int64_t> &values) {
        size_t next = 0;
        for_each_point(transfer.destination, [&](const std::vector<int64_t> &at) {
            const int64_t place = label(plan_.needs[exchange_.flows[transfer.flow]], at);
            ASSERT_GE(place, 0) << "outside of the need";
            int64_t &value = values_[transfer.flow][static_cast<size_t>(place)];
            EXPECT_EQ(value, -1) << "written twice";
            value = values.at(next++);
        });
        EXPECT_EQ(next, values.size());
    }

    void expect_complete() const {
        for (size_t f = 0; f < exchange_.flows.size(); f++) {
            const size_t a = exchange_.flows[f];
            for_each_point(plan_.needs[a], [&](const std::vector<int64_t> &at) {
                const int64_t expected = label(plan_.domains[a], wrapped(plan_.layouts[a], at));
                ASSERT_EQ(values_[f][static_cast<size_t>(label(plan_.needs[a], at))], expected);
            });
        }
    }

  private:
    const RankPlan &plan_;
    const RankPlan::Exchange &exchange_;
    std::vector<std::vector<int64_t>> values_; // by flow
};

std::vector<RankPlan> plans_of(const DistributedProgram &program, const std::vector<Box> &domains, int64_t ranks) {
    std::vector<RankPlan> plans(static_cast<size_t>(ranks));
    std::mutex mutex;
    ThreadRanks(ranks).run([&](Transport &transport) {
        RankPlan plan = plan_rank(program, domains, transport);
        const std::lock_guard lock(mutex);
        plans[static_cast<size_t>(transport.rank())] = std::move(plan);
    });
    return plans;
}

void expect_pairs(const Message &sent, const Message &received) {
    ASSERT_EQ(sent.bytes, received.bytes);
    ASSERT_EQ(sent.transfers.size(), received.transfers.size());
    for (size_t i = 0; i < sent.transfers.size(); i++) {
        EXPECT_EQ(sent.transfers[i].flow, received.transfers[i].flow);
        EXPECT_EQ(sent.transfers[i].source, received.transfers[i].source);
        EXPECT_EQ(sent.transfers[i].offset, received.transfers[i].offset);
    }
}

/// Does all sends and receives of one exchange with labels.
void expect_exact(const std::vector<RankPlan> &plans, size_t exchange) {
    std::map<std::pair<int64_t, int64_t>, const Message *> sent; // by sender and receiver
    for (const RankPlan &plan : plans) {
        for (const Message &message : plan.exchanges[exchange].plan.sends) {
            EXPECT_TRUE(sent.emplace(std::pair(plan.rank, message.peer), &message).second) << "two messages for a peer";
            EXPECT_NE(message.peer, plan.rank);
        }
    }
    size_t received = 0;
    for (const RankPlan &plan : plans) {
        const RankPlan::Exchange &own = plan.exchanges[exchange];
        Held held(plan, own);
        for (const Transfer &transfer : own.plan.local) {
            held.put(transfer, Held::labels(plan, own, transfer));
        }
        for (const Message &message : own.plan.receives) {
            const auto found = sent.find({message.peer, plan.rank});
            ASSERT_NE(found, sent.end()) << "rank " << plan.rank << " waits for " << message.peer;
            expect_pairs(*found->second, message);
            for (const Transfer &transfer : message.transfers) {
                held.put(transfer, Held::labels(plans[static_cast<size_t>(message.peer)], own, transfer));
            }
            received++;
        }
        held.expect_complete();
    }
    EXPECT_EQ(received, sent.size()) << "some message is not received";
}

// ---- Random programs: one segment that reads some inputs.

class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    int64_t from_to(int64_t least, int64_t most) { return std::uniform_int_distribution(least, most)(engine_); }
    bool one_in(int64_t n) { return from_to(1, n) == 1; }

  private:
    std::mt19937 engine_;
};

Placement random_placement(Dice &dice, size_t dimensions, int64_t ranks) {
    if (dice.one_in(8)) {
        return everywhere;
    }
    Placement placement = blocks({});
    int64_t left = dice.one_in(4) ? dice.from_to(1, ranks) : ranks; // some grids leave ranks idle
    for (size_t d = 0; d < dimensions; d++) {
        placement.dimensions.push_back(d);
        placement.grid.push_back(d + 1 == dimensions ? left : dice.from_to(1, left));
        left /= placement.grid.back();
        placement.tiles.push_back(dice.one_in(5) ? dice.from_to(2, 4) : 1);
    }
    placement.most_ranks = dice.one_in(4) ? dice.from_to(1, ranks) : 0;
    return placement;
}

Box random_domain(Dice &dice, size_t dimensions) {
    Box domain;
    for (size_t d = 0; d < dimensions; d++) {
        const int64_t begin = dice.from_to(-5, 5), most = dimensions == 1 ? 70 : dimensions == 2 ? 17 : 7;
        domain.push_back({begin, begin + dice.from_to(1, most)});
    }
    return domain;
}

/// What is read in one dimension: a multiple of a dimension that is written, with some coordinates around it, or always
/// the same.
struct Read {
    std::optional<size_t> follows;
    Span fixed;
    int64_t numerator = 1, denominator = 1, before = 0, after = 0;

    Span of(const Box &write) const {
        if (!follows) {
            return fixed;
        }
        const auto scaled = [&](int64_t at) {
            const int64_t product = at * numerator;
            return product / denominator - (product % denominator < 0 ? 1 : 0);
        };
        const int64_t a = scaled(write[*follows].begin), b = scaled(write[*follows].last());
        return {std::min(a, b) - before, std::max(a, b) + after + 1};
    }
};

Read random_read(Dice &dice, size_t dimensions, Span domain) {
    Read read;
    if (dice.one_in(6)) {
        read.fixed = dice.one_in(2) ? domain : Span{dice.from_to(-6, 0), dice.from_to(1, 8)};
        return read;
    }
    read.follows = static_cast<size_t>(dice.from_to(0, static_cast<int64_t>(dimensions) - 1));
    read.numerator = dice.from_to(1, 3) * (dice.one_in(4) ? -1 : 1);
    read.denominator = dice.from_to(1, 3);
    read.before = dice.from_to(-1, 3);
    read.after = dice.from_to(-read.before, 4);
    return read;
}

struct RandomProgram {
    DistributedProgram program;
    std::vector<Box> domains;
};

RandomProgram random_program(Dice &dice, int64_t ranks) {
    RandomProgram made;
    const auto written = static_cast<size_t>(dice.from_to(1, 3));
    std::vector<std::vector<Read>> reads;
    Segment segment;
    segment.name = "segment";
    for (int64_t inputs = dice.from_to(1, 3); inputs-- > 0;) {
        const auto dimensions = static_cast<size_t>(dice.from_to(1, 3));
        made.domains.push_back(random_domain(dice, dimensions));
        Array input =
            array(concat("in", inputs), Array::Role::Input, dimensions, random_placement(dice, dimensions, ranks));
        reads.emplace_back();
        for (size_t d = 0; d < dimensions; d++) {
            input.periodic.push_back(dice.one_in(3));
            reads.back().push_back(random_read(dice, written, made.domains.back()[d]));
        }
        input.bytes = dice.from_to(1, 8);
        segment.reads.push_back(made.program.arrays.size());
        made.program.arrays.push_back(std::move(input));
    }
    segment.writes = {made.program.arrays.size()};
    made.domains.push_back(random_domain(dice, written));
    made.program.arrays.push_back(array("out", Array::Role::Output, written, random_placement(dice, written, ranks)));
    segment.boxes = [reads, domains = made.domains, arrays = made.program.arrays](const std::vector<Box> &writes) {
        SegmentBoxes boxes{{}, writes};
        for (size_t a = 0; a < reads.size(); a++) {
            Box box(reads[a].size());
            for (size_t d = 0; d < box.size() && !empty(writes[0]); d++) {
                const Span read = reads[a][d].of(writes[0]), domain = domains[a][d];
                box[d] =
                    arrays[a].periodic[d] ? read : Span{clamped(read.begin, domain), clamped(read.last(), domain) + 1};
            }
            boxes.reads.push_back(box);
        }
        return boxes;
    };
    made.program.segments.push_back(std::move(segment));
    return made;
}

/// One sweep that reads `radius` around, also beyond a domain that wraps around.
DistributedProgram sweep(size_t dimensions, const std::vector<int64_t> &radius, bool wraps, const Placement &cut,
                         const Box &domain) {
    DistributedProgram program;
    program.name = "sweep";
    program.arrays = {array("array", Array::Role::Input, dimensions, cut),
                      array("next", Array::Role::Output, dimensions, cut)};
    program.arrays[0].periodic.assign(dimensions, wraps);
    Segment segment{"sweep", {0}, {1}, {}, {}};
    segment.boxes = [=](const std::vector<Box> &writes) {
        SegmentBoxes boxes{writes, writes};
        for (size_t d = 0; d < domain.size() && !empty(writes[0]); d++) {
            const Span read{writes[0][d].begin - radius[d], writes[0][d].end + radius[d]};
            boxes.reads[0][d] = wraps ? read : intersect(read, domain[d]);
        }
        return boxes;
    };
    program.segments = {segment};
    return program;
}

TEST(PlanRank, GivesEachRankWhatItNeedsOnce) {
    for (const int64_t ranks : {1, 2, 3, 4, 5, 6, 7, 8, 12, 17, 31}) {
        for (unsigned seed = 0; seed < 20; seed++) {
            Dice dice(seed * 100 + static_cast<unsigned>(ranks));
            const RandomProgram random = random_program(dice, ranks);
            SCOPED_TRACE(concat(ranks, " ranks, seed ", seed));
            expect_exact(plans_of(random.program, random.domains, ranks), 0);
            if (testing::Test::HasFailure()) {
                return;
            }
        }
    }
}

// No radius is wider than the smallest part, so who sends to a rank are those around it on the grid.
TEST(PlanRank, StencilsHaveTheirNeighboursForPeers) {
    for (const int64_t ranks : {1, 2, 6, 8, 13, 27}) {
        for (const bool wraps : {false, true}) {
            const Box domain = {{-3, 20}, {0, 19}, {5, 23}};
            const Placement cube = blocks({0, 1, 2});
            const Layout layout = layout_of(cube, domain, ranks, "a cube");
            const std::vector<int64_t> radius = {1, layout.axes[1].smallest_part(), 0};
            const std::vector<RankPlan> plans =
                plans_of(sweep(3, radius, wraps, cube, domain), {domain, domain}, ranks);
            expect_exact(plans, 0);
            for (const RankPlan &plan : plans) {
                EXPECT_LE(plan.exchanges[0].plan.receives.size(), 8u) << "nothing comes from the third dimension";
                EXPECT_LE(plan.exchanges[0].plan.sends.size(), 8u);
            }
        }
    }
}

// The table of the text's introductory example: 10 values on 3 ranks, each needs its neighbours' one. Our slices are
// balanced, [0, 3), [3, 6) and [6, 10).
TEST(PlanRank, IntroductoryExample) {
    const Box line = {{0, 10}};
    const DistributedProgram program = sweep(1, {1}, false, blocks({0}), line);
    EXPECT_EQ(to_string(program, plans_of(program, {line, line}, 3)[1]),
              R"(exchange sweep, tag 0: rank 1 of 3
  array: has [3, 6), needs [2, 7)
  receive  4 bytes from rank 2: array [6, 7)
  receive  4 bytes from rank 0: array [2, 3)
  send     4 bytes to rank 2: array [5, 6)
  send     4 bytes to rank 0: array [3, 4)
)");
}

TEST(PlanRank, PeriodicArraysWrapAround) {
    const Box line = {{0, 10}};
    const DistributedProgram program = sweep(1, {1}, true, blocks({0}), line);
    EXPECT_EQ(to_string(program, plans_of(program, {line, line}, 2)[0]),
              R"(exchange sweep, tag 0: rank 0 of 2
  array: has [0, 5), needs [-1, 6)
  receive  8 bytes from rank 1: array [9, 10) as [-1, 0), [5, 6)
  send     8 bytes to rank 1: array [4, 5), [0, 1) as [10, 11)
)");
    EXPECT_EQ(to_string(program, plans_of(program, {line, line}, 1)[0]),
              R"(exchange sweep, tag 0: rank 0 of 1
  array: has [0, 10), needs [-1, 11)
  local    8 bytes: array [9, 10) as [-1, 0), [0, 1) as [10, 11)
)");
}

} // namespace
} // namespace fluorite::distribute::plan_rank_test
