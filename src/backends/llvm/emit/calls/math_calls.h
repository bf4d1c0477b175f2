#pragma once
// Math functions. Knows which of them are instructions, kernels or functions of the runtime.

#include "backends/llvm/emit/function_frame.h"

namespace fluorite::backends {

class Expressions;
class MathKernels;

class MathCalls {
  public:
    MathCalls(const ModuleContext &m, FunctionFrame &frame, Expressions &expressions)
        : m_(m), b_(m.b), arith_(m.arith), frame_(frame), expressions_(expressions) {}

    /// The value of a Math node.
    llvm::Value *math(const ir::ExprNode &node);
    /// The value of a Random node, which only depends on its operands.
    llvm::Value *random(const ir::ExprNode &node);

  private:
    using Kernel = llvm::Value *(MathKernels::*)(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args) const;

    llvm::Value *fast_math(ir::MathOp op, Type type, llvm::ArrayRef<llvm::Value *> args);
    llvm::Value *runtime_math(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);
    llvm::Function *rare_function(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);
    llvm::Value *rare_math(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);
    llvm::Value *expanded(Kernel kernel, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);
    llvm::Value *kernel_math(ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    Arith &arith_;
    FunctionFrame &frame_;
    Expressions &expressions_;
};

} // namespace fluorite::backends
