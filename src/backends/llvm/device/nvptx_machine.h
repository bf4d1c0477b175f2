#pragma once
// LLVM's target machine for NVIDIA's devices, its passes, and PTX.

#include "fluorite/target.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace fluorite::backends {

class NvptxMachine {
  public:
    explicit NvptxMachine(const Target &target);

    /// Sets the triple and the data layout.
    void prepare(llvm::Module &module) const;
    void optimize(llvm::Module &module) const;
    std::string ptx(llvm::Module &module) const;

  private:
    std::unique_ptr<llvm::TargetMachine> machine_;
};

} // namespace fluorite::backends
