// serial, parallel, vectorize, unroll: how a loop runs.
//   parallel(y):       for y --> parallel for y            tasks run on the thread pool
//   parallel(y, 8):    split(y, y, yt, 8), parallel(y)     eight rows per task
//   vectorize(x, 8):   split(x, x, xv, 8), vectorize(xv)   eight lanes
//   The outer part of a loop over blocks or threads of a device keeps its mark: gpu_threads(x).vectorize(x, 4).
//   unroll(x, 4):      split(x, x, xu, 4), unroll(xu)      four copies
//   gpu_blocks(x, y):  gpu_block for y { gpu_block for x   blocks of a device; gpu_threads and gpu_lanes likewise
// Legality: parallel and vectorize run iterations concurrently, so on an RVar they need independent iterations
// (schedule/dependence.h), atomic(), or allow_race_conditions(). Vectorize also accepts an update that is proved to
// commute (analysis/reduction.h), as it combines the lanes. The extent of a vectorized or unrolled loop must be
// constant and within schedule/limits.h. This is checked here if the loop is the inner one of a split by a constant,
// and by lowering once bounds are known.

#include "ir/text_names.h"
#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "schedule/limits.h"
#include "schedule/loop_rules.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::schedule {

const char *name_of(ForType type) { return ir::directive_word(type); }

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

Verdict set_for_type(const StageRef &stage, const std::string &var, ForType type, Location location) {
    if (Verdict legal = require(stage, LoopRules(stage).mark(var, type), {.var = var, .type = type}, location);
        !legal) {
        return legal;
    }
    if (Verdict legal = require_scheduled(stage, name_of(type), location); !legal) {
        return legal;
    }
    LoopDim &dim = stage.schedule->dims[*find_loop(*stage.schedule, var)];
    dim.for_type = type;
    dim.location = location;
    if (type != ForType::Serial) {
        note_applied(stage.schedule->on_loops, name_of(type), location);
    }
    note_applied(stage.schedule->touched, name_of(type), location);
    return {};
}

Verdict set_for_types(const StageRef &stage, const std::vector<std::string> &vars, ForType type, Location location) {
    if (Verdict legal = require_scheduled(stage, name_of(type), location); !legal) {
        return legal;
    }
    StageEdit edit(stage, name_of(type), location);
    for (const std::string &var : vars) {
        if (Verdict legal = set_for_type(stage, var, type, location); !legal) {
            return edit.undo(std::move(legal));
        }
    }
    return {};
}

Verdict set_partition(const StageRef &stage, const std::vector<std::string> &vars, Partition partition,
                      const char *directive, Location location) {
    if (Verdict legal = require_value(stage, partition, Partition::Always, directive, "Partition", location); !legal) {
        return legal;
    }
    if (Verdict legal = require(stage, LoopRules(stage).partition(vars, directive), {}, location); !legal) {
        return legal;
    }
    if (Verdict legal = require_scheduled(stage, directive, location); !legal) {
        return legal;
    }
    note_edit(stage, directive, location);
    for (const std::string &var : vars) {
        LoopDim &dim = stage.schedule->dims[*find_loop(*stage.schedule, var)];
        dim.partition = partition, dim.partitioned = location;
    }
    return {};
}

Verdict split_and_mark(const StageRef &stage, const std::string &var, const std::string &inner, const Expr &factor,
                       ForType type, TailStrategy tail, Location location) {
    if (Verdict legal =
            require_edit(stage, LoopRules(stage).split_and_mark(var, inner, factor, type, tail),
                         {.var = var, .outer = var, .inner = inner, .factor = factor, .tail = tail, .type = type},
                         name_of(type), location);
        !legal) {
        return legal;
    }
    StageEdit edit(stage, name_of(type), location);
    const ForType kept = stage.schedule->dims[*find_loop(*stage.schedule, var)].for_type;
    if (LoopRules::keeps_mark_of_outer(kept, type)) {
        stage.schedule->dims[*find_loop(*stage.schedule, var)].for_type = ForType::Serial;
    }
    if (Verdict legal = split(stage, var, var, inner, factor, tail, location); !legal) {
        return edit.undo(std::move(legal));
    }
    stage.schedule->dims[*find_loop(*stage.schedule, var)].for_type = kept;
    Verdict legal = set_for_type(stage, type == ForType::Parallel ? var : inner, type, location);
    return legal ? Verdict() : edit.undo(std::move(legal));
}

