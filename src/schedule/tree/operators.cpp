// The operators: each edits the schedule of a tree, and the resulting tree must obey every rule.
//
// Levels name loops, so an operator that renames, fuses or reorders loops also moves what is placed in them, as in the
// tree, where children stay with their node. Two operators are inverses of two others if they are given the previous
// names.

#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/loop_rules.h"
#include "schedule/tree/places.h"
#include "schedule/tree/tree.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

[[noreturn]] void refuse_step(const std::string &reason) { throw CompileError("illegal-tree-step", reason); }

class Operator {
  public:
    Operator(const Tree &tree, const TreeStep &step)
        : tree_(tree), step_(step), schedule_(schedule_of(tree)), func_(schedule_.func(step.func)),
          stage_(func_.stages[static_cast<size_t>(step.stage)]) {}

    Schedule run() {
        switch (step_.op) {
        case TreeOp::Split:
            step_.factor.defined() ? split_loop() : unfuse();
            break;
        case TreeOp::Fuse:
            fuse_loops();
            break;
        case TreeOp::Reorder:
            reorder_loops();
            break;
        case TreeOp::LoopType:
            set_type();
            break;
        case TreeOp::Rename:
            rename_loop();
            break;
        case TreeOp::Skew:
            skew_loop();
            break;
        case TreeOp::HoistCompute:
        case TreeOp::LowerCompute:
            move_compute(step_.op == TreeOp::HoistCompute ? -1 : 1);
            break;
        case TreeOp::HoistStorage:
        case TreeOp::LowerStorage:
            move_storage(step_.op == TreeOp::HoistStorage ? -1 : 1);
            break;
        case TreeOp::Inline:
            make_inline();
            break;
        case TreeOp::Deinline:
            make_computed();
            break;
        }
        return std::move(schedule_);
    }

  private:
    const Tree &tree_;
    const TreeStep &step_;
    Schedule schedule_;
    FuncSchedule &func_;
    StageSchedule &stage_;

    const ir::FuncDef &definition() const { return tree_.graph->func(step_.func); }
    std::string name() const { return definition().name(); }
    bool is_inlined() const { return !tree_.graph->is_output(step_.func) && func_.compute.is_inlined(); }

    StageRef ref() {
        return {name(),
                step_.stage,
                &stage_,
                &func_,
                definition().arg_names,
                &definition().stages[static_cast<size_t>(step_.stage)],
                &definition(),
                {}};
    }

    // ---- What is placed in the loops of the stage.

    bool is_of_stage(const LoopLevel &level) const {
        return level.is_at() && level.func == definition().symbol && (level.stage < 0 || level.stage == step_.stage);
    }

    template <typename Change> void for_each_level(const Change &change) {
        for (FuncSchedule &func : schedule_.funcs) {
            change(func.compute);
            change(func.store);
            change(func.hoist);
        }
    }

    template <typename NewName> void rename_levels(const NewName &new_name) {
        for_each_level([&](LoopLevel &level) {
            if (is_of_stage(level)) {
                level.var = new_name(level.var);
            }
        });
    }

    bool has_placed(const std::string &loop) {
        bool found = false;
        for_each_level([&](const LoopLevel &level) { found = found || (is_of_stage(level) && level.var == loop); });
        return found;
    }

    // ---- Loops.

    void require_loops() const {
        if (is_inlined()) {
            refuse_step(name() + " is inlined and has no loops; deinline it first");
        }
    }

    void split_loop() {
        require_loops();
        const std::string old = step_.vars[0], outer = step_.vars[1], inner = step_.vars[2];
        split(ref(), old, outer, inner, step_.factor, step_.tail, {});
        rename_levels([&](const std::string &var) { return var == old ? inner : var; });
    }

    // The last step that makes one of these loops, if it is this step.
    std::vector<Split>::iterator find_step(Split::Kind kind, const std::string &old, const std::string &outer,
                                           const std::string &inner) {
        for (auto at = stage_.splits.end(); at != stage_.splits.begin();) {
            --at;
            if (at->kind == kind && at->old_var == old && at->outer == outer && at->inner == inner) {
                return at;
            }
            const std::string &made = kind == Split::Kind::Fuse ? old : inner;
            const bool makes = at->kind == Split::Kind::Fuse     ? at->old_var == made
                               : at->kind == Split::Kind::Rename ? at->outer == made
                                                                 : at->outer == made || at->inner == made;
            if (makes) {
                break;
            }
        }
        return stage_.splits.end();
    }

