#pragma once
// Schedules as values. A FuncSchedule says for one Func where it is stored and computed; a StageSchedule says for each
// of its stages how the loops are split, ordered and run. Directives (schedule/directives/directives.h) edit these
// values and check each edit; language/ forwards Func's methods to them; freezing collects them into one Schedule
// beside the Graph.
//
// Loops are named by Var names, unique within a stage. Dims are listed innermost first.

#include "fluorite/errors.h"
#include "fluorite/schedule_types.h"
#include "ir/graph.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// A place in the loop nest: nowhere (inlined), outside all loops, or inside loop `var` of stage `stage` of `func`.
struct LoopLevel {
    enum class Kind : uint8_t { Inlined, Root, At };
    Kind kind = Kind::Inlined;
    ir::Symbol func; // kind At: the Func's symbol (the user's before freezing, the graph's after)
    int stage = 0;
    std::string var;
    Location location; // of the directive

    static LoopLevel inlined() { return {}; }
    static LoopLevel root(Location location = {}) { return {Kind::Root, {}, 0, {}, location}; }
    static LoopLevel at(ir::Symbol func, int stage, std::string var, Location location = {}) {
        return {Kind::At, std::move(func), stage, std::move(var), location};
    }
    bool is_inlined() const { return kind == Kind::Inlined; }
    bool is_root() const { return kind == Kind::Root; }
    bool is_at() const { return kind == Kind::At; }
    /// Same place; the location of the call does not count.
    bool operator==(const LoopLevel &other) const {
        return kind == other.kind &&
               (kind != Kind::At || (func == other.func && stage == other.stage && var == other.var));
    }
};

/// One step of the rewriting of a stage's index space into loops, applied in order.
struct Split {
    enum class Kind : uint8_t {
        Split, // old_var -> outer * factor + inner
        Fuse,  // outer, inner -> old_var (the fused loop)
        Rename // old_var -> outer
    };
    Kind kind = Kind::Split;
    std::string old_var, outer, inner;
    Expr factor; // Int32, Split only
    TailStrategy tail = TailStrategy::Auto;
    bool exact = false; // old_var comes from an RVar: no point may be computed twice or outside
    Location location;
};

/// A loop of a stage.
struct LoopDim {
    std::string var;
    ForType for_type = ForType::Serial;
    bool is_rvar = false;    // stems from an RVar
    bool reorderable = true; // a pure Var, or an RVar whose iterations are independent
    Partition partition = Partition::Auto;
    Location location;
};

/// The first directive of a kind that was applied, for messages; no name: none was.
struct AppliedDirective {
    std::string name;
    Location location;
    explicit operator bool() const { return !name.empty(); }
};

/// In each iteration of loop `at`, what iteration `from + offset` will read of `source` is asked for.
struct Prefetch {
    ir::Symbol source; // of a Func or an input
    std::string at, from;
    Expr offset; // Int32
    PrefetchBoundStrategy strategy = PrefetchBoundStrategy::GuardWithIf;
    Location location;
};

struct Specialization;

/// The outer loops of a stage, down to `level.var`, are those of another stage.
struct ComputeWith {
    LoopLevel level;                      // the stage by its number, never negative
    std::vector<LoopAlignStrategy> align; // by fused loop, outermost first; empty: NoAlign
};

struct StageSchedule {
    std::vector<Split> splits;
    std::vector<LoopDim> dims; // innermost first; never empty after init: a 0-d stage has none
    bool atomic = false;
    bool order_is_free = false; // the program said so: atomic(true)
    bool allow_race_conditions = false;
    AppliedDirective touched;  // the first directive on the stage
    AppliedDirective on_loops; // that cuts, orders or marks loops
    std::optional<ComputeWith> with;
    std::vector<Specialization> specializations; // the first whose condition holds runs in place of this schedule
    std::vector<Prefetch> prefetches;
};

/// Another schedule of the same definition, for where a condition on Params and buffer fields holds.
struct Specialization {
    Expr condition;      // bool; undefined where `failure` takes all that is left
    std::string failure; // of specialize_fail: nothing is computed, the pipeline fails with this text
    StageSchedule schedule;
    Location location;
    bool fails() const { return !condition.defined(); }
};

/// Visits the schedule and, depth first, those of its specializations.
template <typename Visit> void for_each_variant(StageSchedule &schedule, const Visit &visit) {
    visit(schedule);
    for (Specialization &specialization : schedule.specializations) {
        for_each_variant(specialization.schedule, visit);
    }
}
template <typename Visit> void for_each_variant(const StageSchedule &schedule, const Visit &visit) {
    visit(schedule);
    for (const Specialization &specialization : schedule.specializations) {
        for_each_variant(specialization.schedule, visit);
    }
}

/// A promise (bound), or an estimate, of the region that is computed of a Func. Undefined members promise nothing.
struct Bound {
    std::string var;
    Expr min, extent, modulus, remainder;
    Location location;
};

/// How a dimension lies in memory. Undefined members say nothing.
struct StorageDim {
    std::string var;
    Expr fold;                // the size of a circular buffer
    bool fold_forward = true; // whose newest values are those of the greatest coordinates
    Expr alignment, bound;    // the extent in memory: a multiple of it; this
    Location location;
};

struct FuncSchedule {
    LoopLevel compute = LoopLevel::inlined();
    LoopLevel store = LoopLevel::inlined(); // Inlined: same as compute
    std::vector<Bound> bounds;
    std::vector<Bound> estimates;
    MemoryType memory = MemoryType::Auto;
    std::vector<StageSchedule> stages;
    std::vector<std::string> storage_order; // empty: dimension order; innermost first
    LoopLevel hoist = LoopLevel::inlined(); // where memory is taken; Inlined: where the Func is stored
    std::vector<StorageDim> storage;        // of the dimensions that something is said of
    bool streams = false;                   // stores bypass the caches
    AppliedDirective ring_buffer;
    Expr ring_extent; // of ring_buffer: how many iterations have memory of their own, Int32
    // When it is computed.
    AppliedDirective memoize, async;
    Expr eviction_key;           // of memoize; may be undefined
    AppliedDirective on_region;  // that promises or widens the region
    AppliedDirective on_storage; // that says how the values are stored
    Location location;
};

/// The schedule of a whole frozen pipeline, indexed as graph.funcs.
struct Schedule {
    std::vector<FuncSchedule> funcs;
    const FuncSchedule &func(FuncId id) const { return funcs[id.index()]; }
    FuncSchedule &func(FuncId id) { return funcs[id.index()]; }
};

/// Everything lowering needs. `graph` is the algorithm as the program wrote it: what it means is what the interpreter
/// says.
struct ScheduledGraph {
    ir::Graph graph;
    Schedule schedule;
    /// Where directives rewrite definitions (rfactor): the rewritten graph and its schedule, which lowering takes in
    /// place of the above; else null. Inputs, outputs and parameters are the same.
    std::shared_ptr<const ScheduledGraph> rewritten;
};

/// The default loops of a stage: for stage 0 the pure args, dimension 0 innermost; for updates the RVars innermost
/// (in RDom order), then the pure Vars that occur in the left-hand side, in dimension order.
StageSchedule default_stage_schedule(const ir::FuncDef &func, const ir::Stage &stage, bool is_update);

} // namespace fluorite::schedule
