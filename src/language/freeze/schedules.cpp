// Schedules of frozen graphs: loops keep the names that users gave, anonymous Vars are numbered, and levels get the
// symbols of the graph.

#include "language/freeze/schedules.h"

#include "ir/extern_stage.h"

namespace fluorite::language {

using ir::Symbol;

namespace {

class ScheduleFreezer {
  public:
    ScheduleFreezer(const ExprScope &exprs, bool drops_levels, LoopNames &names)
        : exprs_(exprs), drops_levels_(drops_levels), names_(names) {}

    void run(const std::vector<Function *> &functions, schedule::ScheduledGraph &result) {
        for (const Function *function : functions) {
            reserve_names(*function);
        }
        // Dimensions are named before any loop, so that their names do not depend on schedules.
        for (ir::FuncDef &func : result.graph.funcs) {
            for (std::string &name : func.arg_names) {
                name = names_.of(name);
            }
            for (ir::Stage &stage : func.stages) {
                for (ir::ReductionVar &rvar : stage.rvars) {
                    rvar.name = names_.of(rvar.name);
                }
            }
        }
        for (const Function *function : functions) {
            result.schedule.funcs.push_back(freeze(*function));
        }
        store_for_externs(result);
    }

  private:
    const ExprScope &exprs_;
    bool drops_levels_;
    LoopNames &names_;

    const GraphSymbols &symbols() const { return exprs_.symbols; }

    void reserve_names(const Function &function) {
        for (const Function::Factored &factored : function.factored) {
            for (const schedule::Split &split : factored.before.splits) {
                for (const std::string &name : {split.old_var, split.outer, split.inner}) {
                    names_.reserve(name);
                }
            }
        }
        for (const std::string &name : function.def.arg_names) {
            names_.reserve(name);
        }
        for (const schedule::StageSchedule &stage : function.schedule.stages) {
            schedule::for_each_variant(stage, [&](const schedule::StageSchedule &variant) {
                for (const schedule::Split &split : variant.splits) {
                    for (const std::string &name : {split.old_var, split.outer, split.inner}) {
                        names_.reserve(name);
                    }
                }
            });
        }
    }

    /// A C function writes and reads memory, so that without a level an extern stage and the Funcs that it reads are
    /// computed at root.
    static void store_for_externs(schedule::ScheduledGraph &result) {
        const auto store = [&](FuncId id) {
            schedule::FuncSchedule &func = result.schedule.func(id);
            if (!result.graph.is_output(id) && func.compute.is_inlined()) {
                func.compute = schedule::LoopLevel::root(func.location);
            }
        };
        for (const ir::FuncDef &func : result.graph.funcs) {
            const ir::ExprNode *stage = ir::find_extern_stage(func);
            for (const Expr &operand : stage ? ir::extern_operands(*stage) : std::span<const Expr>()) {
                const Expr access = ir::extern_access(operand);
                if (access.defined() && access->kind() == ir::ExprKind::Call) {
                    store(FuncId(access->symbol().owner().func));
                }
            }
            if (stage) {
                store(func.id());
            }
        }
    }

    schedule::FuncSchedule freeze(const Function &function) {
        schedule::FuncSchedule frozen = function.schedule;
        for (size_t i = drops_levels_ ? function.factored.size() : 0; i > 0; i--) {
            frozen.stages[function.factored[i - 1].stage] = function.factored[i - 1].before;
        }
        ExprFreezer rewriter(exprs_);
        for (schedule::StageSchedule &stage : frozen.stages) {
            schedule::for_each_variant(stage,
                                       [&](schedule::StageSchedule &variant) { freeze_variant(function, variant); });
        }
        for (std::vector<schedule::Bound> *bounds : {&frozen.bounds, &frozen.estimates}) {
            for (schedule::Bound &bound : *bounds) {
                bound.var = names_.of(bound.var);
            }
        }
        for (std::string &name : frozen.storage_order) {
            name = names_.of(name);
        }
        for (schedule::StorageDim &dim : frozen.storage) {
            dim.var = names_.of(dim.var);
        }
        schedule::for_each_expr(frozen, [&](Expr &expr) { expr = rewriter.rewrite(expr); });
        drops_levels_ ? drop_levels(frozen) : freeze_levels(function, frozen);
        return frozen;
    }

