#pragma once
// The translation of loop IR to LLVM IR.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <llvm/IR/Module.h>

namespace fluorite::backends {

/// Adds the entry, its tasks, `<name>_argv` and, except for targets with the feature JIT, `<name>_metadata`.
void emit_module(llvm::Module &module, const ir::LoweredModule &program, const Target &target);

} // namespace fluorite::backends
