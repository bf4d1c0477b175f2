// Arrays that wrap around, and coarse arrays on fewer ranks: equal bits on every number of ranks.
#include "ranks/plan/test_sweeps.h"
#include "ranks/run/time_loop.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_errors.h"

#include <mutex>

namespace fluorite::distribute::periodic_test {

namespace {

int64_t wrapped(int64_t value, Span range) {
    return range.begin + ((value - range.begin) % range.extent() + range.extent()) % range.extent();
}

/// Adds what is `before` below and `behind` above in each dimension. Periodic dimensions are read beyond the domain.
Segment roll(size_t from, size_t to, const Box &domain, const std::vector<bool> &periodic, int64_t before,
             int64_t behind) {
    Segment segment{"roll", {from}, {to}, {}, {}};
    segment.boxes = [=](const std::vector<Box> &writes) {
        SegmentBoxes boxes{writes, writes};
        for (size_t d = 0; d < domain.size() && !empty(writes[0]); d++) {
            const Span write = writes[0][d];
            const Span read = {write.begin - before, write.end + behind};
            boxes.reads[0][d] =
                periodic[d] ? read : Span{clamped(read.begin, domain[d]), clamped(read.last(), domain[d]) + 1};
        }
        return boxes;
    };
    segment.compute = [=](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        for_each_point(writes[0].box, [&](const std::vector<int64_t> &at) {
            int32_t sum = get(reads[0], at) % 1000;
            for (size_t d = 0; d < at.size(); d++) {
                for (const int64_t offset : {-before, behind}) {
                    std::vector<int64_t> where = at;
                    where[d] = periodic[d] ? at[d] + offset : clamped(at[d] + offset, domain[d]);
                    sum += get(reads[0], where) % 1000 * static_cast<int32_t>(3 + offset + static_cast<int64_t>(d));
                }
            }
            set(writes[0], at, sum);
        });
    };
    segment.ignores_coordinates = true;
    return segment;
}

std::vector<int32_t> plain(const Box &domain, const std::vector<bool> &periodic, int64_t before, int64_t behind,
                           int64_t runs) {
    OwnedArray now(domain, 4), next(domain, 4);
    for_each_point(domain, [&](const std::vector<int64_t> &at) { set(now.view(), at, input_at(at)); });
    for (int64_t run = 0; run < runs; run++) {
        for_each_point(domain, [&](const std::vector<int64_t> &at) {
            int32_t sum = get(now.view(), at) % 1000;
            for (size_t d = 0; d < at.size(); d++) {
                for (const int64_t offset : {-before, behind}) {
                    std::vector<int64_t> where = at;
                    where[d] = periodic[d] ? wrapped(at[d] + offset, domain[d]) : clamped(at[d] + offset, domain[d]);
                    sum += get(now.view(), where) % 1000 * static_cast<int32_t>(3 + offset + static_cast<int64_t>(d));
                }
            }
            set(next.view(), at, sum);
        });
        std::swap(now, next);
    }
    std::vector<int32_t> values;
    for_each_point(domain, [&](const std::vector<int64_t> &at) { values.push_back(get(now.view(), at)); });
    return values;
}

DistributedProgram rolls(const Box &domain, const std::vector<bool> &periodic, const Placement &placement,
                         int64_t before, int64_t behind) {
    DistributedProgram program;
    program.name = "rolls";
    program.arrays = {array("in", Array::Role::Input, domain.size(), placement),
                      array("out", Array::Role::Output, domain.size(), placement)};
    program.arrays[0].periodic = periodic;
    program.segments = {roll(0, 1, domain, periodic, before, behind)};
    return program;
}

std::vector<int32_t> run(int64_t ranks, const DistributedProgram &program, const Box &domain, int64_t runs,
                         const DeepHalos &halos, int64_t *messages = nullptr) {
    std::vector<int32_t> values(static_cast<size_t>(volume(domain)), -1);
    std::mutex mutex;
    ThreadRanks threads(ranks);
    threads.run([&](Transport &transport) {
        TimeLoop loop(program, {domain, domain}, {{0, 1}}, {}, halos, transport);
        loop.set_poison(true);
        const ArrayView first = loop.state(0);
        for_each_point(first.box, [&](const std::vector<int64_t> &at) { set(first, at, input_at(at)); });
        loop.run({runs, "", 1}, transport);
        const ArrayView last = loop.state(0);
        const std::lock_guard lock(mutex);
        for_each_point(last.box, [&](const std::vector<int64_t> &at) {
            size_t index = 0;
            for (size_t d = at.size(); d-- > 0;) {
                index = index * static_cast<size_t>(domain[d].extent()) + static_cast<size_t>(at[d] - domain[d].begin);
            }
            values[index] = get(last, at);
        });
    });
    if (messages) {
        *messages = threads.messages();
    }
    return values;
}

TEST(Periodic, ArraysWrapAroundOnEveryRankCount) {
    struct Case {
        std::vector<int64_t> extents;
        std::vector<size_t> dimensions;
        std::vector<bool> periodic;
        int64_t before, behind;
    };
    const std::vector<Case> cases = {{{37}, {0}, {true}, 1, 1},
                                     {{5}, {0}, {true}, 3, 7}, // wider than the domain
                                     {{11, 14}, {1}, {true, true}, 1, 2},
                                     {{11, 14}, {0, 1}, {true, false}, 2, 1},
                                     {{11, 14}, {0, 1}, {false, true}, 0, 3},
                                     {{7, 6, 9}, {0, 1, 2}, {true, true, true}, 1, 1}};
    for (const Case &each : cases) {
        const Box domain = box_of(each.extents);
        constexpr int64_t runs = 4;
        const std::vector<int32_t> expected = plain(domain, each.periodic, each.before, each.behind, runs);
        for (const Placement &placement : {blocks(each.dimensions), everywhere}) {
            const DistributedProgram program = rolls(domain, each.periodic, placement, each.before, each.behind);
            for (const int64_t ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64}) {
                for (const int64_t depth : {1, 3}) {
                    if (ranks > 4 && (placement == everywhere || (depth > 1 && ranks > 12))) {
                        continue;
                    }
                    DeepHalos halos;
                    halos.runs = depth;
                    EXPECT_EQ(run(ranks, program, domain, runs, halos), expected)
                        << ranks << " ranks, " << depth << " runs at once, over " << to_string(domain);
                    halos.options.mode = ExchangeMode::Basic;
                    EXPECT_EQ(run(ranks, program, domain, runs, halos), expected) << ranks << " ranks, basic";
                }
            }
        }
    }
}

TEST(Periodic, OnlyHalosTravel) {
    const Box domain = box_of({10, 40});
    const DistributedProgram program = rolls(domain, {false, true}, blocks({1}), 1, 1);
    DeepHalos halos;
    halos.runs = 1;
    int64_t messages = 0;
    (void)run(4, program, domain, 5, halos, &messages);
    EXPECT_EQ(messages, 5 * 4 * 2); // all have two neighbours
    ThreadRanks(4).run([&](Transport &transport) {
        const RankPlan plan = plan_rank(program, {domain, domain}, transport);
        EXPECT_EQ(plan.exchanges[0].plan.bytes_received(), 2 * 10 * 4);
        EXPECT_EQ(plan.bytes_allocated(program) - plan.bytes_owned(program), 2 * 10 * 4);
    });
}

TEST(Periodic, WhatDependsOnCoordinatesIsNotComputedOutside) {
    const Box domain = box_of({10, 40});
    DistributedProgram program = rolls(domain, {false, true}, blocks({1}), 1, 1);
    program.segments[0].ignores_coordinates = false;
    DeepHalos halos; // chooses
    halos.network.latency = 1;
    EXPECT_EQ(run(3, program, domain, 4, halos), plain(domain, {false, true}, 1, 1, 4));
    halos.runs = 2;
    expect_error<RuntimeError>(
        [&] { (void)run(2, program, domain, 4, halos); }, "bad-distribution",
        "in rolls: 2 runs for each exchange, a periodic field, and segments whose values may depend on coordinates; "
        "ranks would compute them outside of the domain; exchange in each run, or compute values from what is read "
        "alone");
    program.arrays[1].periodic = {false, true};
    NoTransport alone;
    expect_error<RuntimeError>([&] { (void)plan_rank(program, {domain, domain}, alone); }, "bad-distribution",
                               "in out: it is periodic in some of 2 dimensions, and is computed; inputs and arrays "
                               "with edges wrap around, other computed arrays have values where they are computed; say "
                               "it of an input, or with edges, for each dimension");
    program.arrays[1].periodic.clear();
    program.arrays[0].periodic = {true};
    expect_error<RuntimeError>(
        [&] { (void)plan_rank(program, {domain, domain}, alone); }, "bad-distribution",
        "in in: it is periodic in some of 1 dimensions, and is an input of 2; inputs and arrays with edges wrap "
        "around, "
        "other computed arrays have values where they are computed; say it of an input, or with edges, for each "
        "dimension");
}

TEST(Agglomeration, PutsArraysOnFewerRanks) {
    const Box domain = box_of({12, 40});
    const std::vector<int32_t> expected = plain_sweeps(domain, 3, 1);
    for (const int64_t most : {1, 2, 3, 5, 100}) {
        Placement coarse = blocks({0, 1});
        coarse.most_ranks = most;
        const DistributedProgram program = sweeps(domain, {blocks({1}), coarse, coarse, blocks({1})});
        for (const int64_t ranks : {1, 2, 4, 7, 16}) {
            std::vector<int32_t> values(expected.size(), -1);
            int64_t owners = 0;
            std::mutex mutex;
            ThreadRanks(ranks).run([&](Transport &transport) {
                RankRun run(program, plan_rank(program, {domain, {}, {}, domain}, transport));
                run.set_poison(true);
                OwnedArray input(run.plan().owned.front(), 4), output(run.plan().owned.back(), 4);
                for_each_point(input.view().box,
                               [&](const std::vector<int64_t> &at) { set(input.view(), at, input_at(at)); });
                run.run({input.view(), {}, {}, output.view()}, transport);
                const std::lock_guard lock(mutex);
                owners += empty(run.plan().owned[1]) ? 0 : 1;
                for_each_point(output.view().box, [&](const std::vector<int64_t> &at) {
                    values[static_cast<size_t>((at[1] - domain[1].begin) * domain[0].extent() + at[0])] =
                        get(output.view(), at);
                });
            });
            EXPECT_EQ(values, expected) << most << " of " << ranks;
            EXPECT_LE(owners, std::min(most, ranks));
            EXPECT_GE(owners, std::min(most, ranks) / 2);
        }
    }
}

} // namespace
} // namespace fluorite::distribute::periodic_test
