#pragma once
// What LLVM's selection of PTX and NVIDIA's assembler translate wrongly, written in another way.

namespace llvm {
class Function;
} // namespace llvm

namespace fluorite::backends {

/// Rewrites what would become wrong code. Precondition: no pass that combines instructions runs afterwards.
void avoid_wrong_code(llvm::Function &function);

} // namespace fluorite::backends
