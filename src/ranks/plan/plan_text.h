#pragma once
// Plans of one rank as texts and pictures.

#include "ranks/plan/plan_rank.h"

namespace fluorite::distribute {

/// What the rank has, needs, receives and sends at one of the exchanges, a line for each message.
std::string to_string(const DistributedProgram &program, const RankPlan::Exchange &exchange);
/// The same of all exchanges, those of arrays left out that the rank neither has nor needs anything of.
std::string to_string(const DistributedProgram &program, const RankPlan &plan);

/// One of the exchanges as a picture, an SVG file without external references: for each array what comes from whom and
/// what goes to whom, in the first two dimensions.
std::string draw(const DistributedProgram &program, const RankPlan &plan, const RankPlan::Exchange &exchange);
/// The first exchange at which the rank sends or receives (the first one, if there is none) as a picture; empty if
/// there are no exchanges.
std::string draw(const DistributedProgram &program, const RankPlan &plan);

} // namespace fluorite::distribute