Verdict vectorize(const StageRef &stage, const std::string &var, const Expr &factor, TailStrategy tail,
                  Location location) {
    return split_and_mark(stage, var, fresh_loop_name(*stage.schedule, var + "v"), factor, ForType::Vectorized, tail,
                          location);
}

Verdict unroll(const StageRef &stage, const std::string &var, const Expr &factor, TailStrategy tail,
               Location location) {
    return split_and_mark(stage, var, fresh_loop_name(*stage.schedule, var + "u"), factor, ForType::Unrolled, tail,
                          location);
}

Verdict parallel(const StageRef &stage, const std::string &var, const Expr &task_size, TailStrategy tail,
                 Location location) {
    return split_and_mark(stage, var, fresh_loop_name(*stage.schedule, var + "t"), task_size, ForType::Parallel, tail,
                          location);
}

Verdict allow_race_conditions(const StageRef &stage, Location location) {
    if (Verdict legal = require_scheduled(stage, "allow_race_conditions", location); !legal) {
        return legal;
    }
    note_edit(stage, "allow_race_conditions", location);
    stage.schedule->allow_race_conditions = true;
    return {};
}

Verdict atomic(const StageRef &stage, bool override_associativity_test, Location location) {
    if (!override_associativity_test && !commutes(stage)) {
        return refused(stage, "atomic-not-commutative",
                       "atomic of an update whose order counts: " + why_order_counts(stage) +
                           "; atomic lets iterations run in any order; keep its loops serial" +
                           way_to_reassociate(stage),
                       location);
    }
    if (Verdict legal = require_scheduled(stage, "atomic", location); !legal) {
        return legal;
    }
    note_edit(stage, "atomic", location);
    stage.schedule->atomic = true;
    stage.schedule->order_is_free = stage.schedule->order_is_free || override_associativity_test;
    return {};
}

Verdict unscheduled(const StageRef &stage, Location location) {
    if (const AppliedDirective &first = stage.schedule->touched) {
        return refused(stage, "unscheduled-has-schedule",
                       "unscheduled is applied after " + first.name +
                           "; it says that a stage keeps its default loops on purpose; remove one of the two",
                       location);
    }
    note_applied(stage.schedule->touched, "unscheduled", location);
    return {};
}

// ---- Rows.

namespace {

template <ForType type> Verdict apply_for_type(DirectiveContext &context, const Directive &d) {
    return set_for_type(context.stage(d), text(d, 0), type, context.location());
}

template <ForType type> Verdict apply_for_types(DirectiveContext &context, const Directive &d) {
    return set_for_types(context.stage(d), list(d, 0), type, context.location());
}

using ByFactor = Verdict (*)(const StageRef &, const std::string &, const Expr &, TailStrategy, Location);
template <ForType type, ByFactor by_factor> Verdict apply_factor(DirectiveContext &context, const Directive &d) {
    return has(d, 1)
               ? by_factor(context.stage(d), text(d, 0), context.expr(d, text(d, 1)), tail(d, 2), context.location())
               : apply_for_type<type>(context, d);
}

constexpr const char *pieces = "pieces of a loop have the iterations of the loop";

} // namespace

DirectiveRow row_of_serial() {
    return {.on_stage = true,
            .args = {a_loop},
            .apply = apply_for_type<ForType::Serial>,
            .meaning = nothing("it takes a mark away, and loops without a mark are those of the term"),
            .example = "total.serial(x)",
            .leaves_nothing = true};
}

