// Paths in the algebra of trees: the inverse of a step, the path from any tree to the default one, and random walks.
//
// The path to the default tree first makes all loops serial. Then, producers first (so that nothing is placed in the
// loops of a Func when it is processed), it undoes the steps of each stage from the last, restores the original order
// of its loops, and inlines the Func. The inverses of these steps, in reverse order, lead from the default tree to any
// legal tree.
//
// A walk proposes random steps and takes those that are legal. Cost of a step: building and checking a tree.

#include "schedule/directives/common.h"
#include "schedule/placement/resolver.h"
#include "schedule/placement/uses.h"
#include "schedule/tree/tree.h"
#include "support/check.h"

#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

TreeStep reorder_step(StageId id, const std::vector<std::string> &order) { return {TreeOp::Reorder, id, order}; }

TreeStep type_step(StageId id, const LoopDim &dim) {
    TreeStep step{TreeOp::LoopType, id, {dim.var}};
    step.type = dim.for_type;
    step.partition = dim.partition;
    return step;
}

TreeStep skew_step(StageId id, const std::vector<std::string> &names, const Expr &factor) {
    TreeStep step{TreeOp::Skew, id, names};
    step.factor = factor;
    return step;
}

TreeStep unskew_step(StageId id, const std::vector<std::string> &names, const Expr &factor) {
    return skew_step(id, {names[2], names[1], names[0]},
                     ir::make_int(Int(32), -rewrite::constant_value(factor).value_or(0)));
}

TreeStep step_of(StageId id, const Split &split) {
    switch (split.kind) {
    case Split::Kind::Split:
        return {TreeOp::Split, id, {split.old_var, split.outer, split.inner}, split.factor, split.tail};
    case Split::Kind::Fuse: {
        TreeStep step{TreeOp::Fuse, id, {split.inner, split.outer, split.old_var}};
        step.plain = true;
        return step;
    }
    case Split::Kind::Skew:
        return skew_step(id, {split.old_var, split.inner, split.outer}, split.factor);
    case Split::Kind::Rename:
        break;
    }
    return {TreeOp::Rename, id, {split.old_var, split.outer}};
}

/// A path under construction: its steps, and the tree at its end.
class Way {
  public:
    explicit Way(const Tree &tree) : tree_(tree), schedule_(schedule_of(tree)) {}

    void go(const TreeStep &step) {
        tree_ = apply(tree_, step);
        schedule_ = schedule_of(tree_);
        steps_.push_back(step);
    }
    void reorder_to(StageId id, const std::vector<std::string> &order) {
        if (loop_names(schedule_.stage(id)) != order) {
            go(reorder_step(id, order));
        }
    }
    // Moves `inner` to directly inside of `outer` if it is around it.
    void bring_inside(StageId id, const std::string &inner, const std::string &outer) {
        std::vector<std::string> order = loop_names(schedule_.stage(id));
        const auto at = std::find(order.begin(), order.end(), inner);
        const auto outer_at = std::find(order.begin(), order.end(), outer);
        if (at > outer_at) {
            std::rotate(outer_at, at, at + 1);
            reorder_to(id, order);
        }
    }
    // Moves `outer` to directly around `inner`.
    void bring_together(StageId id, const std::string &inner, const std::string &outer) {
        std::vector<std::string> order = loop_names(schedule_.stage(id));
        order.erase(std::find(order.begin(), order.end(), outer));
        order.insert(std::find(order.begin(), order.end(), inner) + 1, outer);
        reorder_to(id, order);
    }

    const Tree &tree() const { return tree_; }
    const Schedule &schedule() const { return schedule_; }
    std::vector<TreeStep> steps() && { return std::move(steps_); }

  private:
    Tree tree_;
    Schedule schedule_;
    std::vector<TreeStep> steps_;
};

// ---- The inverse of inlining.

// Non-serial loops between the innermost site and the storage that they would share while the Func moves outward.
std::vector<TreeStep> blocking_types(const Schedule &schedule, std::span<const Site> legal, const Site &store) {
    std::vector<TreeStep> types;
    for (size_t i = legal.size(); i-- > 0 && legal[i] != store;) {
        const Site &place = legal[i];
        const StageSchedule &stage = schedule.stage(place.stage);
        if (place.loop.index() < stage.dims.size() && stage.dims[place.loop.index()].for_type != ForType::Serial) {
            types.push_back(type_step(place.stage, stage.dims[place.loop.index()]));
        }
    }
    return types;
}

