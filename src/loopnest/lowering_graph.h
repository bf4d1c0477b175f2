#pragma once
// The pipeline that is compiled: without inlined Funcs, with a copy of what stands in several places.

#include "loopnest/budget.h"
#include "schedule/schedule.h"
#include "schedule/site.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// A stage that reads a Func.
using Consumer = schedule::StageId;

/// What a stage of the working copy is of the stage that the program wrote: all of it, or one of its specializations.
struct Variant {
    int definition = 0;  // the index of the program's stage
    Expr condition;      // under which it runs where none before it does; undefined: always
    std::string failure; // it is no computation: the pipeline fails with this text
};

/// The working copy of a pipeline while it is lowered: inlined Funcs are gone from `order`, inlined reductions have one
/// clone a consumer, and stages with specializations stand once for each, next to each other. Clones stand at the end
/// of graph.funcs, so `order`, not the index, is topological (producers first).
struct LoweringGraph {
    schedule::ScheduledGraph pipeline;
    std::vector<FuncId> order;
    std::vector<std::vector<Variant>> variants; // by FuncId and stage; empty: each stage is what the program wrote

    Variant variant(FuncId id, int stage) const {
        const bool has = id.index() < variants.size() && !variants[id.index()].empty();
        return has ? variants[id.index()][static_cast<size_t>(stage)] : Variant{stage, {}, {}};
    }
    /// The stages [first, end) that are one definition of the program's, of which one runs.
    std::pair<int, int> alternatives(FuncId id, int stage) const {
        const int definition = variant(id, stage).definition;
        int first = stage, end = stage + 1;
        while (first > 0 && variant(id, first - 1).definition == definition) {
            first--;
        }
        while (end < static_cast<int>(func(id).stages.size()) && variant(id, end).definition == definition) {
            end++;
        }
        return {first, end};
    }
    bool has_updates(FuncId id) const {
        return variant(id, static_cast<int>(func(id).stages.size()) - 1).definition > 0;
    }
    std::vector<std::vector<Consumer>> consumers;      // by FuncId: the stages of other Funcs that call each, in order
    std::map<int32_t, std::vector<Expr>> memoize_keys; // by FuncId: what memoized Funcs are computed from (memoize.h)
    Budget budget;

    const ir::FuncDef &func(FuncId id) const { return pipeline.graph.func(id); }
    const schedule::FuncSchedule &schedule(FuncId id) const { return pipeline.schedule.func(id); }
};

/// All expressions of a stage: values, arguments, predicate.
std::vector<Expr> stage_exprs(const ir::Stage &stage);

} // namespace fluorite::loopnest
