// Directives on loops. They forward to schedule/directives/directives.h with the user's location.

#include "fluorite/stage.h"

#include "fluorite/func.h"
#include "fluorite/image_param.h"

#include "ir/text_names.h"
#include "language/function.h"
#include "language/operands.h"

#include <algorithm>

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

/// The loop that a directive names. Loops are identified by names, which several RDoms may share, so an RVar of an RDom
/// that the stage does not use is refused. Where rfactor made new RVars, the program's RVars stand for them.
template <typename Variable>
const std::string &loop_of(const Function &function, int index, const Variable &var, const void *domain,
                           const Location &location) {
    const ir::Stage *stage = static_cast<size_t>(index) < function.def.stages.size()
                                 ? &function.def.stages[static_cast<size_t>(index)]
                                 : nullptr;
    const bool is_rewritten = function.is_partial || function.algorithm.contains(static_cast<size_t>(index));
    if (!domain || !stage || stage->rvars.empty() || is_rewritten) {
        return var.name();
    }
    const ReductionDomain *own = nullptr;
    for (const ir::ReductionVar &rvar : stage->rvars) {
        own = dynamic_cast<const ReductionDomain *>(rvar.var.object());
        if (own == nullptr || own == domain) {
            return var.name();
        }
    }
    fail("rvar-of-other-rdom", function, index,
         concat("a directive names the RVar ", var.name(),
                " of an RDom that this update does not run over; a stage has the loops of its own RDom ", own->name,
                "; use the RVar that its definition uses"),
         location);
}

const std::string &loop_of(const Function &function, int index, const VarOrRVar &var) {
    return loop_of(function, index, var, var.domain(), var.location());
}

std::vector<std::string> loops_of(const Function &function, int index, const std::vector<VarOrRVar> &vars) {
    std::vector<std::string> names;
    for (const VarOrRVar &var : vars) {
        names.push_back(loop_of(function, index, var));
    }
    return names;
}

} // namespace