    // The loop's default properties after the remaining steps are applied to the default schedule.
    LoopDim loop_after_steps(const std::string &var) {
        StageSchedule loops = default_stage_schedule(
            definition(), definition().stages[static_cast<size_t>(step_.stage)], step_.stage > 0);
        loops.allow_race_conditions = stage_.allow_race_conditions;
        loops.atomic = stage_.atomic;
        loops.order_is_free = stage_.order_is_free;
        StageRef scratch = ref();
        scratch.schedule = &loops;
        for (const Split &one : stage_.splits) {
            switch (one.kind) {
            case Split::Kind::Split:
                split(scratch, one.old_var, one.outer, one.inner, one.factor, one.tail, {});
                break;
            case Split::Kind::Fuse:
                fuse(scratch, one.inner, one.outer, one.old_var, {});
                break;
            case Split::Kind::Skew:
                skew(scratch, one.old_var, one.inner, one.outer, one.factor, {});
                break;
            case Split::Kind::Rename:
                rename(scratch, one.old_var, one.outer, {});
                break;
            }
        }
        return loops.dims[require_loop(scratch, var, "an operator", {})];
    }

    void require_serial(const LoopDim &dim) const {
        if (dim.for_type != ForType::Serial) {
            refuse_step("loop " + dim.var + " of " + stage_text(name(), step_.stage) +
                        " is not serial; change its type first");
        }
    }

    void fuse_loops() {
        require_loops();
        const std::string inner = step_.vars[0], outer = step_.vars[1], fused = step_.vars[2];
        const size_t at = require_loop(ref(), inner, "fuse", {});
        if (at + 1 >= stage_.dims.size() || stage_.dims[at + 1].var != outer) {
            refuse_step("loop " + outer + " of " + stage_text(name(), step_.stage) + " does not stand around loop " +
                        inner + "; reorder them first");
        }
        require_serial(stage_.dims[at]);
        require_serial(stage_.dims[at + 1]);
        if (has_placed(outer)) {
            refuse_step("another Func is placed in loop " + outer + " of " + stage_text(name(), step_.stage) +
                        ", between the two; move it first");
        }
        const auto undone = step_.plain ? stage_.splits.end() : find_step(Split::Kind::Split, fused, outer, inner);
        if (undone != stage_.splits.end()) {
            const Partition partition = stage_.dims[at].partition;
            stage_.splits.erase(undone);
            stage_.dims[at] = loop_after_steps(fused);
            stage_.dims[at].partition = partition;
            stage_.dims.erase(stage_.dims.begin() + static_cast<long>(at) + 1);
        } else {
            fuse(ref(), inner, outer, fused, {});
        }
        rename_levels([&](const std::string &var) { return var == inner ? fused : var; });
    }

    void unfuse() {
        require_loops();
        const std::string fused = step_.vars[0], outer = step_.vars[1], inner = step_.vars[2];
        const size_t at = require_loop(ref(), fused, "split", {});
        require_serial(stage_.dims[at]);
        const auto undone = find_step(Split::Kind::Fuse, fused, outer, inner);
        if (undone == stage_.splits.end()) {
            refuse_step("loop " + fused + " of " + stage_text(name(), step_.stage) + " was not fused of " + inner +
                        " and " + outer + "; a split without a factor takes a fused loop apart");
        }
        const Partition partition = stage_.dims[at].partition;
        stage_.splits.erase(undone);
        LoopDim outer_dim = loop_after_steps(outer), inner_dim = loop_after_steps(inner);
        outer_dim.partition = inner_dim.partition = partition;
        stage_.dims[at] = inner_dim;
        stage_.dims.insert(stage_.dims.begin() + static_cast<long>(at) + 1, outer_dim);
        rename_levels([&](const std::string &var) { return var == fused ? inner : var; });
    }

