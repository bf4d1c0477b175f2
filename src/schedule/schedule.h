#pragma once
// Schedules as values. A FuncSchedule defines where a Func is stored and computed; a StageSchedule defines how the
// loops of one of its stages are split, ordered and run. Directives (schedule/directives/directives.h) edit these
// values and check each edit; language/ forwards Func's methods to them; freezing collects them into one Schedule
// beside the Graph.
//
// Loops are named by Var names, unique within a stage. Dims are listed innermost first.

#include "fluorite/errors.h"
#include "fluorite/schedule_types.h"
#include "ir/graph.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// Whether the iterations of a loop run on threads of their own, in no order.
inline bool runs_on_threads(ForType type) {
    return type == ForType::Parallel || type == ForType::GPUBlock || type == ForType::GPUThread ||
           type == ForType::GPULane;
}

/// Whether the iterations of a loop are blocks or threads of a device.
inline bool runs_on_device(ForType type) { return runs_on_threads(type) && type != ForType::Parallel; }

/// A site in the loop nest: none (inlined), outside all loops, or inside loop `var` of stage `stage` of `func`.
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
    /// Whether the sites are equal; the location of the call does not count.
    bool operator==(const LoopLevel &other) const {
        return kind == other.kind &&
               (kind != Kind::At || (func == other.func && stage == other.stage && var == other.var));
    }
};

/// One step in transforming a stage's index space into loops; steps apply in order.
struct Split {
    enum class Kind : uint8_t {
        Split,  // old_var -> outer * factor + inner
        Fuse,   // outer, inner -> old_var (the fused loop)
        Rename, // old_var -> outer
        Skew    // old_var -> outer - factor * inner; the loop `inner` stays
    };
    Kind kind = Kind::Split;
    std::string old_var, outer, inner;
    Expr factor; // Int32; Split, and a constant of Skew
    TailStrategy tail = TailStrategy::Auto;
    bool exact = false; // old_var derives from an RVar or a skew: no point may be computed twice or outside
    Location location;
};

/// The mark of distribute: each rank runs a contiguous part of the loop.
struct DistributedLoop {
    int position = -1; // in the grid of ranks, whose first dimension is innermost; -1: the loop is not distributed
    Expr parts;        // Int32: the grid's extent; undefined: chosen when the pipeline runs
    Location location;
    explicit operator bool() const { return position >= 0; }
};

struct LoopDim {
    std::string var;
    ForType for_type = ForType::Serial;
    bool is_rvar = false;    // derives from an RVar
    bool reorderable = true; // a pure Var, or an RVar whose iterations are independent
    Partition partition = Partition::Auto;
    DistributedLoop distributed;
    Location location;
    Location partitioned; // of the directive that gave `partition`
};

/// The directives, by their names in directives/directives.def.
enum class DirectiveName : uint8_t {
#define FLUORITE_DIRECTIVE(name, summary, arguments) name,
#include "schedule/directives/directives.def"
#undef FLUORITE_DIRECTIVE
};

/// A directive that says no more of a Func or a stage than that it was called, with at most one value.
struct Mark {
    DirectiveName name;
    Expr value; // Int32, or undefined
    Location location;
};

/// The marks of a Func or of a stage, at most one of each name. Such a directive needs no member of its own: what
/// compares, prints, freezes and resets schedules treats all marks alike.
class Marks {
  public:
    bool has(DirectiveName name) const { return find(name) != nullptr; }
    /// The value that the directive was given; undefined without value or mark.
    Expr value(DirectiveName name) const { return has(name) ? find(name)->value : Expr(); }
    /// Of the directive; nowhere without mark.
    Location location(DirectiveName name) const { return has(name) ? find(name)->location : Location(); }
    /// Replaces an earlier mark of the name.
    void set(Mark mark);
    void remove(DirectiveName name);
    /// In the order of directives.def.
    const std::vector<Mark> &all() const { return marks_; }
    std::vector<Mark> &all() { return marks_; }

  private:
    std::vector<Mark> marks_;
    const Mark *find(DirectiveName name) const {
        const auto found =
            std::find_if(marks_.begin(), marks_.end(), [&](const Mark &mark) { return mark.name == name; });
        return found == marks_.end() ? nullptr : &*found;
    }
};

/// The first directive of a kind that was applied, for messages; the name is empty if there is none.
struct AppliedDirective {
    std::string name;
    Location location;
    explicit operator bool() const { return !name.empty(); }
};

/// Each iteration of loop `at` prefetches what iteration `from + offset` will read of `source`.
struct Prefetch {
    ir::Symbol source; // the symbol of a Func or an input
    std::string at, from;
    Expr offset; // Int32
    PrefetchBoundStrategy strategy = PrefetchBoundStrategy::GuardWithIf;
    Location location;
};

struct Specialization;

/// The stage shares the outer loops of another stage, down to `level.var`.
struct ComputeWith {
    LoopLevel level;                      // gives the stage by its number, never negative
    std::vector<LoopAlignStrategy> align; // per fused loop, outermost first; empty: NoAlign
};

struct StageSchedule {
    std::vector<Split> splits;
    std::vector<LoopDim> dims; // innermost first; empty only for 0-d stages
    bool atomic = false;
    bool order_is_free = false; // the program asserts it: atomic(true)
    bool allow_race_conditions = false;
    Marks marks;               // gpu_single_thread
    AppliedDirective touched;  // the first directive on the stage
    AppliedDirective on_loops; // the first that splits, orders or marks loops
    std::optional<ComputeWith> with;
    std::vector<Specialization> specializations; // the first whose condition holds replaces this schedule
    std::vector<Prefetch> prefetches;

