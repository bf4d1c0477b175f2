#include "backends/llvm/emit/memory/buffer_header.h"

#include "fluorite/runtime_abi.h"
#include "support/check.h"

#include <cstddef>

namespace fluorite::backends {

using llvm::Value;

Value *load_header(const ModuleContext &m, llvm::Type *type, Value *base, int64_t offset, const char *name) {
    Value *at = m.b.CreateConstInBoundsGEP1_64(m.i8, base, static_cast<uint64_t>(offset));
    llvm::Instruction *loaded = m.b.CreateLoad(type, at, name);
    loaded->setMetadata(llvm::LLVMContext::MD_tbaa, m.globals.alias_tag("buffer header"));
    return loaded;
}

void store_header(const ModuleContext &m, Value *value, Value *base, int64_t offset) {
    Value *at = m.b.CreateConstInBoundsGEP1_64(m.i8, base, static_cast<uint64_t>(offset));
    m.b.CreateStore(value, at)->setMetadata(llvm::LLVMContext::MD_tbaa, m.globals.alias_tag("buffer header"));
}

Value *load_member(const ModuleContext &m, Value *header, const ir::Member &member) {
    const auto read = [&](size_t offset, const char *name) {
        Value *dims = load_header(m, m.ptr, header, offsetof(fluorite_buffer_t, dim), "dims");
        const int64_t at = member.index * static_cast<int64_t>(sizeof(fluorite_dimension_t));
        return load_header(m, m.i32, dims, at + static_cast<int64_t>(offset), name);
    };
    switch (member.field) {
    case ir::Field::Min:
        return read(offsetof(fluorite_dimension_t, min), "min");
    case ir::Field::Extent:
        return read(offsetof(fluorite_dimension_t, extent), "extent");
    case ir::Field::Stride:
        return read(offsetof(fluorite_dimension_t, stride), "stride");
    case ir::Field::Max: {
        Value *min = read(offsetof(fluorite_dimension_t, min), "min");
        Value *extent = read(offsetof(fluorite_dimension_t, extent), "extent");
        return m.b.CreateSub(m.b.CreateAdd(min, extent), m.b.getInt32(1), "max");
    }
    }
    unreachable("not a field");
}

} // namespace fluorite::backends
