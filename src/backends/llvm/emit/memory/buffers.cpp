// The buffers of the function under construction.
//
// The host pointer of an argument is loaded on its first use and is valid until the end of the control scope in which
// it was loaded; later uses load it again. Each buffer has an alias tag of its own, except for allocations that use the
// same memory one after the other.
//
// Relies on buffers of different symbols not overlapping.

#include "backends/llvm/emit/memory/buffers.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/memory/buffer_header.h"
#include "fluorite/runtime_abi.h"
#include "ir/parameter.h"
#include "support/check.h"

#include <algorithm>
#include <cstddef>

namespace fluorite::backends {

using llvm::Value;

std::optional<Buffer> Buffers::bind(const ir::Symbol &symbol, Buffer buffer) {
    const auto hidden = buffers_.find(symbol);
    const std::optional<Buffer> outer = hidden == buffers_.end() ? std::nullopt : std::optional(hidden->second);
    buffers_[symbol] = buffer;
    return outer;
}

void Buffers::restore(const ir::Symbol &symbol, const std::optional<Buffer> &outer) {
    buffers_.erase(symbol);
    if (outer) {
        buffers_[symbol] = *outer;
    }
}

void Buffers::add_last(const ir::Symbol &symbol, Value *last) {
    Buffer &buffer = buffers_[symbol];
    buffer.first = b_.getInt64(0);
    buffer.last = last;
}

Buffer &Buffers::at(const ir::Symbol &symbol) {
    const auto found = buffers_.find(symbol);
    if (found != buffers_.end()) {
        return found->second;
    }
    const std::vector<ir::LoweredArg> &constants = m_.program.constants;
    const bool is_data = std::any_of(constants.begin(), constants.end(),
                                     [&](const ir::LoweredArg &constant) { return constant.symbol == symbol; });
    if (!is_data) {
        internal_error(concat("buffer '", symbol.name(), "' is not known in '", m_.program.entry().name, "'"), {});
    }
    Buffer &made = buffers_[symbol];
    made.header = m_.globals.embedded_buffer(*ir::parameter_of(symbol));
    return made;
}

Value *Buffers::header(const ir::Symbol &symbol) {
    Value *found = at(symbol).header;
    check(found != nullptr, concat("buffer '", symbol.name(), "' is an allocation and has no fields"));
    return found;
}

Value *Buffers::host(const ir::Symbol &symbol) {
    Buffer &found = at(symbol);
    const bool is_valid = found.host && (!found.header || values_.is_open(found.scope));
    if (!is_valid) {
        Value *loaded = load_header(m_, m_.ptr, found.header, offsetof(fluorite_buffer_t, host), "host");
        loaded->setName(symbol.name());
        found.host = loaded;
        found.scope = values_.scope();
        if (m_.is_checked) {
            find_elements(found);
        }
    }
    return found.host;
}

Value *Buffers::handle(const ir::Symbol &symbol) {
    const Buffer &found = at(symbol);
    return found.header ? found.header : found.host;
}

std::pair<Value *, Value *> Buffers::elements(const ir::Symbol &symbol) {
    const Buffer &found = at(symbol);
    return {found.first, found.last};
}

/// Computes the first and last element of a buffer argument, relative to its host pointer, from min, extent and stride.
void Buffers::find_elements(Buffer &argument) {
    Value *range = frame_.entry_alloca(m_.i64, 2, 8, "range");
    call_runtime(m_, "fluorite_element_range", m_.none, {argument.header, range});
    argument.first = b_.CreateLoad(m_.i64, range);
    argument.last = b_.CreateLoad(m_.i64, b_.CreateConstInBoundsGEP1_64(m_.i64, range, 1));
}

void Buffers::find_elements_of_arguments() {
    for (auto &[symbol, found] : buffers_) {
        if (m_.is_checked && found.header && found.host) {
            find_elements(found);
        }
    }
}

llvm::Instruction *Buffers::tag(llvm::Instruction *access, const ir::Symbol &symbol) {
    Buffer &found = at(symbol);
    if (!found.alias) {
        found.alias = m_.globals.alias_tag("buffer " + symbol.name());
    }
    const bool is_vector = llvm::isa<llvm::LoadInst>(access) && access->getType()->isVectorTy();
    const uint64_t bytes =
        is_vector ? m_.module.getDataLayout().getTypeStoreSize(access->getType()).getFixedValue() : 0;
    access->setMetadata(llvm::LLVMContext::MD_tbaa, is_vector ? tag_of_width(found.alias, bytes) : found.alias);
    return access;
}

} // namespace fluorite::backends
