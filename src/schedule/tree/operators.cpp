// The operators: each edits the schedule of a tree. steps.cpp asks then whether the resulting tree obeys every rule.
//
// Levels name loops, so an operator that renames, fuses or reorders loops also moves what is placed in them, as in the
// tree, where children stay with their node. Two operators are inverses of two others if they are given the previous
// names.

#include "schedule/tree/operators.h"

#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/loop_rules.h"
#include "schedule/placement/uses.h"
#include "schedule/tree/levels.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

Refusal refused_step(const std::string &reason) { return {"illegal-tree-step", reason, {}}; }

class Operator {
  public:
    Operator(const Tree &tree, const TreeStep &step)
        : tree_(tree), step_(step), schedule_(schedule_of(tree)), func_(schedule_.func(step.stage.func)),
          stage_(func_.stages[step.stage.index()]) {}

    Result<Schedule> run() {
        const Verdict legal = edit();
        return legal ? Result<Schedule>(std::move(schedule_)) : legal.refusal();
    }

  private:
    const Tree &tree_;
    const TreeStep &step_;
    Schedule schedule_;
    FuncSchedule &func_;
    StageSchedule &stage_;

    Verdict edit() {
        Verdict legal = is_on_loops(step_.op)          ? require_loops()
                        : step_.op == TreeOp::Deinline ? Verdict()
                                                       : require_computed();
        return legal ? run_step() : legal;
    }

    Verdict run_step() {
        switch (step_.op) {
        case TreeOp::Split:
            return step_.factor.defined() ? split_loop() : unfuse();
        case TreeOp::Fuse:
            return fuse_loops();
        case TreeOp::Reorder:
            return reorder_loops();
        case TreeOp::LoopType:
            return set_type();
        case TreeOp::Rename:
            return rename_loop();
        case TreeOp::Skew:
            return skew_loop();
        case TreeOp::HoistCompute:
        case TreeOp::LowerCompute:
            return move_compute(step_.op == TreeOp::HoistCompute ? -1 : 1);
        case TreeOp::HoistStorage:
        case TreeOp::LowerStorage:
            return move_storage(step_.op == TreeOp::HoistStorage ? -1 : 1);
        case TreeOp::Inline:
            return make_inline();
        case TreeOp::Deinline:
            return make_computed();
        }
        unreachable("every operator edits the schedule");
    }

    const ir::FuncDef &definition() const { return tree_.graph->func(step_.stage.func); }
    std::string name() const { return definition().name(); }
    bool is_inlined() const { return schedule::is_inlined(*tree_.graph, schedule_, step_.stage.func); }
    PlacementResolver resolved() const { return {*tree_.graph, schedule_, nests_of(*tree_.graph, schedule_)}; }
    std::string describe(const Site &site) const { return schedule::describe(*tree_.graph, schedule_, site); }
    LoopLevel level_of(const Site &site) const { return schedule::level_of(*tree_.graph, schedule_, site); }

    StageRef ref() {
        return {name(),
                step_.stage.stage,
                &stage_,
                &func_,
                definition().arg_names,
                &definition().stages[step_.stage.index()],
                &definition(),
                {}};
    }

    // ---- What is placed in the loops of the stage.

