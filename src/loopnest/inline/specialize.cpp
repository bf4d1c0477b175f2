// Specializations as stages, before placement.
//
// Before: f, stage 0, with schedule s and, under condition c, schedule t; g is computed inside its loops.
// After:  f, stage 0 under c with schedule t, calling g$v1; stage 1 with schedule s, calling g; g$v1 is computed inside
// stage 0.
//
// LoweringGraph::variants records that both are the program's definition 0: exactly one of them runs
// (lowering/from_nest/build_loops.cpp emits the ifs), both compute the same region, and none is an update of the other.
//
// Consumers are processed first. The Funcs computed inside the stage follow from the placement under the stage's own
// schedule. Each specialization gets clones of them, so that in the rest of lowering every Func has one site. In the
// expressions of a specialization, an expression that the condition equates with a constant is replaced by it.
//
// Refuses Funcs that are computed at a loop that some specialization does not have. Cost: a placement for each
// specialized Func, and copies of what is computed inside, multiplied for nested specializations.

#include "loopnest/inline/specialize.h"

#include "loopnest/inline/clone.h"
#include "loopnest/inline/inline_budget.h"
#include "loopnest/placement/placement.h"
#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "support/loop_name.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using schedule::LoopLevel;
using schedule::Specialization;
using schedule::StageSchedule;

namespace {

/// One alternative of a definition.
struct Choice {
    Expr condition;
    std::string failure;
    StageSchedule schedule;
    Location location;
    bool is_own = false; // it has the stage's own schedule
};

Expr both(const Expr &a, const Expr &b) { return a.defined() && b.defined() ? logical_and(a, b) : a.defined() ? a : b; }

/// Lists the alternatives in the order in which they are tried, up to the first one that always applies.
void list_choices(const StageSchedule &schedule, const Expr &condition, const Location &location, bool is_own,
                  std::vector<Choice> &choices) {
    for (const Specialization &one : schedule.specializations) {
        if (one.fails()) {
            choices.push_back({condition, one.failure, one.schedule, one.location, false});
            return;
        }
        list_choices(one.schedule, both(condition, one.condition), one.location, false, choices);
    }
    StageSchedule plain = schedule;
    plain.specializations.clear();
    choices.push_back({condition, "", std::move(plain), location, is_own});
}

class Specializer {
  public:
    Specializer(LoweringGraph &graph, InlineMemo &memo) : graph_(graph), memo_(memo) {}

    Verdict run() {
        for (size_t i = graph_.order.size(); i-- > 0;) {
            const FuncId id = graph_.order[i];
            if (is_specialized(id)) {
                if (const Verdict expanded = expand(id); !expanded) {
                    return expanded;
                }
                // Clones have been inserted before it.
                i = position_in(graph_.order, std::find(graph_.order.begin(), graph_.order.end(), id));
            }
        }
        return {};
    }

  private:
    LoweringGraph &graph_;
    InlineMemo &memo_;
    int clones_ = 0;

    bool is_specialized(FuncId id) const {
        const std::vector<StageSchedule> &stages = graph_.schedule(id).stages;
        return std::any_of(stages.begin(), stages.end(),
                           [](const StageSchedule &stage) { return !stage.specializations.empty(); });
    }

    FuncDef &func(FuncId id) { return graph_.pipeline.graph.funcs[id.index()]; }
    schedule::FuncSchedule &schedule_of(FuncId id) { return graph_.pipeline.schedule.func(id); }