    void freeze_variant(const Function &function, schedule::StageSchedule &variant) {
        for (schedule::Split &split : variant.splits) {
            for (std::string *name : {&split.old_var, &split.outer, &split.inner}) {
                *name = names_.of(*name);
            }
        }
        for (schedule::LoopDim &dim : variant.dims) {
            dim.var = names_.of(dim.var);
        }
        if (variant.with) {
            freeze_level(function, variant.with->level, "computed with");
        }
        for (schedule::Prefetch &prefetch : variant.prefetches) {
            prefetch.at = names_.of(prefetch.at);
            prefetch.from = names_.of(prefetch.from);
        }
    }

    static void drop_levels(schedule::FuncSchedule &frozen) {
        frozen.compute = frozen.store = frozen.hoist = {};
        for (schedule::StageSchedule &stage : frozen.stages) {
            schedule::for_each_variant(stage, [](schedule::StageSchedule &variant) { variant.prefetches.clear(); });
        }
    }

    void freeze_levels(const Function &function, schedule::FuncSchedule &frozen) {
        resolve_level(function, frozen.compute, function.compute_level, "computed");
        resolve_level(function, frozen.store, function.store_level, "stored");
        if (symbols().is_output(function)) {
            keep_output_at_root(frozen);
        }
        freeze_place(function, frozen.compute, "computed");
        freeze_place(function, frozen.store, "stored");
        resolve_level(function, frozen.hoist, function.hoist_level, "hoisted");
        freeze_place(function, frozen.hoist, "hoisted");
        for (size_t k = 0; k < frozen.stages.size(); k++) {
            schedule::for_each_variant(frozen.stages[k], [&](schedule::StageSchedule &variant) {
                for (schedule::Prefetch &prefetch : variant.prefetches) {
                    prefetch.source = prefetched(function, k, prefetch);
                }
            });
        }
    }

    /// The caller's buffer holds an output, whatever it is to other pipelines: where they compute it, and that a task
    /// of its own does, says nothing here.
    static void keep_output_at_root(schedule::FuncSchedule &frozen) {
        for (schedule::LoopLevel *level : {&frozen.compute, &frozen.store}) {
            if (level->is_at()) {
                *level = {};
            }
        }
        frozen.marks.remove(schedule::DirectiveName::async);
    }

    /// The graph's symbol for the source of a prefetch.
    Symbol prefetched(const Function &function, size_t stage, const schedule::Prefetch &prefetch) const {
        for (const Symbol *symbol : {symbols().find_func(prefetch.source), symbols().find_input(prefetch.source)}) {
            if (symbol) {
                return *symbol;
            }
        }
        fail("prefetch-of-unread", function, static_cast<int>(stage),
             concat("prefetch of ", shown_name(prefetch.source.name()), " in loop ", shown_name(prefetch.at),
                    ", which is no Func or input that this pipeline reads; what is prefetched is what the loop reads; "
                    "name one of these, or remove the directive"),
             prefetch.location);
    }

    /// Resolves the user's LoopLevel to its current value.
    static void resolve_level(const Function &function, schedule::LoopLevel &level,
                              const std::shared_ptr<const LevelState> &state, const char *what) {
        if (!state) {
            return;
        }
        if (!state->level) {
            fail("undefined-loop-level", function, -1,
                 concat("it is ", what,
                        " at a LoopLevel that has no place; a level is given a place before the pipeline "
                        "is compiled; call set() on it, as in level.set(LoopLevel::root())"),
                 level.location);
        }
        const Location location = level.location;
        level = *state->level;
        level.location = location;
    }

    /// A Func that is frozen alone, as an output, keeps levels inside loops of absent Funcs for later.
    void freeze_place(const Function &function, schedule::LoopLevel &level, const char *what) {
        if (level.is_at() && symbols().is_output(function) && !symbols().find_func(level.func)) {
            level = {};
        }
        freeze_level(function, level, std::string(what) + " at");
    }

    void freeze_level(const Function &function, schedule::LoopLevel &level, const std::string &what) {
        if (!level.is_at()) {
            return;
        }
        const Symbol *func = symbols().find_func(level.func);
        if (!func) {
            fail("unknown-consumer", function, -1,
                 concat("it is ", what, " loop ", shown_name(level.var), " of ", shown_name(level.func.name()),
                        ", which is no Func of this pipeline; a Func is placed in loops of one that calls it; place it "
                        "in a consumer, or use compute_root()"),
                 level.location);
        }
        level.func = *func;
        level.var = names_.of(level.var);
    }
};

} // namespace

void freeze_schedules(const std::vector<Function *> &functions, const ExprScope &exprs, bool drops_levels,
                      LoopNames &names, schedule::ScheduledGraph &result) {
    ScheduleFreezer(exprs, drops_levels, names).run(functions, result);
}

} // namespace fluorite::language
