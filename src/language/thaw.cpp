// From frozen schedules back to those of the Functions that were frozen.
//
// Freezing gives anonymous loops numbers, Funcs and outputs symbols of the graph, and keeps everything else. So the way
// back replaces names of loops by those that the frozen pipeline has noted, and symbols by the Functions at the same
// positions. Cost: linear in the schedule.

#include "language/thaw.h"

namespace fluorite::language {

using schedule::FuncSchedule;

FuncSchedule Thaw::run(FuncSchedule schedule) const {
    for (schedule::StageSchedule &stage : schedule.stages) {
        schedule::for_each_variant(stage, [&](schedule::StageSchedule &variant) {
            for (schedule::Split &split : variant.splits) {
                for (std::string *name : {&split.old_var, &split.outer, &split.inner}) {
                    give_back(*name);
                }
                give_back(split.factor);
            }
            for (schedule::Specialization &specialization : variant.specializations) {
                give_back(specialization.condition);
            }
            for (schedule::LoopDim &dim : variant.dims) {
                give_back(dim.var);
            }
            if (variant.with) {
                give_back(variant.with->level);
            }
            for (schedule::Prefetch &prefetch : variant.prefetches) {
                give_back(prefetch.at);
                give_back(prefetch.from);
                prefetch.source = users_source(prefetch.source);
            }
        });
    }
    for (std::vector<schedule::Bound> *bounds : {&schedule.bounds, &schedule.estimates}) {
        for (schedule::Bound &bound : *bounds) {
            give_back(bound.var);
            for (Expr *expr : {&bound.min, &bound.extent, &bound.modulus, &bound.remainder}) {
                give_back(*expr);
            }
        }
    }
    for (std::string &name : schedule.storage_order) {
        give_back(name);
    }
    for (schedule::StorageDim &dim : schedule.storage) {
        give_back(dim.var);
    }
    for (schedule::LoopLevel *level : {&schedule.compute, &schedule.store, &schedule.hoist}) {
        give_back(*level);
    }
    return schedule;
}

void Thaw::give_back(schedule::LoopLevel &level) const {
    if (level.is_at()) {
        level.func = frozen_.functions[level.func.owner().func.index()]->def.symbol;
        give_back(level.var);
    }
}

void Thaw::give_back(std::string &name) const {
    const auto found = frozen_.anonymous_loops.find(name);
    name = found == frozen_.anonymous_loops.end() ? name : found->second;
}

void Thaw::give_back(Expr &expr) const {
    if (!expr.defined()) {
        return;
    }
    expr = ir::transform(expr, [&](const Expr &node) {
        if (node->kind() != ir::ExprKind::BufferField || !node->symbol().owner().func.valid()) {
            return node;
        }
        const ir::SymbolOwner owner = node->symbol().owner();
        Function &function = *frozen_.functions[owner.func.index()];
        const ir::Parameter &parameter = *function.needed_output_parameters()[owner.dim.index()];
        return ir::make_field({ir::SymbolKind::Buffer, parameter.name, {}, &parameter, true}, node->member().field,
                              node->member().index);
    });
}

ir::Symbol Thaw::users_source(const ir::Symbol &source) const {
    if (source.kind() == ir::SymbolKind::Func) {
        return frozen_.functions[source.owner().func.index()]->def.symbol;
    }
    const ir::Parameter &parameter = *ir::parameter_of(source);
    return {ir::SymbolKind::Buffer, parameter.name, {}, &parameter, true};
}

} // namespace fluorite::language
