#pragma once
// Where the directives of a schedule stand in the program, which texts of schedules do not say.
//
// A place is named by what it is the place of, as `stage 0/split x`: reading applies the normal form of a schedule,
// whose steps may come in another order than those of the program.

#include "schedule/schedule.h"

#include <string>

namespace fluorite::language {

namespace places {

template <typename Stage, typename Visit>
void visit_stage_places(Stage &stage, const std::string &prefix, const Visit &visit) {
    visit(prefix + "touched", stage.touched.location);
    visit(prefix + "on loops", stage.on_loops.location);
    for (auto &step : stage.splits) {
        visit(prefix + "step " + step.old_var + " " + step.outer, step.location);
    }
    for (auto &dim : stage.dims) {
        visit(prefix + "loop " + dim.var, dim.location);
        visit(prefix + "partition " + dim.var, dim.partitioned);
        visit(prefix + "distribute " + dim.var, dim.distributed.location);
    }
    for (auto &mark : stage.marks.all()) {
        visit(prefix + "mark " + std::to_string(static_cast<int>(mark.name)), mark.location);
    }
    if (stage.with) {
        visit(prefix + "with", stage.with->level.location);
    }
    for (size_t i = 0; i < stage.prefetches.size(); i++) {
        visit(prefix + "prefetch " + std::to_string(i), stage.prefetches[i].location);
    }
    for (size_t i = 0; i < stage.specializations.size(); i++) {
        const std::string number = std::to_string(i);
        visit(prefix + "specialize " + number, stage.specializations[i].location);
        visit_stage_places(stage.specializations[i].schedule, prefix + number + "/", visit);
    }
}

} // namespace places

/// Calls `visit(name, location)` for each place in the schedule of a Func, const or not.
template <typename Func, typename Visit> void for_each_place(Func &func, const Visit &visit) {
    visit(std::string("func"), func.location);
    visit(std::string("compute"), func.compute.location);
    visit(std::string("store"), func.store.location);
    visit(std::string("hoist"), func.hoist.location);
    visit(std::string("on region"), func.on_region.location);
    visit(std::string("on storage"), func.on_storage.location);
    for (auto &bound : func.bounds) {
        visit("bound " + bound.var, bound.location);
    }
    for (auto &bound : func.estimates) {
        visit("estimate " + bound.var, bound.location);
    }
    for (auto &dim : func.storage) {
        visit("storage " + dim.var, dim.location);
    }
    for (auto &mark : func.marks.all()) {
        visit("mark " + std::to_string(static_cast<int>(mark.name)), mark.location);
    }
    for (size_t k = 0; k < func.stages.size(); k++) {
        places::visit_stage_places(func.stages[k], "stage " + std::to_string(k) + "/", visit);
    }
}

} // namespace fluorite::language
