#pragma once
// Whether two schedules ask for the same.

#include "schedule/schedule.h"

namespace fluorite::schedule {

/// Places of calls do not count.
bool same_schedule(const StageSchedule &a, const StageSchedule &b);
bool same_schedule(const FuncSchedule &a, const FuncSchedule &b);
/// Whether two schedules of one definition give the same loops.
bool same_loops(const StageSchedule &a, const StageSchedule &b);

} // namespace fluorite::schedule
