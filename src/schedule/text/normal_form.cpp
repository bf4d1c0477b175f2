// The normal form of a schedule: the shortest list of directives, in a fixed order, that produces it from the default
// schedule (or from the one that the directives which create Funcs leave).
//
// Method: each stage's steps (split, fuse, rename) are applied in order to a scratch copy of its base schedule, which
// is legal because a step depends only on earlier steps, not on order or marks. One reorder, marks and partitions then
// produce the remaining differences. Directives that others require (atomic, allow_race_conditions) come first.
//
// Structured bindings decompose all members: a new member of FuncSchedule, StageSchedule, LoopDim, Split or Bound does
// not compile here until it is named and printed. Cost: linear in directives.

#include "schedule/directives/common.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

bool share_a_loop(const Split &a, const Split &b) {
    for (const std::string *one : {&a.old_var, &a.outer, &a.inner}) {
        for (const std::string *other : {&b.old_var, &b.outer, &b.inner}) {
            if (!one->empty() && *one == *other) {
                return true;
            }
        }
    }
    return false;
}

// Steps on different loops are sorted by the names of their loops: the result is the least of all orders that keep the
// relative order of steps with a loop in common.
std::vector<Split> in_normal_order(std::vector<Split> left) {
    std::vector<Split> ordered;
    while (!left.empty()) {
        size_t least = 0;
        for (size_t i = 1; i < left.size(); i++) {
            const bool free = std::none_of(left.begin(), left.begin() + static_cast<long>(i),
                                           [&](const Split &before) { return share_a_loop(before, left[i]); });
            if (free && left[i].old_var < left[least].old_var) {
                least = i;
            }
        }
        ordered.push_back(left[least]);
        left.erase(left.begin() + static_cast<long>(least));
    }
    return ordered;
}

class NormalForm {
  public:
    NormalForm(const ir::FuncDef &func, const FuncSchedule &base, std::vector<Directive> &out)
        : func_(func), base_(base), out_(out) {}

    void run(const FuncSchedule &schedule) {
        const auto &[compute, store, bounds, estimates, memory, stages, storage_order, hoist, storage, marks, on_region,
                     on_storage, location, is_copy] = schedule;
        static_cast<void>(is_copy);
        static_cast<void>(on_region);
        static_cast<void>(on_storage);
        static_cast<void>(location);
        add_level(marks.has(DirectiveName::compute_rank) ? "compute_rank" : "compute_root", "compute_at", compute);
        add_level("store_root", "store_at", store);
        add_level("hoist_storage_root", "hoist_storage", hoist);
        if (memory != MemoryType::Auto) {
            add("store_in", {{memory_word(memory)}});
        }
        if (!storage_order.empty() && storage_order != func_.arg_names) {
            add("reorder_storage", {storage_order});
        }
        add_storage(storage);
        add_funcs_marks(marks);
        add_bounds(bounds);
        add_estimates(estimates);
        for (stage_ = 0; static_cast<size_t>(stage_) < stages.size(); stage_++) {
            add_stage(stages[static_cast<size_t>(stage_)]);
        }
    }

  private:
    const ir::FuncDef &func_;
    const FuncSchedule &base_;
    std::vector<Directive> &out_;
    int stage_ = 0;
    std::vector<int> variant_;

    void add(const char *name, std::vector<std::vector<std::string>> args) {
        const DirectiveRow *row = find_directive(name);
        check(row != nullptr, "the normal form uses directives that there are");
        out_.push_back({func_.name(), row->on_stage ? stage_ : 0, row->on_stage ? variant_ : std::vector<int>(), name,
                        std::move(args), 0});
    }

    void add_level(const char *at_root, const char *at_loop, const LoopLevel &level) {
        if (level.is_root()) {
            add(at_root, {});
        } else if (level.is_at()) {
            std::vector<std::vector<std::string>> args = {{level.func.name()},
                                                          {level.var.empty() ? "__outermost" : level.var}};
            if (level.stage >= 0) {
                args.push_back({std::to_string(level.stage)});
            }
            add(at_loop, args);
        }
    }

    void add_mark(const Mark &mark) {
        std::vector<std::vector<std::string>> args;
        if (mark.value.defined()) {
            args.push_back({expression_text(mark.value)});
        }
        add(row_of(mark.name).name, std::move(args));
    }

    void add_funcs_marks(const Marks &marks) {
        for (const Mark &mark : marks.all()) {
            if (row_of(mark.name).subject != Subject::Placement) { // that is part of the level, above
                add_mark(mark);
            }
        }
    }

    static std::string promise(const Expr &expr) { return expr.defined() ? expression_text(expr) : "none"; }

