// Interiors, chains of interiors, arrays that share memory: what is computed before messages are there, and equal bits.
#include "ranks/run/actions.h"

#include "ranks/plan/test_sweeps.h"
#include "ranks/run/interior.h"
#include "ranks/run/run_rank.h"
#include "ranks/transport/thread_transport.h"

#include "support/check.h"

#include <gtest/gtest.h>

#include <mutex>

namespace fluorite::distribute::actions_test {

namespace {

const std::vector<int64_t> rank_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64};

/// A region in the middle of a domain, with what a rank has of the array that is read.
Region middle(const Segment &segment, const Box &asked, const Box &domain) {
    return {asked, segment.boxes({asked}).writes[0], {asked}, {domain}};
}

std::string text_of(const std::optional<SplitRegion> &split) {
    if (!split) {
        return "none";
    }
    std::string text;
    for (const Box &box : split->interior) {
        text += to_string(box) + "; ";
    }
    for (const Box &box : split->boundary) {
        text += " / " + to_string(box);
    }
    return text;
}

TEST(Interior, IsWhatNeedsOnlyValuesThatAreThere) {
    const Box domain = {{0, 100}, {0, 100}};
    const Segment segment = stencil("s", 0, 1, domain, 2);
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{20, 40}, {30, 60}}, domain), 1)),
              "[22, 38) x [32, 58);  / [20, 40) x [30, 32) / [20, 40) x [58, 60) / [20, 22) x [32, 58) / "
              "[38, 40) x [32, 58)");
    // At the domain's edge nothing is missing.
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{0, 40}, {70, 100}}, domain), 1)),
              "[0, 38) x [72, 100);  / [0, 40) x [70, 72) / [38, 40) x [72, 100)");
    EXPECT_EQ(text_of(split_region(segment, middle(segment, domain, domain), 1)), "[0, 100) x [0, 100); ");
    // Parts of the interior.
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{0, 100}, {0, 34}}, domain), 3)),
              "[0, 100) x [0, 8); [0, 100) x [8, 16); [0, 100) x [16, 32);  / [0, 100) x [32, 34)");
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{20, 24}, {20, 40}}, domain), 1)), "none");
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{20, 20}, {20, 40}}, domain), 1)), "");
}

TEST(Interior, CutsAreWhereVectorsBegin) {
    const Box domain = {{0, 100}, {0, 100}};
    const Segment segment = stencil("s", 0, 1, domain, 2, 8); // writes multiples of 8 points
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{20, 60}, {30, 60}}, domain), 1)),
              "[28, 52) x [32, 58);  / [20, 60) x [30, 32) / [20, 60) x [58, 60) / [20, 28) x [32, 58) / "
              "[52, 60) x [32, 58)");
    // The last box writes as far as the whole does, and no further.
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{20, 57}, {0, 100}}, domain), 1)),
              "[28, 52) x [0, 100);  / [20, 28) x [0, 100) / [52, 57) x [0, 100)");
    Region tight = middle(segment, {{20, 57}, {0, 100}}, domain);
    tight.computed = tight.asked; // no memory beyond the region
    EXPECT_EQ(text_of(split_region(segment, tight, 1)),
              "[28, 49) x [0, 100);  / [20, 28) x [0, 100) / [49, 57) x [0, 100)");
    tight.asked[0].end = tight.computed[0].end = 55;
    tight.available[0] = tight.asked;
    EXPECT_EQ(text_of(split_region(segment, tight, 1)),
              "[28, 39) x [0, 100);  / [20, 28) x [0, 100) / [39, 55) x [0, 100)");
    tight.asked[0].end = tight.computed[0].end = 30;
    tight.available[0] = tight.asked;
    EXPECT_EQ(text_of(split_region(segment, tight, 1)), "none");
}

