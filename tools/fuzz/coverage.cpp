// Rows of the coverage table, and which of them a schedule fills.
//
// Tails, kinds of loops and so on are counted in frozen schedules, not in directives: they are what lowering receives,
// also from walks. The schedules of inlined Funcs do not count, nor does a default (MemoryType::Auto).

#include "coverage.h"

#include "schedule/directives/table.h"

namespace fluorite::fuzz {

namespace {

enum Group : uint8_t { Directives, Steps, Tails, Loops, Partitions, Memory, Prefetches, Alignments, Places };

int first_of(Group group) {
    int first = 0;
    for (int g = 0; g < group; g++) {
        first += static_cast<int>(feature_groups()[static_cast<size_t>(g)].names.size());
    }
    return first;
}

void add(Features &features, Group group, int index) {
    if (index >= 0 && index < static_cast<int>(feature_groups()[group].names.size())) {
        features.set(static_cast<size_t>(first_of(group) + index));
    }
}

void add_stage(Features &features, const schedule::StageSchedule &stage) {
    for (const schedule::Split &split : stage.splits) {
        if (split.kind == schedule::Split::Kind::Split) {
            add(features, Tails, static_cast<int>(split.tail));
        }
    }
    for (const schedule::LoopDim &dim : stage.dims) {
        add(features, Loops, static_cast<int>(dim.for_type));
        add(features, Partitions, static_cast<int>(dim.partition) - 1);
    }
    for (const schedule::Prefetch &prefetch : stage.prefetches) {
        add(features, Prefetches, static_cast<int>(prefetch.strategy));
    }
    if (stage.with) {
        if (stage.with->align.empty()) {
            add(features, Alignments, static_cast<int>(LoopAlignStrategy::NoAlign));
        }
        for (LoopAlignStrategy align : stage.with->align) {
            add(features, Alignments, static_cast<int>(align));
        }
    }
}

} // namespace

const std::vector<FeatureGroup> &feature_groups() {
    static const std::vector<FeatureGroup> groups = [] {
        FeatureGroup directives{"directives", {}}, steps{"steps of walks", {}}, tails{"tail strategies", {}};
        for (int op = 0; op < directive_count; op++) {
            directives.names.emplace_back(op_name(static_cast<Directive::Op>(op)));
        }
        for (int op = 0; op < walk_op_count; op++) {
            steps.names.emplace_back(op_name(static_cast<WalkStep::Op>(op)));
        }
        for (int tail = 0; tail <= static_cast<int>(TailStrategy::Auto); tail++) {
            tails.names.emplace_back(schedule::tail_word(static_cast<TailStrategy>(tail)));
        }
        return std::vector<FeatureGroup>{directives,
                                         steps,
                                         tails,
                                         {"loops", {"serial", "parallel", "vectorized", "unrolled"}},
                                         {"partitions", {"Never", "Always"}},
                                         {"memory", {"Heap", "Stack", "Register"}},
                                         {"prefetches", {"Clamp", "GuardWithIf", "NonFaulting"}},
                                         {"alignments of shared loops", {"AlignStart", "AlignEnd", "NoAlign"}},
                                         {"places", {"inlined", "at root", "in a loop", "stored further out"}}};
    }();
    return groups;
}

void add_feature(Features &features, Directive::Op op) { add(features, Directives, static_cast<int>(op)); }
void add_feature(Features &features, WalkStep::Op op) { add(features, Steps, static_cast<int>(op)); }

void add_features(Features &features, const schedule::ScheduledGraph &pipeline) {
    const schedule::ScheduledGraph &lowered = pipeline.rewritten ? *pipeline.rewritten : pipeline;
    for (const ir::FuncDef &def : lowered.graph.funcs) {
        const schedule::FuncSchedule &func = lowered.schedule.func(def.id());
        if (func.compute.is_inlined() && !lowered.graph.is_output(def.id())) {
            add(features, Places, 0);
            continue;
        }
        add(features, Places, func.compute.is_at() ? 2 : 1);
        if (!func.store.is_inlined() && !(func.store == func.compute)) {
            add(features, Places, 3);
        }
        add(features, Memory, static_cast<int>(func.memory) - 1);
        for (const schedule::StageSchedule &stage : func.stages) {
            schedule::for_each_variant(stage,
                                       [&](const schedule::StageSchedule &variant) { add_stage(features, variant); });
        }
    }
}

} // namespace fluorite::fuzz
