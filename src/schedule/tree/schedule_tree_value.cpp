// fluorite::ScheduleTree: looks up the names of stages and Funcs and applies each operator as a step.

#include "fluorite/schedule_tree.h"

#include "schedule/directives/common.h"
#include "schedule/tree/tree.h"

#include <cstdio>
#include <fstream>
#include <random>

namespace fluorite {

using schedule::Tree;
using schedule::TreeOp;
using schedule::TreeStep;

namespace {

[[noreturn]] void fail_name(const std::string &name, const std::vector<std::string> &names, const Location &location) {
    throw CompileError("illegal-tree-step",
                       "in a schedule tree: it has no " + name + "; operators name its Funcs and stages; these are " +
                           schedule::join(names),
                       location);
}

TreeStep stage_step(const Tree &tree, TreeOp op, const std::string &stage, std::vector<std::string> vars,
                    const Location &location) {
    std::vector<std::string> names;
    for (const ir::FuncDef &func : tree.graph->funcs) {
        for (size_t k = 0; k < func.stages.size(); k++) {
            names.push_back(schedule::stage_text(func.name(), static_cast<int>(k)));
            if (names.back() == stage) {
                return {op, {func.id(), k}, std::move(vars)};
            }
        }
    }
    fail_name("stage " + stage, names, location);
}

TreeStep func_step(const Tree &tree, TreeOp op, const std::string &name, const Location &location) {
    std::vector<std::string> names;
    for (const ir::FuncDef &func : tree.graph->funcs) {
        names.push_back(func.name());
        if (func.name() == name) {
            return {op, {func.id(), 0}};
        }
    }
    fail_name("Func " + name, names, location);
}

} // namespace

ScheduleTree ScheduleTree::after(const TreeStep &step, const Location &location) const {
    return ScheduleTree(std::make_shared<const Tree>(schedule::apply(*tree_, step, location)));
}

std::string ScheduleTree::text() const { return schedule::to_text(*tree_); }
std::string ScheduleTree::svg() const { return schedule::to_svg(*tree_); }

void ScheduleTree::save_svg(const std::string &path, const Location &location) const {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << svg();
    file.close();
    if (!file) {
        throw CompileError("schedule-file",
                           "in a ScheduleTree: cannot write the file '" + path +
                               "'; its folder must exist and be writable; give another path",
                           location);
    }
}

Schedule ScheduleTree::schedule() const {
    const ir::Graph &graph = *tree_->graph;
    const schedule::Schedule start = tree_->made.after ? *tree_->made.after : schedule::default_schedule(graph);
    return Schedule(
        schedule::all_lines(tree_->made, schedule::directives_of(graph, schedule::schedule_of(*tree_), start)));
}

bool ScheduleTree::operator==(const ScheduleTree &other) const {
    return tree_ == other.tree_ || schedule::same_tree(*tree_, *other.tree_);
}

ScheduleTree ScheduleTree::split(const std::string &stage, const std::string &var, const std::string &outer,
                                 const std::string &inner, int factor, TailStrategy tail,
                                 const Location &location) const {
    TreeStep step = stage_step(*tree_, TreeOp::Split, stage, {var, outer, inner}, location);
    step.factor = factor == 0 ? Expr() : ir::make_int(Int(32), factor);
    step.tail = tail;
    return after(step, location);
}

ScheduleTree ScheduleTree::fuse(const std::string &stage, const std::string &inner, const std::string &outer,
                                const std::string &fused, const Location &location) const {
    return after(stage_step(*tree_, TreeOp::Fuse, stage, {inner, outer, fused}, location), location);
}

ScheduleTree ScheduleTree::reorder(const std::string &stage, const std::vector<std::string> &vars,
                                   const Location &location) const {
    return after(stage_step(*tree_, TreeOp::Reorder, stage, vars, location), location);
}

ScheduleTree ScheduleTree::loop_type(const std::string &stage, const std::string &var, ForType type,
                                     const Location &location) const {
    if (type > ForType::Unrolled) {
        throw CompileError("no-such-value",
                           concat("in a schedule tree, loop_type(", stage, ", ", var, "): the ForType ",
                                  static_cast<int>(type),
                                  " is given, which is none; use Serial, Parallel, Vectorized or Unrolled"),
                           location);
    }
    TreeStep step = stage_step(*tree_, TreeOp::LoopType, stage, {var}, location);
    step.type = type;
    const schedule::Schedule now = schedule::schedule_of(*tree_);
    const schedule::StageSchedule &loops = now.func(step.stage.func).stages[step.stage.index()];
    const std::optional<size_t> at = schedule::find_loop(loops, var);
    step.partition = at ? loops.dims[*at].partition : Partition::Auto;
    return after(step, location);
}

ScheduleTree ScheduleTree::hoist_compute(const std::string &func, const Location &location) const {
    return after(func_step(*tree_, TreeOp::HoistCompute, func, location), location);
}
ScheduleTree ScheduleTree::lower_compute(const std::string &func, const Location &location) const {
    return after(func_step(*tree_, TreeOp::LowerCompute, func, location), location);
}
ScheduleTree ScheduleTree::hoist_storage(const std::string &func, const Location &location) const {
    return after(func_step(*tree_, TreeOp::HoistStorage, func, location), location);
}
ScheduleTree ScheduleTree::lower_storage(const std::string &func, const Location &location) const {
    return after(func_step(*tree_, TreeOp::LowerStorage, func, location), location);
}
ScheduleTree ScheduleTree::inline_func(const std::string &func, const Location &location) const {
    return after(func_step(*tree_, TreeOp::Inline, func, location), location);
}
ScheduleTree ScheduleTree::deinline(const std::string &func, const Location &location) const {
    return after(func_step(*tree_, TreeOp::Deinline, func, location), location);
}

ScheduleTree ScheduleTree::default_tree() const {
    Tree tree = schedule::default_tree(tree_->graph);
    tree.made = tree_->made;
    return ScheduleTree(std::make_shared<const Tree>(std::move(tree)));
}

ScheduleTree ScheduleTree::random_walk(uint64_t seed, int steps, const Location &location) const {
    if (steps < 0) {
        throw CompileError("illegal-tree-step",
                           "in a schedule tree: a random walk of " + std::to_string(steps) +
                               " steps is asked for; a walk has 0 or more; give such a number",
                           location);
    }
    std::mt19937_64 engine(seed);
    const schedule::RandomBelow below = [&](uint32_t n) { return static_cast<uint32_t>(engine() % n); };
    return ScheduleTree(std::make_shared<const Tree>(schedule::random_walk(*tree_, below, steps)));
}

} // namespace fluorite
