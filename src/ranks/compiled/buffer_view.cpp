#include "ranks/compiled/buffer_view.h"

namespace fluorite::distribute {

Box box_of(const fluorite_buffer_t &buffer) {
    Box box;
    for (int32_t d = 0; d < buffer.dimensions; d++) {
        box.push_back({buffer.dim[d].min, int64_t{buffer.dim[d].min} + buffer.dim[d].extent});
    }
    return box;
}

ArrayView view_of(const fluorite_buffer_t &buffer) {
    ArrayView view{box_of(buffer), reinterpret_cast<char *>(buffer.host), {}, buffer.type.bytes()}; // NOLINT
    for (int32_t d = 0; d < buffer.dimensions; d++) {
        view.strides.push_back(buffer.dim[d].stride);
    }
    return view;
}

} // namespace fluorite::distribute