    void rename_loop() {
        require_loops();
        const std::string old = step_.vars[0], renamed = step_.vars[1];
        const size_t at = require_loop(ref(), old, "rename", {});
        const auto undone = find_step(Split::Kind::Rename, renamed, old, "");
        if (undone != stage_.splits.end() && undone + 1 == stage_.splits.end()) {
            stage_.splits.erase(undone);
            require(ref(), LoopRules(ref()).rename(old, renamed), {.var = old}, {});
            stage_.dims[at].var = renamed;
        } else {
            rename(ref(), old, renamed, {});
        }
        rename_levels([&](const std::string &var) { return var == old ? renamed : var; });
    }

    void skew_loop() {
        require_loops();
        const std::string old = step_.vars[0], by = step_.vars[1], skewed = step_.vars[2];
        const size_t at = require_loop(ref(), old, "skew", {}), by_at = require_loop(ref(), by, "skew", {});
        if (at > by_at) {
            refuse_step("loop " + old + " of " + stage_text(name(), step_.stage) + " stands around loop " + by +
                        "; reorder them first");
        }
        const int64_t factor = rewrite::constant_value(step_.factor).value_or(0);
        const auto undone = [&](const Split &last) {
            return last.kind == Split::Kind::Skew && last.outer == old && last.inner == by && last.old_var == skewed &&
                   rewrite::constant_value(last.factor) == -factor;
        };
        if (!stage_.splits.empty() && undone(stage_.splits.back())) {
            require_serial(stage_.dims[at]);
            const Partition partition = stage_.dims[at].partition;
            stage_.splits.pop_back();
            stage_.dims[at] = loop_after_steps(skewed);
            stage_.dims[at].partition = partition;
        } else {
            skew(ref(), old, by, skewed, step_.factor, {});
        }
        rename_levels([&](const std::string &var) { return var == old ? skewed : var; });
    }

    void reorder_loops() {
        require_loops();
        const std::vector<LoopDim> before = stage_.dims;
        reorder(ref(), step_.vars, {});
        for (size_t i = 0; i < before.size(); i++) {
            stage_.dims[i].for_type = before[i].for_type;
            stage_.dims[i].partition = before[i].partition;
        }
        const StageSchedule &after = stage_;
        rename_levels([&](const std::string &var) {
            for (size_t i = 0; i < before.size(); i++) {
                if (before[i].var == var) {
                    return after.dims[i].var;
                }
            }
            return var;
        });
    }

    void set_type() {
        require_loops();
        LoopDim &dim = stage_.dims[require_loop(ref(), step_.vars[0], "loop_type", {})];
        dim.for_type = ForType::Serial;
        set_for_type(ref(), step_.vars[0], step_.type, {});
        dim.partition = step_.partition;
    }

    // ---- Sites.

    void require_computed() const {
        if (tree_.graph->is_output(step_.func)) {
            refuse_step(name() + " is an output, which is computed and stored at root");
        }
        if (is_inlined()) {
            refuse_step(name() + " is inlined; deinline it first");
        }
    }

    struct Position {
        size_t compute, store;
    };
    Position position(const Places &places) const {
        const std::vector<Site> &legal = places.legal(step_.func);
        auto at = [&](const Site &place) {
            return static_cast<size_t>(std::find(legal.begin(), legal.end(), place) - legal.begin());
        };
        return {at(places.compute(step_.func)), at(places.store(step_.func))};
    }

    void put(const Places &places, const Position &position) {
        const std::vector<Site> &legal = places.legal(step_.func);
        func_.compute = places.level_of(legal[position.compute]);
        func_.store =
            position.store == position.compute ? LoopLevel::inlined() : places.level_of(legal[position.store]);
    }

    void move_compute(int by) {
        require_computed();
        const Places places(*tree_.graph, schedule_);
        Position at = position(places);
        if (by < 0 && at.compute == at.store) {
            refuse_step(name() + " is stored at " + places.describe(places.store(step_.func)) +
                        ", where it is computed; hoist its storage first");
        }
        if (by > 0 && at.compute + 1 == places.legal(step_.func).size()) {
            refuse_step(name() + " is computed at " + places.describe(places.compute(step_.func)) +
                        "; no place further in holds all its uses");
        }
        at.compute = by < 0 ? at.compute - 1 : at.compute + 1;
        put(places, at);
    }

