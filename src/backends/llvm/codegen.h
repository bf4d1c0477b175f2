#pragma once
// The operations of the LLVM back end as functions. No LLVM type appears here.

#include "backends/backend.h"

namespace fluorite::backends {

std::unique_ptr<Executable> compile_jit(const ir::LoweredModule &module, const Target &target,
                                        const std::vector<ExternSymbol> &externs);
/// The contents of a file of any kind except source code.
std::string compile_to_text(const ir::LoweredModule &module, const Target &target, OutputKind kind);

/// Throws CompileError [program-too-large] if the instructions exceed the limit; `name` is the entry's.
void check_size(const std::string &name, size_t instructions);

} // namespace fluorite::backends
