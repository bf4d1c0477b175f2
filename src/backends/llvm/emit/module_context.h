#pragma once
// What the parts of the emitter share: the module that is filled, the program, the target, and tools that know nothing
// of the function under construction. Nothing here changes while functions are emitted, except for the insertion point
// of `b` and what the module gains.

#include "backends/llvm/arith/arith.h"
#include "backends/llvm/emit/module_globals.h"
#include "fluorite/target.h"
#include "ir/lowered.h"
#include "machine/machine_model.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace fluorite::backends {

struct ModuleContext {
    llvm::Module &module;
    const ir::LoweredModule &program;
    const Target &target;
    const machine::MachineModel &machine;
    llvm::IRBuilder<> &b; // every part appends instructions at its insertion point
    Lanes &lanes;
    Arith &arith;
    ModuleGlobals &globals;

    llvm::LLVMContext &context = module.getContext();
    llvm::Type *const i8 = b.getInt8Ty();
    llvm::Type *const i32 = b.getInt32Ty();
    llvm::Type *const i64 = b.getInt64Ty();
    llvm::Type *const ptr = b.getPtrTy();
    llvm::Type *const none = b.getVoidTy();
    /// Whether the program is the kernels of a device.
    const bool is_of_device = !program.funcs.empty() && !program.entry().is_of_host();
    /// Whether every access is checked (Target::Checked).
    const bool is_checked = target.has_feature(Target::Checked);
};

} // namespace fluorite::backends
