#pragma once
// Functions without their schedules, and back.

#include "language/iteration.h"
#include "language/pipeline_contents.h"

#include <map>
#include <vector>

namespace fluorite::language {

/// Every Function that the outputs reach directly, through callees or as a wrapper.
std::vector<Function *> all_functions(const PipelineContents &contents);
/// The Iteration whose result the Function is, as iterate() returned it, or null. Other Functions call that one.
Iteration *iteration_of(const Function &function);

/// Default schedules. Wrappers stay: without a schedule they have no effect.
void unschedule(Function &function);
/// Restores the updates that the program wrote.
void uncut(Function &function);

/// Saves and restores the parts of Functions that schedules change.
class Backup {
  public:
    explicit Backup(const std::vector<Function *> &functions) {
        for (Function *function : functions) {
            kept_.push_back({RefPtr<Function>(function), function->def, function->schedule, function->algorithm,
                             function->factored, function->partial_of, function->callees, function->wrappers,
                             function->compute_level, function->store_level, function->hoist_level, function->edits,
                             iteration_of(*function) ? iteration_of(*function)->tile : schedule::TimeTile()});
        }
    }
    void restore() const {
        for (const Kept &kept : kept_) {
            kept.function->def = kept.def;
            kept.function->schedule = kept.schedule;
            kept.function->algorithm = kept.algorithm;
            kept.function->factored = kept.factored;
            kept.function->partial_of = kept.partial_of;
            kept.function->callees = kept.callees;
            kept.function->wrappers = kept.wrappers;
            kept.function->compute_level = kept.compute_level;
            kept.function->store_level = kept.store_level;
            kept.function->hoist_level = kept.hoist_level;
            kept.function->edits = kept.edits;
            if (Iteration *iteration = iteration_of(*kept.function)) {
                iteration->tile = kept.tile;
            }
        }
    }

  private:
    struct Kept {
        RefPtr<Function> function;
        ir::FuncDef def;
        schedule::FuncSchedule schedule;
        std::map<size_t, ir::Stage> algorithm;
        std::vector<Function::Factored> factored;
        Function *partial_of;
        std::vector<Function *> callees;
        std::vector<Wrapper> wrappers;
        std::shared_ptr<const LevelState> compute_level, store_level, hoist_level;
        uint64_t edits;
        schedule::TimeTile tile; // of the iteration whose result the function is
    };
    std::vector<Kept> kept_;
};

} // namespace fluorite::language
