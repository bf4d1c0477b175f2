// Marks; and default schedules: the loops that a definition implies without directives.

#include "schedule/schedule.h"

#include "schedule/dependence.h"

namespace fluorite::schedule {

void Marks::set(Mark mark) {
    remove(mark.name);
    const auto after =
        std::find_if(marks_.begin(), marks_.end(), [&](const Mark &one) { return one.name > mark.name; });
    marks_.insert(after, std::move(mark));
}

void Marks::remove(DirectiveName name) {
    std::erase_if(marks_, [&](const Mark &mark) { return mark.name == name; });
}

StageSchedule default_stage_schedule(const ir::FuncDef &func, const ir::Stage &stage, bool is_update) {
    StageSchedule schedule;
    for (const ir::ReductionVar &rvar : stage.rvars) {
        LoopDim dim;
        dim.var = rvar.name;
        dim.is_rvar = true;
        dim.reorderable = rvar_is_independent(stage, func.symbol, rvar.var);
        schedule.dims.push_back(dim);
    }
    for (size_t d = 0; d < func.args.size(); d++) {
        const Expr &arg = stage.args[d];
        bool pure = !is_update || (ir::is_kind(arg, ir::ExprKind::Variable) && arg->symbol() == func.args[d]);
        if (pure) {
            LoopDim dim;
            dim.var = func.arg_names[d];
            schedule.dims.push_back(dim);
        }
    }
    return schedule;
}

} // namespace fluorite::schedule
