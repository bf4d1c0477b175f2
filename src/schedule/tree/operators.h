#pragma once
#include "schedule/tree/tree.h"

namespace fluorite::schedule {

/// The schedule of a tree after a step, whose tree may break rules; refused where the operator does not apply.
Result<Schedule> edited(const Tree &tree, const TreeStep &step);

} // namespace fluorite::schedule
