#pragma once
// The working copy of a pipeline that is compiled: inlined Funcs are removed, and Funcs that are computed at several
// sites are copied.

#include "loopnest/budget.h"
#include "schedule/schedule.h"
#include "schedule/site.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// A stage that reads a Func.
using Consumer = schedule::StageId;

/// The role of a stage of the working copy: it is a stage of the program, or one specialization of it.
struct Variant {
    int definition = 0;  // the index of the stage in the program
    Expr condition;      // runs if this holds and no earlier alternative runs; undefined: always
    std::string failure; // not empty: instead of computing anything, the pipeline fails with this text
};

/// The working copy of a pipeline while it is lowered. Inlined Funcs are not in `order`, inlined reductions have one
/// clone for each consumer, and a stage with specializations is replaced by one adjacent stage for each. Clones are at
/// the end of graph.funcs, so `order`, not the index, is topological (producers first).
struct LoweringGraph {
    schedule::ScheduledGraph pipeline;
    std::vector<FuncId> order;
    std::vector<std::vector<Variant>> variants; // by FuncId and stage; empty: all stages are those of the program

    Variant variant(StageId id) const {
        const size_t func = id.func.index();
        const bool has = func < variants.size() && !variants[func].empty();
        return has ? variants[func][id.index()] : Variant{id.stage, {}, {}};
    }
    /// The stages [first, end) that are alternatives of one definition of the program: exactly one of them runs.
    std::pair<size_t, size_t> alternatives(StageId id) const {
        const size_t func = id.func.index(), stage = id.index();
        if (func >= variants.size() || variants[func].empty()) {
            return {stage, stage + 1};
        }
        const std::vector<Variant> &all = variants[func]; // in the order of their definitions
        const int definition = all[stage].definition;
        const auto begins = [](const Variant &one, int other) { return one.definition < other; };
        const auto at = [&](int wanted) {
            return static_cast<size_t>(std::lower_bound(all.begin(), all.end(), wanted, begins) - all.begin());
        };
        return {at(definition), at(definition + 1)};
    }
    bool has_updates(FuncId id) const { return variant({id, func(id).stages.size() - 1}).definition > 0; }
    std::vector<std::vector<Consumer>> consumers; // by FuncId: the stages of other Funcs that call the Func, in order
    std::map<int32_t, std::vector<Expr>> memoize_keys; // by FuncId: the keys of memoized Funcs (inline/memoize_key.h)
    Budget budget;

    const ir::FuncDef &func(FuncId id) const { return pipeline.graph.func(id); }
    const ir::Stage &stage(StageId id) const { return pipeline.graph.stage(id); }
    const schedule::FuncSchedule &schedule(FuncId id) const { return pipeline.schedule.func(id); }
    const schedule::StageSchedule &schedule(StageId id) const { return pipeline.schedule.stage(id); }
};

/// All expressions of a stage: values, arguments, predicate, and ranges of RVars.
std::vector<Expr> stage_exprs(const ir::Stage &stage);

} // namespace fluorite::loopnest
