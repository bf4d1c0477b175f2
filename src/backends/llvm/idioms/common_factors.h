#pragma once
// One product for all terms of a sum that have the same factor.

#include <llvm/IR/Function.h>

namespace fluorite::backends {

/// Adds terms before they are multiplied, in an optimized function.
void factor_sums(llvm::Function &function);

} // namespace fluorite::backends
