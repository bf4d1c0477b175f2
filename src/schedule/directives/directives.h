#pragma once
// The directives. Each checks what is known at the call and edits a value; the rest is checked when the whole pipeline
// is known (schedule/placement/, loopnest/). A misuse is answered by a Verdict, with the Func, the rule, a remedy, and
// the location of the user's call; the schedule is then as it was. What users call throws it. Each directive, or a few
// that share a check, has a file in schedule/directives.

#include "analysis/reduction.h"
#include "schedule/schedule.h"
#include "support/refusal.h"

namespace fluorite::schedule {

/// The subject of directives on loops: one stage of one Func.
struct StageRef {
    std::string func_name;
    int stage = 0;
    StageSchedule *schedule = nullptr;
    FuncSchedule *func_schedule = nullptr;
    std::vector<std::string> pure_args;    // the Func's pure Vars by name
    const ir::Stage *definition = nullptr; // args, values, rvars of this stage, in the user's symbols
    const ir::FuncDef *func = nullptr;     // the whole Func; its symbol is that of self-calls
    std::vector<int> variant;              // which specialization, outermost first; empty: the stage's own schedule

    /// Refers to a specialization of this stage.
    StageRef specialized(int index) const;

    /// `in f, stage 1` for messages.
    std::string where() const;
};

/// Directives on the loops of a stage. Loops have the names of the user's Var and RVar objects.
Verdict split(const StageRef &stage, const std::string &old_var, const std::string &outer, const std::string &inner,
              const Expr &factor, TailStrategy tail, Location location);
Verdict fuse(const StageRef &stage, const std::string &inner, const std::string &outer, const std::string &fused,
             Location location);
/// Replaces loop `old_var` by `skewed` = old_var + factor * by, inside of loop `by`; the factor is a constant integer
/// other than 0.
Verdict skew(const StageRef &stage, const std::string &old_var, const std::string &by, const std::string &skewed,
             const Expr &factor, Location location);
Verdict rename(const StageRef &stage, const std::string &old_name, const std::string &new_name, Location location);
/// Innermost first; loops that are not named keep their positions.
Verdict reorder(const StageRef &stage, const std::vector<std::string> &vars, Location location);
Verdict set_for_type(const StageRef &stage, const std::string &var, ForType type, Location location);
/// The same for several loops: all of them, or none if one is refused.
Verdict set_for_types(const StageRef &stage, const std::vector<std::string> &vars, ForType type, Location location);
Verdict set_partition(const StageRef &stage, const std::vector<std::string> &vars, Partition partition,
                      const char *directive, Location location);
/// Splits `var`, with an inner loop of the given name, and marks the inner loop (parallel: the outer one).
Verdict split_and_mark(const StageRef &stage, const std::string &var, const std::string &inner, const Expr &factor,
                       ForType type, TailStrategy tail, Location location);
/// vectorize, unroll or parallel by a factor: splits the loop, and marks the inner loop (parallel: the outer one).
Verdict vectorize(const StageRef &stage, const std::string &var, const Expr &factor, TailStrategy tail,
                  Location location);
Verdict unroll(const StageRef &stage, const std::string &var, const Expr &factor, TailStrategy tail, Location location);
Verdict parallel(const StageRef &stage, const std::string &var, const Expr &task_size, TailStrategy tail,
                 Location location);
Verdict tile(const StageRef &stage, const std::vector<std::string> &previous, const std::vector<std::string> &outers,
             const std::vector<std::string> &inners, const std::vector<Expr> &factors, TailStrategy tail,
             Location location);
Verdict tile(const StageRef &stage, const std::vector<std::string> &previous, const std::vector<std::string> &outers,
             const std::vector<std::string> &inners, const std::vector<Expr> &factors,
             const std::vector<TailStrategy> &tails, Location location);
/// tile() whose outer loops are blocks of a device, and whose inner ones are threads.
Verdict gpu_tile(const StageRef &stage, const std::vector<std::string> &previous,
                 const std::vector<std::string> &blocks, const std::vector<std::string> &threads,
                 const std::vector<Expr> &sizes, TailStrategy tail, Location location);
/// Gives each rank a contiguous part of the loops, of a grid of ranks whose first dimension is innermost. `parts` are
/// its extents; empty: chosen when the pipeline runs.
Verdict distribute(const StageRef &stage, const std::vector<std::string> &vars, const std::vector<Expr> &parts,
                   Location location);
Verdict allow_race_conditions(const StageRef &stage, Location location);
Verdict atomic(const StageRef &stage, bool override_associativity_test, Location location);
/// Checks what is known at the call of rfactor on the loops `rvars`; returns the operator of the update.
Result<analysis::ReductionOperator> check_rfactor(const StageRef &stage, const std::vector<std::string> &rvars,
                                                  const std::vector<std::string> &vars, Location location);
/// Runs the stage in the loops of another one, from the outermost to `level.var`.
Verdict compute_with(const StageRef &stage, const LoopLevel &level, const std::vector<LoopAlignStrategy> &align);
/// Adds a specialization for where the condition holds, with a copy of the stage's schedule, and returns its index. A
/// condition that occurred before gives the index of its specialization.
Result<int> specialize(const StageRef &stage, const Expr &condition, Location location);
/// Makes the pipeline fail where no specialization's condition holds.
Verdict specialize_fail(const StageRef &stage, const std::string &message, Location location);
/// Prefetches in loop `at` what iteration `from + offset` reads of a Func or an input, given by its symbol.
Verdict prefetch(const StageRef &stage, const ir::Symbol &source, const std::string &at, const std::string &from,
                 const Expr &offset, PrefetchBoundStrategy strategy, Location location);
/// States that the stage has no directives on purpose; refused if it has one.
Verdict unscheduled(const StageRef &stage, Location location);

/// Directives on a whole Func.
struct FuncRef {
    std::string func_name;
    FuncSchedule *schedule = nullptr;
    std::vector<std::string> pure_args;
};
Verdict compute_at(const FuncRef &func, const LoopLevel &level);
/// Computes it at root, on each rank as far as the rank's own consumers need it.
Verdict compute_rank(const FuncRef &func, Location location);
Verdict store_at(const FuncRef &func, const LoopLevel &level);
Verdict bound(const FuncRef &func, const std::string &var, const Expr &min, const Expr &extent, Location location);
Verdict align_bounds(const FuncRef &func, const std::string &var, const Expr &modulus, const Expr &remainder,
                     Location location);
Verdict set_estimate(const FuncRef &func, const std::string &var, const Expr &min, const Expr &extent,
                     Location location);
Verdict reorder_storage(const FuncRef &func, const std::vector<std::string> &vars, Location location);
Verdict store_in(const FuncRef &func, MemoryType memory, Location location);
Verdict hoist_storage(const FuncRef &func, const LoopLevel &level);
Verdict fold_storage(const FuncRef &func, const std::string &var, const Expr &factor, bool fold_forward,
                     Location location);
Verdict align_storage(const FuncRef &func, const std::string &var, const Expr &alignment, Location location);
Verdict bound_storage(const FuncRef &func, const std::string &var, const Expr &extent, Location location);

/// A directive that is a Mark: it is refused by the check of its row, or stands with the value, which may be undefined.
/// An earlier mark of the name is replaced.
Verdict set_mark(const FuncRef &func, DirectiveName name, const Expr &value, Location location);
Verdict set_mark(const StageRef &stage, DirectiveName name, const Expr &value, Location location);

} // namespace fluorite::schedule
