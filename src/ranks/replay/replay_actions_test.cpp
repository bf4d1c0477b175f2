// The replay of ranks' actions against ranks on an emulated network, whose clocks have to show the same times; plans of
// one rank that is alone against those that all ranks make together.
#include "ranks/replay/replay_actions.h"

#include "ranks/plan/plan_alone.h"
#include "ranks/plan/test_sweeps.h"
#include "ranks/run/estimate.h"
#include "ranks/run/time_loop.h"
#include "ranks/transport/emulated_transport.h"
#include "ranks/transport/thread_transport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

namespace fluorite::distribute::replay_actions_test {

namespace {

thread_local EmulatedTransport *this_rank = nullptr;

/// Segments do not compute; they let the time pass that they would cost.
DistributedProgram timed(DistributedProgram program, const LogGP &model) {
    for (size_t s = 0; s < program.segments.size(); s++) {
        Segment &segment = program.segments[s];
        segment.cost = 1 + 0.5 * static_cast<double>(s);
        segment.compute = [costs = segment.cost, model](const std::vector<ArrayView> &,
                                                        const std::vector<ArrayView> &writes) {
            Segment same;
            same.cost = costs;
            this_rank->spend(seconds_of(same, {Action::Kind::Compute, 0, 0, {writes[0].box}, false}, model));
        };
    }
    return program;
}

TEST(ReplayActions, ShowsTheTimesOfAnEmulatedNetwork) {
    LogGP model;
    model.latency = 200e-6, model.overhead = 3e-6, model.gap = 5e-6, model.seconds_per_byte = 8e-9;
    model.seconds_per_point = 20e-9, model.seconds_per_row = 100e-9;
    const Box domain = box_of({30, 20, 25});
    const Placement cube = blocks({0, 1, 2});
    for (const auto &[placements, runs_at_once] :
         std::vector<std::pair<std::vector<Placement>, int64_t>>{{{cube, cube}, 1},
                                                                 {{cube, cube}, 3},
                                                                 {{cube, as_needed, cube}, 2},
                                                                 {{blocks({2}), cube, blocks({2})}, 1}}) {
        for (const int64_t count : {1, 2, 3, 8, 12}) {
            for (const ExchangeMode mode : {ExchangeMode::Overlapped, ExchangeMode::Merged}) {
                const DistributedProgram program = timed(sweeps(domain, placements), model);
                std::vector<Box> domains(program.arrays.size(), domain);
                std::vector<RankActions> all(static_cast<size_t>(count));
                DistributedProgram batch;
                std::vector<double> times(static_cast<size_t>(count));
                double waited = 0;
                std::mutex mutex;
                constexpr int64_t batches = 4;
                ThreadRanks threads(count);
                threads.run([&](Transport &below) {
                    EmulatedTransport transport(below, model, EmulatedClock::Counted);
                    DeepHalos halos;
                    halos.runs = runs_at_once;
                    halos.options.mode = mode;
                    TimeLoop loop(program, domains, {{0, placements.size() - 1}},
                                  std::vector<ArrayView>(domains.size()), halos, transport);
                    (void)transport.gather(0);
                    const double begin = transport.now(), waited_before = transport.waited();
                    this_rank = &transport;
                    loop.run({batches * runs_at_once, "", 1}, transport);
                    const std::lock_guard lock(mutex);
                    times[static_cast<size_t>(below.rank())] = transport.now() - begin;
                    waited += transport.waited() - waited_before;
                    all[static_cast<size_t>(below.rank())] = {loop.batch().plan(), loop.batch().actions()};
                    batch = loop.batch_program();
                });
                const ReplayResult replay = replay_actions(batch, all, batches, model);
                EXPECT_NEAR(replay.seconds, *std::max_element(times.begin(), times.end()), 1e-9)
                    << count << " ranks, " << runs_at_once << " runs at once";
                EXPECT_NEAR(replay.waited, waited, 1e-9 * static_cast<double>(count));
                EXPECT_EQ(replay.messages, threads.messages());
                // The estimate is that of a rank whose peers are in step.
                const double estimate = estimated_seconds(batch, all[0].plan, all[0].actions, model);
                EXPECT_LE(estimate, replay.seconds / batches * 1.3);
                EXPECT_GE(estimate, replay.seconds / batches * (count == 1 ? 0.999 : 0.4));
            }
        }
    }
}

TEST(ReplayActions, PackingCostsBothSides) {
    const Box domain = box_of({10, 40});
    const DistributedProgram program = sweeps(domain, std::vector<Placement>(2, blocks({1})));
    std::vector<RankActions> all;
    for (int64_t rank = 0; rank < 2; rank++) {
        RankPlan plan = plan_alone(program, {domain, domain}, rank, 2);
        std::vector<Action> actions = plan_actions(program, plan, {});
        all.push_back({std::move(plan), std::move(actions)});
    }
    LogGP model{.latency = 1, .overhead = 0, .gap = 0, .seconds_per_byte = 0, .seconds_per_point = 0};
    model.seconds_per_packed_byte = 0.125; // a row of 40 bytes
    EXPECT_EQ(replay_actions(program, all, 3, model).seconds, 3 * (5 + 1 + 5));
    EXPECT_EQ(replay_actions(program, all, 3, model).bytes, 3 * 2 * 40);
}

bool are_equal(const std::vector<Message> &a, const std::vector<Message> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Message &one, const Message &other) {
        return one.peer == other.peer && one.bytes == other.bytes &&
               std::equal(one.transfers.begin(), one.transfers.end(), other.transfers.begin(), other.transfers.end(),
                          [](const Transfer &x, const Transfer &y) {
                              return x.flow == y.flow && x.source == y.source && x.offset == y.offset;
                          });
    });
}

