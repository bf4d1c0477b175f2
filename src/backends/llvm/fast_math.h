#pragma once
// The fast_ functions on float32, as instructions.

#include "backends/llvm/arith.h"

namespace fluorite::backends {

/// The value of a fast_ function of float32 scalars or vectors, bit for bit that of runtime/math.cpp; null for other
/// functions.
llvm::Value *fast_float(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<llvm::Value *> args);

} // namespace fluorite::backends
