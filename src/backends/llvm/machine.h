#pragma once
// Target machines, the LLVM pass pipeline, and machine code for a module.

#include "backends/llvm/codegen.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <string>
#include <utility>

namespace fluorite::backends {

/// A target machine borrowed from the process-wide pool: creating one costs more than compiling a small kernel, and one
/// may be used by one thread at a time.
class Machine {
  public:
    /// Throws CompileError if this build of LLVM has no code generator for the target.
    Machine(const Target &target, bool for_jit);
    ~Machine();
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    llvm::TargetMachine &get() const { return *machine_; }
    /// Sets the triple, the data layout and the function attributes for this machine.
    void prepare(llvm::Module &module) const;
    void optimize(llvm::Module &module) const;
    /// Emits object code or assembly.
    llvm::SmallVector<char, 0> emit(llvm::Module &module, llvm::CodeGenFileType type) const;

  private:
    std::string key_;
    std::string tuning_;
    bool is_checked_ = false; // checks dominate the run time: few passes
    bool is_x86_ = true;
    int short_vector_bits_ = 0; // of x86, in which products of short integers have an instruction
    std::unique_ptr<llvm::TargetMachine> machine_;
};

/// Translates the module to LLVM IR and verifies it, before any optimization.
std::unique_ptr<llvm::Module> make_module(llvm::LLVMContext &context, const ir::LoweredModule &lowered,
                                          const Target &target);

} // namespace fluorite::backends
