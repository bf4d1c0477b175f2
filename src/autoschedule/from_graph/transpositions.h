#pragma once
// Stages of sums whose vectors may run along another loop.

#include "autoschedule/from_graph/from_graph.h"
#include "autoschedule/from_graph/stage_work.h"

#include <optional>

namespace fluorite::autoschedule {

/// A loop of a Func with updates along which what its lanes would gather lies together, if another dimension of that
/// becomes the innermost one. What is inlined into the Func may be computed apart; `given` are Funcs that stay as they
/// are.
std::optional<Transposition> find_transposition(const ir::Graph &graph, const ir::FuncDef &func,
                                                const std::vector<LoopExtent> &loops, loopnest::NestValues &values,
                                                const StageWork &work, const std::vector<FuncId> &given);

} // namespace fluorite::autoschedule
