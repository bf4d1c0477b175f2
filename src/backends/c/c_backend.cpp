// The C back end.
//
// For this process, the source is compiled by a C compiler into a shared object in a temporary folder, which is loaded
// and deleted. It refers to nothing by name: the functions that it calls are in a table that is filled after it is
// loaded, so that it finds the runtime also where that is linked statically, and externs that only the caller knows.

#include "backends/c/c_backend.h"

#include "backends/c/c_source.h"
#include "backends/commands.h"
#include "fluorite/runtime_abi.h"
#include "support/check.h"
#include "support/large_stack.h"
#include "support/write_file.h"

#include <dlfcn.h>
#include <map>
#include <mutex>

namespace fluorite::backends {

namespace c {
namespace {

void *find_address(const ir::LoweredModule &module, const std::vector<ExternSymbol> &externs, const std::string &name) {
    for (const ExternSymbol &symbol : externs) {
        if (symbol.name == name) {
            return symbol.address;
        }
    }
    size_t count = 0;
    const fluorite_symbol_t *symbols = fluorite_runtime_symbols(&count);
    for (size_t i = 0; i < count; i++) {
        if (name == symbols[i].name) {
            return symbols[i].address;
        }
    }
    void *address = dlsym(RTLD_DEFAULT, name.c_str());
    if (address == nullptr) {
        throw CompileError("missing-extern",
                           concat("in ", module.entry().name, ": the process has no C function '", name,
                                  "'; every extern function must be known to the process or given to the compiler; "
                                  "link it, export it, or pass its address"));
    }
    return address;
}

class LoadedSource : public Executable {
  public:
    LoadedSource(const ir::LoweredModule &module, const Target &target, const std::vector<ExternSymbol> &externs,
                 const std::string &compiler) {
        Source source;
        on_large_stack([&] { source = c_source(module, target, Use::Process); });
        const TemporaryFolder folder("c-compiler");
        const std::string text = folder.file("pipeline.c"), object = folder.file("pipeline.so");
        if (!write_file(text, source.text)) {
            throw CompileError("cannot-write", concat("in ", module.entry().name, ": cannot write the file '", text,
                                                      "'; its folder must exist and be writable; give another path"));
        }
        const std::string command = concat(compiler, " -fPIC -shared -I", quoted(FLUORITE_INCLUDE_FOLDER), " -o ",
                                           quoted(object), " ", quoted(text), " -lm");
        if (const std::string failure = failure_of(command); !failure.empty()) {
            throw CompileError(
                "c-compiler",
                concat("in ", module.entry().name, ": the command '", command, "' fails: ", failure,
                       "; FLUORITE_BACK_END=c needs a C compiler; set FLUORITE_C_COMPILER to the command of one"));
        }
        code_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (code_ == nullptr) {
            throw CompileError("c-compiler", concat("in ", module.entry().name, ": what '", compiler,
                                                    "' made cannot be loaded: ", dlerror(),
                                                    "; FLUORITE_BACK_END=c needs a C compiler for this process; set "
                                                    "FLUORITE_C_COMPILER to the command of one"));
        }
        auto **table = static_cast<void **>(dlsym(code_, "fluorite_symbols"));
        for (size_t i = 0; i < source.symbols.size(); i++) {
            table[i] = find_address(module, externs, source.symbols[i]);
        }
        entry_ = reinterpret_cast<Entry>(dlsym(code_, (module.entry().name + "_argv").c_str()));
        size_ = source.text.size();
    }
    ~LoadedSource() override { dlclose(code_); }
    LoadedSource(const LoadedSource &) = delete;

    int32_t run(void **args) const override { return entry_(args); }
    size_t code_size() const override { return size_; }

  private:
    void *code_ = nullptr;
    Entry entry_ = nullptr;
    size_t size_ = 0;
};

class CBackend : public Backend {
  public:
    explicit CBackend(std::string compiler) : compiler_(std::move(compiler)) {}
    std::string name() const override { return "c"; }
    std::unique_ptr<Executable> load(const ir::LoweredModule &module, const Target &target,
                                     const std::vector<ExternSymbol> &externs) const override {
        refuse_kernels(module);
        return std::make_unique<LoadedSource>(module, target, externs, compiler_);
    }
    std::string file(const ir::LoweredModule &module, const Target &target, OutputKind kind) const override {
        if (kind != OutputKind::Source) {
            refuse(module, to_word(kind));
        }
        refuse_kernels(module);
        std::string text;
        on_large_stack([&] { text = c_source(module, target, Use::File).text; });
        return text;
    }

  private:
    std::string compiler_;
};

} // namespace
} // namespace c

const Backend &c_backend(const std::string &compiler) {
    static std::mutex mutex;
    static std::map<std::string, c::CBackend> back_ends;
    const std::scoped_lock lock(mutex);
    return back_ends.try_emplace(compiler, compiler).first->second;
}

} // namespace fluorite::backends