TEST(PlanAllRanks, GivesTheReplayOfPlansThatRanksMakeTogether) {
    const Box domain = box_of({20, 23, 18});
    const Placement cube = blocks({0, 1, 2});
    const LogGP model{.latency = 3e-6, .seconds_per_packed_byte = 1e-10, .seconds_per_row = 1e-8};
    for (const std::vector<Placement> &placements : std::vector<std::vector<Placement>>{
             {cube, as_needed, cube, cube}, {blocks({2}), cube, blocks({1, 0})}, {cube, cube}}) {
        const DistributedProgram program = timed(sweeps(domain, placements, 2), model);
        const std::vector<Box> domains(program.arrays.size(), domain);
        for (const int64_t count : {1, 2, 8, 17, 36}) {
            std::vector<RankActions> together(static_cast<size_t>(count));
            ThreadRanks(count).run([&](Transport &transport) {
                RankPlan plan = plan_rank(program, domains, transport);
                std::vector<Action> actions = plan_actions(program, plan, {});
                together[static_cast<size_t>(transport.rank())] = {std::move(plan), std::move(actions)};
            });
            const PlannedRanks all = plan_all_ranks(program, domains, count, model, {}, count / 2);
            const RankActions &asked = together[static_cast<size_t>(count / 2)];
            for (size_t s = 0; s < program.segments.size(); s++) {
                EXPECT_TRUE(are_equal(all.plan.exchanges[s].plan.sends, asked.plan.exchanges[s].plan.sends));
                EXPECT_TRUE(are_equal(all.plan.exchanges[s].plan.receives, asked.plan.exchanges[s].plan.receives));
            }
            const ReplayResult expected = replay_actions(program, together, 3, model);
            const ReplayResult found = replay_ranks(all.ranks, 3, model);
            EXPECT_EQ(found.seconds, expected.seconds) << count;
            EXPECT_EQ(found.messages, expected.messages);
            EXPECT_EQ(found.bytes, expected.bytes);
            EXPECT_EQ(found.waited, expected.waited);
            EXPECT_NEAR(found.path.seconds(), found.seconds, 1e-12);
            EXPECT_GT(all.seconds_to_plan, 0);
            EXPECT_GE(all.slowest_plan, all.seconds_to_plan);
        }
    }
}