TEST(Interior, BoxesDoNotWriteIntoThoseBeforeThem) {
    const Box domain = {{0, 100}};
    Segment segment = stencil("s", 0, 1, domain, 2);
    const auto boxes = segment.boxes;
    segment.boxes = [boxes](std::vector<Box> writes) { // vectors of 12, shifted inwards
        writes[0][0].begin = std::min(writes[0][0].begin, writes[0][0].end - 12);
        return boxes(writes);
    };
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{0, 40}}, domain), 4)), "[0, 12); [12, 28);  / [28, 40)");
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{0, 60}}, domain), 4)),
              "[0, 12); [12, 24); [24, 36); [36, 48);  / [48, 60)");
    EXPECT_EQ(text_of(split_region(segment, middle(segment, {{0, 80}}, domain), 4)),
              "[0, 12); [12, 36); [36, 48); [48, 68);  / [68, 80)"); // whole vectors
    // Rows in strips of 5: parts have 10 at least.
    Segment strips = stencil("s", 0, 1, domain, 2, 5);
    EXPECT_EQ(text_of(split_region(strips, middle(strips, {{0, 95}}, domain), 8)),
              "[0, 10); [10, 20); [20, 30); [30, 40); [40, 50); [50, 60); [60, 70); [70, 90);  / [90, 95)");
    // Rows in eights, shifted inwards: the columns beside an interior of four rows would write into the rows before it.
    const Box square = {{0, 100}, {0, 100}};
    Segment rows = stencil("s", 0, 1, square, 2);
    const auto plain = rows.boxes;
    rows.boxes = [plain](std::vector<Box> writes) {
        writes[0][1].begin = std::min(writes[0][1].begin, writes[0][1].end - 8);
        return plain(writes);
    };
    EXPECT_EQ(text_of(split_region(rows, middle(rows, {{0, 100}, {30, 50}}, square), 1)),
              "[0, 100) x [38, 42);  / [0, 100) x [30, 38) / [0, 100) x [42, 50)");
    EXPECT_EQ(text_of(split_region(rows, middle(rows, {{20, 40}, {30, 50}}, square), 1)), "none");
    EXPECT_EQ(text_of(split_region(rows, middle(rows, {{20, 40}, {30, 54}}, square), 1)),
              "[22, 38) x [38, 46);  / [20, 40) x [30, 38) / [20, 40) x [46, 54) / [20, 22) x [38, 46) / "
              "[38, 40) x [38, 46)");
}

TEST(Interior, IsNotCutWhereThatCostsOrIsForbidden) {
    const Box domain = {{0, 100}, {0, 100}};
    Segment segment = stencil("s", 0, 1, domain, 2);
    const Region region = middle(segment, {{20, 40}, {30, 60}}, domain);
    segment.may_be_cut = false;
    EXPECT_EQ(text_of(split_region(segment, region, 1)), "none");
    // A scan along dimension 0: whatever is asked for, rows are whole.
    Segment scan = stencil("s", 0, 1, domain, 1);
    const auto boxes = scan.boxes;
    scan.boxes = [boxes](std::vector<Box> writes) {
        writes[0][0] = {0, 100};
        return boxes(writes);
    };
    EXPECT_EQ(text_of(split_region(scan, middle(scan, {{0, 100}, {30, 60}}, domain), 1)),
              "[0, 100) x [31, 59);  / [0, 100) x [30, 31) / [0, 100) x [59, 60)");
    EXPECT_EQ(text_of(split_region(scan, middle(scan, {{20, 40}, {30, 60}}, domain), 1)), "none");
    // A second array that is read as a whole for each box.
    Segment table = stencil("s", 0, 1, domain, 2);
    table.reads = {0, 2};
    const auto without = table.boxes;
    table.boxes = [without](const std::vector<Box> &writes) {
        SegmentBoxes found = without(writes);
        found.reads.push_back({{0, 1000}});
        return found;
    };
    Region with_table = middle(segment, {{0, 100}, {0, 60}}, domain);
    with_table.available.emplace_back(), with_table.domains.push_back({{0, 1000}});
    EXPECT_EQ(text_of(split_region(table, with_table, 1)), "[0, 100) x [0, 58);  / [0, 100) x [58, 60)");
    EXPECT_EQ(text_of(split_region(table, with_table, 8)), "[0, 100) x [0, 58);  / [0, 100) x [58, 60)");
    with_table = middle(segment, {{20, 40}, {30, 60}}, domain);
    with_table.available.emplace_back(), with_table.domains.push_back({{0, 1000}});
    EXPECT_EQ(text_of(split_region(table, with_table, 1)), "none"); // five boxes
}

/// Counts, by mode, and compares with plain sweeps.
struct Outcome {
    int64_t messages = 0;       // of one run
    int64_t ahead = 0, all = 0; // points, of all ranks; without those that are computed because vectors round up
    int64_t chains = 0;         // segments that were computed ahead on any rank, at most
};