namespace detail {

schedule::StageRef StageHandle::ref(const Location &location) const {
    schedule::StageRef stage = function_->stage_ref(stage_, location);
    for (const int index : variant_) {
        if (static_cast<size_t>(index) >= stage.schedule->specializations.size()) {
            fail("no-such-specialization", *function_, stage_,
                 concat("specialization ", index,
                        " is scheduled, which is gone since another schedule was applied; a handle ",
                        "lives as long as the schedule that it was made in; call specialize again"),
                 location);
        }
        stage = stage.specialized(index);
    }
    return stage;
}

namespace {
/// The strategies per loop, outermost first, down to the loop `var`.
std::vector<LoopAlignStrategy> by_loop(const schedule::StageRef &stage, const std::string &var,
                                       const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &align,
                                       const Location &location) {
    std::vector<LoopAlignStrategy> all;
    const std::vector<schedule::LoopDim> &dims = stage.schedule->dims;
    const auto is_var = [&](const schedule::LoopDim &dim) { return dim.var == var; };
    for (size_t i = dims.size();
         i-- > 0 && std::any_of(dims.begin(), dims.begin() + static_cast<long>(i) + 1, is_var);) {
        all.push_back(LoopAlignStrategy::NoAlign);
        for (const auto &[loop, strategy] : align) {
            all.back() = loop.name() == dims[i].var ? strategy : all.back();
        }
    }
    for (const auto &[loop, strategy] : align) {
        const bool known =
            std::any_of(dims.begin(), dims.end(), [&](const schedule::LoopDim &dim) { return dim.var == loop.name(); });
        if (!known) {
            throw CompileError("compute-with-align",
                               stage.where() + ": compute_with aligns " + loop.name() +
                                   "; shared loops are aligned; name loops of the stage that are",
                               location); // that of the pair is in the library's header
        }
        const bool is_again = std::any_of(align.begin(), align.end(), [&](const auto &other) {
            return other.first.name() == loop.name() && other.second != strategy;
        });
        if (is_again) {
            throw CompileError("conflicting-values",
                               stage.where() + ": compute_with aligns " + loop.name() +
                                   " in two ways; a shared loop is aligned in one; name it once",
                               location);
        }
    }
    return all;
}
} // namespace

void StageHandle::edit_compute_with(const LoopLevel &level, const std::vector<LoopAlignStrategy> &align) {
    if (!level.state() || !level.state()->level) {
        fail("undefined-loop-level", *function_, stage_,
             "compute_with of a LoopLevel that has no place; the loops are shared from here on; call set() on it first",
             level.location());
    }
    schedule::LoopLevel place = *level.state()->level;
    place.location = level.location();
    const schedule::StageRef stage = ref(level.location());
    const bool plain =
        align.size() == 1 && (align[0] == LoopAlignStrategy::Auto || align[0] == LoopAlignStrategy::NoAlign);
    std::vector<LoopAlignStrategy> all;
    if (!plain && align.size() == 1) {
        all = by_loop(stage, place.var, {}, level.location());
        std::fill(all.begin(), all.end(), align[0]);
    }
    schedule::compute_with(stage, place, all).or_raise();
}

void StageHandle::edit_compute_with(const LoopLevel &level,
                                    const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &align) {
    const std::string var = level.state() && level.state()->level ? level.state()->level->var : "";
    std::vector<LoopAlignStrategy> all = by_loop(ref(level.location()), var, align, level.location());
    edit_compute_with(level, std::vector<LoopAlignStrategy>{LoopAlignStrategy::Auto});
    ref(level.location()).schedule->with->align = std::move(all);
}

void StageHandle::edit_compute_with(const StageHandle &with, const VarOrRVar &var, LoopAlignStrategy align) {
    edit_compute_with(LoopLevel(Func(with.function()), var, with.stage_index()), std::vector<LoopAlignStrategy>{align});
}

void StageHandle::edit_compute_with(const StageHandle &with, const VarOrRVar &var,
                                    const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &align) {
    edit_compute_with(LoopLevel(Func(with.function()), var, with.stage_index()), align);
}

int StageHandle::edit_specialize(const LocatedExpr &condition) {
    return schedule::specialize(ref(condition.location), condition.expr, condition.location).or_raise();
}

void StageHandle::edit_specialize_fail(const std::string &message, const Location &location) {
    schedule::specialize_fail(ref(location), message, location).or_raise();
}

void StageHandle::edit_split(const VarOrRVar &old, const VarOrRVar &outer, const VarOrRVar &inner,
                             const LocatedExpr &factor, TailStrategy tail) {
    schedule::split(ref(old.location()), loop_of(*function_, stage_, old), outer.name(), inner.name(), factor.expr,
                    tail, old.location())
        .or_raise();
}

void StageHandle::edit_fuse(const VarOrRVar &inner, const VarOrRVar &outer, const VarOrRVar &fused) {
    schedule::fuse(ref(inner.location()), loop_of(*function_, stage_, inner), loop_of(*function_, stage_, outer),
                   fused.name(), inner.location())
        .or_raise();
}

void StageHandle::edit_skew(const VarOrRVar &old, const VarOrRVar &by, const VarOrRVar &skewed,
                            const LocatedExpr &factor) {
    schedule::skew(ref(old.location()), loop_of(*function_, stage_, old), loop_of(*function_, stage_, by),
                   skewed.name(), factor.expr, old.location())
        .or_raise();
}

void StageHandle::edit_rename(const VarOrRVar &old, const VarOrRVar &renamed) {
    schedule::rename(ref(old.location()), loop_of(*function_, stage_, old), renamed.name(), old.location()).or_raise();
}

void StageHandle::edit_reorder(const std::vector<VarOrRVar> &vars, const Location &location) {
    schedule::reorder(ref(location), loops_of(*function_, stage_, vars), location).or_raise();
}

void StageHandle::edit_for_type(const VarOrRVar &var, ForType type) {
    schedule::set_for_type(ref(var.location()), loop_of(*function_, stage_, var), type, var.location()).or_raise();
}

void StageHandle::refuse_api(const char *directive, DeviceAPI api, const Location &location) const {
    if (api != DeviceAPI::Default_GPU && api != DeviceAPI::CUDA && api != DeviceAPI::OpenCL) {
        fail("not-built", *function_, stage_,
             concat(directive,
                    " names a DeviceAPI that is not built; loops run on the devices of CUDA and OpenCL, whichever "
                    "the target names; leave the argument out, and give the target a feature"),
             location);
    }
}

void StageHandle::edit_device(const std::vector<VarOrRVar> &vars, ForType type, DeviceAPI api) {
    refuse_api(ir::directive_word(type), api, vars[0].location());
    const Location location = vars[0].location();
    schedule::set_for_types(ref(location), loops_of(*function_, stage_, vars), type, location).or_raise();
}

void StageHandle::edit_gpu_tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &blocks,
                                const std::vector<VarOrRVar> &threads, const std::vector<Expr> &sizes,
                                TailStrategy tail, DeviceAPI api) {
    const Location location = previous[0].location();
    refuse_api("gpu_tile", api, location);
    schedule::gpu_tile(ref(location), loops_of(*function_, stage_, previous), names_of(blocks), names_of(threads),
                       sizes, tail, location)
        .or_raise();
}

