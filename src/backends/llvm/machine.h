#pragma once
// Target machines, the pass list, and machine code for a module.

#include "backends/llvm/codegen.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <string>
#include <utility>

namespace fluorite::backends {

/// A target machine borrowed from the process's pool: making one costs more than compiling a small kernel, and one
/// serves one thread at a time.
class Machine {
  public:
    /// Throws CompileError where this LLVM has no code generator for the target.
    Machine(const Target &target, bool for_jit);
    ~Machine();
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    llvm::TargetMachine &get() const { return *machine_; }
    /// Sets triple, data layout and the attributes of functions for this machine.
    void prepare(llvm::Module &module) const;
    void optimize(llvm::Module &module) const;
    /// Object code or assembly.
    llvm::SmallVector<char, 0> emit(llvm::Module &module, llvm::CodeGenFileType type) const;

  private:
    std::string key_;
    std::string tuning_;
    bool is_quick_ = false; // compiles in little time: checked code, which looks at each access anyway
    std::unique_ptr<llvm::TargetMachine> machine_;
};

/// The module in LLVM's terms, verified in builds with assertions, before optimization.
std::unique_ptr<llvm::Module> make_module(llvm::LLVMContext &context, const ir::LoweredModule &lowered,
                                          const Target &target);

} // namespace fluorite::backends
