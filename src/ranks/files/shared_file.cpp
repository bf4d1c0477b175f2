#include "ranks/files/shared_file.h"

#include <cstring>

namespace fluorite::distribute {

const char *dense_row(const ArrayView &view, const std::vector<int64_t> &at, int64_t length, std::vector<char> &room) {
    const char *first = view.at(at);
    if (view.strides.empty() || view.strides[0] == 1 || length == 1) {
        return first;
    }
    room.resize(static_cast<size_t>(length * view.bytes));
    for (int64_t i = 0; i < length; i++) {
        std::memcpy(room.data() + i * view.bytes, first + i * view.strides[0] * view.bytes,
                    static_cast<size_t>(view.bytes));
    }
    return room.data();
}

} // namespace fluorite::distribute