DirectiveRow row_of_parallel() {
    return {.on_stage = true,
            .args = {a_loop, maybe_expression, tail_strategy},
            .apply = apply_factor<ForType::Parallel, parallel>,
            .meaning = rewrites,
            .example = "total.parallel(y, 4)"};
}

DirectiveRow row_of_vectorize() {
    return {.on_stage = true,
            .args = {a_loop, maybe_expression, tail_strategy},
            .apply = apply_factor<ForType::Vectorized, vectorize>,
            .meaning = rewrites,
            .example = "total.vectorize(x, 8, GuardWithIf)"};
}

DirectiveRow row_of_unroll() {
    return {.on_stage = true,
            .args = {a_loop, maybe_expression, tail_strategy},
            .apply = apply_factor<ForType::Unrolled, unroll>,
            .meaning = rewrites,
            .example = "total.unroll(x, 2)"};
}

DirectiveRow row_of_gpu_blocks() {
    return {.on_stage = true,
            .args = {all_loops},
            .apply = apply_for_types<ForType::GPUBlock>,
            .meaning = uncovered(no_devices_in_terms),
            .example = "total.gpu_blocks(x, y)"};
}

DirectiveRow row_of_gpu_threads() {
    return {.on_stage = true,
            .args = {all_loops},
            .apply = apply_for_types<ForType::GPUThread>,
            .meaning = uncovered(no_devices_in_terms),
            .example = "total.gpu_threads(x)"};
}

DirectiveRow row_of_gpu_lanes() {
    return {.on_stage = true,
            .args = {a_loop},
            .apply = apply_for_type<ForType::GPULane>,
            .meaning = uncovered(no_devices_in_terms),
            .example = "total.gpu_lanes(x)"};
}

DirectiveRow row_of_partition() {
    return {.on_stage = true,
            .args = {a_loop, {ArgKind::Partition}},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return set_partition(c.stage(d), {text(d, 0)},
                                         word_of(text(d, 1), partition_word, Partition::Always), "partition",
                                         c.location());
                },
            .meaning = nothing(pieces),
            .example = "total.partition(x, Always)"};
}

DirectiveRow row_of_never_partition() {
    return {.on_stage = true,
            .args = {all_loops},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return set_partition(c.stage(d), list(d, 0), Partition::Never, "never_partition", c.location());
                },
            .meaning = nothing(pieces),
            .example = "total.never_partition(x, y)"};
}

DirectiveRow row_of_always_partition() {
    return {.on_stage = true,
            .args = {all_loops},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return set_partition(c.stage(d), list(d, 0), Partition::Always, "always_partition", c.location());
                },
            .meaning = nothing(pieces),
            .example = "total.always_partition(y)"};
}

DirectiveRow row_of_allow_race_conditions() {
    return {.on_stage = true,
            .apply = [](DirectiveContext &c,
                        const Directive &d) { return allow_race_conditions(c.stage(d), c.location()); },
            .meaning = nothing("a promise of the program, of which the certificate makes no use"),
            .example = "total.update(0).allow_race_conditions()"};
}

DirectiveRow row_of_atomic() {
    return {.on_stage = true,
            .args = {maybe_integer},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return atomic(c.stage(d), has(d, 0) && std::stoi(text(d, 0)) != 0, c.location());
                },
            .meaning = nothing("that the order does not count is shown for the loops that are marked; that updates of "
                               "one point are indivisible is a part of lowering"),
            .example = "total.update(0).atomic()"};
}

DirectiveRow row_of_unscheduled() {
    return {.on_stage = true,
            .apply = [](DirectiveContext &c, const Directive &d) { return unscheduled(c.stage(d), c.location()); },
            .meaning = nothing("the loops are those of the definition"),
            .example = "total.unscheduled()",
            .leaves_nothing = true};
}

} // namespace fluorite::schedule