void StageHandle::edit_single_thread(DeviceAPI api, const Location &location) {
    refuse_api("gpu_single_thread", api, location);
    schedule::set_mark(ref(location), schedule::DirectiveName::gpu_single_thread, Expr(), location).or_raise();
}

void StageHandle::edit_partition(const std::vector<VarOrRVar> &vars, Partition partition, const char *directive) {
    const Location location = vars.empty() ? Location() : vars[0].location();
    schedule::set_partition(ref(location), loops_of(*function_, stage_, vars), partition, directive, location)
        .or_raise();
}

void StageHandle::edit_partition_all(Partition partition, const char *directive, const Location &location) {
    const schedule::StageRef stage = ref(location);
    schedule::set_partition(stage, Stage(function_, stage_, variant_).loops(), partition, directive, location)
        .or_raise();
}

void StageHandle::edit_split_and_mark(const VarOrRVar &var, const VarOrRVar &inner, const LocatedExpr &factor,
                                      ForType type, TailStrategy tail) {
    schedule::split_and_mark(ref(var.location()), loop_of(*function_, stage_, var), inner.name(), factor.expr, type,
                             tail, var.location())
        .or_raise();
}

void StageHandle::edit_vectorize(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail) {
    schedule::vectorize(ref(var.location()), loop_of(*function_, stage_, var), factor.expr, tail, var.location())
        .or_raise();
}

void StageHandle::edit_unroll(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail) {
    schedule::unroll(ref(var.location()), loop_of(*function_, stage_, var), factor.expr, tail, var.location())
        .or_raise();
}

void StageHandle::edit_parallel(const VarOrRVar &var, const LocatedExpr &task_size, TailStrategy tail) {
    schedule::parallel(ref(var.location()), loop_of(*function_, stage_, var), task_size.expr, tail, var.location())
        .or_raise();
}

void StageHandle::edit_tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &outers,
                            const std::vector<VarOrRVar> &inners, const std::vector<Expr> &factors, TailStrategy tail,
                            const Location &location) {
    schedule::tile(ref(location), loops_of(*function_, stage_, previous), names_of(outers), names_of(inners), factors,
                   tail, location)
        .or_raise();
}

void StageHandle::edit_tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &outers,
                            const std::vector<VarOrRVar> &inners, const std::vector<Expr> &factors,
                            const std::vector<TailStrategy> &tails, const Location &location) {
    schedule::tile(ref(location), loops_of(*function_, stage_, previous), names_of(outers), names_of(inners), factors,
                   tails, location)
        .or_raise();
}

void StageHandle::edit_distribute(const std::vector<VarOrRVar> &vars, const std::vector<Expr> &parts,
                                  const Location &location) {
    const schedule::StageRef stage = ref(location);
    std::vector<Expr> numbers;
    for (const Expr &part : parts) {
        numbers.push_back(checked_integer({"distribute", location}, LocatedExpr(part, location)));
    }
    schedule::distribute(stage, loops_of(*function_, stage_, vars), numbers, location).or_raise();
}

void StageHandle::edit_allow_race_conditions(const Location &location) {
    schedule::allow_race_conditions(ref(location), location).or_raise();
}

void StageHandle::edit_unscheduled(const Location &location) {
    schedule::unscheduled(ref(location), location).or_raise();
}

void StageHandle::edit_atomic(bool override_associativity_test, const Location &location) {
    schedule::atomic(ref(location), override_associativity_test, location).or_raise();
}

void StageHandle::edit_prefetch(const Func &source, const VarOrRVar &at, const VarOrRVar &from,
                                const LocatedExpr &offset, PrefetchBoundStrategy strategy) {
    schedule::prefetch(function_->stage_ref(stage_, at.location()), source.function()->def.symbol, at.name(),
                       from.name(), offset.expr, strategy, at.location())
        .or_raise();
}