    bool has_step(Split::Kind kind) const {
        return std::any_of(splits.begin(), splits.end(), [&](const Split &step) { return step.kind == kind; });
    }
};

/// An alternative schedule of the same definition, used if a condition on Params and buffer fields holds.
struct Specialization {
    Expr condition;      // bool; undefined for specialize_fail, which takes all remaining cases
    std::string failure; // of specialize_fail: the pipeline fails with this text instead of computing
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

/// A promise (bound) or an estimate about the computed region of a Func. Undefined members promise nothing.
struct Bound {
    std::string var;
    Expr min, extent, modulus, remainder;
    Location location;
};

/// The memory layout of a dimension. Undefined members have no effect.
struct StorageDim {
    std::string var;
    Expr fold;                // the extent of a circular buffer
    bool fold_forward = true; // whether its newest values have the greatest coordinates
    Expr alignment, bound;    // the extent in memory is a multiple of `alignment`; it is `bound`
    Location location;
};

struct FuncSchedule {
    LoopLevel compute = LoopLevel::inlined();
    LoopLevel store = LoopLevel::inlined(); // Inlined: the same as compute
    std::vector<Bound> bounds;
    std::vector<Bound> estimates;
    MemoryType memory = MemoryType::Auto;
    std::vector<StageSchedule> stages;
    std::vector<std::string> storage_order; // innermost first; empty: dimension order
    LoopLevel hoist = LoopLevel::inlined(); // where memory is allocated; Inlined: where the Func is stored
    std::vector<StorageDim> storage;        // of the dimensions with storage directives
    Marks marks;                            // stream_stores, ring_buffer, memoize, async, compute_rank, agglomerate
    AppliedDirective on_region;             // the first that promises or widens the region
    AppliedDirective on_storage;            // the first on the storage of the values
    Location location;
    bool is_copy = false; // by clone_in(): promises of its original may be given anew
};

/// Visits every expression of the schedule of a Func, const or not; some are undefined.
template <typename Schedule, typename Visit> void for_each_expr(Schedule &func, const Visit &visit) {
    for (auto *bounds : {&func.bounds, &func.estimates}) {
        for (auto &bound : *bounds) {
            visit(bound.min), visit(bound.extent), visit(bound.modulus), visit(bound.remainder);
        }
    }
    for (auto &dim : func.storage) {
        visit(dim.fold), visit(dim.alignment), visit(dim.bound);
    }
    const auto visit_marks = [&](auto &marks) {
        for (auto &mark : marks.all()) {
            visit(mark.value);
        }
    };
    visit_marks(func.marks);
    for (auto &stage : func.stages) {
        for_each_variant(stage, [&](auto &variant) {
            visit_marks(variant.marks);
            for (auto &split : variant.splits) {
                visit(split.factor);
            }
            for (auto &dim : variant.dims) {
                visit(dim.distributed.parts);
            }
            for (auto &prefetch : variant.prefetches) {
                visit(prefetch.offset);
            }
            for (auto &specialization : variant.specializations) {
                visit(specialization.condition);
            }
        });
    }
}

/// The schedule of a whole frozen pipeline, indexed like graph.funcs.
struct Schedule {
    std::vector<FuncSchedule> funcs;
    const FuncSchedule &func(FuncId id) const { return funcs[id.index()]; }
    FuncSchedule &func(FuncId id) { return funcs[id.index()]; }
    const StageSchedule &stage(StageId id) const { return func(id.func).stages[id.index()]; }
    StageSchedule &stage(StageId id) { return func(id.func).stages[id.index()]; }
};

struct ScheduledGraph;

struct TimeTilePlan; // schedule/time_tile_plan.h

/// The steps that one traversal of memory computes, and how it is cut.
struct TimeTile {
    int steps = 0;                // 0: chosen by the machine model
    std::vector<int64_t> extents; // by dimension; 0: not cut; empty: chosen
    TimeTileShape shape = TimeTileShape::Overlapped;
};

/// How the three graphs of an ir::Iteration are computed; the graphs are those of the Iteration.
struct ScheduledIteration {
    std::shared_ptr<const ScheduledGraph> control, initial, body;
    TimeTile tile;
    /// How the steps run; null: as the graphs say, one by one. It is made from what stands above.
    std::shared_ptr<const TimeTilePlan> plan;
};

/// The complete input of lowering. `graph` is the algorithm as the program wrote it; the interpreter defines its
/// meaning.
struct ScheduledGraph {
    ir::Graph graph;
    Schedule schedule;
    /// If directives rewrite definitions (rfactor): the rewritten graph and its schedule, which lowering uses instead
    /// of the above; else null. Inputs, outputs and parameters are the same.
    std::shared_ptr<const ScheduledGraph> rewritten;
    std::vector<ScheduledIteration> iterations; // as graph.iterations
};

/// The default loops of a stage. Stage 0: the pure args, dimension 0 innermost. Updates: the RVars innermost (in RDom
/// order), then the pure Vars of the left-hand side, in dimension order.
StageSchedule default_stage_schedule(const ir::FuncDef &func, const ir::Stage &stage, bool is_update);

} // namespace fluorite::schedule