void place_again(Way &way, FuncId func, const PlacementResolver &places) {
    const std::span<const Site> legal = places.legal(func);
    auto depth = [&](const Site &place) { return std::find(legal.begin(), legal.end(), place) - legal.begin(); };
    const long innermost = static_cast<long>(legal.size()) - 1;
    const std::vector<TreeStep> types = blocking_types(way.schedule(), legal, places.store(func));
    for (TreeStep serial : types) {
        serial.type = ForType::Serial;
        way.go(serial);
    }
    for (long i = innermost; i > depth(places.store(func)); i--) {
        way.go({TreeOp::HoistStorage, {func, 0}});
    }
    for (long i = innermost; i > depth(places.compute(func)); i--) {
        way.go({TreeOp::HoistCompute, {func, 0}});
    }
    for (const TreeStep &type : types) {
        way.go(type);
    }
}

void make_loops_again(Way &way, StageId id, const StageSchedule &wanted) {
    for (const Split &split : wanted.splits) {
        if (split.kind == Split::Kind::Fuse) {
            way.bring_together(id, split.inner, split.outer);
        } else if (split.kind == Split::Kind::Skew) {
            way.bring_inside(id, split.old_var, split.inner);
        }
        way.go(step_of(id, split));
    }
    way.reorder_to(id, loop_names(wanted));
    for (const LoopDim &dim : wanted.dims) {
        if (dim.for_type != ForType::Serial || dim.partition != Partition::Auto) {
            way.go(type_step(id, dim));
        }
    }
}

std::vector<TreeStep> back_from_inline(const Tree &tree, const TreeStep &step) {
    const Schedule schedule = schedule_of(tree);
    const PlacementResolver places(*tree.graph, schedule, nests_of(*tree.graph, schedule));
    Way way(apply(tree, step));
    way.go({TreeOp::Deinline, step.stage});
    place_again(way, step.stage.func, places);
    for (size_t k = 0; k < schedule.func(step.stage.func).stages.size(); k++) {
        make_loops_again(way, {step.stage.func, k}, schedule.func(step.stage.func).stages[k]);
    }
    return std::move(way).steps();
}

// The split that a fuse undoes, or null.
const Split *undone_split(const StageSchedule &before, const StageSchedule &after) {
    if (after.splits.size() >= before.splits.size()) {
        return nullptr;
    }
    size_t i = 0;
    auto same = [](const Split &a, const Split &b) {
        return a.kind == b.kind && a.old_var == b.old_var && a.outer == b.outer && a.inner == b.inner;
    };
    while (i < after.splits.size() && same(before.splits[i], after.splits[i])) {
        i++;
    }
    return &before.splits[i];
}

} // namespace

std::vector<TreeStep> inverse(const Tree &tree, const TreeStep &step) {
    const Schedule before = schedule_of(tree);
    const StageSchedule &stage = before.stage(step.stage);
    switch (step.op) {
    case TreeOp::Split: {
        TreeStep back{TreeOp::Fuse, step.stage, {step.vars[2], step.vars[1], step.vars[0]}};
        back.plain = !step.factor.defined();
        return {back};
    }
    case TreeOp::Fuse: {
        const Schedule after = schedule_of(apply(tree, step));
        if (const Split *split = undone_split(stage, after.stage(step.stage))) {
            return {step_of(step.stage, *split)};
        }
        return {{TreeOp::Split, step.stage, {step.vars[2], step.vars[1], step.vars[0]}}};
    }
    case TreeOp::Reorder:
        return {reorder_step(step.stage, loop_names(stage))};
    case TreeOp::LoopType:
        return {type_step(step.stage, stage.dims[*find_loop(stage, step.vars[0])])};
    case TreeOp::HoistCompute:
        return {{TreeOp::LowerCompute, step.stage}};
    case TreeOp::LowerCompute:
        return {{TreeOp::HoistCompute, step.stage}};
    case TreeOp::HoistStorage:
        return {{TreeOp::LowerStorage, step.stage}};
    case TreeOp::LowerStorage:
        return {{TreeOp::HoistStorage, step.stage}};
    case TreeOp::Inline:
        return back_from_inline(tree, step);
    case TreeOp::Deinline:
        return {{TreeOp::Inline, step.stage}};
    case TreeOp::Rename:
        return {{TreeOp::Rename, step.stage, {step.vars[1], step.vars[0]}}};
    case TreeOp::Skew:
        return {unskew_step(step.stage, step.vars, step.factor)};
    }
    unreachable("all operators have inverses");
}

// ---- To the default tree.

