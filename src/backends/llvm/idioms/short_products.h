#pragma once
// Products of short integers in 32 bits.

#include <llvm/IR/Function.h>

namespace fluorite::backends {

/// Replaces them in an optimized function, for registers of so many bits; 0: leaves the function as it is.
void use_short_products(llvm::Function &function, int vector_bits);

} // namespace fluorite::backends
