#include "language/unschedule.h"

#include "schedule/directives/common.h"

#include <algorithm>
#include <unordered_set>

namespace fluorite::language {

std::vector<Function *> all_functions(const PipelineContents &contents) {
    std::vector<Function *> found, work;
    std::unordered_set<Function *> seen;
    for (const RefPtr<Function> &output : contents.outputs) {
        work.push_back(output.get());
    }
    while (!work.empty()) {
        Function *next = work.back();
        work.pop_back();
        if (!seen.insert(next).second) {
            continue;
        }
        found.push_back(next);
        work.insert(work.end(), next->callees.begin(), next->callees.end());
        for (const ir::Parameter *image : next->images) {
            if (const Function *wrapper = image_as_read_by(*image, *next)) { // others are of other pipelines
                work.push_back(const_cast<Function *>(wrapper));
            }
        }
        for (const Wrapper &wrapper : next->wrappers) {
            work.push_back(wrapper.function.get());
        }
    }
    return found;
}

Iteration *iteration_of(const Function &function) {
    for (const ir::Parameter *image : function.images) {
        if (const IterationResult *result = result_of(*image)) {
            return const_cast<Iteration *>(result->iteration.get()); // of a Function that is being scheduled
        }
    }
    return nullptr;
}

void unschedule(Function &function) {
    schedule::FuncSchedule schedule;
    for (size_t k = 0; k < function.def.stages.size(); k++) {
        schedule.stages.push_back(schedule::default_stage_schedule(function.def, function.def.stages[k], k > 0));
    }
    function.schedule = std::move(schedule);
    // Applied schedules bring their own levels.
    function.compute_level = function.store_level = function.hoist_level = nullptr;
    if (Iteration *iteration = iteration_of(function)) {
        iteration->tile = {};
        iteration->edits++;
    }
}

void uncut(Function &function) {
    std::vector<Function *> &callees = function.callees;
    callees.erase(std::remove_if(callees.begin(), callees.end(),
                                 [&](const Function *callee) { return callee->partial_of == &function; }),
                  callees.end());
    for (const Function::Factored &factored : function.factored) {
        factored.partial->partial_of = nullptr;
        function.def.stages[factored.stage] = function.algorithm_of(factored.stage);
    }
    for (const Function::Factored &factored : function.factored) {
        function.algorithm.erase(factored.stage);
    }
    function.factored.clear();
}

} // namespace fluorite::language