    // Sorts entries by dimension, however they were given.
    template <typename T> std::vector<T> in_order(const std::vector<T> &entries) const {
        std::vector<T> ordered;
        for (const std::string &name : func_.arg_names) {
            std::copy_if(entries.begin(), entries.end(), std::back_inserter(ordered),
                         [&](const T &entry) { return entry.var == name; });
        }
        return ordered;
    }

    void add_storage(const std::vector<StorageDim> &storage) {
        for (const StorageDim &dim : in_order(storage)) {
            const auto &[var, fold, fold_forward, alignment, bound, location] = dim;
            static_cast<void>(location);
            if (fold.defined() && fold_forward) {
                add("fold_storage", {{var}, {expression_text(fold)}});
            } else if (fold.defined()) {
                add("fold_storage", {{var}, {expression_text(fold)}, {"0"}});
            }
            if (alignment.defined()) {
                add("align_storage", {{var}, {expression_text(alignment)}});
            }
            if (bound.defined()) {
                add("bound_storage", {{var}, {expression_text(bound)}});
            }
        }
    }

    void add_bounds(const std::vector<Bound> &bounds) {
        for (const Bound &bound : in_order(bounds)) {
            const auto &[var, min, extent, modulus, remainder, location] = bound;
            static_cast<void>(location);
            if (min.defined()) {
                add("bound", {{var}, {promise(min)}, {promise(extent)}});
            } else if (extent.defined()) {
                add("bound_extent", {{var}, {expression_text(extent)}});
            }
            if (modulus.defined() && remainder.defined()) {
                add("align_bounds", {{var}, {expression_text(modulus)}, {expression_text(remainder)}});
            } else if (modulus.defined()) {
                add("align_extent", {{var}, {expression_text(modulus)}});
            }
        }
    }

    void add_estimates(const std::vector<Bound> &estimates) {
        for (const Bound &bound : in_order(estimates)) {
            add("set_estimate", {{bound.var}, {promise(bound.min)}, {promise(bound.extent)}});
        }
    }

    // ---- One stage.

    void add_stage(const StageSchedule &schedule) {
        const auto &[splits, dims, is_atomic, any_order, races, marks, touched, on_loops, with, specializations,
                     prefetches] = schedule;
        static_cast<void>(touched);
        static_cast<void>(on_loops);
        const ir::Stage &definition = func_.stages[static_cast<size_t>(stage_)];
        add_specializations(specializations);
        StageSchedule scratch = base_.stages[static_cast<size_t>(stage_)];
        scratch.specializations.clear();
        FuncSchedule of_func;
        StageRef ref{func_.name(), stage_, &scratch, &of_func, func_.arg_names, &definition, &func_, {}};
        if (races && !scratch.allow_race_conditions) {
            add("allow_race_conditions", {});
            scratch.allow_race_conditions = true;
        }
        if (is_atomic && !scratch.atomic) {
            add("atomic",
                any_order ? std::vector<std::vector<std::string>>{{"1"}} : std::vector<std::vector<std::string>>{});
            scratch.atomic = true;
            scratch.order_is_free = any_order;
        }
        const auto new_steps = splits.begin() + static_cast<long>(std::min(scratch.splits.size(), splits.size()));
        for (const Split &step : in_normal_order({new_steps, splits.end()})) {
            add_step(ref, step);
        }
        add_order(ref, dims);
        add_marks(scratch, dims);
        for (const Mark &mark : marks.all()) {
            if (!scratch.marks.has(mark.name)) {
                add_mark(mark);
            }
        }
        if (with) {
            std::vector<std::vector<std::string>> args = {
                {with->level.func.name()}, {with->level.var}, {std::to_string(with->level.stage)}};
            if (!with->align.empty()) {
                args.emplace_back();
            }
            for (const LoopAlignStrategy one : with->align) {
                args.back().emplace_back(align_word(one));
            }
            add("compute_with", args);
        }
        add_prefetches(prefetches);
    }

    void add_prefetches(const std::vector<Prefetch> &prefetches) {
        for (const Prefetch &prefetch : prefetches) {
            const auto &[source, at, from, offset, strategy, location] = prefetch;
            static_cast<void>(location);
            std::vector<std::vector<std::string>> args = {{source.name()}, {at}, {from}, {expression_text(offset)}};
            if (strategy != PrefetchBoundStrategy::GuardWithIf) {
                args.push_back({outside_word(strategy)});
            }
            add("prefetch", args);
        }
    }

    // All specializations are added first, while the stage has its base schedule, because each starts with a copy of
    // it.
    void add_specializations(const std::vector<Specialization> &specializations) {
        for (const Specialization &specialization : specializations) {
            const auto &[condition, failure, schedule, location] = specialization;
            static_cast<void>(schedule); // added below
            static_cast<void>(location);
            condition.defined() ? add("specialize", {{expression_text(condition)}})
                                : add("specialize_fail", {{failure}});
        }
        for (size_t i = 0; i < specializations.size(); i++) {
            if (!specializations[i].fails()) {
                variant_.push_back(static_cast<int>(i));
                add_stage(specializations[i].schedule);
                variant_.pop_back();
            }
        }
    }