    void move_storage(int by) {
        require_computed();
        const Places places(*tree_.graph, schedule_);
        Position at = position(places);
        if (by < 0 && at.store == 0) {
            refuse_step(name() + " is stored at root");
        }
        if (by > 0 && at.store == at.compute) {
            refuse_step(name() + " is stored at " + places.describe(places.store(step_.func)) +
                        ", where it is computed; lower its computation first");
        }
        at.store = by < 0 ? at.store - 1 : at.store + 1;
        put(places, at);
    }

    void make_inline() {
        require_computed();
        for (const FuncSchedule &other : schedule_.funcs) {
            for (const LoopLevel *level : {&other.compute, &other.store, &other.hoist}) {
                if (level->is_at() && level->func == definition().symbol) {
                    refuse_step("another Func is placed in the loops of " + name() + "; move or inline it first");
                }
            }
        }
        func_.compute = func_.store = func_.hoist = LoopLevel::inlined();
        func_.ring_buffer = {};
        func_.ring_extent = Expr();
        for (size_t k = 0; k < func_.stages.size(); k++) {
            StageSchedule loops = default_stage_schedule(definition(), definition().stages[k], k > 0);
            loops.atomic = func_.stages[k].atomic;
            loops.order_is_free = func_.stages[k].order_is_free;
            loops.allow_race_conditions = func_.stages[k].allow_race_conditions;
            func_.stages[k] = std::move(loops);
        }
    }

    void make_computed() {
        if (!is_inlined()) {
            refuse_step(name() + " is not inlined");
        }
        const Places places(*tree_.graph, schedule_);
        func_.compute = places.level_of(places.legal(step_.func).back());
        func_.store = LoopLevel::inlined();
    }
};

// The objection to the result that the original tree does not have: a user's schedule may contain loops whose constant
// extents only lowering can prove.
std::string new_objection(const Tree &tree, const Tree &result) {
    const std::vector<Objection> found = objections(result);
    if (found.empty()) {
        return "";
    }
    const std::vector<Objection> before = objections(tree);
    for (const Objection &objection : found) {
        const bool old = std::any_of(before.begin(), before.end(),
                                     [&](const Objection &other) { return other.reason == objection.reason; });
        if (!old) {
            return objection.reason;
        }
    }
    return "";
}

} // namespace

Tree apply(const Tree &tree, const TreeStep &step, const Location &location) {
    std::string reason;
    try {
        Tree result = tree_of(tree.graph, Operator(tree, step).run(), location);
        result.made = tree.made;
        reason = new_objection(tree, result);
        if (reason.empty()) {
            return result;
        }
    } catch (const CompileError &error) {
        reason = error.message();
    }
    throw CompileError("illegal-tree-step", "in a schedule tree, " + to_text(tree, step) + ": " + reason, location);
}

std::string to_text(const Tree &tree, const TreeStep &step) {
    static const char *const names[] = {"split",         "fuse",          "reorder",       "loop_type",
                                        "hoist_compute", "lower_compute", "hoist_storage", "lower_storage",
                                        "inline",        "deinline",      "rename",        "skew"};
    const bool of_stage = is_on_loops(step.op);
    const std::string &name = tree.graph->func(step.func).name();
    std::string text =
        std::string(names[static_cast<int>(step.op)]) + "(" + (of_stage ? stage_text(name, step.stage) : name);
    for (const std::string &var : step.vars) {
        text += ", " + var;
    }
    if (step.op == TreeOp::Split && step.factor.defined()) {
        text += ", " + expression_text(step.factor);
        text += step.tail == TailStrategy::Auto ? "" : std::string(", ") + tail_word(step.tail);
    }
    if (step.op == TreeOp::Skew) {
        text += ", " + expression_text(step.factor);
    }
    if (step.op == TreeOp::LoopType) {
        text += std::string(", ") + type_word(step.type);
        text += step.partition == Partition::Auto ? "" : std::string(", ") + partition_word(step.partition);
    }
    return text + ")";
}

} // namespace fluorite::schedule
