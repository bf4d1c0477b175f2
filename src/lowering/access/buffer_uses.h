#pragma once
// How expressions use buffers.

#include "ir/expr_node.h"

#include <functional>

namespace fluorite::lowering {

/// What a node, without its operands, does with the buffer that it names.
enum class BufferUse : uint8_t {
    None,
    Load,    // reads an element
    Address, // takes the address: what it is passed to may read and write elements, and may keep it
    Field,   // reads a min, extent or stride
};
BufferUse buffer_use(const Expr &node);

/// Calls `visit` for each distinct load in the expression, those in the index of a load before it.
void for_each_load(const Expr &expr, const std::function<void(const Expr &)> &visit);

/// Whether the expression depends on elements of the buffer: loads some, or takes its address.
bool reads_buffer(const Expr &expr, const ir::Symbol &buffer);

} // namespace fluorite::lowering
