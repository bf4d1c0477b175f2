// Directives on Funcs that are inlined.
//
// A pure Func that is inlined becomes an expression of what reads it: it has no loops, no region and no storage, so a
// directive on one of them would have no effect, which is an error. A store level alone has none either.
//
// Cost: constant.

#include "loopnest/inline/inlined_directives.h"

namespace fluorite::loopnest {

using namespace ir;

Verdict check_inlined(const FuncDef &func, const schedule::FuncSchedule &schedule) {
    const auto refused = [&](const std::string &where, const schedule::AppliedDirective &applied, const char *lacks) {
        return Refusal{"schedule-of-inlined-func",
                       "in " + func.name() + where + ": " + applied.name +
                           " is applied, but it is computed inline and " + lacks +
                           "; a directive without effect is an error; call compute_root() or compute_at() on it",
                       applied.location};
    };
    if (func.stages.size() == 1) {
        if (schedule.stages[0].on_loops) {
            return refused(", stage 0", schedule.stages[0].on_loops, "has no loops");
        }
        if (schedule.on_region) {
            return refused("", schedule.on_region, "has no region");
        }
        if (schedule.on_storage) {
            return refused("", schedule.on_storage, "stores nothing");
        }
    }
    if (!func.debug_file.empty()) {
        return Refusal{"debug-file",
                       "in " + func.name() +
                           ": debug_to_file is called, but it is computed inline and stores nothing; a file has what "
                           "is stored of a Func; call compute_root() or compute_at() on it",
                       func.location};
    }
    if (!schedule.store.is_inlined()) {
        return Refusal{"store-of-inlined-func",
                       "in " + func.name() +
                           ": store_at or store_root is set, but it is computed inline and stores nothing; give it a "
                           "compute level too; call compute_at() on it",
                       schedule.location};
    }
    return {};
}

} // namespace fluorite::loopnest