void StageHandle::edit_prefetch(const Parameter &source, const VarOrRVar &at, const VarOrRVar &from,
                                const LocatedExpr &offset, PrefetchBoundStrategy strategy) {
    edit_prefetch(ImageParam(source, at.location()), at, from, offset, strategy);
}

void StageHandle::edit_prefetch(const OutputImageParam &source, const VarOrRVar &at, const VarOrRVar &from,
                                const LocatedExpr &offset, PrefetchBoundStrategy strategy) {
    if (!source.defined()) {
        fail("undefined-func", *function_, stage_,
             "prefetch names an ImageParam without a type; it is given one before it is read; define it first",
             at.location());
    }
    // Weak: the definitions keep the source of a prefetch alive.
    const ir::Parameter &parameter = *source.parameter().contents();
    const ir::Symbol symbol(ir::SymbolKind::Buffer, parameter.name, {}, &parameter, true);
    schedule::prefetch(function_->stage_ref(stage_, at.location()), symbol, at.name(), from.name(), offset.expr,
                       strategy, at.location())
        .or_raise();
}

void StageHandle::refuse_device(const char *directive, const Location &location) const {
    fail("not-built", *function_, stage_,
         concat(directive, " is called; it is not built; use tile, parallel and vectorize"), location);
}

} // namespace detail

std::string Stage::name() const {
    const std::string name = shown_name(function_->name);
    return stage_ == 0 ? name : name + ".update(" + std::to_string(stage_ - 1) + ")";
}

std::string Stage::dump_argument_list() const {
    std::string text = "Vars:";
    for (const std::string &loop : loops()) {
        text += " " + loop;
    }
    return text + " __outermost\n";
}

StageSchedule Stage::get_schedule() const {
    std::vector<StageSchedule::Dim> dims;
    for (const std::string &loop : loops()) {
        dims.push_back({loop});
    }
    dims.push_back({"__outermost"});
    std::vector<StageSchedule::ReductionVariable> rvars;
    if (static_cast<size_t>(stage_) < function_->def.stages.size()) {
        for (const ir::ReductionVar &rvar : function_->def.stages[static_cast<size_t>(stage_)].rvars) {
            rvars.push_back({rvar.var.name(), rvar.min, rvar.extent});
        }
    }
    return {std::move(dims), std::move(rvars)};
}

std::vector<std::string> Stage::loops() const {
    std::vector<std::string> names;
    if (static_cast<size_t>(stage_) < function_->schedule.stages.size()) {
        const schedule::StageSchedule *schedule = &function_->schedule.stages[static_cast<size_t>(stage_)];
        for (const int index : variant_) {
            check(static_cast<size_t>(index) < schedule->specializations.size(),
                  "a handle of a specialization that is gone");
            schedule = &schedule->specializations[static_cast<size_t>(index)].schedule;
        }
        for (const schedule::LoopDim &dim : schedule->dims) {
            names.push_back(dim.var);
        }
    }
    return names;
}

namespace {
void refuse_variant(const Stage &stage, const Location &location) {
    if (!stage.variant().empty()) {
        fail("rfactor-of-specialization", *stage.function(), stage.index(),
             "rfactor is called on a specialization; it rewrites the definition, which all specializations share; call "
             "it on the stage, before specialize",
             location);
    }
}
} // namespace

Func Stage::rfactor(const VarOrRVar &rvar, const Var &var) {
    refuse_variant(*this, rvar.location());
    const RefPtr<Function> partial =
        language::rfactor(*function_, stage_, {loop_of(*function_, stage_, rvar)}, {var.name()}, rvar.location());
    return Func(detail::Ref<Function>(partial.get()));
}

Func Stage::rfactor(const std::vector<std::pair<RVar, Var>> &preserved, const Location &location) {
    refuse_variant(*this, location);
    std::vector<std::string> rvars, vars;
    for (const auto &[rvar, var] : preserved) {
        rvars.push_back(loop_of(*function_, stage_, rvar, rvar.domain().get(), location));
        vars.push_back(var.name());
    }
    const RefPtr<Function> partial = language::rfactor(*function_, stage_, rvars, vars, location);
    return Func(detail::Ref<Function>(partial.get()));
}

} // namespace fluorite
