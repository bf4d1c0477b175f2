// Where the elements of a buffer are.
//
// What: the plan of a copy between two buffers' layouts, and the bytes that a buffer spans.
//
// Method: coordinates are counted from the target's mins, so the source begins at its element of these coordinates.
// Sizes are added up in 128 bits, since extents and strides of 32 bits in several dimensions pass 64.
//
// Relies on: copy_plan.cpp. Does not do: copies. Cost: some 10 ns per dimension.

#include "runtime/device/buffer_layout.h"

#include <cstdlib>
#include <vector>

namespace fluorite_runtime {

CopyPlan plan_buffer_copy(const BufferSide &from, const BufferSide &to) {
    const int64_t bytes = to.buffer->type.bytes();
    std::vector<CopyDimension> dimensions;
    int64_t from_offset = from.offset;
    for (int d = 0; d < to.buffer->dimensions; d++) {
        const fluorite_dimension_t &target = to.buffer->dim[d], &source = from.buffer->dim[d];
        dimensions.push_back({target.extent, source.stride * bytes, target.stride * bytes});
        from_offset += (int64_t{target.min} - source.min) * source.stride * bytes;
    }
    return plan_copy(bytes, std::move(dimensions), from_offset, to.offset);
}

int buffer_bytes(void *context, const char *where, const fluorite_buffer_t *buffer, uint64_t &bytes) {
    __extension__ using Wide = __int128;
    Wide elements = buffer->is_empty() ? 0 : 1;
    for (int d = 0; d < buffer->dimensions && elements != 0; d++) {
        elements += static_cast<Wide>(std::abs(int64_t{buffer->dim[d].stride})) * (buffer->dim[d].extent - 1);
    }
    const Wide total = elements * buffer->type.bytes();
    constexpr int64_t most = INT64_MAX / 2;
    if (total > most) {
        return fluorite_error_buffer_allocation_too_large(context, where != nullptr ? where : "a buffer", UINT64_MAX,
                                                          static_cast<uint64_t>(most));
    }
    bytes = static_cast<uint64_t>(total);
    return 0;
}

} // namespace fluorite_runtime