    bool is_of_stage(const LoopLevel &level) const {
        return level.is_at() && level.func == definition().symbol &&
               (level.stage < 0 || level.stage == step_.stage.stage);
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

    Verdict require_loops() const {
        if (is_inlined()) {
            return refused_step(name() + " is inlined and has no loops; deinline it first");
        }
        return {};
    }

    Verdict split_loop() {
        const std::string old = step_.vars[0], outer = step_.vars[1], inner = step_.vars[2];
        if (Verdict legal = split(ref(), old, outer, inner, step_.factor, step_.tail, {}); !legal) {
            return legal;
        }
        rename_levels([&](const std::string &var) { return var == old ? inner : var; });
        return {};
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
    Result<LoopDim> loop_after_steps(const std::string &var) {
        StageSchedule loops =
            default_stage_schedule(definition(), definition().stages[step_.stage.index()], step_.stage.stage > 0);
        loops.allow_race_conditions = stage_.allow_race_conditions;
        loops.atomic = stage_.atomic;
        loops.order_is_free = stage_.order_is_free;
        StageRef scratch = ref();
        scratch.schedule = &loops;
        for (const Split &one : stage_.splits) {
            switch (one.kind) {
            case Split::Kind::Split:
                if (Verdict legal = split(scratch, one.old_var, one.outer, one.inner, one.factor, one.tail, {});
                    !legal) {
                    return legal.refusal();
                }
                break;
            case Split::Kind::Fuse:
                if (Verdict legal = fuse(scratch, one.inner, one.outer, one.old_var, {}); !legal) {
                    return legal.refusal();
                }
                break;
            case Split::Kind::Skew:
                if (Verdict legal = skew(scratch, one.old_var, one.inner, one.outer, one.factor, {}); !legal) {
                    return legal.refusal();
                }
                break;
            case Split::Kind::Rename:
                if (Verdict legal = rename(scratch, one.old_var, one.outer, {}); !legal) {
                    return legal.refusal();
                }
                break;
            }
        }
        const Result<size_t> at = require_loop(scratch, var, "an operator", {});
        if (!at) {
            return at.refusal();
        }
        return loops.dims[*at];
    }

    /// Gives the loop at a position its default properties, under a name that it had before.
    Verdict restore(size_t at, const std::string &var) {
        Result<LoopDim> dim = loop_after_steps(var);
        if (dim) {
            stage_.dims[at] = std::move(*dim);
        }
        return dim.verdict();
    }

    Verdict require_serial(const LoopDim &dim) const {
        if (dim.for_type != ForType::Serial) {
            return refused_step("loop " + dim.var + " of " + stage_text(name(), step_.stage.stage) +
                                " is not serial; change its type first");
        }
        return {};
    }

    Verdict fuse_loops() {
        const std::string inner = step_.vars[0], outer = step_.vars[1], fused = step_.vars[2];
        const Result<size_t> at = require_loop(ref(), inner, "fuse", {});
        if (!at) {
            return at.refusal();
        }
        if (*at + 1 >= stage_.dims.size() || stage_.dims[*at + 1].var != outer) {
            return refused_step("loop " + outer + " of " + stage_text(name(), step_.stage.stage) +
                                " does not stand around loop " + inner + "; reorder them first");
        }
        if (Verdict legal = require_serial(stage_.dims[*at]); !legal) {
            return legal;
        }
        if (Verdict legal = require_serial(stage_.dims[*at + 1]); !legal) {
            return legal;
        }
        if (has_placed(outer)) {
            return refused_step("another Func is placed in loop " + outer + " of " +
                                stage_text(name(), step_.stage.stage) + ", between the two; move it first");
        }
        const auto undone = step_.plain ? stage_.splits.end() : find_step(Split::Kind::Split, fused, outer, inner);
        if (undone != stage_.splits.end()) {
            const Partition partition = stage_.dims[*at].partition;
            stage_.splits.erase(undone);
            if (Verdict legal = restore(*at, fused); !legal) {
                return legal;
            }
            stage_.dims[*at].partition = partition;
            stage_.dims.erase(stage_.dims.begin() + static_cast<long>(*at) + 1);
        } else {
            if (Verdict legal = fuse(ref(), inner, outer, fused, {}); !legal) {
                return legal;
            }
        }
        rename_levels([&](const std::string &var) { return var == inner ? fused : var; });
        return {};
    }

    Verdict unfuse() {
        const std::string fused = step_.vars[0], outer = step_.vars[1], inner = step_.vars[2];
        const Result<size_t> at = require_loop(ref(), fused, "split", {});
        if (!at) {
            return at.refusal();
        }
        if (Verdict legal = require_serial(stage_.dims[*at]); !legal) {
            return legal;
        }
        const auto undone = find_step(Split::Kind::Fuse, fused, outer, inner);
        if (undone == stage_.splits.end()) {
            return refused_step("loop " + fused + " of " + stage_text(name(), step_.stage.stage) +
                                " was not fused of " + inner + " and " + outer +
                                "; a split without a factor takes a fused loop apart");
        }
        const Partition partition = stage_.dims[*at].partition;
        stage_.splits.erase(undone);
        Result<LoopDim> outer_dim = loop_after_steps(outer), inner_dim = loop_after_steps(inner);
        if (!outer_dim || !inner_dim) {
            return outer_dim ? inner_dim.refusal() : outer_dim.refusal();
        }
        outer_dim->partition = inner_dim->partition = partition;
        stage_.dims[*at] = *inner_dim;
        stage_.dims.insert(stage_.dims.begin() + static_cast<long>(*at) + 1, *outer_dim);
        rename_levels([&](const std::string &var) { return var == fused ? inner : var; });
        return {};
    }

    Verdict rename_loop() {
        const std::string old = step_.vars[0], renamed = step_.vars[1];
        const Result<size_t> at = require_loop(ref(), old, "rename", {});
        if (!at) {
            return at.refusal();
        }
        const auto undone = find_step(Split::Kind::Rename, renamed, old, "");
        if (undone != stage_.splits.end() && undone + 1 == stage_.splits.end()) {
            stage_.splits.erase(undone);
            if (Verdict legal = require(ref(), LoopRules(ref()).rename(old, renamed), {.var = old}, {}); !legal) {
                return legal;
            }
            stage_.dims[*at].var = renamed;
        } else {
            if (Verdict legal = rename(ref(), old, renamed, {}); !legal) {
                return legal;
            }
        }
        rename_levels([&](const std::string &var) { return var == old ? renamed : var; });
        return {};
    }

    Verdict skew_loop() {
        const std::string old = step_.vars[0], by = step_.vars[1], skewed = step_.vars[2];
        const Result<size_t> at = require_loop(ref(), old, "skew", {}), by_at = require_loop(ref(), by, "skew", {});
        if (!at || !by_at) {
            return at ? by_at.refusal() : at.refusal();
        }
        if (*at > *by_at) {
            return refused_step("loop " + old + " of " + stage_text(name(), step_.stage.stage) +
                                " stands around loop " + by + "; reorder them first");
        }
        const int64_t factor = rewrite::constant_value(step_.factor).value_or(0);
        const auto undone = [&](const Split &last) {
            return last.kind == Split::Kind::Skew && last.outer == old && last.inner == by && last.old_var == skewed &&
                   rewrite::constant_value(last.factor) == -factor;
        };
        if (!stage_.splits.empty() && undone(stage_.splits.back())) {
            if (Verdict legal = require_serial(stage_.dims[*at]); !legal) {
                return legal;
            }
            const Partition partition = stage_.dims[*at].partition;
            stage_.splits.pop_back();
            if (Verdict legal = restore(*at, skewed); !legal) {
                return legal;
            }
            stage_.dims[*at].partition = partition;
        } else {
            if (Verdict legal = skew(ref(), old, by, skewed, step_.factor, {}); !legal) {
                return legal;
            }
        }
        rename_levels([&](const std::string &var) { return var == old ? skewed : var; });
        return {};
    }

    Verdict reorder_loops() {
        const std::vector<LoopDim> before = stage_.dims;
        if (Verdict legal = reorder(ref(), step_.vars, {}); !legal) {
            return legal;
        }
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
        return {};
    }

    Verdict set_type() {
        const Result<size_t> at = require_loop(ref(), step_.vars[0], "loop_type", {});
        if (!at) {
            return at.refusal();
        }
        LoopDim &dim = stage_.dims[*at];
        dim.for_type = ForType::Serial;
        if (Verdict legal = set_for_type(ref(), step_.vars[0], step_.type, {}); !legal) {
            return legal;
        }
        dim.partition = step_.partition;
        return {};
    }

    // ---- Sites.

    Verdict require_computed() const {
        if (tree_.graph->is_output(step_.stage.func)) {
            return refused_step(name() + " is an output, which is computed and stored at root");
        }
        if (is_inlined()) {
            return refused_step(name() + " is inlined; deinline it first");
        }
        return {};
    }

    struct Position {
        size_t compute, store;
    };
    Position position(const PlacementResolver &places) const {
        const std::span<const Site> legal = places.legal(step_.stage.func);
        auto at = [&](const Site &place) { return position_in(legal, std::find(legal.begin(), legal.end(), place)); };
        return {at(places.compute(step_.stage.func)), at(places.store(step_.stage.func))};
    }

    void put(const PlacementResolver &places, const Position &position) {
        const std::span<const Site> legal = places.legal(step_.stage.func);
        func_.compute = level_of(legal[position.compute]);
        func_.store = position.store == position.compute ? LoopLevel::inlined() : level_of(legal[position.store]);
    }

    Verdict move_compute(int by) {
        const PlacementResolver places = resolved();
        Position at = position(places);
        if (by < 0 && at.compute == at.store) {
            return refused_step(name() + " is stored at " + describe(places.store(step_.stage.func)) +
                                ", where it is computed; hoist its storage first");
        }
        if (by > 0 && at.compute + 1 == places.legal(step_.stage.func).size()) {
            return refused_step(name() + " is computed at " + describe(places.compute(step_.stage.func)) +
                                "; no place further in holds all its uses");
        }
        at.compute = by < 0 ? at.compute - 1 : at.compute + 1;
        put(places, at);
        return {};
    }

    Verdict move_storage(int by) {
        const PlacementResolver places = resolved();
        Position at = position(places);
        if (by < 0 && at.store == 0) {
            return refused_step(name() + " is stored at root");
        }
        if (by > 0 && at.store == at.compute) {
            return refused_step(name() + " is stored at " + describe(places.store(step_.stage.func)) +
                                ", where it is computed; lower its computation first");
        }
        at.store = by < 0 ? at.store - 1 : at.store + 1;
        put(places, at);
        return {};
    }

    Verdict make_inline() {
        for (const FuncSchedule &other : schedule_.funcs) {
            for (const LoopLevel *level : {&other.compute, &other.store, &other.hoist}) {
                if (level->is_at() && level->func == definition().symbol) {
                    return refused_step("another Func is placed in the loops of " + name() +
                                        "; move or inline it first");
                }
            }
        }
        func_.compute = func_.store = func_.hoist = LoopLevel::inlined();
        func_.marks.remove(DirectiveName::ring_buffer);
        for (size_t k = 0; k < func_.stages.size(); k++) {
            StageSchedule loops = default_stage_schedule(definition(), definition().stages[k], k > 0);
            loops.atomic = func_.stages[k].atomic;
            loops.order_is_free = func_.stages[k].order_is_free;
            loops.allow_race_conditions = func_.stages[k].allow_race_conditions;
            func_.stages[k] = std::move(loops);
        }
        return {};
    }

    Verdict make_computed() {
        if (!is_inlined()) {
            return refused_step(name() + " is not inlined");
        }
        const PlacementResolver places = resolved();
        func_.compute = level_of(places.legal(step_.stage.func).back());
        func_.store = LoopLevel::inlined();
        return {};
    }
};

} // namespace

Result<Schedule> edited(const Tree &tree, const TreeStep &step) { return Operator(tree, step).run(); }

} // namespace fluorite::schedule
