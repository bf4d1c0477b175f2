#pragma once
// The float32 kernels of runtime_math_kernels.h in LLVM instructions.

#include "ir/expr_node.h"

#include <llvm/IR/IRBuilder.h>

namespace fluorite::backends {

/// The function on float32 scalars or vectors; null for those that have no kernel.
llvm::Value *math_kernel(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);
/// The two kernels of pow, and for which exponents it is the short one.
llvm::Value *pow_kernel(llvm::IRBuilder<> &builder, llvm::Value *bases, llvm::Value *exponents, bool is_short);
llvm::Value *pow_is_short(llvm::IRBuilder<> &builder, llvm::Value *exponents);
/// Which lanes the kernel is not made for; null where it takes all.
llvm::Value *kernel_is_rare(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);

} // namespace fluorite::backends
