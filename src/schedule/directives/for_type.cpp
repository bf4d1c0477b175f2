// serial, parallel, vectorize, unroll: how a loop runs.
//   parallel(y):       for y --> parallel for y            tasks run on the thread pool
//   parallel(y, 8):    split(y, y, yi, 8), parallel(y)     eight rows a task
//   vectorize(x, 8):   split(x, x, xi, 8), vectorize(xi)   eight lanes
//   unroll(x, 4):      split(x, x, xi, 4), unroll(xi)      four copies
// Legal: parallel and vectorize run iterations at once, so on an RVar they need independent iterations
// (schedule/dependence.h), atomic(), or allow_race_conditions(); lanes are combined, so vectorize is content with an
// update that is proved to commute (analysis/reduction.h). The extent of a vectorized or unrolled loop must be
// constant, and within schedule/limits.h, which is known when bounds are (lowering refuses it then), or here where the
// loop is the inner one of a split by a constant.

#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "schedule/limits.h"
#include "support/check.h"

#include <utility>

namespace fluorite::schedule {

const char *name_of(ForType type) {
    switch (type) {
    case ForType::Serial:
        return "serial";
    case ForType::Parallel:
        return "parallel";
    case ForType::Vectorized:
        return "vectorize";
    case ForType::Unrolled:
        return "unroll";
    case ForType::Forked:
        return "fork";
    }
    return "?";
}

namespace {

void check_dependence(const StageRef &stage, const LoopDim &dim, ForType type, Location location) {
    if (type == ForType::Serial || type == ForType::Unrolled || !dim.is_rvar || dim.reorderable) {
        return;
    }
    if (stage.schedule->allow_race_conditions || stage.schedule->atomic) {
        return;
    }
    const std::string seen = std::string(name_of(type)) + " of RVar loop " + dim.var;
    const std::string other_loop = std::string(name_of(type)) + " a loop over a pure Var";
    if (!commutes(stage)) {
        refuse(stage, "parallel-over-dependence",
               seen + "; its iterations read or write what another one writes, and " + why_order_counts(stage) +
                   "; keep it serial, or " + other_loop + way_to_reassociate(stage),
               location);
    }
    if (type == ForType::Parallel) {
        refuse(stage, "parallel-over-dependence",
               seen + "; its iterations update the same points at once, which is a race; call atomic() first, make " +
                   "partial results with rfactor(), or " + other_loop,
               location);
    }
}

/// Refuses more iterations than are laid out flat.
void check_length(const StageRef &stage, const std::string &var, const std::optional<int64_t> &length, ForType type,
                  Location location) {
    if (length && type == ForType::Vectorized && *length > most_lanes) {
        refuse(stage, "vectorize-too-wide", too_wide(var, *length), location);
    }
    if (length && type == ForType::Unrolled && *length > most_copies) {
        refuse(stage, "unroll-too-long", too_long(var, *length), location);
    }
}

/// How often the loop runs, where it has come out of a split by a constant.
std::optional<int64_t> split_length(const StageSchedule &schedule, const std::string &var) {
    for (size_t i = schedule.splits.size(); i-- > 0;) {
        const Split &split = schedule.splits[i];
        if (split.kind == Split::Kind::Split && split.inner == var) {
            return rewrite::constant_value(split.factor);
        }
        if (split.outer == var || split.old_var == var) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace

std::string too_wide(const std::string &var, int64_t lanes) {
    return concat("vectorize of ", var, ", a loop of ", lanes, " iterations; a vector has at most ", most_lanes,
                  " lanes; vectorize by a factor, as in vectorize(", var,
                  ", 16), and leave the rest to the loop around it");
}

std::string too_long(const std::string &var, int64_t copies) {
    return concat("unroll of ", var, ", a loop of ", copies, " iterations; at most ", most_copies,
                  " copies of a body are made; unroll by a factor, as in unroll(", var,
                  ", 8), and leave the rest to the loop around it");
}

void set_for_type(const StageRef &stage, const std::string &var, ForType type, Location location) {
    size_t position = require_loop(stage, var, name_of(type), location);
    LoopDim &dim = stage.schedule->dims[position];
    check_dependence(stage, dim, type, location);
    check_length(stage, var, split_length(*stage.schedule, var), type, location);
    if (dim.for_type != ForType::Serial && type != ForType::Serial && dim.for_type != type) {
        refuse(stage, "loop-marked-twice",
               std::string(name_of(type)) + " of " + var + ", which is already marked " + name_of(dim.for_type) +
                   "; a loop runs in one way; split it, or call serial(" + var + ") first",
               location);
    }
    const ForType before = std::exchange(dim.for_type, type);
    try {
        check_blends(stage, name_of(type), location);
    } catch (...) {
        dim.for_type = before;
        throw;
    }
    if (type != ForType::Serial) {
        note_applied(stage.schedule->on_loops, name_of(type), location);
    }
    note_applied(stage.schedule->touched, name_of(type), location);
    dim.location = location;
}

void set_partition(const StageRef &stage, const std::vector<std::string> &vars, Partition partition,
                   const char *directive, Location location) {
    require_value(stage, partition, Partition::Always, directive, "Partition", location);
    std::vector<size_t> positions;
    for (const std::string &var : vars) {
        positions.push_back(require_loop(stage, var, directive, location));
    }
    const StageEdit edit(stage, directive, location);
    for (size_t position : positions) {
        stage.schedule->dims[position].partition = partition;
    }
}

void split_and_mark(const StageRef &stage, const std::string &var, const std::string &inner, const Expr &factor,
                    ForType type, TailStrategy tail, Location location) {
    size_t position = require_loop(stage, var, name_of(type), location);
    check_dependence(stage, stage.schedule->dims[position], type, location);
    const StageEdit edit(stage, name_of(type), location);
    const Expr checked = checked_factor(stage, var, factor, name_of(type), location);
    check_length(stage, var, rewrite::constant_value(checked), type, location);
    split(stage, var, var, inner, checked, tail, location);
    set_for_type(stage, type == ForType::Parallel ? var : inner, type, location);
}

void vectorize(const StageRef &stage, const std::string &var, const Expr &factor, TailStrategy tail,
               Location location) {
    split_and_mark(stage, var, fresh_loop_name(*stage.schedule, var + "v"), factor, ForType::Vectorized, tail,
                   location);
}

void unroll(const StageRef &stage, const std::string &var, const Expr &factor, TailStrategy tail, Location location) {
    split_and_mark(stage, var, fresh_loop_name(*stage.schedule, var + "u"), factor, ForType::Unrolled, tail, location);
}

void parallel(const StageRef &stage, const std::string &var, const Expr &task_size, TailStrategy tail,
              Location location) {
    split_and_mark(stage, var, fresh_loop_name(*stage.schedule, var + "t"), task_size, ForType::Parallel, tail,
                   location);
}

void allow_race_conditions(const StageRef &stage, Location location) {
    const StageEdit edit(stage, "allow_race_conditions", location);
    stage.schedule->allow_race_conditions = true;
}

void atomic(const StageRef &stage, bool override_associativity_test, Location location) {
    if (!override_associativity_test && !commutes(stage)) {
        refuse(stage, "atomic-not-commutative",
               "atomic of an update whose order counts: " + why_order_counts(stage) +
                   "; atomic lets iterations run in any order; keep its loops serial" + way_to_reassociate(stage),
               location);
    }
    const StageEdit edit(stage, "atomic", location);
    stage.schedule->atomic = true;
    stage.schedule->order_is_free = stage.schedule->order_is_free || override_associativity_test;
}

void unscheduled(const StageRef &stage, Location location) {
    if (const AppliedDirective &first = stage.schedule->touched) {
        refuse(stage, "unscheduled-has-schedule",
               "unscheduled is applied after " + first.name +
                   "; it says that a stage keeps its default loops on purpose; remove one of the two",
               location);
    }
    note_applied(stage.schedule->touched, "unscheduled", location);
}

} // namespace fluorite::schedule
