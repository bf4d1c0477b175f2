#pragma once
// The LLVM back end: from LoweredFunc to machine code in memory, or to files. No LLVM type appears here.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite::backends {

/// A compiled pipeline in memory; the code lives as long as this object.
class JitModule {
  public:
    virtual ~JitModule() = default;
    /// int32 entry(void **args): args[i] points to the value of argument i (for buffers args[i] is the
    /// fluorite_buffer_t * itself; for scalars a pointer to the scalar).
    using Entry = int32_t (*)(void **args);
    virtual Entry entry() const = 0;
    /// Bytes of machine code, for reports.
    virtual size_t code_size() const = 0;
};

/// Extern C functions by name that the caller provides (address), searched before the process's own symbols.
struct ExternSymbol {
    std::string name;
    void *address = nullptr;
};

std::unique_ptr<JitModule> compile_jit(const ir::LoweredFunc &func, const Target &target,
                                       const std::vector<ExternSymbol> &externs = {});

enum class OutputKind : uint8_t { Object, Assembly, Bitcode, LlvmText };
/// Writes the functions to a file (beside it first, then renamed). Each gets a C symbol of its name, `<name>_argv(void
/// **)`
/// and `<name>_metadata()`.
void compile_to_file(const std::vector<ir::LoweredFunc> &funcs, const Target &target, OutputKind kind,
                     const std::string &path);
std::string compile_to_text(const ir::LoweredFunc &func, const Target &target, OutputKind kind);

/// Refuses a module of more instructions than are compiled; `name` is that of its first function.
void check_size(const std::string &name, size_t instructions);

} // namespace fluorite::backends
