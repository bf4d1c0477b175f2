#pragma once
#include "ir/graph.h"
#include "schedule/schedule.h"
#include "support/refusal.h"

namespace fluorite::loopnest {

/// Refuses directives on a Func that is inlined: they affect stored values or loops only, and it has none. Funcs with
/// updates keep theirs, as each consumer gets a clone.
Verdict check_inlined(const ir::FuncDef &func, const schedule::FuncSchedule &schedule);

} // namespace fluorite::loopnest
