#pragma once
// The float32 kernels of fluorite/runtime_math_kernels.h as LLVM instructions.

#include "ir/expr_node.h"

#include <llvm/IR/IRBuilder.h>

namespace fluorite::backends {

/// The function applied to float32 scalars or vectors; null for functions that have no kernel.
llvm::Value *math_kernel(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);
/// The short and the long kernel of pow, and a predicate of the exponents for which the short one is sufficient.
llvm::Value *pow_kernel(llvm::IRBuilder<> &builder, llvm::Value *bases, llvm::Value *exponents, bool is_short);
llvm::Value *pow_is_short(llvm::IRBuilder<> &builder, llvm::Value *exponents);
/// A predicate of the lanes that the kernel does not handle; null if it handles all arguments.
llvm::Value *kernel_is_rare(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);

} // namespace fluorite::backends
