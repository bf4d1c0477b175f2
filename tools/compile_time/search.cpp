// What searches over schedules ask: whether a Func may be placed somewhere, what directives a loop takes, and the nest
// after a change.

#include "search.h"

#include "clock.h"
#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "language/function.h"
#include "language/pipeline_contents.h"
#include "loopnest/loop_nests.h"
#include "schedule/loop_rules.h"
#include "schedule/placement/uses.h"
#include "schedule/placement_rules.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace fluorite::compile_time {

namespace {

/// N stages of three taps, each computed at root in vectors.
Func chain_at_root(int length) {
    Var x("x"), y("y");
    ImageParam input(Float(32), 2, "input");
    Func before("source");
    before(x, y) = input(x, y);
    for (int i = 1; i <= length; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x, y) = before(x, y) * 0.5f + (i % 2 ? before(x + 1, y) : before(x, y + 1)) * 0.25f + before(x, y);
        stage.compute_root().vectorize(x, 8);
        before = stage;
    }
    return before;
}

/// What a search over schedules asks most: whether a Func may be placed somewhere, and what the loop nest is then.
void measure_search() {
    constexpr int funcs = 50, questions = 1'000'000, repetitions = 20;
    const Pipeline pipeline(chain_at_root(funcs));
    const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), get_jit_target_from_environment());
    schedule::PlacementRules rules(frozen.schedule, schedule::nests_of(frozen.graph, frozen.schedule));
    const size_t count = frozen.graph.funcs.size();
    size_t legal = 0;
    double start = now();
    for (int i = 0; i < questions; i++) {
        const FuncId func(static_cast<size_t>(i) % count);
        const std::span<const schedule::Site> sites = rules.legal(func);
        const schedule::Site compute = sites[static_cast<size_t>(i) % sites.size()];
        legal += rules.compute_at(func, compute) && rules.store_at(func, compute, schedule::Site::root()) ? 1 : 0;
        if (i % 100 == 0) {
            rules.move(func, i % 200 == 0 ? compute : schedule::Site::root());
        }
    }
    const double rate = questions / (now() - start);
    Var x("x"), y("y"), xo("xo"), xi("xi");
    Func tiled("tiled");
    tiled(x, y) = x + y;
    tiled.split(x, xo, xi, 8, TailStrategy::ShiftInwardsAndBlend);
    const schedule::StageRef stage = tiled.function()->stage_ref(0, {});
    const schedule::LoopRules loop_rules(stage);
    const std::vector<std::string> order = {"xi", "y", "xo"};
    const std::string names[] = {"xi", "xo", "y"}, part = "t";
    size_t legal_loops = 0;
    start = now();
    for (int i = 0; i < questions; i++) {
        const std::string &loop = names[i % 3];
        const schedule::LoopVerdict verdict = i % 4 == 0   ? loop_rules.reorder(order)
                                              : i % 4 == 1 ? loop_rules.mark(loop, ForType::Parallel)
                                              : i % 4 == 2 ? loop_rules.split(loop, loop, part, 4, TailStrategy::Auto)
                                                           : loop_rules.fuse("xi", "y", part);
        legal_loops += verdict ? 1 : 0;
    }
    const double loop_rate = questions / (now() - start);
    double nest = 1e9;
    for (int i = 0; i < repetitions; i++) {
        start = now();
        const loopnest::BoundedLoopNest made = loopnest::make_loop_nest(frozen, {.find_ranges = false});
        nest = std::min(nest, now() - start);
    }
    std::printf(
        "\nsearch, %d Funcs: %.1f million questions a second where a Func may be (%zu of %d legal), with a move every "
        "hundred; %.1f million which directives a loop takes (%zu legal); the bounded loop nest in %.2f ms\n",
        funcs, rate / 1e6, legal, questions, loop_rate / 1e6, legal_loops, nest * 1e3);
}

/// One directive of one Func, of a chain of Funcs that are split, vectorized and computed at root.
void change_one(const ir::Graph &graph, const schedule::Schedule &original, schedule::Schedule &schedule,
                std::mt19937_64 &random) {
    const size_t func = random() % (graph.funcs.size() - 1);
    schedule::FuncSchedule &its = schedule.funcs[func];
    schedule::StageSchedule &stage = its.stages[0];
    const auto consumer = [&] {
        for (size_t next = func + 1; next + 1 < graph.funcs.size(); next++) {
            if (!schedule.funcs[next].compute.is_inlined()) {
                return next;
            }
        }
        return graph.funcs.size() - 1;
    };
    switch (random() % 5) {
    case 0: // another width of vectors
        if (!stage.splits.empty()) {
            stage.splits[0].factor = ir::int32(4 << (random() % 3));
        }
        break;
    case 1:
        stage.dims.back().for_type =
            stage.dims.back().for_type == ForType::Serial ? ForType::Parallel : ForType::Serial;
        break;
    case 2:
        its.compute = schedule::LoopLevel::at(graph.funcs[consumer()].symbol, 0, "y");
        break;
    case 3: // inlined
        its = {};
        its.stages.push_back(schedule::default_stage_schedule(graph.funcs[func], graph.funcs[func].stages[0], false));
        break;
    default:
        its = original.funcs[func];
    }
}

/// The nest after one change of the schedule, and the same made from scratch, in turns. Each change is one of the
/// schedule with everything at root, or of the one that the changes before have led to.
void measure_changes(bool is_walk) {
    constexpr int funcs = 50, changes = 300;
    const Pipeline pipeline(chain_at_root(funcs));
    const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), get_jit_target_from_environment());
    const loopnest::NestOptions options{{}, false};
    loopnest::LoopNests nests(frozen.graph, options);
    schedule::ScheduledGraph scheduled = frozen;
    std::mt19937_64 random(1);
    std::vector<double> changed, scratch;
    int refused = 0;
    for (int i = 0; i < changes; i++) {
        const schedule::Schedule before = is_walk ? scheduled.schedule : frozen.schedule;
        nests.make(before).or_raise();
        scheduled.schedule = before;
        change_one(frozen.graph, frozen.schedule, scheduled.schedule, random);
        try {
            double start = now();
            const loopnest::BoundedLoopNest remembered = nests.make(scheduled.schedule).or_raise();
            changed.push_back(now() - start);
            start = now();
            const loopnest::BoundedLoopNest made = loopnest::make_loop_nest(scheduled, options);
            scratch.push_back(now() - start);
        } catch (const CompileError &) {
            scheduled.schedule = before;
            refused++;
        }
    }
    std::sort(changed.begin(), changed.end());
    std::sort(scratch.begin(), scratch.end());
    const auto at = [](const std::vector<double> &all, double part) {
        return all[static_cast<size_t>(part * static_cast<double>(all.size() - 1))] * 1e3;
    };
    std::printf(
        "search, %d Funcs, after one change of %s: the nest in %.2f ms (median; 9 of 10 in %.2f, the slowest in "
        "%.2f), from scratch in %.2f ms; %zu changes, %d refused\n",
        funcs, is_walk ? "a schedule that others led to" : "everything at root", at(changed, 0.5), at(changed, 0.9),
        at(changed, 1), at(scratch, 0.5), changed.size(), refused);
}

} // namespace

void measure_searches() {
    measure_search();
    measure_changes(false);
    measure_changes(true);
}

} // namespace fluorite::compile_time
