// distribute: each rank runs a contiguous part of a loop.
//   distribute(y):              rank r runs part r of loop y, of as many parts as there are ranks
//   distribute(x, y, p, q):     rank r runs part r % p of loop x and part r / p of loop y
//   distribute(x, y):           the same; p and q are chosen for the number of ranks and the region
// Parts are balanced: part r of n begins at iteration floor(r * extent / n). Parts of a loop that came out of a split
// begin at multiples of its factor. The mark stays with the outer loop when the loop is split later.
//   agglomerate(n):             at most n of the ranks have parts, each of several
// Legality: the loop stems from a dimension of the Func, as the outer part of splits. Ranks share no iteration of a
// reduction. All stages of a Func cut the same dimensions.
// What ranks exchange is found when the pipeline runs (ranks/plan/plan_rank.cpp).

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "schedule/rank_layout.h"

#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::schedule {

static Result<Expr> check_ranks(const FuncRef &func, const Expr &ranks, Location location) {
    const std::string unknown = ranks.defined() ? unknown_at_entry(ranks) : "";
    if (!unknown.empty()) {
        return refused(func, "directive-value", "agglomerate has a number of ranks that uses " + unknown + value_rule(),
                       location);
    }
    const std::optional<int64_t> value = ranks.defined() ? rewrite::constant_value(ranks) : std::nullopt;
    if (!ranks.defined() || !(ranks.type() == Int(32)) || (value && *value < 1)) {
        return refused(func, "distribute-grid",
                       concat("agglomerate to ",
                              value             ? concat(*value, " ranks")
                              : ranks.defined() ? concat("a number of ranks of type ", ranks.type())
                                                : std::string("no number of ranks"),
                              "; a number of ranks is an int of 1 or more; pass one"),
                       location);
    }
    return ranks;
}

std::vector<LoopDim> distributed_loops(const std::vector<LoopDim> &dims) {
    std::vector<LoopDim> loops;
    std::copy_if(dims.begin(), dims.end(), std::back_inserter(loops),
                 [](const LoopDim &dim) { return static_cast<bool>(dim.distributed); });
    std::sort(loops.begin(), loops.end(),
              [](const LoopDim &a, const LoopDim &b) { return a.distributed.position < b.distributed.position; });
    return loops;
}

namespace {

Verdict check_parts(const StageRef &stage, const std::vector<std::string> &vars, const std::vector<Expr> &parts,
                    Location location) {
    if (vars.empty() || (!parts.empty() && parts.size() != vars.size())) {
        return refused(
            stage, "distribute-grid",
            concat("distribute names ", vars.size(), " loops and ", parts.size(),
                   " numbers of ranks; a grid has one number for each loop; give as many, or none and they are "
                   "chosen when the pipeline runs"),
            location);
    }
    for (const Expr &part : parts) {
        const std::string unknown = unknown_at_entry(part);
        if (!unknown.empty()) {
            return refused(stage, "directive-value",
                           "distribute has a number of ranks that uses " + unknown + value_rule(), location);
        }
        const std::optional<int64_t> value = rewrite::constant_value(part);
        if (!part.type().is_int() || part.type().bits() != 32 || (value && *value < 1)) {
            return refused(stage, "distribute-grid",
                           concat("distribute over ",
                                  value ? concat(*value, " ranks") : concat("a number of ranks of type ", part.type()),
                                  "; a number of ranks is an int of 1 or more; pass one"),
                           location);
        }
    }
    return {};
}

/// The dimensions that other stages cut are those of `cuts`. Tiles may differ: a later split changes them anyway, and
/// parts begin at multiples of all (rank_layout).
Verdict check_other_stages(const StageRef &stage, const std::vector<LoopOrigin> &cuts, const std::vector<Expr> &parts,
                           Location location) {
    if (!stage.func_schedule) {
        return {};
    }
    for (size_t k = 0; k < stage.func_schedule->stages.size(); k++) {
        const StageSchedule &other = stage.func_schedule->stages[k];
        const std::vector<LoopDim> loops = distributed_loops(other.dims);
        bool is_same = loops.empty() || loops.size() == cuts.size();
        for (size_t i = 0; is_same && i < loops.size(); i++) {
            const LoopOrigin origin = origin_of(other, stage.pure_args, loops[i].var);
            const Expr &ranks = loops[i].distributed.parts;
            is_same = origin.dimension == cuts[i].dimension &&
                      (parts.empty() ? !ranks.defined() : ir::equal(ranks, parts[i]));
        }
        if (!is_same) {
            return refused(
                stage, "distribute-grid",
                concat("distribute cuts other dimensions, or by another grid, than distribute of stage ", k,
                       "; a rank computes all stages of its part of a Func; cut all stages alike, or one of them"),
                location);
        }
    }
    return {};
}

} // namespace