TEST(ReplayRanks, KnowsTheCriticalPathAndTheCostOfCalls) {
    // Rank 0 computes for 2 s and sends 5 bytes; rank 1 waits for it.
    std::vector<ReplayRank> ranks(2);
    ranks[0].steps = {{ReplayStep::Kind::Compute, 0, 2, 10}, {ReplayStep::Kind::Send, 0}};
    ranks[0].receives.resize(1);
    ranks[1].steps = {{ReplayStep::Kind::Compute, 0, 1, 5}, {ReplayStep::Kind::Receive, 0}};
    ranks[1].receives = {{{0, 5}}};
    add_sends(ranks);
    const LogGP model{.latency = 10, .overhead = 0.5, .gap = 0, .seconds_per_byte = 1, .seconds_per_point = 1};
    const ReplayResult result = replay_ranks(ranks, 1, model);
    EXPECT_EQ(result.seconds, 2 + 0.5 + 10 + 4 + 0.5);
    EXPECT_EQ(result.path.computing, 2);
    EXPECT_EQ(result.path.latency, 10);
    EXPECT_EQ(result.path.bytes, 4);
    EXPECT_EQ(result.path.overhead, 1);
    EXPECT_EQ(result.path.queueing, 0);
    EXPECT_EQ(result.path.messages, 1);
    EXPECT_EQ(result.computing, 3);
    EXPECT_EQ(result.points, 15);
    EXPECT_EQ(result.waited, 2 + 0.5 + 10 + 4 - 1);
    EXPECT_EQ(result.most_messages, 1);
    EXPECT_EQ(result.most_bytes, 5);
    Segment segment;
    segment.cost = 2, segment.call_cost = 7;
    EXPECT_EQ(seconds_of(segment, {Action::Kind::Compute, 0, 0, {box_of({3, 5})}, false}, model), 2 * 15 + 7);
    EXPECT_EQ(seconds_of(segment, {Action::Kind::Compute, 0, 0, {box_of({0, 5})}, false}, model), 0);
}

/// Takes so much processor time.
void burn(double seconds) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    for (const double end = now() + seconds; now() < end;) {
    }
}

// What happens once, as when the machine is busy, is not the time that a plan takes.
TEST(PlanAllRanks, MeasuresTheSlowestOnesAgain) {
    const Box domain = box_of({16, 64});
    DistributedProgram program = sweeps(domain, std::vector<Placement>(2, blocks({1})));
    const auto boxes = program.segments[0].boxes;
    std::atomic<int> calls = 0;
    program.segments[0].boxes = [&](const std::vector<Box> &writes) {
        if (writes[0][1] == Span{5 + 32, 5 + 48} && calls++ == 0) { // rank 2 of 4
            burn(0.1);
        }
        return boxes(writes);
    };
    const PlannedRanks planned = plan_all_ranks(program, {domain, domain}, 4, LogGP());
    EXPECT_GE(calls, 2);
    EXPECT_GT(planned.slowest_plan, 0);
    EXPECT_LT(planned.slowest_plan, 0.1);
}

TEST(PlanAlone, IsThePlanThatAllRanksMakeTogether) {
    const Box domain = box_of({20, 23, 18});
    const Placement cube = blocks({0, 1, 2});
    const DistributedProgram program = sweeps(domain, {cube, as_needed, cube, cube}, 2);
    for (const int64_t count : {1, 2, 8, 17, 36}) {
        ThreadRanks(count).run([&](Transport &transport) {
            const RankPlan together = plan_rank(program, std::vector<Box>(4, domain), transport);
            const RankPlan alone = plan_alone(program, std::vector<Box>(4, domain), transport.rank(), count);
            EXPECT_EQ(alone.memory, together.memory);
            for (size_t s = 0; s < 3; s++) {
                EXPECT_TRUE(are_equal(alone.exchanges[s].plan.sends, together.exchanges[s].plan.sends));
                EXPECT_TRUE(are_equal(alone.exchanges[s].plan.receives, together.exchanges[s].plan.receives));
            }
        });
    }
}

TEST(PlanAlone, IsOfAnyNumberOfRanks) {
    const Box domain = {{0, 1000000}, {0, 1000000}};
    const DistributedProgram program = sweeps(domain, std::vector<Placement>(2, blocks({0, 1})));
    const RankPlan plan = plan_alone(program, {domain, domain}, 5000, 16384);
    EXPECT_EQ(plan.exchanges[0].plan.receives.size(), 8U);
    EXPECT_EQ(plan.exchanges[0].plan.sends.size(), 8U);
    EXPECT_EQ(volume(plan.owned[0]), int64_t{7812} * 7813);
}

} // namespace
} // namespace fluorite::distribute::replay_actions_test