    Verdict expand(FuncId id) {
        const Result<Placement> placed = place(graph_, find_consumers(graph_, memo_));
        if (!placed) {
            return placed.refusal();
        }
        const Placement &placement = *placed;
        const FuncDef before = graph_.func(id);
        const schedule::FuncSchedule schedule = graph_.schedule(id);
        std::vector<Stage> stages;
        std::vector<StageSchedule> schedules;
        std::vector<Variant> variants;
        for (size_t k = 0; k < before.stages.size(); k++) {
            const StageId written(id, k);
            std::vector<Choice> choices;
            list_choices(schedule.stages[k], Expr(), {}, true, choices);
            const std::vector<FuncId> inside = computed_inside(written, placement);
            std::optional<size_t> keeper;
            for (size_t c = 0; c < choices.size(); c++) {
                keeper = choices[c].failure.empty() ? std::optional(c) : keeper;
            }
            for (size_t c = 0; c < choices.size(); c++) {
                const Choice &choice = choices[c];
                const StageId index(id, stages.size());
                Stage stage = choice.failure.empty() ? before.stages[k] : nothing(before, k);
                ExprMap<Expr> facts;
                if (choice.condition.defined()) {
                    find_facts(choice.condition, facts);
                }
                renumber(stage, index);
                if (!choice.is_own && choice.failure.empty()) {
                    if (const Verdict loops = check_loops(written, inside, choice, placement); !loops) {
                        return loops;
                    }
                }
                schedules.push_back(choice.schedule);
                if (choice.failure.empty() && c != keeper) {
                    if (const Verdict copied =
                            copy_inside(written, index, inside, placement, facts, stage, schedules.back());
                        !copied) {
                        return copied;
                    }
                } else if (choice.failure.empty()) {
                    keep_inside(written, index, inside, placement, facts);
                }
                change_exprs(stage, [&](const Expr &expr) { return assume(expr, facts); });
                stages.push_back(std::move(stage));
                variants.push_back({written.stage, choice.condition, choice.failure});
            }
            if (!keeper) {
                for (FuncId gone : inside) {
                    graph_.order.erase(std::find(graph_.order.begin(), graph_.order.end(), gone));
                }
            }
        }
        func(id).stages = std::move(stages);
        schedule_of(id).stages = std::move(schedules);
        graph_.variants.resize(std::max(graph_.variants.size(), graph_.pipeline.graph.funcs.size()));
        graph_.variants[id.index()] = std::move(variants);
        return {};
    }

    /// The Funcs that are computed inside of a stage, producers first.
    std::vector<FuncId> computed_inside(StageId stage, const Placement &placement) const {
        std::vector<FuncId> found;
        for (const FuncId other : graph_.order) {
            if (other.index() >= placement.compute.size()) {
                continue; // a clone made by this function, inside another stage
            }
            for (Site site = placement.compute[other.index()]; !site.is_root();
                 site = placement.compute[site.func().index()]) {
                if (site.stage == stage) {
                    found.push_back(other);
                    break;
                }
            }
        }
        return found;
    }

    /// Checks that the loops at which Funcs are computed or stored are also loops of the specialization.
    Verdict check_loops(StageId stage, const std::vector<FuncId> &inside, const Choice &choice,
                        const Placement &placement) const {
        for (const FuncId other : inside) {
            const schedule::FuncSchedule &its = graph_.schedule(other);
            for (const auto &[level, site] : {std::pair(&its.compute, &placement.compute[other.index()]),
                                              std::pair(&its.store, &placement.store[other.index()]),
                                              std::pair(&its.hoist, &placement.hoist[other.index()])}) {
                if (!level->is_at() || site->stage != stage || level->var.empty() || level->var == "__outermost" ||
                    level->var == "__innermost" || schedule::find_loop(choice.schedule, level->var)) {
                    continue;
                }
                return Refusal{
                    "specialize-loops-differ",
                    "in " + graph_.func(other).name() + ": it is computed or stored at loop " +
                        with_dotted_loops(level->var) + " of " + graph_.func(stage.func).name() +
                        ", a specialization of which has the loops " +
                        with_dotted_loops(schedule::join(schedule::loop_names(choice.schedule))) +
                        "; the loop is one of every specialization; name the loops alike with split or rename",
                    choice.location};
            }
        }
        return {};
    }

    /// Updates a level that denotes a stage whose index has changed.
    static void redirect(LoopLevel &level, const Site &site, StageId stage, StageId now) {
        if (level.is_at() && site.stage == stage) {
            level.stage = now.stage;
        }
    }

    void keep_inside(StageId stage, StageId now, const std::vector<FuncId> &inside, const Placement &placement,
                     const ExprMap<Expr> &facts) {
        for (const FuncId other : inside) {
            schedule::FuncSchedule &its = schedule_of(other);
            redirect(its.compute, placement.compute[other.index()], stage, now);
            redirect(its.store, placement.store[other.index()], stage, now);
            redirect(its.hoist, placement.hoist[other.index()], stage, now);
            for (Stage &one : func(other).stages) {
                change_exprs(one, [&](const Expr &expr) { return assume(expr, facts); });
            }
        }
    }