namespace {

void make_serial(Way &way) {
    for (const ir::FuncDef &func : way.tree().graph->funcs) {
        for (size_t k = 0; k < func.stages.size(); k++) {
            const StageSchedule stage = way.schedule().stage({func.id(), k});
            for (LoopDim dim : stage.dims) {
                if (dim.for_type != ForType::Serial || dim.partition != Partition::Auto) {
                    dim.for_type = ForType::Serial;
                    dim.partition = Partition::Auto;
                    way.go(type_step({func.id(), k}, dim));
                }
            }
        }
    }
}

void undo_steps(Way &way, StageId id) {
    while (!way.schedule().stage(id).splits.empty()) {
        const Split last = way.schedule().stage(id).splits.back();
        switch (last.kind) {
        case Split::Kind::Split:
            way.bring_together(id, last.inner, last.outer);
            way.go({TreeOp::Fuse, id, {last.inner, last.outer, last.old_var}});
            break;
        case Split::Kind::Fuse:
            way.go({TreeOp::Split, id, {last.old_var, last.outer, last.inner}});
            break;
        case Split::Kind::Skew:
            way.bring_inside(id, last.outer, last.inner);
            way.go(unskew_step(id, {last.old_var, last.inner, last.outer}, last.factor));
            break;
        case Split::Kind::Rename:
            way.go({TreeOp::Rename, id, {last.outer, last.old_var}});
            break;
        }
    }
    const ir::FuncDef &def = way.tree().graph->func(id.func);
    way.reorder_to(id, loop_names(default_stage_schedule(def, def.stages[id.index()], id.is_update())));
}

} // namespace

std::vector<TreeStep> path_to_default(const Tree &tree) {
    Way way(tree);
    make_serial(way);
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const bool is_output = tree.graph->is_output(func.id());
        if (!is_output && way.schedule().func(func.id()).compute.is_inlined()) {
            continue;
        }
        for (size_t k = 0; k < func.stages.size(); k++) {
            undo_steps(way, {func.id(), k});
        }
        if (!is_output) {
            way.go({TreeOp::Inline, {func.id(), 0}});
        }
    }
    return std::move(way).steps();
}

// ---- Walks.

namespace {

class Walker {
  public:
    Walker(const Tree &tree, const RandomBelow &random, const WalkOptions &options)
        : tree_(tree), schedule_(schedule_of(tree)), random_(random) {
        for (const ir::FuncDef &func : tree_.graph->funcs) {
            exact_.push_back(tree_.graph->is_output(func.id()) || (!options.may_grow_inputs && reads_inputs(func)));
        }
    }

    Tree run(int steps) {
        for (int i = 0; i < steps; i++) {
            for (int tries = 0; tries < 24 && !try_step(); tries++) {
            }
        }
        return std::move(tree_);
    }

  private:
    Tree tree_;
    Schedule schedule_;
    const RandomBelow &random_;
    std::vector<bool> exact_; // Funcs whose region must not grow
    int fresh_ = 0;

    bool reads_inputs(const ir::FuncDef &func) const {
        bool reads = false;
        auto visit = [&](const Expr &expr) {
            ir::for_each_node(expr, [&](const Expr &node) { reads = reads || node->kind() == ir::ExprKind::Image; });
        };
        for (const ir::Stage &stage : func.stages) {
            for (const std::vector<Expr> *list : {&stage.args, &stage.values}) {
                std::for_each(list->begin(), list->end(), visit);
            }
            if (stage.predicate.defined()) {
                visit(stage.predicate);
            }
            for (FuncId callee : callees(func, stage)) {
                reads = reads || exact_[callee.index()]; // callees come first
            }
        }
        return reads;
    }

    template <typename T> const T &pick(const std::vector<T> &from) {
        return from[random_(static_cast<uint32_t>(from.size()))];
    }
    bool chance(uint32_t percent) { return random_(100) < percent; }

    bool try_step() {
        const std::optional<TreeStep> step = propose();
        if (!step) {
            return false;
        }
        Result<Tree> next = try_apply(tree_, *step);
        if (!next) {
            return false; // illegal here
        }
        tree_ = std::move(*next);
        schedule_ = schedule_of(tree_);
        return true;
    }

    std::optional<TreeStep> propose() {
        static const std::vector<TreeOp> weighted = {
            TreeOp::Split,        TreeOp::Split,        TreeOp::Split,        TreeOp::Split,
            TreeOp::Fuse,         TreeOp::Reorder,      TreeOp::Reorder,      TreeOp::Reorder,
            TreeOp::LoopType,     TreeOp::LoopType,     TreeOp::LoopType,     TreeOp::LoopType,
            TreeOp::HoistStorage, TreeOp::HoistStorage, TreeOp::HoistStorage, TreeOp::HoistCompute,
            TreeOp::HoistCompute, TreeOp::HoistCompute, TreeOp::LowerCompute, TreeOp::LowerStorage,
            TreeOp::Inline,       TreeOp::Deinline,     TreeOp::Deinline,     TreeOp::Deinline,
            TreeOp::Rename,       TreeOp::Skew};
        TreeStep step{pick(weighted), {FuncId(size_t(random_(static_cast<uint32_t>(tree_.graph->funcs.size())))), 0}};
        const FuncSchedule &func = schedule_.func(step.stage.func);
        const bool inlined = !tree_.graph->is_output(step.stage.func) && func.compute.is_inlined();
        if (inlined != (step.op == TreeOp::Deinline)) {
            return std::nullopt;
        }
        if (!is_on_loops(step.op)) {
            return step;
        }
        step.stage.stage = static_cast<int>(random_(static_cast<uint32_t>(func.stages.size())));
        const StageSchedule &stage = schedule_.stage(step.stage);
        return stage.dims.empty() || !fill(step, stage) ? std::nullopt : std::optional(step);
    }

