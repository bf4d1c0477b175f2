// What one rank holds, exchanges and computes, in which order, as whole texts: tests/distribute/actions.txt. Values do
// not show memory that is larger than necessary, interiors that are smaller, or exchanges that begin later.
// FLUORITE_UPDATE_GOLDENS rewrites the file.

#include "ranks/plan/test_sweeps.h"
#include "ranks/plan/unrolled.h"
#include "ranks/run/actions.h"
#include "ranks/run/estimate.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_golden.h"

#include <gtest/gtest.h>

namespace fluorite::distribute::rank_plans_test {

namespace {

std::string boxes_of(const std::vector<Transfer> &transfers) {
    std::string text;
    for (const Transfer &transfer : transfers) {
        text += (text.empty() ? " " : ", ") + to_string(transfer.source);
        text += transfer.source == transfer.destination ? "" : " as " + to_string(transfer.destination);
    }
    return text;
}

std::string text_of(const DistributedProgram &program, const Action &action, const RankPlan &plan) {
    const Segment &segment = program.segments[action.segment];
    const RankPlan::Exchange &exchange = plan.exchanges[action.segment];
    std::string text = action.kind == Action::Kind::Compute ? "compute "
                       : action.kind == Action::Kind::Start ? "start before "
                                                            : "finish before ";
    text += segment.name + (action.is_ahead ? " ahead" : "");
    if (action.kind == Action::Kind::Compute) {
        for (const Box &box : action.writes) {
            text += " " + to_string(box);
        }
        return text + "\n";
    }
    text += ", flow " + std::to_string(action.flow) + " of";
    for (const size_t a : exchange.flows) {
        text += " " + program.arrays[a].name;
    }
    text += " after " + std::to_string(exchange.ready) + " segments\n";
    const bool starts = action.kind == Action::Kind::Start;
    for (const Message &message : starts ? exchange.plan.sends : exchange.plan.receives) {
        text += std::string(starts ? "    to " : "    from ") + std::to_string(message.peer) +
                boxes_of(message.transfers) + "\n";
    }
    if (starts && !exchange.plan.local.empty()) {
        text += "    here" + boxes_of(exchange.plan.local) + "\n";
    }
    return text;
}

/// The plan of one of the ranks.
std::string plan_of(const std::string &title, const DistributedProgram &program, const std::vector<Box> &domains,
                    int64_t ranks, int64_t rank, const RunOptions &options = {}) {
    std::string text;
    ThreadRanks(ranks).run([&](Transport &transport) {
        const RankPlan plan = plan_rank(program, domains, transport);
        if (plan.rank != rank) {
            return;
        }
        text = "> " + title + ": rank " + std::to_string(rank) + " of " + std::to_string(ranks) + "\n";
        for (size_t a = 0; a < program.arrays.size(); a++) {
            text += program.arrays[a].name + " over " + to_string(plan.domains[a]) + ": owns " +
                    to_string(plan.owned[a]) + ", computes " + to_string(plan.computed[a]) + ", needs " +
                    to_string(plan.needs[a]) + ", holds " + to_string(plan.memory[a]) + "\n";
        }
        text += std::to_string(plan.bytes_allocated(program)) + " bytes, at least " +
                std::to_string(plan.bytes_owned(program)) + "\n";
        const std::vector<Action> actions = plan_actions(program, plan, options);
        for (const Action &action : actions) {
            text += "  " + text_of(program, action, plan);
        }
        LogGP model;
        model.seconds_per_row = 1e-8;
        const double seconds =
            options.mode == ExchangeMode::Basic ? 0 : estimated_seconds(program, plan, actions, model);
        text += "about " + std::to_string(static_cast<int64_t>(seconds * 1e9)) + " ns\n\n";
    });
    return text;
}

DistributedProgram periodic(DistributedProgram program) {
    program.arrays[0].periodic.assign(program.arrays[0].dimensions, true);
    for (Segment &segment : program.segments) {
        segment.ignores_coordinates = true;
    }
    return program;
}

/// Reads `radius` beyond the domain, which wraps around.
Segment wrapping(const Segment &plain, int64_t radius) {
    Segment segment = plain;
    segment.boxes = [radius](const std::vector<Box> &writes) {
        SegmentBoxes boxes{writes, writes};
        for (Span &span : boxes.reads[0]) {
            span = {span.begin - radius, span.end + radius};
        }
        return boxes;
    };
    return segment;
}

} // namespace

TEST(RankPlans, AreTheirTexts) {
    const Box line = box_of({40}), plane = box_of({12, 10});
    const Placement row = blocks({0}), cut = blocks({0, 1});
    std::string seen;
    const auto add = [&](const std::string &title, const DistributedProgram &program, const Box &domain, int64_t ranks,
                         int64_t rank, const RunOptions &options = {}) {
        seen += plan_of(title, program, std::vector<Box>(program.arrays.size(), domain), ranks, rank, options);
    };
    RunOptions merged, basic, parts, shared;
    merged.mode = ExchangeMode::Merged;
    basic.mode = ExchangeMode::Basic;
    parts.points_between_progress = 8;
    parts.most_parts = 3;
    shared.slots = {0, 1, 0, 1};
    const DistributedProgram chain = sweeps(line, {row, as_needed, as_needed, row});
    add("a chain of sweeps, recomputed", chain, line, 3, 1);
    add("the same in parts", chain, line, 2, 0, parts);
    add("the same merged", chain, line, 3, 2, merged);
    add("two buffers by turns", chain, line, 3, 1, shared);
    add("an exchange for each sweep", sweeps(line, {row, row, row}, 2), line, 4, 2);
    add("the same by itself", sweeps(line, {row, row, row}, 2), line, 4, 3, basic);
    add("vectors of four", sweeps(line, {row, as_needed, row}, 1, 4), line, 3, 1);
    add("slices in tiles", sweeps(plane, {blocks({0, 1}, {2, 2}, {4, 1}), as_needed, cut}), plane, 4, 3);
    add("from columns to rows", sweeps(plane, {blocks({0}), blocks({1}), blocks({0})}), plane, 3, 1);
    add("of an image that all have", sweeps(plane, {everywhere, cut, everywhere}), plane, 4, 1);
    add("more ranks than parts", sweeps(box_of({3}), {row, row}), box_of({3}), 5, 4);
    Placement few = row;
    few.most_ranks = 2;
    add("on fewer ranks", sweeps(line, {row, few, row}), line, 4, 2);
    DistributedProgram wraps = periodic(sweeps(line, {row, row}));
    wraps.segments[0] = wrapping(wraps.segments[0], 3);
    add("around the end", wraps, line, 3, 0);
    add("around the end of one rank", wraps, line, 1, 0);
    const UnrolledProgram deep = unrolled(sweeps(line, {row, row}), {{0, 1}}, 3);
    std::vector<Box> domains(deep.program.arrays.size());
    domains[0] = domains[1] = line;
    seen += plan_of("three runs at once", deep.program, domains, 3, 1);
    expect_golden(seen, "tests/distribute/actions.txt");
}

} // namespace fluorite::distribute::rank_plans_test