Outcome run(int64_t ranks, const DistributedProgram &program, const Box &domain, const RunOptions &options,
            const std::vector<int32_t> &expected) {
    Outcome outcome;
    std::vector<Box> domains(program.arrays.size());
    domains.front() = domains.back() = domain;
    std::vector<int32_t> values(static_cast<size_t>(volume(domain)), -1);
    ThreadRanks threads(ranks);
    std::mutex mutex;
    threads.run([&](Transport &transport) {
        RankRun run(program, plan_rank(program, domains, transport), options);
        run.set_poison(true);
        const RankPlan &plan = run.plan();
        OwnedArray input(plan.owned.front(), 4), output(plan.owned.back(), 4);
        std::vector<ArrayView> bound(program.arrays.size());
        bound.front() = input.view(), bound.back() = output.view();
        for (int round = 0; round < 2; round++) {
            for_each_point(plan.owned.front(), [&](const std::vector<int64_t> &at) {
                set(input.view(), at, round == 0 ? 5 : input_at(at));
            });
            run.run(bound, transport);
        }
        const std::lock_guard lock(mutex);
        int64_t chain = 0;
        size_t last = program.segments.size();
        for (const Action &action : run.actions()) {
            outcome.all += action.kind == Action::Kind::Compute ? volume(action.writes[0]) : 0;
            if (action.is_ahead) {
                outcome.ahead += volume(action.writes[0]);
                chain += last == action.segment ? 0 : 1;
                last = action.segment;
            }
        }
        outcome.chains = std::max(outcome.chains, chain);
        for_each_point(plan.owned.back(), [&](const std::vector<int64_t> &at) {
            size_t index = 0;
            for (size_t d = at.size(); d-- > 0;) {
                index = index * static_cast<size_t>(domain[d].extent()) + static_cast<size_t>(at[d] - domain[d].begin);
            }
            values[index] = get(output.view(), at);
        });
    });
    EXPECT_EQ(values, expected) << ranks << " ranks over " << to_string(domain);
    outcome.messages = threads.messages() / 2;
    return outcome;
}

TEST(Actions, ModesHaveTheSameBitsOnEveryRankCount) {
    const std::vector<std::pair<std::vector<int64_t>, std::vector<size_t>>> cases = {
        {{131}, {0}}, {{13, 41}, {1}}, {{20, 27}, {0, 1}}, {{9, 8, 11}, {0, 1, 2}}};
    for (const auto &[extents, dimensions] : cases) {
        const Box domain = box_of(extents);
        for (const int64_t step : {1, 4}) {
            const DistributedProgram program = sweeps(domain, std::vector<Placement>(4, blocks(dimensions)), 1, step);
            const std::vector<int32_t> expected = plain_sweeps(domain, 3, 1);
            for (const int64_t ranks : rank_counts) {
                RunOptions options;
                options.points_between_progress = 50;
                const Outcome overlapped = run(ranks, program, domain, options, expected);
                options.mode = ExchangeMode::Merged;
                const Outcome merged = run(ranks, program, domain, options, expected);
                options.mode = ExchangeMode::Basic;
                const Outcome basic = run(ranks, program, domain, options, expected);
                EXPECT_EQ(merged.ahead + basic.ahead, 0);
                EXPECT_EQ(overlapped.messages, basic.messages); // one array an exchange
                if (ranks > 1 && ranks <= 4 && step == 1 && extents.size() < 3) {
                    EXPECT_GT(2 * overlapped.ahead, overlapped.all) << ranks << " ranks over " << to_string(domain);
                }
            }
        }
    }
}

TEST(Actions, ChainsOfSweepsAreComputedAheadAsTrapezoids) {
    for (const auto &extents : std::vector<std::vector<int64_t>>{{90}, {30, 37}, {14, 13, 12}}) {
        const Box domain = box_of(extents);
        std::vector<size_t> dimensions(extents.size());
        for (size_t d = 0; d < dimensions.size(); d++) {
            dimensions[d] = d;
        }
        std::vector<Placement> placements(6, as_needed);
        placements.front() = placements.back() = blocks(dimensions);
        const DistributedProgram program = sweeps(domain, placements);
        const std::vector<int32_t> expected = plain_sweeps(domain, 5, 1);
        for (const int64_t ranks : rank_counts) {
            const Outcome own = run(ranks, program, domain, {}, expected);
            RunOptions options;
            options.slots = {0, 1, 2, 1, 2, 3}; // two buffers between the first and the last
            const Outcome shared = run(ranks, program, domain, options, expected);
            EXPECT_EQ(own.ahead, shared.ahead);
            EXPECT_EQ(own.messages, shared.messages);
            if (ranks == 2) {
                EXPECT_EQ(own.chains, 5);
                EXPECT_GT(3 * own.ahead, own.all);
            }
        }
    }
}

