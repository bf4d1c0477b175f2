#include "backends/llvm/llvm_backend.h"

#include "backends/llvm/codegen.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

namespace fluorite::backends {

namespace {

class LlvmBackend : public Backend {
  public:
    std::string name() const override { return "llvm"; }
    std::unique_ptr<Executable> load(const ir::LoweredModule &module, const Target &target,
                                     const std::vector<ExternSymbol> &externs) const override {
        refuse_kernels(module);
        return compile_jit(module, target, externs);
    }
    std::string file(const ir::LoweredModule &module, const Target &target, OutputKind kind) const override {
        if (kind == OutputKind::Source) {
            refuse(module, to_word(kind));
        }
        refuse_kernels(module);
        return compile_to_text(module, target, kind);
    }
    bool knows_function(const std::string &name) const override {
        const llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
        llvm::LibFunc function{};
        return llvm::TargetLibraryInfoImpl(triple).getLibFunc(name, function);
    }
};

} // namespace

const Backend &llvm_backend() {
    static const LlvmBackend backend;
    return backend;
}

} // namespace fluorite::backends
