#pragma once
// Buffers as memory of distributed programs.

#include "distribute/execute/array_view.h"
#include "fluorite/runtime_buffer.h"

namespace fluorite::driver {

/// All of a buffer's dimensions, as spans.
distribute::Box box_of(const fluorite_buffer_t &buffer);
/// The memory of a buffer, which stays the buffer's.
distribute::ArrayView view_of(const fluorite_buffer_t &buffer);

} // namespace fluorite::driver
