#pragma once
// Where the elements of a buffer are, in host or device memory, for copies.

#include "runtime/device/copy_plan.h"

#include "fluorite/runtime_abi.h"

#include <cstdint>

namespace fluorite_runtime {

/// The elements of a buffer in one memory: `offset` is that of the element whose every coordinate is its min, in bytes.
struct BufferSide {
    const fluorite_buffer_t *buffer;
    int64_t offset;
};

/// Relative to `host`.
inline BufferSide host_side(const fluorite_buffer_t &buffer) { return {&buffer, 0}; }
/// Relative to the start of native memory; the lowest addressed element is at `begin`.
inline BufferSide device_side(const fluorite_buffer_t &buffer, uint64_t begin) {
    return {&buffer, static_cast<int64_t>(begin) - int64_t{buffer.begin_offset()} * buffer.type.bytes()};
}

/// A plan that copies the elements at all coordinates of `to`, which `from` has.
CopyPlan plan_buffer_copy(const BufferSide &from, const BufferSide &to);

/// The bytes from the lowest to the highest addressed element. Reports a size that cannot be addressed.
int buffer_bytes(void *context, const char *where, const fluorite_buffer_t *buffer, uint64_t &bytes);

} // namespace fluorite_runtime
