// Compilation into the memory of this process.
//
// A LoweredModule becomes an LLVM module, then object code in memory, which JITLink links in the one ORC session of the
// process. Each Executable owns a JITDylib and removes it when it is destroyed. Undefined symbols are resolved in this
// order: the caller's externs, the table of runtime symbols (so that a statically linked runtime works as well), the
// symbols of the process.
//
// Relies on the ORC session being thread-safe; target machines come from a pool. There is no lazy compilation, and
// there are no debug sections.

#include "backends/llvm/emit/kernel_calls.h"
#include "backends/llvm/machine.h"
#include "backends/llvm/sanitize.h"

#include "fluorite/runtime/device.h"
#include "fluorite/runtime_abi.h"
#include "ir/c_abi.h"
#include "support/check.h"
#include "support/large_stack.h"

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <atomic>

namespace fluorite::backends {

namespace {

template <typename T> T expect(llvm::Expected<T> value, const char *what) {
    if (!value) {
        internal_error(concat(what, ": ", llvm::toString(value.takeError())), {});
    }
    return std::move(*value);
}

void expect(llvm::Error error, const char *what) {
    if (error) {
        internal_error(concat(what, ": ", llvm::toString(std::move(error))), {});
    }
}

/// The errors that the session has reported since the calling thread last cleared them. Linking happens on that thread.
std::string &reports() {
    thread_local std::string text;
    return text;
}

/// The ORC session of the process, with the symbols of the runtime and of the process.
class Session {
  public:
    static Session &shared() {
        static Session &session = *new Session; // never destroyed: compiled code may outlive everything
        return session;
    }

    llvm::orc::ExecutionSession &session() { return *session_; }
    llvm::orc::ObjectLinkingLayer &linker() { return *linker_; }
    llvm::orc::JITDylib &runtime() { return *runtime_; }
    uint64_t next_id() { return next_id_++; }

  private:
    Session() {
        auto control = expect(llvm::orc::SelfExecutorProcessControl::Create(), "no JIT in this process");
        session_ = std::make_unique<llvm::orc::ExecutionSession>(std::move(control));
        session_->setErrorReporter([](llvm::Error error) { reports() += llvm::toString(std::move(error)) + " "; });
        linker_ = std::make_unique<llvm::orc::ObjectLinkingLayer>(*session_);
        runtime_ = &session_->createBareJITDylib("runtime");
        size_t count = 0;
        const fluorite_symbol_t *symbols = fluorite_runtime_symbols(&count);
        llvm::orc::SymbolMap map;
        for (size_t i = 0; i < count; i++) {
            map[session_->intern(symbols[i].name)] = {llvm::orc::ExecutorAddr::fromPtr(symbols[i].address),
                                                      llvm::JITSymbolFlags::Exported};
        }
        expect(runtime_->define(llvm::orc::absoluteSymbols(std::move(map))), "the runtime's symbols");
        runtime_->addGenerator(
            expect(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0'), "the process's symbols"));
    }

    std::unique_ptr<llvm::orc::ExecutionSession> session_;
    std::unique_ptr<llvm::orc::ObjectLinkingLayer> linker_;
    llvm::orc::JITDylib *runtime_ = nullptr;
    std::atomic<uint64_t> next_id_{0};
};

class OrcModule : public Executable {
  public:
    OrcModule(std::unique_ptr<llvm::MemoryBuffer> object, const std::string &entry,
              const std::vector<ExternSymbol> &externs, const std::string &func_name, const std::string &slot)
        : size_(object->getBufferSize()) {
        Session &shared = Session::shared();
        library_ = &shared.session().createBareJITDylib(concat(func_name, ".", shared.next_id()));
        try {
            link(std::move(object), entry, externs, slot);
        } catch (...) {
            remove();
            throw;
        }
    }
    ~OrcModule() override {
        if (kernels_) { // a failure is reported, and nobody is here to hear of its code
            static_cast<void>(fluorite_device_unload_module(kernels_));
        }
        remove();
    }
    OrcModule(const OrcModule &) = delete;
    OrcModule &operator=(const OrcModule &) = delete;

    int32_t run(void **args) const override { return entry_(args); }
    size_t code_size() const override { return size_; }

  private:
    void link(std::unique_ptr<llvm::MemoryBuffer> object, const std::string &entry,
              const std::vector<ExternSymbol> &externs, const std::string &slot) {
        Session &shared = Session::shared();
        llvm::orc::SymbolMap map;
        for (const ExternSymbol &symbol : externs) {
            map[shared.session().intern(symbol.name)] = {llvm::orc::ExecutorAddr::fromPtr(symbol.address),
                                                         llvm::JITSymbolFlags::Exported};
        }
        if (!map.empty()) {
            expect(library_->define(llvm::orc::absoluteSymbols(std::move(map))), "the extern functions");
        }
        library_->addToLinkOrder(shared.runtime());
        expect(shared.linker().add(*library_, std::move(object)), "linking");
        reports().clear();
        auto found = shared.session().lookup({library_}, entry);
        if (!found) {
            const std::string general = llvm::toString(found.takeError());
            const std::string problem = reports().empty() ? general : reports().substr(0, reports().size() - 1);
            throw CompileError("missing-extern",
                               concat("in ", entry.substr(0, entry.rfind('_')), ": ", problem,
                                      "; every extern function must be known to the process or given to "
                                      "the compiler; link it, export it, or pass its address"));
        }
        entry_ = found->getAddress().toPtr<Entry>();
        if (!slot.empty()) {
            auto address = expect(shared.session().lookup({library_}, slot), "the kernels of a module");
            kernels_ = address.getAddress().toPtr<void **>();
        }
    }

    void remove() {
        if (library_) {
            llvm::consumeError(Session::shared().session().removeJITDylib(*library_));
        }
    }

    llvm::orc::JITDylib *library_ = nullptr;
    Entry entry_ = nullptr;
    void **kernels_ = nullptr; // if the module has some: what the runtime has built of them
    size_t size_ = 0;
};

} // namespace

std::unique_ptr<Executable> compile_jit(const ir::LoweredModule &lowered, const Target &target,
                                        const std::vector<ExternSymbol> &externs) {
    llvm::SmallVector<char, 0> bytes;
    on_large_stack([&] {
        llvm::LLVMContext context;
        Machine machine(target, /*for_jit=*/true);
        std::unique_ptr<llvm::Module> module = make_module(context, lowered, target);
        machine.prepare(*module);
        machine.optimize(*module);
        sanitize(*module, machine.get(), sanitizer_of_build());
        bytes = machine.emit(*module, llvm::CodeGenFileType::ObjectFile);
    });
    const std::string &name = lowered.entry().name;
    auto object = std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), name, false);
    return std::make_unique<OrcModule>(std::move(object), ir::argv_name(name), externs, name,
                                       lowered.device_code ? kernels_slot(name) : "");
}

} // namespace fluorite::backends