    std::string new_name(const StageSchedule &stage, const std::string &base) {
        std::string name;
        do {
            name = base + std::to_string(++fresh_);
        } while (find_loop(stage, name));
        return name;
    }

    bool fill(TreeStep &step, const StageSchedule &stage) {
        std::vector<std::string> loops = loop_names(stage);
        const size_t at = random_(static_cast<uint32_t>(loops.size()));
        switch (step.op) {
        case TreeOp::Split:
            return fill_split(step, stage, stage.dims[at]);
        case TreeOp::Fuse:
            if (at + 1 == loops.size()) {
                return false;
            }
            step.vars = {loops[at], loops[at + 1], fused_name(stage, loops[at], loops[at + 1])};
            return true;
        case TreeOp::Reorder:
            for (size_t i = loops.size(); i > 1; i--) {
                std::swap(loops[i - 1], loops[random_(static_cast<uint32_t>(i))]);
            }
            step.vars = loops;
            return loops.size() > 1;
        case TreeOp::Rename:
            step.vars = {loops[at], new_name(stage, "n")};
            return chance(30);
        case TreeOp::Skew:
            if (at + 1 == loops.size()) {
                return false;
            }
            step.vars = {loops[at], loops[at + 1], new_name(stage, "w")};
            step.factor = ir::make_int(Int(32), chance(50) ? 1 : chance(50) ? 2 : -1);
            return true;
        default: // the operators that set the kind of a loop
            return fill_type(step, stage.dims[at]);
        }
    }

    // With a probability of one half, the name that undoes a split.
    std::string fused_name(const StageSchedule &stage, const std::string &inner, const std::string &outer) {
        for (const Split &split : stage.splits) {
            if (split.kind == Split::Kind::Split && split.inner == inner && split.outer == outer && chance(50)) {
                return split.old_var;
            }
        }
        return new_name(stage, "t");
    }

    bool fill_split(TreeStep &step, const StageSchedule &stage, const LoopDim &dim) {
        for (const Split &split : stage.splits) {
            if (split.kind == Split::Kind::Fuse && split.old_var == dim.var && chance(50)) {
                step.vars = {dim.var, split.outer, split.inner};
                return true;
            }
        }
        const std::string outer = chance(30) ? dim.var : new_name(stage, "o");
        step.vars = {dim.var, outer, new_name(stage, "i")};
        static const std::vector<int> factors = {2, 3, 4, 4, 5, 8, 8};
        step.factor = ir::make_int(Int(32), pick(factors));
        // The tails that run for every size of output.
        static const std::vector<TailStrategy> guarded = {TailStrategy::GuardWithIf, TailStrategy::Predicate};
        static const std::vector<TailStrategy> pure = {TailStrategy::Auto, TailStrategy::RoundUp,
                                                       TailStrategy::GuardWithIf, TailStrategy::ShiftInwards};
        static const std::vector<TailStrategy> update = {TailStrategy::Auto, TailStrategy::RoundUp,
                                                         TailStrategy::GuardWithIf};
        const bool once = dim.is_rvar || exact_[step.stage.func.index()];
        step.tail = pick(once ? guarded : step.stage.stage == 0 ? pure : update);
        return stage.dims.size() < 6;
    }

    bool fill_type(TreeStep &step, const LoopDim &dim) {
        static const std::vector<ForType> types = {ForType::Serial, ForType::Parallel, ForType::Vectorized,
                                                   ForType::Vectorized, ForType::Unrolled};
        step.vars = {dim.var};
        step.type = pick(types);
        // Whether a loop can be cut is known after lowering only, so that no step of a walk demands it.
        step.partition = chance(90) ? Partition::Auto : Partition::Never;
        const std::optional<int64_t> extent = constant_extent(
            tree_.graph->func(step.stage.func), schedule_.func(step.stage.func), step.stage.stage, dim.var);
        const bool is_plain = step.type == ForType::Serial || step.type == ForType::Parallel;
        return is_plain || (extent && *extent <= 16);
    }
};

} // namespace

Tree random_walk(const Tree &tree, const RandomBelow &random, int steps, const WalkOptions &options) {
    return Walker(tree, random, options).run(steps);
}

} // namespace fluorite::schedule
