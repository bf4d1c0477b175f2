#pragma once
// The float32 kernels of runtime_math_kernels.h in LLVM instructions.

#include "ir/expr_node.h"

#include <llvm/IR/IRBuilder.h>

namespace fluorite::backends {

/// The function on float32 scalars or vectors; null for those that have no kernel.
llvm::Value *math_kernel(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);
/// Which lanes the kernel is not made for; null where it takes all.
llvm::Value *kernel_is_rare(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);

} // namespace fluorite::backends