Verdict distribute(const StageRef &stage, const std::vector<std::string> &vars, const std::vector<Expr> &parts,
                   Location location) {
    if (Verdict legal = check_parts(stage, vars, parts, location); !legal) {
        return legal;
    }
    if (!stage.variant.empty()) {
        return refused(
            stage, "distribute-grid",
            "distribute of a specialization; ranks agree on their parts before any condition is tested; call it on "
            "the stage",
            location);
    }
    const std::vector<LoopDim> before = distributed_loops(stage.schedule->dims);
    if (!before.empty()) {
        return refused(stage, "loop-marked-twice",
                       "distribute of " + join(vars) + ", and loop " + before[0].var +
                           " is distributed already; a stage has one grid of ranks; name all of its loops in one call",
                       location);
    }
    std::vector<size_t> places;
    std::vector<LoopOrigin> cuts;
    for (const std::string &var : vars) {
        const Result<size_t> place = require_loop(stage, var, "distribute", location);
        if (!place) {
            return place.refusal();
        }
        places.push_back(*place);
        cuts.push_back(origin_of(*stage.schedule, stage.pure_args, var));
        const LoopOrigin &cut = cuts.back();
        if (!cut.tile.defined()) {
            return refused(
                stage, "distribute-loop",
                "distribute of " + var + ", which is " + cut.reason +
                    "; a rank computes a contiguous part of a dimension; distribute the outermost loop over a "
                    "dimension",
                location);
        }
        const auto same = [&](const LoopOrigin &other) { return other.dimension == cut.dimension; };
        if (std::count_if(cuts.begin(), cuts.end(), same) > 1) {
            return refused(stage, "distribute-loop",
                           "distribute names two loops over dimension " + stage.pure_args[cut.dimension] +
                               "; a grid of ranks cuts a dimension once; name one of them",
                           location);
        }
    }
    if (Verdict legal = check_other_stages(stage, cuts, parts, location); !legal) {
        return legal;
    }
    if (Verdict legal = require_scheduled(stage, "distribute", location); !legal) {
        return legal;
    }
    note_edit(stage, "distribute", location);
    for (size_t i = 0; i < vars.size(); i++) {
        stage.schedule->dims[places[i]].distributed = {static_cast<int>(i), parts.empty() ? Expr() : parts[i],
                                                       location};
    }
    return {};
}

// ---- Rows.

DirectiveRow row_of_distribute() {
    return {.on_stage = true,
            .args = {{ArgKind::Loop, Arity::List}, {ArgKind::Expression, Arity::Rest}},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return distribute(c.stage(d), list(d, 0), has(d, 1) ? exprs(c, d, 1) : std::vector<Expr>(),
                                      c.location());
                },
            .subject = Subject::Ranks,
            .meaning = uncovered(no_ranks_in_terms),
            .example = "total.distribute({x, y}, 2, 3)"};
}

DirectiveRow row_of_agglomerate() {
    return {.again = Again::Replace,
            .slot = "number of ranks",
            .args = {an_expression},
            .apply = apply_mark,
            .subject = Subject::Ranks,
            .meaning = uncovered(no_ranks_in_terms),
            .example = "blur_y.agglomerate(p * 2)",
            .check_func = check_ranks};
}

} // namespace fluorite::schedule
