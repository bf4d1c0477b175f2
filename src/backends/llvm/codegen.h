#pragma once
// What the LLVM back end does, as functions. No LLVM type appears here.

#include "backends/backend.h"

namespace fluorite::backends {

std::unique_ptr<Executable> compile_jit(const ir::LoweredModule &module, const Target &target,
                                        const std::vector<ExternSymbol> &externs);
/// The contents of a file of any kind but source code.
std::string compile_to_text(const ir::LoweredModule &module, const Target &target, OutputKind kind);

/// Refuses a module of more instructions than are compiled; `name` is that of its entry.
void check_size(const std::string &name, size_t instructions);

} // namespace fluorite::backends
