// Distributed programs on ranks that are threads, against the same program on one rank and against plain loops.
#include "ranks/plan/test_sweeps.h"
#include "ranks/run/run_rank.h"
#include "ranks/transport/thread_transport.h"

#include "support/check.h"
#include "support/test_errors.h"

#include <atomic>
#include <mutex>

namespace fluorite::distribute::run_rank_test {

namespace {

const std::vector<int64_t> rank_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64};

struct Outcome {
    std::vector<int32_t> values; // of the output, over the domain
    std::vector<RankPlan> plans; // by rank
    int64_t messages = 0;        // of one run
    int64_t bytes = 0;           // likewise
};

constexpr size_t nothing_in_place = std::numeric_limits<size_t>::max();

/// Runs a program whose array 0 is the input and whose last array is the output, over `domain` both, twice. Messages of
/// `in_place` bytes or more are read from the sender's memory.
Outcome run_on(int64_t ranks, const DistributedProgram &program, const Box &domain,
               size_t in_place = nothing_in_place) {
    Outcome outcome;
    outcome.values.resize(static_cast<size_t>(volume(domain)), -1);
    outcome.plans.resize(static_cast<size_t>(ranks));
    std::vector<Box> domains(program.arrays.size());
    domains.front() = domains.back() = domain;
    ThreadRanks threads(ranks);
    threads.read_in_place(in_place);
    std::mutex mutex;
    threads.run([&](Transport &transport) {
        RankRun run(program, plan_rank(program, domains, transport));
        run.set_poison(true);
        const RankPlan &plan = run.plan();
        OwnedArray input(plan.owned.front(), 4), output(plan.owned.back(), 4);
        std::vector<ArrayView> bound(program.arrays.size());
        bound.front() = input.view(), bound.back() = output.view();
        for (int round = 0; round < 2; round++) {
            poison(output.view());
            for_each_point(plan.owned.front(), [&](const std::vector<int64_t> &at) {
                set(input.view(), at, round == 0 ? 5 : input_at(at)); // memory is used again
            });
            run.run(bound, transport);
        }
        const std::lock_guard lock(mutex);
        outcome.plans[static_cast<size_t>(plan.rank)] = plan;
        for_each_point(plan.owned.back(), [&](const std::vector<int64_t> &at) {
            size_t index = 0;
            for (size_t d = at.size(); d-- > 0;) {
                index = index * static_cast<size_t>(domain[d].extent()) + static_cast<size_t>(at[d] - domain[d].begin);
            }
            outcome.values[index] = get(output.view(), at);
        });
    });
    outcome.messages = threads.messages() / 2;
    outcome.bytes = threads.bytes() / 2;
    return outcome;
}

/// A transport that notes when an exchange starts, is awaited, may progress, and ends.
class NotingTransport : public NoTransport {
  public:
    explicit NotingTransport(std::string &notes) : notes_(notes) {}
    void start(int64_t, const std::vector<Outgoing> &, const std::vector<Incoming> &) override { notes_ += "start "; }
    void receive(int64_t) override { notes_ += "receive "; }
    void finish(int64_t) override { notes_ += "finish "; }
    void progress() override { notes_ += "progress "; }

