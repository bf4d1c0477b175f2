// rfactor(r, u): for r { for s { f(x) = f(x) op e } }
//   -->  f_intm(x, u) = identity;  for u { for s { f_intm(x, u) = f_intm(x, u) op e } }
//        for r { f(x) = f(x) op f_intm(x, r) }
// Legal if the stage is an update by an operator that is proved to be associative and has an identity
// (analysis/reduction.h), and r are RVar loops; no RVar loop may be parallel or vectorized yet. If the kept loops r are
// the outermost RVar loops, the partial results are combined in the order of the iterations; otherwise the operator
// must also commute. language/rfactor.cpp rewrites the definition.

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

#include <algorithm>

namespace fluorite::schedule {

using analysis::Law;

namespace {

bool contains(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Verdict check_loops(const StageRef &stage, const std::vector<std::string> &rvars, Location location) {
    if (!stage.schedule->specializations.empty()) {
        return refused(
            stage, "rfactor-of-specialization",
            "rfactor of a stage that is specialized; its definition is rewritten, and with it the loops that the "
            "specializations order; call rfactor first, then specialize",
            location);
    }
    for (size_t i = 0; i < rvars.size(); i++) {
        const Result<size_t> loop = require_loop(stage, rvars[i], "rfactor", location);
        if (!loop) {
            return loop.refusal();
        }
        const LoopDim &dim = stage.schedule->dims[*loop];
        if (!dim.is_rvar) {
            return refused(stage, "rfactor-of-pure-loop",
                           "rfactor of " + rvars[i] +
                               ", a loop over a pure Var; partial results are kept for the iterations of an " +
                               "RVar; name an RVar loop",
                           location);
        }
        if (std::count(rvars.begin(), rvars.end(), rvars[i]) > 1) {
            return refused(stage, "rfactor-repeats",
                           "rfactor names " + rvars[i] + " twice; each loop has one dimension; name it once", location);
        }
    }
    if (stage.schedule->has_step(Split::Kind::Skew)) {
        return refused(
            stage, "rfactor-of-skewed-loop",
            "rfactor of a stage that skews a loop; the partial results would have the loops of the definition; call "
            "rfactor first, then skew",
            location);
    }
    if (!stage.schedule->prefetches.empty()) {
        return refused(
            stage, "rfactor-of-marked-loop",
            "rfactor of a stage with a prefetch in loop " + stage.schedule->prefetches.front().at +
                "; rfactor makes new loops of the RVars; call rfactor first, then prefetch in the loops of what it "
                "returns",
            location);
    }
    for (const LoopDim &dim : stage.schedule->dims) {
        if (dim.is_rvar && (runs_on_threads(dim.for_type) || dim.for_type == ForType::Vectorized)) {
            return refused(
                stage, "rfactor-of-marked-loop",
                "rfactor of a stage whose RVar loop " + dim.var +
                    " is already parallel or vectorized; rfactor makes new loops of the RVars; call rfactor first, " +
                    "then mark the loops of what it returns",
                location);
        }
    }
    return {};
}

/// Refuses loops that fuse a pure Var with an RVar, as their iterations can no longer be separated.
Verdict check_no_mixed_fuse(const StageRef &stage, Location location) {
    std::vector<std::string> rvars;
    for (const ir::ReductionVar &rvar : stage.definition->rvars) {
        rvars.push_back(rvar.name);
    }
    for (const Split &split : stage.schedule->splits) {
        const auto derived = [&](const std::string &name) { return contains(rvars, name); };
        const auto replace = [&](const std::string &old, std::initializer_list<std::string> parts) {
            rvars.erase(std::remove(rvars.begin(), rvars.end(), old), rvars.end());
            rvars.insert(rvars.end(), parts);
        };
        if (split.kind == Split::Kind::Fuse) {
            if (derived(split.inner) != derived(split.outer)) {
                return refused(stage, "rfactor-of-fused-loop",
                               "rfactor of a stage that fuses " + split.inner + " and " + split.outer +
                                   ", of a pure Var and an RVar; their iterations are one loop; fuse after rfactor",
                               location);
            }
            if (derived(split.inner)) {
                replace(split.inner, {});
                replace(split.outer, {split.old_var});
            }
        } else if (derived(split.old_var)) {
            if (split.kind == Split::Kind::Split) {
                replace(split.old_var, {split.outer, split.inner});
            } else {
                replace(split.old_var, {split.outer});
            }
        }
    }
    return {};
}

/// The pure Vars, and all names that splits, fuses and renames gave to their parts, including loops that no longer
/// exist: the Func of partial results repeats these steps.
std::vector<std::string> names_of_pure_loops(const StageRef &stage) {
    std::vector<std::string> names = stage.pure_args;
    for (const Split &split : stage.schedule->splits) {
        const bool joins = split.kind == Split::Kind::Fuse;
        if (contains(names, joins ? split.inner : split.old_var)) {
            names.insert(names.end(), {joins ? split.old_var : split.outer, split.inner});
        }
    }
    return names;
}

Verdict check_vars(const StageRef &stage, const std::vector<std::string> &rvars, const std::vector<std::string> &vars,
                   Location location) {
    const std::vector<std::string> pure = names_of_pure_loops(stage);
    for (const std::string &var : vars) {
        const bool twice = std::count(vars.begin(), vars.end(), var) > 1;
        const bool taken = contains(pure, var) || (find_loop(*stage.schedule, var) && !contains(rvars, var));
        if (twice || taken) {
            return refused(stage, "rfactor-var-taken",
                           "rfactor keeps a loop as dimension " + var + ", which " +
                               (twice ? "is named twice" : "is a dimension or a loop already") +
                               "; the Func of partial results has the Vars of " + stage.func_name +
                               " and one more for each loop; use a new Var",
                           location);
        }
    }
    return {};
}

/// Whether combining the partial results in the order of the kept loops preserves the order of the iterations.
bool keeps_order(const StageRef &stage, const std::vector<std::string> &rvars) {
    bool inside = false; // whether a dependent loop that is not kept has been seen; dims are innermost first
    for (size_t i = stage.schedule->dims.size(); i-- > 0;) {
        const LoopDim &dim = stage.schedule->dims[i];
        if (!dim.is_rvar || dim.reorderable) {
            continue;
        }
        if (!contains(rvars, dim.var)) {
            inside = true;
        } else if (inside) {
            return false;
        }
    }
    return true;
}

} // namespace

Result<analysis::ReductionOperator> check_rfactor(const StageRef &stage, const std::vector<std::string> &rvars,
                                                  const std::vector<std::string> &vars, Location location) {
    if (stage.stage == 0 || stage.definition->rvars.empty()) {
        return refused(
            stage, "rfactor-of-pure-loop",
            "rfactor of a definition without RVars; partial results are those of a reduction; call it on an update "
            "that runs over an RDom",
            location);
    }
    if (rvars.empty()) {
        return refused(stage, "rfactor-repeats",
                       "rfactor names no loop; each partial result belongs to an iteration; name an RVar loop",
                       location);
    }
    if (Verdict legal = check_loops(stage, rvars, location); !legal) {
        return legal.refusal();
    }
    if (Verdict legal = check_no_mixed_fuse(stage, location); !legal) {
        return legal.refusal();
    }
    if (Verdict legal = check_vars(stage, rvars, vars, location); !legal) {
        return legal.refusal();
    }
    analysis::ReductionMatch proof = analysis::prove_reduction(*stage.func, *stage.definition);
    if (!proof.op) {
        return refused(stage, "rfactor-not-associative",
                       "rfactor of an update that is not proved to be associative: " + proof.reason +
                           "; partial results are combined by the update's operator; keep the loops serial",
                       location);
    }
    const analysis::ReductionOperator &op = *proof.op;
    for (const Expr &identity : op.identity) {
        if (!identity.defined()) {
            return refused(
                stage, "rfactor-not-associative",
                "rfactor of an update by " + op.name +
                    " that takes the last of equals; no value stands for an empty piece; compare with < or >, which "
                    "takes the first",
                location);
        }
    }
    const bool ordered = keeps_order(stage, rvars);
    const Law law = ordered ? op.split : std::min(op.split, op.commute);
    if (law == Law::No && !stage.schedule->order_is_free) {
        return refused(
            stage, "rfactor-changes-order",
            "rfactor keeps " + join(rvars) + ", inside of another RVar loop, and " + why_order_counts(stage) +
                "; pieces are combined in the order of the loops that are kept; keep the outermost RVar loops",
            location);
    }
    if (law == Law::Rounded && !stage.func->reassociates) {
        return refused(
            stage, "rfactor-not-associative",
            "rfactor of an update by " + op.name +
                ", which is associative only up to rounding, NaNs and signs of zeros; a schedule changes no bit; keep "
                "the loops serial, or accept another rounding with " +
                stage.func_name + ".allow_reassociation()",
            location);
    }
    return op;
}

// ---- Rows.

DirectiveRow row_of_rfactor() {
    return {.on_stage = true,
            .again = Again::Step,
            .args = {{ArgKind::Loop, Arity::List}, {ArgKind::NewLoop, Arity::List}},
            .subject = Subject::Funcs,
            .meaning = {Meaning::Kind::Rewrite, begins_later},
            .example = "total.update(0).rfactor({r$y}, {u})"};
}

} // namespace fluorite::schedule
