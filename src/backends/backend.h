#pragma once
// The interface between the driver and the back ends. A back end takes a module of loop IR and a target, and makes code
// in this process or the contents of a file. Each back end is a folder beside this file with one class;
// driver/choose_backend.cpp selects one.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::backends {

/// A compiled pipeline in memory. The code stays valid as long as this object exists.
class Executable {
  public:
    /// What machine code for this process offers under the name of the entry.
    using Entry = int32_t (*)(void **args);
    virtual ~Executable() = default;
    /// Runs the entry, and returns its code. For a buffer, args[i] is the fluorite_buffer_t * itself; for a scalar, it
    /// is a pointer to the value.
    virtual int32_t run(void **args) const = 0;
    /// Bytes of machine code, for reports.
    virtual size_t code_size() const = 0;
};

/// A C function that the program calls by name, with the address that the caller provides.
struct ExternSymbol {
    std::string name;
    void *address = nullptr;
};

enum class OutputKind : uint8_t {
    Object,        // object code
    StaticLibrary, // an archive of one object file
    Assembly,
    Bitcode,  // LLVM's
    LlvmText, // LLVM's IR as text
    Source,   // a program in a source language
};
const char *to_word(OutputKind kind);

/// All functions throw CompileError for errors that the user can repair, and may be called by several threads at once.
class Backend {
  public:
    virtual ~Backend() = default;
    /// The name that messages use.
    virtual std::string name() const = 0;
    /// Compiles the module into the memory of this process. `externs` take precedence over the symbols of the process.
    /// The default implementation refuses.
    virtual std::unique_ptr<Executable> load(const ir::LoweredModule &module, const Target &target,
                                             const std::vector<ExternSymbol> &externs) const;
    /// The contents of a file of the given kind. The entry becomes a C symbol of its name, beside `<name>_argv(void
    /// **)` and `<name>_metadata()` (fluorite/runtime_abi.h). An implementation calls `refuse` for kinds that it does
    /// not make.
    virtual std::string file(const ir::LoweredModule &module, const Target &target, OutputKind kind) const = 0;
    /// Whether a call of that name refers to a function that every program has, such as one of the C library.
    virtual bool knows_function(const std::string &) const { return false; }

  protected:
    /// Throws CompileError [gpu-target] if the module has kernels without code.
    void refuse_kernels(const ir::LoweredModule &module) const;
    /// Throws CompileError [not-built]: the back end does not make `what`.
    [[noreturn]] void refuse(const ir::LoweredModule &module, const std::string &what) const;
};

} // namespace fluorite::backends