    Verdict copy_inside(StageId stage, StageId now, const std::vector<FuncId> &inside, const Placement &placement,
                        const ExprMap<Expr> &facts, Stage &caller, StageSchedule &loops) {
        std::vector<std::pair<Symbol, Symbol>> renamed;
        std::vector<FuncId> copies;
        const std::string suffix = "$v" + std::to_string(++clones_);
        for (const FuncId other : inside) {
            if (const Verdict fits = check_funcs(graph_, other); !fits) {
                return fits;
            }
            const FuncId copy = clone_func(graph_, other, suffix, CopyReason::Alternative);
            if (other.index() < graph_.variants.size() && !graph_.variants[other.index()].empty()) {
                graph_.variants.resize(graph_.pipeline.graph.funcs.size());
                graph_.variants[copy.index()] = graph_.variants[other.index()];
            }
            renamed.emplace_back(graph_.func(other).symbol, graph_.func(copy).symbol);
            copies.push_back(copy);
            graph_.order.insert(std::find(graph_.order.begin(), graph_.order.end(), other) + 1, copy);
        }
        const auto change = [&](const Expr &expr) {
            Expr result = expr;
            for (const auto &[from, to] : renamed) {
                result = retarget(result, from, to);
            }
            return assume(result, facts);
        };
        rename_prefetched(loops, renamed);
        for (size_t i = 0; i < copies.size(); i++) {
            for (Stage &one : func(copies[i]).stages) {
                change_exprs(one, change);
            }
            schedule::FuncSchedule &its = schedule_of(copies[i]);
            for (StageSchedule &one : its.stages) {
                rename_prefetched(one, renamed);
            }
            redirect(its.compute, placement.compute[inside[i].index()], stage, now);
            redirect(its.store, placement.store[inside[i].index()], stage, now);
            redirect(its.hoist, placement.hoist[inside[i].index()], stage, now);
            for (LoopLevel *level : {&its.compute, &its.store, &its.hoist}) {
                for (const auto &[from, to] : renamed) {
                    if (level->is_at() && level->func == from) {
                        level->func = to;
                    }
                }
            }
        }
        change_exprs(caller, change);
        return {};
    }

    static void rename_prefetched(StageSchedule &stage, const std::vector<std::pair<Symbol, Symbol>> &renamed) {
        for (schedule::Prefetch &prefetch : stage.prefetches) {
            for (const auto &[from, to] : renamed) {
                prefetch.source = prefetch.source == from ? to : prefetch.source;
            }
        }
    }

    /// A placeholder for a stage that never runs: it reads nothing.
    static Stage nothing(const FuncDef &func, size_t k) {
        Stage stage = func.stages[k];
        stage.args.clear();
        for (const Symbol &arg : func.args) {
            stage.args.push_back(make_var(Int(32), arg));
        }
        for (Expr &value : stage.values) {
            value = make_zero(value.type());
        }
        stage.rvars.clear();
        stage.predicate = Expr();
        return stage;
    }

    /// RVars record the index of their stage.
    static void renumber(Stage &stage, StageId now) {
        SymbolMap<Expr> renamed;
        for (ReductionVar &rvar : stage.rvars) {
            SymbolOwner owner = rvar.var.owner();
            owner.func = now.func;
            owner.stage = now.stage;
            const Symbol fresh(rvar.var.kind(), rvar.var.name(), owner);
            renamed[rvar.var] = make_var(Int(32), fresh);
            rvar.var = fresh;
        }
        if (!renamed.empty()) {
            change_exprs(stage, [&](const Expr &expr) { return substitute(expr, renamed); });
        }
    }
};

} // namespace

void find_facts(const Expr &condition, ExprMap<Expr> &facts) {
    switch (condition->kind()) {
    case ExprKind::And:
        find_facts(condition->arg(0), facts);
        find_facts(condition->arg(1), facts);
        break;
    case ExprKind::EQ:
        for (const auto &[one, other] : {std::pair(0, 1), std::pair(1, 0)}) {
            if (is_const(condition->arg(static_cast<size_t>(other))) && !condition->arg(0).type().is_float()) {
                facts.emplace(condition->arg(static_cast<size_t>(one)), condition->arg(static_cast<size_t>(other)));
            }
        }
        break;
    case ExprKind::Not:
        if (is_kind(condition->arg(0), ExprKind::Variable)) {
            facts.emplace(condition->arg(0), make_bool(false));
        }
        break;
    case ExprKind::Variable:
        facts.emplace(condition, make_bool(true));
        break;
    default: // conditions from which no fact follows
        break;
    }
}

Expr assume(const Expr &expr, const ExprMap<Expr> &facts) {
    if (facts.empty() || !expr.defined()) {
        return expr;
    }
    return transform(expr, [&](const Expr &node) {
        const auto found = facts.find(node);
        return found == facts.end() ? node : found->second;
    });
}

Verdict specialize(LoweringGraph &graph, InlineMemo &memo) { return Specializer(graph, memo).run(); }

} // namespace fluorite::loopnest
