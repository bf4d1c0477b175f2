// Values that are read where the sender has them: which are, that they are right, and what happens if a rank fails.
#include "ranks/run/reads_in_place.h"

#include "ranks/plan/test_sweeps.h"
#include "ranks/run/run_rank.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_errors.h"

#include <algorithm>
#include <mutex>

namespace fluorite::distribute::reads_in_place_test {

namespace {

const std::vector<int64_t> rank_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64};

/// Received boxes of rank 0 of so many, in order: c of those that are copied, p of those that are read in place.
std::string kinds_of(const DistributedProgram &program, const Box &domain, int64_t ranks, ExchangeMode mode) {
    std::string kinds;
    std::vector<Box> domains(program.arrays.size());
    domains.front() = domains.back() = domain;
    ThreadRanks(ranks).run([&](Transport &transport) {
        const RankPlan plan = plan_rank(program, domains, transport);
        RunOptions options;
        options.mode = mode;
        if (transport.rank() == 0) {
            for (const auto &messages :
                 find_reads_in_place(program, plan, plan_actions(program, plan, options)).is_copied) {
                for (const std::vector<bool> &boxes : messages) {
                    for (const bool is_copied : boxes) {
                        kinds += is_copied ? 'c' : 'p';
                    }
                }
            }
        }
    });
    return kinds;
}

TEST(ReadsInPlace, AreOfBoxesThatNothingElseIsReadBeside) {
    const Box square = {{0, 48}, {0, 48}};
    const DistributedProgram program = turning(blocks({1}));
    EXPECT_EQ(kinds_of(program, square, 2, ExchangeMode::Overlapped), "p");
    EXPECT_EQ(kinds_of(program, square, 2, ExchangeMode::Merged), "c");      // own values beside those of the peer
    EXPECT_EQ(kinds_of(program, square, 3, ExchangeMode::Overlapped), "cc"); // of both peers at once
    EXPECT_EQ(kinds_of(sweeps(square, std::vector<Placement>(2, blocks({1}))), square, 2, ExchangeMode::Overlapped),
              "c");
    DistributedProgram twice = program; // the second reader reads more
    twice.arrays.insert(twice.arrays.begin() + 1, array("sum", Array::Role::Inner, 2, blocks({1})));
    twice.segments = {turned(0, 1), turned(1, 2)};
    twice.segments[1].reads = {1, 0};
    const auto boxes = twice.segments[1].boxes;
    twice.segments[1].boxes = [boxes, square](const std::vector<Box> &writes) {
        SegmentBoxes found = boxes(writes);
        found.reads.push_back(square);
        return found;
    };
    EXPECT_EQ(kinds_of(twice, square, 2, ExchangeMode::Overlapped).front(), 'c');
}

TEST(ReadsInPlace, HaveTheBitsOfOneRank) {
    const Box square = {{-3, 50}, {-3, 50}};
    for (const int64_t ranks : rank_counts) {
        for (const Placement &placement : {blocks({1}), blocks({0}), blocks({0, 1})}) {
            const DistributedProgram program = turning(placement);
            ThreadRanks threads(ranks);
            threads.read_in_place(1);
            threads.run([&](Transport &transport) {
                RankRun run(program, plan_rank(program, {square, square}, transport));
                run.set_poison(true);
                const Box &owned = run.plan().owned[0];
                OwnedArray in(owned, 4), out(run.plan().owned[1], 4);
                for (int32_t round = 0; round < 3; round++) {
                    // If a peer still read the values of the round before, it would see these.
                    for_each_point(owned,
                                   [&](const std::vector<int64_t> &at) { set(in.view(), at, input_at(at) + round); });
                    run.run({in.view(), out.view()}, transport);
                    int wrong = 0;
                    for_each_point(run.plan().owned[1], [&](const std::vector<int64_t> &at) {
                        const int32_t right = 3 * (input_at({at[1], at[0]}) + round) + static_cast<int32_t>(at[0]);
                        wrong += get(out.view(), at) != right ? 1 : 0;
                    });
                    EXPECT_EQ(wrong, 0) << "rank " << transport.rank() << " of " << ranks << ", round " << round;
                }
            });
        }
    }
}

TEST(ReadsInPlace, ARankThatFailsBeforeItsEndFailsThoseThatReadFromIt) {
    const Box square = {{0, 40}, {0, 40}};
    DistributedProgram program = turning(blocks({1}));
    const auto compute = program.segments[0].compute;
    program.segments[0].compute = [compute](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        if (writes[0].box[1].begin >= 20) { // rank 1 of 2
            throw RuntimeError("out-of-memory", "in turned: no memory");
        }
        compute(reads, writes);
    };
    int lost = 0;
    const auto run = [&] {
        std::vector<OwnedArray> in, out; // of both ranks: rank 0 may read when rank 1 has failed
        for (const int64_t begin : {0, 20}) {
            in.emplace_back(Box{{0, 40}, {begin, begin + 20}}, 4);
            out.emplace_back(Box{{0, 40}, {begin, begin + 20}}, 4);
            for_each_point(in.back().view().box,
                           [&](const std::vector<int64_t> &at) { set(in.back().view(), at, input_at(at)); });
        }
        ThreadRanks threads(2);
        threads.read_in_place(1);
        threads.run([&](Transport &transport) {
            const auto rank = static_cast<size_t>(transport.rank());
            RankRun run(program, plan_rank(program, {square, square}, transport));
            try {
                run.run({in[rank].view(), out[rank].view()}, transport);
            } catch (const RuntimeError &error) {
                lost += error.slug() == std::string("lost-rank") ? 1 : 0;
                throw;
            }
        });
    };
    expect_error<RuntimeError>(run, "out-of-memory", "in turned: no memory");
    EXPECT_EQ(lost, 1);
}

} // namespace

} // namespace fluorite::distribute::reads_in_place_test