TEST(Actions, MemoryIsSharedOnlyWhereNothingIsLost) {
    const Box domain = box_of({60});
    std::vector<Placement> placements(5, as_needed);
    placements.front() = placements.back() = blocks({0});
    const DistributedProgram program = sweeps(domain, placements);
    ThreadRanks(3).run([&](Transport &transport) {
        const RankPlan plan = plan_rank(program, {domain, {}, {}, {}, domain}, transport);
        EXPECT_TRUE(can_share(program, plan, {0, 1, 0, 1, 0}));
        EXPECT_TRUE(can_share(program, plan, {0, 1, 0, 1, 2}));
        EXPECT_FALSE(can_share(program, plan, {0, 1, 1, 2, 3}));
        EXPECT_FALSE(can_share(program, plan, {0, 0, 1, 2, 3}));
        EXPECT_FALSE(can_share(program, plan, {0, 1, 2, 3, 3}));
        RunOptions options;
        options.slots = {0, 1, 2, 2, 3};
        EXPECT_THROW((void)plan_actions(program, plan, options), InternalError);
        // The interior of the third sweep would overwrite what the boundary of the second still reads.
        DistributedProgram wide = program;
        wide.segments[1] = stencil("wide", 1, 2, domain, 4);
        const RankPlan wide_plan = plan_rank(wide, {domain, {}, {}, {}, domain}, transport);
        const auto chain = [&](const std::vector<size_t> &slots) {
            RunOptions with;
            with.slots = slots;
            size_t last = 0;
            for (const Action &action : plan_actions(wide, wide_plan, with)) {
                last = action.is_ahead ? std::max(last, action.segment + 1) : last;
            }
            return last;
        };
        EXPECT_EQ(chain({}), 4U);
        EXPECT_LT(chain({0, 1, 0, 1, 0}), 4U);
    });
}

TEST(Actions, TheBasicModeSendsEachArrayByItself) {
    const Box domain = box_of({8, 40});
    DistributedProgram program;
    program.name = "two";
    program.arrays = {array("a", Array::Role::Input, 2, blocks({1})), array("b", Array::Role::Inner, 2, blocks({1})),
                      array("c", Array::Role::Output, 2, blocks({1}))};
    program.segments = {stencil("first", 0, 1, domain, 1), stencil("both", 1, 2, domain, 1)};
    // The second one reads the input with a wider halo, which travels before the first.
    Segment &both = program.segments[1];
    both.reads = {1, 0};
    const auto boxes = both.boxes;
    const auto compute = both.compute;
    both.boxes = [boxes](const std::vector<Box> &writes) {
        SegmentBoxes found = boxes(writes);
        found.reads.push_back(found.reads[0]);
        return found;
    };
    both.compute = [compute](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        compute({reads[0]}, writes);
        for_each_point(writes[0].box, [&](const std::vector<int64_t> &at) {
            set(writes[0], at, get(writes[0], at) + get(reads[1], at));
        });
    };
    std::vector<int32_t> expected;
    for (const int64_t ranks : {1, 2, 4, 7}) {
        for (const ExchangeMode mode : {ExchangeMode::Basic, ExchangeMode::Merged, ExchangeMode::Overlapped}) {
            RunOptions options;
            options.mode = mode;
            if (expected.empty()) {
                OwnedArray in(domain, 4), mid(domain, 4), out(domain, 4);
                for_each_point(domain, [&](const std::vector<int64_t> &at) { set(in.view(), at, input_at(at)); });
                program.segments[0].compute({in.view()}, {mid.view()});
                both.compute({mid.view(), in.view()}, {out.view()});
                expected.resize(static_cast<size_t>(volume(domain)));
                std::memcpy(expected.data(), out.view().data, expected.size() * sizeof(int32_t));
            }
            EXPECT_EQ(run(ranks, program, domain, options, expected).messages, 2 * 2 * (ranks - 1));
        }
    }
}

} // namespace
} // namespace fluorite::distribute::actions_test
