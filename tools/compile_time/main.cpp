// fluorite_compile_time: how the time to compile grows with the size of a program.
//
//   fluorite_compile_time [--only TEXT] [--json FILE] [--verify]
//
// What: builds chains, pyramids and deep expressions of growing size, lowers and compiles each, and prints the seconds
// of every pass, then of everything. Growth is what to look at: each row names the size, and the last column gives the
// time a Func (or a level) relative to the smallest size of the same family; linear growth stays near 1. Exit code: 0,
// or 2 for unusable arguments.

#include "driver/choose_backend.h"
#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "ir/stmt.h"
#include "language/function.h"
#include "language/pipeline_contents.h"
#include "loopnest/loop_nests.h"
#include "lowering/lower.h"
#include "schedule/loop_rules.h"
#include "schedule/placement_rules.h"
#include "schedule/tree/places.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace fluorite::compile_time {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// ---- The programs.

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

/// N stages of three taps, all of them computed for each tile of the last.
Func chain_in_tiles(int length) {
    Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    ImageParam input(Float(32), 2, "input");
    std::vector<Func> stages;
    Func before("source");
    before(x, y) = input(x, y);
    for (int i = 1; i <= length; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x, y) = before(x - 1, y) * 0.5f + before(x + 1, y + 1) * 0.25f;
        stages.push_back(stage);
        before = stage;
    }
    before.tile(x, y, xo, yo, xi, yi, 64, 32).vectorize(xi, 8).parallel(yo);
    for (int i = 0; i + 1 < length; i++) {
        stages[static_cast<size_t>(i)].compute_at(before, xo).vectorize(x, 8);
    }
    return before;
}

/// N stages over a window that slides along y, stored for a strip of rows.
Func chain_sliding(int length) {
    Var x("x"), y("y"), yo("yo"), yi("yi");
    ImageParam input(Float(32), 2, "input");
    std::vector<Func> stages;
    Func before("source");
    before(x, y) = input(x, y);
    for (int i = 1; i <= length; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x, y) = before(x, y - 1) * 0.5f + before(x, y + 1) * 0.25f;
        stages.push_back(stage);
        before = stage;
    }
    before.split(y, yo, yi, 64).parallel(yo).vectorize(x, 8);
    for (int i = 0; i + 1 < length; i++) {
        stages[static_cast<size_t>(i)].store_at(before, yo).compute_at(before, yi).vectorize(x, 8);
    }
    return before;
}

/// A pyramid: N levels down, N levels up with a blend on each, ten Funcs a level, all at root.
Func pyramid(int levels) {
    Var x("x"), y("y");
    ImageParam input(Float(32), 2, "input");
    auto clamped = BoundaryConditions::repeat_edge(input);
    std::vector<Func> down(static_cast<size_t>(levels));
    Func level("level0");
    level(x, y) = clamped(x, y);
    for (int i = 0; i < levels; i++) {
        down[static_cast<size_t>(i)] = level;
        Func across("across" + std::to_string(i)), next("down" + std::to_string(i));
        across(x, y) = (level(2 * x - 1, y) + 3 * (level(2 * x, y) + level(2 * x + 1, y)) + level(2 * x + 2, y)) / 8;
        next(x, y) = (across(x, 2 * y - 1) + 3 * (across(x, 2 * y) + across(x, 2 * y + 1)) + across(x, 2 * y + 2)) / 8;
        level.compute_root().vectorize(x, 8);
        level = next;
    }
    for (int i = levels; i-- > 0;) {
        Func across("up_across" + std::to_string(i)), up("up" + std::to_string(i)),
            detail("detail" + std::to_string(i)), gain("gain" + std::to_string(i)), sum("sum" + std::to_string(i));
        across(x, y) = 0.25f * level(x / 2 - 1 + 2 * (x % 2), y) + 0.75f * level(x / 2, y);
        up(x, y) = 0.25f * across(x, y / 2 - 1 + 2 * (y % 2)) + 0.75f * across(x, y / 2);
        detail(x, y) = down[static_cast<size_t>(i)](x, y) - up(x, y);
        gain(x, y) = detail(x, y) * 1.5f + detail(x + 1, y) * 0.1f;
        sum(x, y) = up(x, y) + gain(x, y);
        level.compute_root().vectorize(x, 8);
        detail.compute_root().vectorize(x, 8);
        level = sum;
    }
    return level;
}

/// N pure functions inside each other, each reading the one before it twice at the same place: a graph of N nodes.
Func nested(int length) {
    Var x("x");
    ImageParam input(Int(32), 1, "input");
    Func before("source");
    before(x) = input(x);
    for (int i = 1; i <= length; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x) = before(x) * before(x) + i;
        before = stage;
    }
    return before;
}

/// One sum of N correlated terms of coordinates.
Func correlated(int terms) {
    Var x("x"), y("y");
    ImageParam input(Int(32), 2, "input");
    Expr where = x;
    for (int i = 0; i < terms; i++) {
        where = where + (i % 3 ? y : Expr(x)) * (i % 5) - (x + i) * (i % 2) + min(x, y + i) - min(x, y + i);
    }
    Func result("result");
    result(x, y) = input(where, y) + input(where + 1, y);
    return result;
}

