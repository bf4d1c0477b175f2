#pragma once
// Places in the loop nest, resolved: where each Func is computed and stored.

#include "lowering/lower.h"
#include "schedule/schedule.h"

#include <compare>
#include <map>
#include <vector>

namespace fluorite::lowering {

/// Inside loop `loop` (0 is innermost) of stage `stage` of Func `func`; loop == number of loops: inside the stage but
/// outside of all its loops; func < 0: root, outside of everything.
struct Site {
    int32_t func = -1, stage = -1, loop = -1;
    static Site root() { return {}; }
    bool is_root() const { return func < 0; }
    auto operator<=>(const Site &) const = default;
};

/// What a stage of the working copy is of the stage that the program wrote: all of it, or one of its specializations.
struct Variant {
    int definition = 0;  // the index of the program's stage
    Expr condition;      // under which it runs where none before it does; undefined: always
    std::string failure; // it is no computation: the pipeline fails with this text
};

/// The working copy of a pipeline while it is lowered: inlined Funcs are gone from `order`, inlined reductions have one
/// clone a consumer, and stages with specializations stand once for each, next to each other. Clones stand at the end of
/// graph.funcs, so `order`, not the index, is topological (producers first).
struct Working {
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
    std::map<int32_t, std::vector<Expr>> memoize_keys; // by FuncId: what memoized Funcs are computed from (memoize.h)
    Budget budget;

    const ir::FuncDef &func(FuncId id) const { return pipeline.graph.func(id); }
    const schedule::FuncSchedule &schedule(FuncId id) const { return pipeline.schedule.func(id); }
};

/// A stage that shares its outer loops with others. All of them stand in the loops of the first, `parent`, which has itself as
/// parent.
struct Fusion {
    Site parent;                          // the innermost shared loop
    int loop = 0;                         // the innermost shared loop of this stage
    std::vector<LoopAlignStrategy> align; // by shared loop, outermost first; empty: NoAlign
    Location location;
    /// The site in shared loops where the loop of this stage is.
    Site shared(int own_loop) const { return {parent.func, parent.stage, parent.loop + own_loop - loop}; }
};

/// Where everything goes. Indexed by FuncId; unset for Funcs not in Working::order.
struct Placement {
    std::vector<Site> compute, store;
    std::map<std::pair<int32_t, int>, Fusion> fused; // by Func and stage

    /// Null where the stage has loops of its own.
    const Fusion *fusion(int32_t func, int stage) const {
        const auto found = fused.find({func, stage});
        return found == fused.end() ? nullptr : &found->second;
    }
    /// Where the nest of a site stands: in the loops it shares, or where its Func is computed.
    Site around(const Site &site) const {
        const Fusion *fusion = this->fusion(site.func, site.stage);
        const bool is_child = fusion && fusion->parent.func != site.func;
        return is_child ? fusion->parent : compute[static_cast<size_t>(site.func)];
    }
    std::vector<Site> hoist; // where memory is taken: the store site, or further out
    /// From root inward: the sites that enclose the body of a stage.
    std::vector<Site> path_of(const Working &working, FuncId func, int stage) const;
};

/// Resolves and checks compute_at and store_at against all consumers. Throws CompileError with the legal alternatives.
Placement place(const Working &working);

/// `f.update(0) at loop y`-like text of a site for messages.
std::string describe(const Working &working, const Site &site);

/// A stage that reads a Func.
struct Consumer {
    FuncId func;
    int stage = 0;
};
/// For each Func of the graph, the stages of other Funcs that call it, in order.
std::vector<std::vector<Consumer>> find_consumers(const Working &working);

/// All expressions of a stage: values, arguments, predicate.
std::vector<Expr> stage_exprs(const ir::Stage &stage);

} // namespace fluorite::lowering
