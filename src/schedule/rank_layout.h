#pragma once
// Which dimensions of a Func its distributed loops cut, and how.

#include "schedule/directives/directives.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// A dimension of a Func of which each rank has a contiguous part.
struct RankDimension {
    size_t dimension = 0; // of the Func
    Expr parts;           // Int32: how many; undefined: chosen when the pipeline runs
    Expr tile;            // Int32: parts begin at multiples of it, counted from the begin of the region
};

/// The dimension and the tile of a loop of a stage: of the outermost of the loops that it was fused from, and of all
/// iterations of the loops that it was split from. Undefined `tile`: the loop has no dimension, for the reason given.
struct LoopOrigin {
    size_t dimension = 0;
    Expr tile;
    const char *reason = ""; // completes "the loop is ..."
};
LoopOrigin origin_of(const StageSchedule &schedule, const std::vector<std::string> &pure_args, const std::string &var);

/// The dimensions that a Func's distributed loops cut, in the order of the grid of ranks, first dimension innermost;
/// empty if no loop is distributed. The tiles are multiples of those of all its stages. `pure_args` are the names of
/// its dimensions. Precondition: stages with distributed loops cut the same dimensions (`distribute` refuses others).
std::vector<RankDimension> rank_layout(const FuncSchedule &schedule, const std::vector<std::string> &pure_args);

} // namespace fluorite::schedule
