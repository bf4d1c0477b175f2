#pragma once
// Broadcasts, ramps, shuffles and reductions over lanes, and constants of floats. Knows lanes only.

#include "backends/llvm/emit/module_context.h"

namespace fluorite::backends {

class Expressions;

/// The value of a Broadcast, Ramp, Shuffle or VectorReduce.
llvm::Value *vector_node(const ModuleContext &m, Expressions &expressions, const ir::ExprNode &node);
llvm::Value *float_constant(const ModuleContext &m, Type type, double number);

} // namespace fluorite::backends
