// Directives on loops, forwarded to schedule/directives.h with the user's place.

#include "fluorite/stage.h"

#include "fluorite/func.h"

#include "language/function.h"

namespace fluorite {

using namespace language;

namespace {
std::vector<std::string> names_of(const std::vector<VarOrRVar> &vars) {
    std::vector<std::string> names;
    for (const VarOrRVar &var : vars) {
        names.push_back(var.name());
    }
    return names;
}
} // namespace

namespace detail {

void StageHandle::edit_split(const VarOrRVar &old, const VarOrRVar &outer, const VarOrRVar &inner,
                             const LocatedExpr &factor, TailStrategy tail) {
    schedule::split(function_->stage_ref(stage_, old.location()), old.name(), outer.name(), inner.name(), factor.expr,
                    tail, old.location());
}

void StageHandle::edit_fuse(const VarOrRVar &inner, const VarOrRVar &outer, const VarOrRVar &fused) {
    schedule::fuse(function_->stage_ref(stage_, inner.location()), inner.name(), outer.name(), fused.name(),
                   inner.location());
}

void StageHandle::edit_rename(const VarOrRVar &old, const VarOrRVar &renamed) {
    schedule::rename(function_->stage_ref(stage_, old.location()), old.name(), renamed.name(), old.location());
}

void StageHandle::edit_reorder(const std::vector<VarOrRVar> &vars, const Location &location) {
    schedule::reorder(function_->stage_ref(stage_, location), names_of(vars), location);
}

void StageHandle::edit_for_type(const VarOrRVar &var, ForType type) {
    schedule::set_for_type(function_->stage_ref(stage_, var.location()), var.name(), type, var.location());
}

void StageHandle::edit_partition(const std::vector<VarOrRVar> &vars, Partition partition, const char *directive) {
    const Location location = vars.empty() ? Location() : vars[0].location();
    schedule::set_partition(function_->stage_ref(stage_, location), names_of(vars), partition, directive, location);
}

void StageHandle::edit_partition_all(Partition partition, const char *directive, const Location &location) {
    const schedule::StageRef stage = function_->stage_ref(stage_, location);
    schedule::set_partition(stage, Stage(function_, stage_).loops(), partition, directive, location);
}

void StageHandle::edit_split_and_mark(const VarOrRVar &var, const VarOrRVar &inner, const LocatedExpr &factor,
                                      ForType type, TailStrategy tail) {
    schedule::split_and_mark(function_->stage_ref(stage_, var.location()), var.name(), inner.name(), factor.expr, type,
                             tail, var.location());
}

void StageHandle::edit_vectorize(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail) {
    schedule::vectorize(function_->stage_ref(stage_, var.location()), var.name(), factor.expr, tail, var.location());
}

void StageHandle::edit_unroll(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail) {
    schedule::unroll(function_->stage_ref(stage_, var.location()), var.name(), factor.expr, tail, var.location());
}

void StageHandle::edit_parallel(const VarOrRVar &var, const LocatedExpr &task_size, TailStrategy tail) {
    schedule::parallel(function_->stage_ref(stage_, var.location()), var.name(), task_size.expr, tail, var.location());
}

void StageHandle::edit_tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &outers,
                            const std::vector<VarOrRVar> &inners, const std::vector<Expr> &factors, TailStrategy tail,
                            const Location &location) {
    schedule::tile(function_->stage_ref(stage_, location), names_of(previous), names_of(outers), names_of(inners),
                   factors, tail, location);
}

void StageHandle::edit_allow_race_conditions(const Location &location) {
    schedule::allow_race_conditions(function_->stage_ref(stage_, location), location);
}

void StageHandle::edit_unscheduled(const Location &location) {
    schedule::unscheduled(function_->stage_ref(stage_, location), location);
}

void StageHandle::edit_atomic(bool override_associativity_test, const Location &location) {
    schedule::atomic(function_->stage_ref(stage_, location), override_associativity_test, location);
}

void StageHandle::refuse_device(const char *directive, const Location &location) const {
    fail("not-built", *function_, stage_,
         concat(directive, " is called; code is made for CPUs only; use tile, parallel and vectorize"), location);
}

} // namespace detail

std::string Stage::name() const {
    const std::string name = shown_name(function_->name);
    return stage_ == 0 ? name : name + ".update(" + std::to_string(stage_ - 1) + ")";
}

std::vector<std::string> Stage::loops() const {
    std::vector<std::string> names;
    if (static_cast<size_t>(stage_) < function_->schedule.stages.size()) {
        for (const schedule::LoopDim &dim : function_->schedule.stages[static_cast<size_t>(stage_)].dims) {
            names.push_back(dim.var);
        }
    }
    return names;
}

Func Stage::rfactor(const VarOrRVar &rvar, const Var &var) {
    const RefPtr<Function> partial =
        language::rfactor(*function_, stage_, {rvar.name()}, {var.name()}, rvar.location());
    return Func(detail::Ref<Function>(partial.get()));
}

Func Stage::rfactor(const std::vector<std::pair<RVar, Var>> &preserved, const Location &location) {
    std::vector<std::string> rvars, vars;
    for (const auto &[rvar, var] : preserved) {
        rvars.push_back(rvar.name());
        vars.push_back(var.name());
    }
    const RefPtr<Function> partial = language::rfactor(*function_, stage_, rvars, vars, location);
    return Func(detail::Ref<Function>(partial.get()));
}

} // namespace fluorite
