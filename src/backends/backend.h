#pragma once
// What stands between the driver and the back ends: a module of loop IR and a target go in; code in this process, or
// the contents of a file, comes out. A back end is a folder beside this file with a class of its own;
// driver/choose_backend.cpp picks one.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::backends {

/// A compiled pipeline in memory; the code lives as long as this object.
class Executable {
  public:
    virtual ~Executable() = default;
    /// int32 entry(void **args): args[i] points to the value of argument i (for buffers args[i] is the
    /// fluorite_buffer_t * itself; for scalars a pointer to the scalar).
    using Entry = int32_t (*)(void **args);
    virtual Entry entry() const = 0;
    /// Bytes of machine code, for reports.
    virtual size_t code_size() const = 0;
};

/// A C function of the program, by name, whose address the caller provides.
struct ExternSymbol {
    std::string name;
    void *address = nullptr;
};

enum class OutputKind : uint8_t {
    Object,        // object code
    StaticLibrary, // an archive of it
    Assembly,      // as text
    Bitcode,       // of LLVM
    LlvmText,      // the same as text
    Source,        // a program in a language that people write
};
const char *to_word(OutputKind kind);

/// Functions throw CompileError for what the user can repair, and may be called by several threads at once.
class Backend {
  public:
    virtual ~Backend() = default;
    /// As messages call it.
    virtual std::string name() const = 0;
    /// The module as code in the memory of this process; `externs` are found before the process's own symbols. As long
    /// as a back end does not say how, this refuses.
    virtual std::unique_ptr<Executable> load(const ir::LoweredModule &module, const Target &target,
                                             const std::vector<ExternSymbol> &externs) const;
    /// The contents of a file of the kind. The entry becomes a C symbol of its name, beside `<name>_argv(void **)` and
    /// `<name>_metadata()` (fluorite/runtime_abi.h). Kinds that a back end does not make are left to `refuse`.
    virtual std::string file(const ir::LoweredModule &module, const Target &target, OutputKind kind) const = 0;
    /// Whether the back end takes a call of that name for one of a function that every program has.
    virtual bool knows_function(const std::string &) const { return false; }

  protected:
    /// Throws CompileError [not-built]: `what` is not among the things that the back end makes.
    [[noreturn]] void refuse(const ir::LoweredModule &module, const std::string &what) const;
};

} // namespace fluorite::backends
