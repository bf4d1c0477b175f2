// Sanitizers for generated code.
//
// LLVM's AddressSanitizer or ThreadSanitizer pass instruments an optimized module. The code then calls the sanitizer's
// runtime, which must already be in the process; so modules are instrumented if and only if the library itself is built
// with a sanitizer (FLUORITE_SANITIZE).
//
// Globals of the module get no red zones, because code in memory has no constructors that would register them. LLVM's
// ThreadSanitizer instruments accesses of 1, 2, 4, 8 and 16 bytes only. This file reports wider vectors to the runtime
// as ranges; of masked accesses, gathers and scatters it reports each active lane, and in place of an inactive one a
// word of the function's own stack.
//
// Relies on functions that the runtimes of GCC and of clang share; GCC's lacks __tsan_memset, __tsan_memcpy and
// __tsan_memmove, and intercepts the C functions instead. Files are not instrumented: they are linked without a
// sanitizer's runtime.

#include "backends/llvm/sanitize.h"

#include "backends/llvm/analyses.h"
#include "support/check.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>

namespace fluorite::backends {

namespace {

void mark_functions(llvm::Module &module, llvm::Attribute::AttrKind kind) {
    for (llvm::Function &function : module) {
        if (!function.isDeclaration()) {
            function.addFnAttr(kind);
            function.addFnAttr("frame-pointer", "all"); // the runtime walks the stack for its reports
        }
    }
}

void leave_globals_alone(llvm::Module &module) {
    for (llvm::GlobalVariable &global : module.globals()) {
        llvm::GlobalValue::SanitizerMetadata metadata;
        metadata.NoAddress = true;
        global.setSanitizerMetadata(metadata);
    }
}

/// An access that LLVM's ThreadSanitizer pass does not instrument.
struct UnusualAccess {
    llvm::Instruction *at = nullptr;
    llvm::Value *address = nullptr; // a pointer, or a vector with one for each lane
    llvm::Value *mask = nullptr;    // of lanes; null for an unmasked access
    llvm::Type *type = nullptr;
    bool writes = false;
};

std::optional<UnusualAccess> unusual_access(llvm::Instruction &at) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&at)) {
        return UnusualAccess{&at, load->getPointerOperand(), nullptr, load->getType(), false};
    }
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&at)) {
        return UnusualAccess{&at, store->getPointerOperand(), nullptr, store->getValueOperand()->getType(), true};
    }
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&at);
    switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
        return UnusualAccess{&at, call->getArgOperand(0), call->getArgOperand(2), call->getType(), false};
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
        return UnusualAccess{&at, call->getArgOperand(1), call->getArgOperand(3), call->getArgOperand(0)->getType(),
                             true};
    default:
        return std::nullopt;
    }
}

class UnusualAccesses {
  public:
    explicit UnusualAccesses(llvm::Module &module) : module_(module), b_(module.getContext()) {}

    void report() {
        for (llvm::Function &function : module_) {
            spare_ = nullptr;
            std::vector<UnusualAccess> found;
            for (llvm::BasicBlock &block : function) {
                for (llvm::Instruction &at : block) {
                    const auto access = unusual_access(at);
                    if (access && (access->mask || !is_usual(access->type))) {
                        found.push_back(*access);
                    }
                }
            }
            for (const UnusualAccess &access : found) {
                access.mask ? report_lanes(access) : report_range(access);
            }
        }
    }

  private:
    llvm::Module &module_;
    llvm::IRBuilder<> b_;
    llvm::AllocaInst *spare_ = nullptr; // of the current function; inactive lanes report it

    uint64_t bytes_of(llvm::Type *type) const { return module_.getDataLayout().getTypeStoreSize(type); }
    bool is_usual(llvm::Type *type) const { return bytes_of(type) <= 16 && llvm::isPowerOf2_64(bytes_of(type)); }

    void tell(bool writes, llvm::Value *address, uint64_t bytes) {
        llvm::FunctionCallee callee = module_.getOrInsertFunction(writes ? "__tsan_write_range" : "__tsan_read_range",
                                                                  b_.getVoidTy(), b_.getPtrTy(), b_.getInt64Ty());
        b_.CreateCall(callee, {address, b_.getInt64(bytes)});
    }
    void report_range(const UnusualAccess &access) {
        b_.SetInsertPoint(access.at);
        tell(access.writes, access.address, bytes_of(access.type));
    }
    void report_lanes(const UnusualAccess &access) {
        llvm::Function *function = access.at->getFunction();
        if (!spare_) {
            llvm::IRBuilder<> entry(&*function->getEntryBlock().getFirstInsertionPt());
            spare_ = entry.CreateAlloca(entry.getInt64Ty());
        }
        b_.SetInsertPoint(access.at);
        auto *vector = llvm::cast<llvm::FixedVectorType>(access.type);
        for (uint64_t i = 0; i < vector->getNumElements(); i++) {
            llvm::Value *at = access.address->getType()->isVectorTy()
                                  ? b_.CreateExtractElement(access.address, i)
                                  : b_.CreateConstGEP1_64(vector->getElementType(), access.address, i);
            llvm::Value *is_on = b_.CreateExtractElement(access.mask, i);
            tell(access.writes, b_.CreateSelect(is_on, at, spare_), bytes_of(vector->getElementType()));
        }
    }
};

void use_intercepted(llvm::Module &module, const char *made, const char *intercepted) {
    llvm::Function *function = module.getFunction(made);
    if (!function) {
        return;
    }
    if (llvm::Function *known = module.getFunction(intercepted)) {
        function->replaceAllUsesWith(known);
        function->eraseFromParent();
    } else {
        function->setName(intercepted);
    }
}

} // namespace

void sanitize(llvm::Module &module, llvm::TargetMachine &machine, Sanitizer sanitizer) {
    if (sanitizer == Sanitizer::None) {
        return;
    }
    Analyses analyses(&machine);
    llvm::ModulePassManager passes;
    if (sanitizer == Sanitizer::Address) {
        mark_functions(module, llvm::Attribute::SanitizeAddress);
        leave_globals_alone(module);
        llvm::AddressSanitizerOptions options;
        options.InsertVersionCheck = false;
        options.UseAfterReturn = llvm::AsanDetectStackUseAfterReturnMode::Never;
        passes.addPass(llvm::AddressSanitizerPass(options, /*UseGlobalGC=*/false, /*UseOdrIndicator=*/false,
                                                  llvm::AsanDtorKind::None, llvm::AsanCtorKind::None));
        passes.run(module, analyses.modules);
        return;
    }
    mark_functions(module, llvm::Attribute::SanitizeThread);
    UnusualAccesses(module).report();
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
    passes.run(module, analyses.modules);
    use_intercepted(module, "__tsan_memset", "memset");
    use_intercepted(module, "__tsan_memcpy", "memcpy");
    use_intercepted(module, "__tsan_memmove", "memmove");
}

} // namespace fluorite::backends
