#pragma once
// Calls of C functions, for scalars and vectors. Knows nothing of the function under construction.

#include "backends/llvm/emit/module_context.h"

namespace fluorite::backends {

/// Calls a function of the runtime, which is declared by the types of the arguments.
llvm::Value *call_runtime(const ModuleContext &m, const char *name, llvm::Type *result,
                          llvm::ArrayRef<llvm::Value *> args);
/// Calls a scalar function once for each lane; operands that are scalars serve all lanes.
llvm::Value *call_lanes(const ModuleContext &m, llvm::FunctionCallee callee, llvm::ArrayRef<llvm::Value *> args,
                        int lanes);

} // namespace fluorite::backends