// ---- Measuring.

struct Family {
    const char *name;
    Func (*make)(int);
    std::vector<int> sizes;
};

struct Sample {
    std::string name;
    int size = 0;
    std::vector<std::pair<std::string, double>> passes;
    double freeze = 0, lower = 0, compile = 0;
    double total() const { return freeze + lower + compile; }
};

Sample measure(const Family &family, int size, bool verifies) {
    Sample sample;
    sample.name = family.name;
    sample.size = size;
    const Pipeline pipeline(family.make(size));
    const Target target = get_jit_target_from_environment();
    double start = now();
    const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), target);
    sample.freeze = now() - start;
    lowering::LowerOptions options;
    options.verify = verifies;
    options.on_pass = [&](const char *name, double seconds, const ir::Stmt &) {
        sample.passes.emplace_back(name, seconds);
    };
    start = now();
    const ir::LoweredModule module = lowering::lower(frozen, options);
    sample.lower = now() - start;
    start = now();
    const auto code = driver::backend_for(target).load(module, target, {});
    sample.compile = now() - start;
    return sample;
}

void print(const Sample &sample, const Sample &first) {
    std::printf("\n%s, %d: freeze %.3f, lower %.3f, compile %.3f, all %.3f s", sample.name.c_str(), sample.size,
                sample.freeze, sample.lower, sample.compile, sample.total());
    std::printf("; growth a unit %.2f\n", (sample.total() / sample.size) / (first.total() / first.size));
    for (const auto &[name, seconds] : sample.passes) {
        if (seconds >= 0.02 * sample.lower && seconds > 0.001) {
            std::printf("    %-26s %8.3f s\n", name.c_str(), seconds);
        }
    }
    std::fflush(stdout);
}

/// What a search over schedules asks most: whether a Func may be placed somewhere, and what the loop nest is then.
void measure_search() {
    constexpr int funcs = 50, questions = 1'000'000, repetitions = 20;
    const Pipeline pipeline(chain_at_root(funcs));
    const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), get_jit_target_from_environment());
    const schedule::Places places(frozen.graph, frozen.schedule);
    schedule::PlacementRules rules(frozen.schedule, places.nests());
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
        nests.make(before);
        scheduled.schedule = before;
        change_one(frozen.graph, frozen.schedule, scheduled.schedule, random);
        try {
            double start = now();
            const loopnest::BoundedLoopNest remembered = nests.make(scheduled.schedule);
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

void write_json(const std::string &path, const std::vector<Sample> &samples) {
    std::ofstream out(path);
    out << "[\n";
    for (size_t i = 0; i < samples.size(); i++) {
        const Sample &s = samples[i];
        out << "  {\"name\": \"" << s.name << "\", \"size\": " << s.size << ", \"freeze\": " << s.freeze
            << ", \"lower\": " << s.lower << ", \"compile\": " << s.compile << ", \"passes\": {";
        for (size_t p = 0; p < s.passes.size(); p++) {
            out << (p ? ", " : "") << '"' << s.passes[p].first << "\": " << s.passes[p].second;
        }
        out << "}}" << (i + 1 < samples.size() ? "," : "") << "\n";
    }
    out << "]\n";
}

int run(int argc, char **argv) {
    std::string only, json;
    bool verifies = false;
    for (int i = 1; i < argc; i++) {
        if (!std::strcmp(argv[i], "--only") && i + 1 < argc) {
            only = argv[++i];
        } else if (!std::strcmp(argv[i], "--json") && i + 1 < argc) {
            json = argv[++i];
        } else if (!std::strcmp(argv[i], "--verify")) {
            verifies = true;
        } else {
            std::fprintf(stderr, "usage: fluorite_compile_time [--only TEXT] [--json FILE] [--verify]\n");
            return 2;
        }
    }
    const std::vector<Family> families = {
        {"chain at root", chain_at_root, {10, 100, 200, 1000}}, {"chain in tiles", chain_in_tiles, {5, 10, 20, 40}},
        {"chain sliding", chain_sliding, {5, 10, 20, 40}},      {"pyramid", pyramid, {3, 5, 10}},
        {"nested pure functions", nested, {10, 20, 40}},        {"correlated sum", correlated, {10, 100, 400}},
    };
    std::vector<Sample> samples;
    for (const Family &family : families) {
        if (std::string(family.name).find(only) == std::string::npos) {
            continue;
        }
        const size_t first = samples.size();
        for (int size : family.sizes) {
            samples.push_back(measure(family, size, verifies));
            print(samples.back(), samples[first]);
        }
    }
    if (std::string("search").find(only) != std::string::npos) {
        measure_search();
        measure_changes(false);
        measure_changes(true);
    }
    if (!json.empty()) {
        write_json(json, samples);
    }
    return 0;
}

} // namespace

} // namespace fluorite::compile_time

int main(int argc, char **argv) { return fluorite::compile_time::run(argc, argv); }
