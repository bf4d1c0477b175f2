#pragma once
// What a module has beside the statement.

#include "loopnest/lowering_graph.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// The arguments of the entry: the context of the user, inputs, parameters, and a buffer for each value of each output.
std::vector<ir::LoweredArg> arguments_of(const ir::Graph &graph, const PassContext &context);

/// A module without functions: the buffers that stores stream to, and where the program asks for memory.
ir::LoweredModule module_before_outlining(const loopnest::LoweringGraph &graph, const PassContext &context);

} // namespace fluorite::lowering
