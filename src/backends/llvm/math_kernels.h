#pragma once
// The kernels of fluorite/runtime/math_kernels.h as LLVM instructions.

#include "ir/expr_node.h"

#include <llvm/IR/IRBuilder.h>

namespace fluorite::backends {

/// Functions on float32 or float64 scalars or vectors. `usual_lanes` and `usual` return null where the function has no
/// such kernel. Every function has one for all arguments, but those that are instructions on all processors, and on
/// float64 the fast_ functions, which are there the accurate ones.
class MathKernels {
  public:
    MathKernels(llvm::IRBuilder<> &builder, bool has_fma) : builder_(builder), has_fma_(has_fma) {}

    /// The lanes whose arguments `usual` handles; null for functions whose kernel handles all.
    llvm::Value *usual_lanes(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args) const;
    llvm::Value *usual(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args) const;
    /// The kernel that handles all arguments.
    llvm::Value *all(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args) const;

  private:
    llvm::Value *usual_lanes_of_doubles(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args) const;
    llvm::Value *usual_of_doubles(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args) const;
    llvm::Value *all_of_doubles(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args) const;

    llvm::IRBuilder<> &builder_;
    bool has_fma_;
};

} // namespace fluorite::backends
