#pragma once
// How much work the values of a stage are.

#include "ir/graph.h"

namespace fluorite::autoschedule {

/// Operations for one point of a stage, in additions of 32 bits: one of 8 bits, of which a vector holds four times as
/// many, is a quarter. Coordinates and loads are not counted; equal operands are computed once.
double work_of(const ir::Stage &stage);

} // namespace fluorite::autoschedule