    void add_step(const StageRef &ref, const Split &step) {
        const auto &[kind, old_var, outer, inner, factor, tail, exact, location] = step;
        static_cast<void>(exact); // derived from the loop
        switch (kind) {
        case Split::Kind::Split: {
            std::vector<std::vector<std::string>> args = {{old_var}, {outer}, {inner}, {expression_text(factor)}};
            if (tail != TailStrategy::Auto) {
                args.push_back({tail_word(tail)});
            }
            add("split", args);
            split(ref, old_var, outer, inner, factor, tail, location).or_raise();
            break;
        }
        case Split::Kind::Fuse:
            add("fuse", {{inner}, {outer}, {old_var}});
            fuse(ref, inner, outer, old_var, location).or_raise();
            break;
        case Split::Kind::Skew:
            add("skew", {{old_var}, {inner}, {outer}, {expression_text(factor)}});
            skew(ref, old_var, inner, outer, factor, location).or_raise();
            break;
        case Split::Kind::Rename:
            add("rename", {{old_var}, {outer}});
            rename(ref, old_var, outer, location).or_raise();
            break;
        }
    }

    void add_order(const StageRef &ref, const std::vector<LoopDim> &dims) {
        std::vector<std::string> order;
        for (const LoopDim &dim : dims) {
            order.push_back(dim.var);
        }
        if (loop_names(*ref.schedule) != order) {
            add("reorder", {order});
            reorder(ref, order, {}).or_raise();
        }
    }

    void add_marks(const StageSchedule &scratch, const std::vector<LoopDim> &dims) {
        for (size_t i = 0; i < dims.size(); i++) {
            const auto &[var, for_type, is_rvar, reorderable, partition, distributed, location, partitioned] = dims[i];
            static_cast<void>(is_rvar); // derived from the definition
            static_cast<void>(reorderable);
            static_cast<void>(distributed); // below, all loops of the grid in one line
            static_cast<void>(location);
            static_cast<void>(partitioned);
            if (for_type != scratch.dims[i].for_type) {
                add(name_of(for_type), {{var}});
            }
            if (partition != scratch.dims[i].partition) {
                add("partition", {{var}, {partition_word(partition)}});
            }
        }
        add_distributed(scratch, dims);
    }

    void add_distributed(const StageSchedule &scratch, const std::vector<LoopDim> &dims) {
        std::vector<std::string> loops, parts;
        for (const LoopDim &dim : distributed_loops(dims)) {
            loops.push_back(dim.var);
            if (dim.distributed.parts.defined()) {
                parts.push_back(expression_text(dim.distributed.parts));
            }
        }
        if (!loops.empty() && distributed_loops(scratch.dims).empty()) {
            std::vector<std::vector<std::string>> args = {loops};
            if (!parts.empty()) {
                args.push_back(parts);
            }
            add("distribute", args);
        }
    }
};

} // namespace

std::vector<Directive> directives_of(const ir::Graph &graph, const Schedule &schedule) {
    return directives_of(graph, schedule, default_schedule(graph));
}

std::vector<Directive> directives_of(const ir::Graph &graph, const Schedule &schedule, const Schedule &base) {
    std::vector<Directive> directives;
    for (const ir::FuncDef &func : graph.funcs) {
        NormalForm(func, base.func(func.id()), directives).run(schedule.func(func.id()));
    }
    return directives;
}

std::vector<Directive> all_lines(const MadeFuncs &made, std::vector<Directive> directives) {
    auto is_named = [&](const std::string &name) {
        return std::any_of(directives.begin(), directives.end(), [&](const Directive &directive) {
            const DirectiveRow &row = *find_directive(directive.name);
            bool named = directive.func == name;
            for (size_t i = 0; i < directive.args.size() && !row.args.empty(); i++) {
                const ArgSpec &spec = row.args[std::min(i, row.args.size() - 1)];
                named = named || ((spec.kind == ArgKind::Func || spec.kind == ArgKind::Source) &&
                                  std::find(directive.args[i].begin(), directive.args[i].end(), name) !=
                                      directive.args[i].end());
            }
            return named;
        });
    };
    // The last first: a wrapper of a wrapper names it.
    for (size_t i = made.wrappers.size(); i-- > 0;) {
        if (is_named(made.wrappers[i].made)) {
            directives.insert(directives.begin(), made.wrappers[i].line);
        }
    }
    directives.insert(directives.begin(), made.cuts.begin(), made.cuts.end());
    directives.insert(directives.end(), made.time_tiles.begin(), made.time_tiles.end());
    return directives;
}

} // namespace fluorite::schedule
