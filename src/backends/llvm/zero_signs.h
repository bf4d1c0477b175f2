#pragma once
// Selections of the less or the greater of two numbers, on processors whose minimum orders zeros.

#include <llvm/IR/Function.h>

namespace fluorite::backends {

/// Keeps selections of one of two numbers that are compared from becoming minima or maxima, of which the signs of zeros
/// differ. Requires optimized code: passes that combine instructions would undo it.
void keep_signs_of_zeros(llvm::Function &function);

} // namespace fluorite::backends
