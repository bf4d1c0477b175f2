// Funcs computed in several stages of a consumer, before placement.
//
// Before: f(x) = g(x); f(x) = f(x) + g(x + 1); g.compute_at(f, x).
// After:  f(x) = g(x); f(x) = f(x) + g$1(x + 1); g is computed at loop x of f, g$1 at loop x of f.update(0).
//
// A level that names no stage denotes the loop in every stage of its Func that uses the producer, directly or through
// Funcs computed inside that stage. If there are several such stages, each one after the first gets a clone, so that
// every Func has one site, one region, one storage and one window. A level that names a Func with clones denotes all of
// them.
//
// Consumers are processed first, so that the stage around each consumer is known. Storage levels are resolved in the
// same way: they denote the stage that encloses the compute site of the clone.
// Left unchanged, for placement to accept or refuse: levels that name a stage, uses outside of the Func that the level
// names (also in loops shared by compute_with), stages without the loop, and Funcs that share loops themselves.
// Cost: linear in uses times the depth of the nest, plus a copy of the Func for each further stage.

#include "loopnest/inline/compute_in_stages.h"

#include "loopnest/inline/clone.h"
#include "loopnest/inline/inline_budget.h"
#include "schedule/directives/common.h"

#include <algorithm>
#include <optional>

namespace fluorite::loopnest {

using namespace ir;
using schedule::LoopLevel;

namespace {

class StagePlacer {
  public:
    StagePlacer(LoweringGraph &graph, InlineMemo &memo) : graph_(graph), memo_(memo) {}

    Verdict run() {
        for (size_t i = 0; i < graph_.pipeline.graph.funcs.size(); i++) {
            originals_.emplace_back(i);
        }
        around_.resize(originals_.size());
        consumers_ = find_consumers(graph_, memo_);
        for (size_t i = graph_.order.size(); i-- > 0;) {
            const FuncId id = graph_.order[i];
            if (const Verdict placed = place(id); !placed) {
                return placed;
            }
            // Clones are inserted after it.
            i = position_in(graph_.order, std::find(graph_.order.begin(), graph_.order.end(), id));
        }
        return {};
    }

  private:
    LoweringGraph &graph_;
    InlineMemo &memo_;
    std::vector<FuncId> originals_;              // by FuncId: the Func that it is a clone of, or itself
    std::vector<std::optional<StageId>> around_; // by FuncId: the stage inside whose loops it is computed
    std::vector<std::vector<Consumer>> consumers_;

    schedule::FuncSchedule &schedule_of(FuncId id) { return graph_.pipeline.schedule.func(id); }
    FuncDef &func(FuncId id) { return graph_.pipeline.graph.funcs[id.index()]; }

    bool means(const LoopLevel &level, const StageId &stage) const {
        return originals_[stage.func.index()] == originals_[func_of(level).index()] &&
               (level.stage < 0 || level.stage == stage.stage);
    }
    static FuncId func_of(const LoopLevel &level) { return level.func.owner().func; }

    /// The stage that a level denotes: the given one or one that encloses it.
    std::optional<StageId> find_around(const LoopLevel &level, const StageId &inner) const {
        for (std::optional<StageId> stage = inner; stage; stage = around_[stage->func.index()]) {
            if (originals_[stage->func.index()] == originals_[func_of(level).index()]) {
                return means(level, *stage) ? stage : std::nullopt;
            }
        }
        return std::nullopt;
    }

    bool has_loop(const StageId &stage, const std::string &var) const {
        return var.empty() || var == "__outermost" || var == "__innermost" ||
               schedule::find_loop(graph_.schedule(stage), var);
    }

    bool shares_loops(FuncId id) const {
        for (FuncId other : graph_.order) {
            for (const schedule::StageSchedule &stage : graph_.schedule(other).stages) {
                if (stage.with && (other == id || stage.with->level.func == graph_.func(id).symbol)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// A consumer, and the enclosing stage that the level denotes.
    struct Use {
        Consumer consumer;
        StageId stage;
    };

    Verdict place(FuncId id) {
        const LoopLevel level = graph_.schedule(id).compute;
        if (!level.is_at() || graph_.pipeline.graph.is_output(id)) {
            return {};
        }
        std::vector<Use> uses;
        std::vector<StageId> stages;
        for (const Consumer &consumer : consumers_[id.index()]) {
            const std::optional<StageId> stage = find_around(level, consumer);
            if (!stage || !has_loop(*stage, level.var)) {
                return {};
            }
            uses.push_back({consumer, *stage});
            if (std::find(stages.begin(), stages.end(), *stage) == stages.end()) {
                stages.push_back(*stage);
            }
        }
        if (stages.empty() || (stages.size() > 1 && shares_loops(id))) {
            return {};
        }
        std::sort(stages.begin(), stages.end());
        const schedule::FuncSchedule as_written = graph_.schedule(id);
        for (size_t i = 0; i < stages.size(); i++) {
            if (const Verdict fits = i == 0 ? Verdict() : check_funcs(graph_, id); !fits) {
                return fits;
            }
            const FuncId instance = i == 0 ? id : clone(id, i);
            if (stages.size() > 1 || func_of(level) != stages[i].func) {
                name_stage(instance, as_written, stages[i]);
            }
            around_[instance.index()] = stages[i];
            for (const Use &use : uses) {
                if (i > 0 && use.stage == stages[i]) {
                    redirect(use, func(id).symbol, func(instance).symbol);
                }
            }
        }
        if (stages.size() > 1) {
            consumers_ = find_consumers(graph_, memo_);
        }
        return {};
    }

    FuncId clone(FuncId id, size_t number) {
        const FuncId copy = clone_func(graph_, id, "$" + std::to_string(number), CopyReason::FurtherStage);
        originals_.push_back(originals_[id.index()]);
        around_.emplace_back();
        graph_.order.insert(std::find(graph_.order.begin(), graph_.order.end(), id) + 1, copy);
        return copy;
    }

    /// Makes the levels of an instance name the stage that they denote.
    void name_stage(FuncId id, const schedule::FuncSchedule &as_written, const StageId &stage) {
        schedule::FuncSchedule &its = schedule_of(id);
        for (const auto &[level, written] :
             {std::pair(&its.compute, &as_written.compute), std::pair(&its.store, &as_written.store),
              std::pair(&its.hoist, &as_written.hoist)}) {
            const std::optional<StageId> meant = written->is_at() ? find_around(*written, stage) : std::nullopt;
            if (meant) {
                level->func = graph_.func(meant->func).symbol;
                level->stage = meant->stage;
            }
        }
    }

    /// Makes a consumer call a clone, and redirects the prefetches of the stages from the consumer out to the use's
    /// stage.
    void redirect(const Use &use, const Symbol &from, const Symbol &to) {
        const Consumer &consumer = use.consumer;
        change_exprs(func(consumer.func).stages[consumer.index()],
                     [&](const Expr &expr) { return retarget(expr, from, to); });
        for (std::optional<StageId> stage = consumer; stage;
             stage = *stage == use.stage ? std::nullopt : around_[stage->func.index()]) {
            schedule::for_each_variant(graph_.pipeline.schedule.stage(*stage), [&](schedule::StageSchedule &variant) {
                for (schedule::Prefetch &prefetch : variant.prefetches) {
                    prefetch.source = prefetch.source == from ? to : prefetch.source;
                }
            });
        }
    }
};

} // namespace

Verdict compute_in_stages(LoweringGraph &graph, InlineMemo &memo) { return StagePlacer(graph, memo).run(); }

} // namespace fluorite::loopnest
