#pragma once
// The layout of fluorite_buffer_t, whose fields generated code reads and writes. All functions append instructions at
// the insertion point.

#include "backends/llvm/emit/module_context.h"

namespace fluorite::backends {

/// The field at `offset` bytes from `base`, which is a header or one of its dimensions.
llvm::Value *load_header(const ModuleContext &m, llvm::Type *type, llvm::Value *base, int64_t offset, const char *name);
void store_header(const ModuleContext &m, llvm::Value *value, llvm::Value *base, int64_t offset);
/// The min, extent, stride or max of a dimension.
llvm::Value *load_member(const ModuleContext &m, llvm::Value *header, const ir::Member &member);

} // namespace fluorite::backends