  private:
    std::string &notes_;
};

TEST(RunRank, MessagesMayProgressAfterEachSegment) {
    const Box domain = box_of({9});
    DistributedProgram program;
    const auto add = [&](const std::string &name, Array::Role role) {
        program.arrays.push_back(array(name, role, 1, blocks({0})));
    };
    add("in", Array::Role::Input), add("mean", Array::Role::Inner);
    add("other", Array::Role::Output), add("last", Array::Role::Output);
    std::string notes;
    // While `other` is computed, which does not read `mean`, the exchange of `mean` for `last` is open.
    program.segments = {stencil("mean", 0, 1, domain, 1), stencil("other", 0, 2, domain, 1),
                        stencil("last", 1, 3, domain, 1)};
    for (Segment &segment : program.segments) {
        segment.compute = [&notes, name = segment.name](const std::vector<ArrayView> &,
                                                        const std::vector<ArrayView> &) { notes += name + " "; };
    }
    NotingTransport transport(notes);
    RankRun run(program, plan_rank(program, {domain, {}, domain, domain}, transport));
    OwnedArray memory(domain, 4);
    run.run({memory.view(), {}, memory.view(), memory.view()}, transport);
    EXPECT_EQ(notes, "start receive mean progress start other progress receive last progress finish finish ");
}

TEST(RunRank, SweepsAreThoseOfOneRankForEveryRankCount) {
    const std::vector<std::pair<std::vector<int64_t>, std::vector<size_t>>> cases = {
        {{41}, {0}},       {{13, 29}, {1}},         {{13, 29}, {0}}, {{17, 19}, {0, 1}},
        {{5, 7, 11}, {2}}, {{9, 7, 11}, {0, 1, 2}}, {{1, 1}, {0, 1}}};
    for (const auto &[extents, dimensions] : cases) {
        const Box domain = box_of(extents);
        const std::vector<int32_t> expected = plain_sweeps(domain, 3, 1);
        const DistributedProgram program = sweeps(domain, std::vector<Placement>(4, blocks(dimensions)));
        for (const int64_t ranks : rank_counts) {
            for (const size_t in_place : {nothing_in_place, size_t{1}, size_t{40}}) {
                const Outcome outcome = run_on(ranks, program, domain, in_place);
                EXPECT_EQ(outcome.values, expected) << ranks << " ranks over " << to_string(domain);
            }
        }
    }
}

TEST(RunRank, ANeighbourGetsOneMessageForEachExchange) {
    const Box domain = box_of({24, 30});
    for (const int64_t ranks : {4, 6, 9}) {
        const Outcome outcome = run_on(ranks, sweeps(domain, std::vector<Placement>(4, blocks({0, 1}))), domain);
        for (const RankPlan &plan : outcome.plans) {
            for (const RankPlan::Exchange &exchange : plan.exchanges) {
                EXPECT_LE(exchange.plan.receives.size(), 8U);
                EXPECT_EQ(exchange.plan.receives.size(), exchange.plan.sends.size());
            }
            EXPECT_LE(volume(plan.memory[1]), volume(plan.owned[1]) + 2 * (24 + 30 + 2));
        }
        EXPECT_GT(outcome.messages, 0);
    }
}

TEST(RunRank, LayoutsChangeOnTheWay) {
    const Box domain = box_of({12, 20});
    const std::vector<int32_t> expected = plain_sweeps(domain, 4, 2);
    const std::vector<std::vector<Placement>> all = {
        {blocks({0}), blocks({1}), blocks({0, 1}), blocks({0}), blocks({1})},
        {blocks({1}), everywhere, blocks({1}), as_needed, blocks({0})},
        {everywhere, as_needed, as_needed, as_needed, blocks({1})},
        {blocks({1}), as_needed, as_needed, blocks({1}), everywhere},
        {blocks({1}, {}, {1, 8}), blocks({1}, {}, {1, 3}), blocks({0}, {}, {4, 1}), as_needed, blocks({1}, {}, {1, 8})},
    };
    for (size_t i = 0; i < all.size(); i++) {
        for (const int64_t ranks : {1, 2, 3, 5, 8, 21}) {
            for (const int64_t step : {1, 8}) {
                for (const size_t in_place : {nothing_in_place, size_t{1}}) {
                    const Outcome outcome = run_on(ranks, sweeps(domain, all[i], 2, step), domain, in_place);
                    EXPECT_EQ(outcome.values, expected) << i << " on " << ranks << ", multiples of " << step;
                }
            }
        }
    }
}

TEST(RunRank, GridsMayLeaveRanksIdle) {
    const Box domain = box_of({16, 16});
    const std::vector<int32_t> expected = plain_sweeps(domain, 2, 1);
    const Outcome outcome = run_on(7, sweeps(domain, std::vector<Placement>(3, blocks({0, 1}, {3, 2}))), domain);
    EXPECT_EQ(outcome.values, expected);
    EXPECT_TRUE(empty(outcome.plans[6].owned[1]));
    EXPECT_EQ(outcome.plans[6].exchanges[1].plan.receives.size(), 0U);
    expect_error<RuntimeError>(
        [&] { (void)run_on(5, sweeps(domain, std::vector<Placement>(3, blocks({0, 1}, {3, 2}))), domain); },
        "bad-distribution",
        "in a2: it is distributed over 3 x 2 ranks, and there are 5; a grid has at most as many ranks as run; leave "
        "the "
        "grid "
        "out, or start more ranks");
}

TEST(RunRank, HalosOfUnneededValuesDoNotTravel) {
    const Box domain = box_of({10, 64});
    const Outcome outcome = run_on(4, sweeps(domain, {blocks({1}), as_needed, as_needed, blocks({1})}), domain);
    EXPECT_EQ(outcome.values, plain_sweeps(domain, 3, 1));
    const RankPlan &plan = outcome.plans[1];
    EXPECT_EQ(plan.exchanges[0].plan.receives.size(), 2U); // three rows from each side, once
    EXPECT_EQ(plan.exchanges[0].plan.bytes_received(), 2 * 3 * 10 * 4);
    EXPECT_EQ(plan.exchanges[1].plan.receives.size() + plan.exchanges[2].plan.receives.size(), 0U);
    EXPECT_EQ(outcome.messages, 6);
    EXPECT_EQ(outcome.bytes, 6 * 3 * 10 * 4);
}

TEST(RunRank, RanksThatDisagreeAllSaySo) {
    const Box domain = box_of({10, 10});
    const DistributedProgram program = sweeps(domain, std::vector<Placement>(3, blocks({1})));
    std::atomic<int> refused = 0;
    ThreadRanks(4).run([&](Transport &transport) {
        std::vector<Box> domains = {domain, {}, transport.rank() == 2 ? box_of({10, 11}) : domain};
        expect_error<RuntimeError>(
            [&] { (void)plan_rank(program, domains, transport); }, "ranks-disagree",
            "in sweeps: domains of rank 2 are not those of rank 0; all ranks run one program with "
            "one schedule over the same domains; look for what depends on the rank");
        refused++;
    });
    EXPECT_EQ(refused, 4);
    ThreadRanks(3).run([&](Transport &transport) {
        DistributedProgram other = program;
        other.hash = transport.rank() == 1 ? 17 : 4;
        expect_error<RuntimeError>(
            [&] { (void)plan_rank(other, {domain, {}, domain}, transport); }, "ranks-disagree",
            "in sweeps: definitions or schedules of rank 1 are not those of rank 0; all ranks run "
            "one program with one schedule over the same domains; look for what depends on the "
            "rank");
    });
}

// Any two of these layouts differ in one thing, some only in where one list of numbers ends and the next begins.
TEST(RunRank, RanksWithDifferentLayoutsSaySo) {
    const Box domain = box_of({12, 12});
    std::vector<Placement> layouts = {everywhere,
                                      as_needed,
                                      blocks({1}),
                                      blocks({0}),
                                      blocks({0, 1}),
                                      blocks({0, 1}, {2, 1}),
                                      blocks({0, 1}, {1, 2}),
                                      blocks({1}, {2}),
                                      blocks({1}, {}, {2}),
                                      blocks({1}, {2}, {2}),
                                      blocks({0, 1}, {2}, {1, 2}),
                                      blocks({0, 1}, {2, 1}, {2}),
                                      blocks({1}, {2}, {3})};
    layouts.push_back(layouts[2]);
    layouts.back().most_ranks = 1;
    std::vector<DistributedProgram> programs;
    for (const Placement &layout : layouts) {
        programs.push_back(sweeps(domain, {layout, blocks({1})}));
    }
    programs.push_back(programs[2]);
    programs.back().arrays[0].periodic = {false, true};
    programs.push_back(programs[2]);
    programs.back().arrays[0].periodic = {true, false};
    for (size_t a = 0; a < programs.size(); a++) {
        for (size_t b = 0; b < a; b++) {
            SCOPED_TRACE(std::to_string(a) + " and " + std::to_string(b));
            ThreadRanks(2).run([&](Transport &transport) {
                const DistributedProgram &own = programs[transport.rank() == 0 ? b : a];
                expect_error<RuntimeError>(
                    [&] { (void)plan_rank(own, {domain, domain}, transport); }, "ranks-disagree",
                    "in sweeps: layouts of rank 1 are not those of rank 0; all ranks run one program with one schedule "
                    "over the same domains; look for what depends on the rank");
            });
        }
    }
}

TEST(RunRank, ARankThatFailsEndsTheOthers) {
    const Box domain = box_of({10, 40});
    DistributedProgram program = sweeps(domain, std::vector<Placement>(4, blocks({1})));
    const auto compute = program.segments[1].compute;
    program.segments[1].compute = [compute](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        if (writes[0].box[1].begin == 25) { // rank 2 of 4, whose domain begins at 5
            throw RuntimeError("out-of-memory", "in s2: no memory");
        }
        compute(reads, writes);
    };
    expect_error<RuntimeError>([&] { (void)run_on(4, program, domain); }, "out-of-memory", "in s2: no memory");
    const auto wait_for_other = [&](Transport &transport) {
        if (transport.rank() != 1) {
            (void)plan_rank(program, {domain, {}, {}, domain}, transport);
        }
    };
    // A rank that has ended is not waited for.
    expect_error<RuntimeError>([&] { ThreadRanks(2, std::chrono::hours(1)).run(wait_for_other); }, "lost-rank",
                               "on rank 0: no message from rank 1 will come, because a rank has ended early; all ranks "
                               "of a distributed pipeline run to its end; look at the first error of the other ranks");
    // One that never comes is reported within the limit.
    expect_error<RuntimeError>(
        [&] {
            std::atomic<bool> is_reported = false;
            ThreadRanks(2, std::chrono::milliseconds(50)).run([&](Transport &transport) {
                if (transport.rank() == 1) {
                    is_reported.wait(false);
                    return;
                }
                try {
                    wait_for_other(transport);
                } catch (...) {
                    is_reported = true;
                    is_reported.notify_all();
                    throw;
                }
            });
        },
        "lost-rank",
        "on rank 0: no message from rank 1 within 0.05 s; all ranks of a distributed pipeline run to its end; look at "
        "the "
        "first error of the other ranks");
}

TEST(RunRank, ReadsOutsideOfTheDomainAreRefused) {
    const Box domain = box_of({10, 10});
    DistributedProgram program = sweeps(domain, std::vector<Placement>(2, blocks({1})));
    const auto boxes = program.segments[0].boxes;
    program.segments[0].boxes = [boxes](const std::vector<Box> &writes) {
        SegmentBoxes found = boxes(writes);
        found.reads[0][0].end += 2;
        return found;
    };
    expect_error<RuntimeError>(
        [&] { (void)run_on(2, program, domain); }, "distributed-read",
        "in s1: it reads a0 over [0, 12) x [5, 15), whose domain is [0, 10) x [5, 15); no rank has "
        "what is outside of the domain; give the image a larger domain, or read it through a "
        "boundary condition");
}

TEST(RunRank, MemoryWithRoomForHalosIsUsedInPlace) {
    const Box domain = box_of({6, 24});
    const DistributedProgram program = sweeps(domain, std::vector<Placement>(2, blocks({1})));
    ThreadRanks(3).run([&](Transport &transport) {
        RankRun run(program, plan_rank(program, {domain, domain}, transport));
        const RankPlan &plan = run.plan();
        OwnedArray input(plan.memory[0], 4), output(plan.memory[1], 4), small(plan.owned[0], 4);
        poison(input.view());
        for_each_point(plan.owned[0], [&](const std::vector<int64_t> &at) { set(input.view(), at, input_at(at)); });
        run.run({input.view(), output.view()}, transport);
        for_each_point(plan.memory[0], [&](const std::vector<int64_t> &at) { // halos were received into it
            EXPECT_EQ(get(input.view(), at), input_at(at));
        });
        EXPECT_EQ(plan.bytes_allocated(program) - plan.bytes_owned(program),
                  (transport.rank() == 1 ? 2 : 1) * 6 * 4); // a row from each neighbour
        if (transport.rank() == 1) {
            ArrayView too_small = small.view();
            too_small.box[1].begin++;
            expect_error<RuntimeError>([&] { run.run({too_small, output.view()}, transport); }, "bad-distribution",
                                       "on rank 1: the memory of a0 has [0, 6) x [14, 21), and the rank owns [0, 6) x "
                                       "[13, 21); memory holds at least what the rank owns; allocate it for this "
                                       "pipeline");
        }
    });
}

TEST(RunRank, InputsThatAllRanksHaveAreReadInPart) {
    const Box domain = box_of({5, 40});
    for (const int64_t ranks : {1, 3, 8}) {
        const Outcome outcome = run_on(ranks, sweeps(domain, {everywhere, blocks({1})}), domain);
        EXPECT_EQ(outcome.values, plain_sweeps(domain, 1, 1)) << ranks;
        EXPECT_EQ(outcome.messages, 0);
        if (ranks == 8) {
            EXPECT_EQ(to_string(outcome.plans[3].memory[0]), "[0, 5) x [19, 26)"); // five rows and their neighbours
        }
    }
}

} // namespace
} // namespace fluorite::distribute::run_rank_test
