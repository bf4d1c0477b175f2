#pragma once
// Buffers as memory of distributed programs.

#include "fluorite/runtime_abi.h"
#include "ranks/plan/array_view.h"

namespace fluorite::distribute {

/// All of a buffer's dimensions, as spans.
Box box_of(const fluorite_buffer_t &buffer);
/// The memory of a buffer, which stays the buffer's.
ArrayView view_of(const fluorite_buffer_t &buffer);

} // namespace fluorite::distribute
