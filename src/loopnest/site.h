#pragma once
#include "schedule/site.h"

namespace fluorite::loopnest {

using schedule::LoopId;
using schedule::Site;
using schedule::StageId;

} // namespace fluorite::loopnest
