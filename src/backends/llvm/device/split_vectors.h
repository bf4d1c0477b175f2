#pragma once
// Loads and stores of vectors that a device cannot access at once.

#include <llvm/IR/PassManager.h>

namespace fluorite::backends {

/// Splits each load and store of a vector into accesses of as many lanes as its alignment allows, at most 16 bytes.
class SplitVectorsPass : public llvm::PassInfoMixin<SplitVectorsPass> {
  public:
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace fluorite::backends
