// Copies of boxes: rows of the innermost dimension that are dense on both sides are copied as a whole, and dimensions
// that are contiguous in both arrays become one row.

#include "ranks/plan/array_view.h"

#include "support/check.h"

#include <cstring>

namespace fluorite::distribute {

namespace {

constexpr unsigned char poison_byte = 0xA5;

/// Copies extents[0] x .. elements between memory with these strides.
void copy_rows(const char *from, const std::vector<int64_t> &from_strides, char *to,
               const std::vector<int64_t> &to_strides, const std::vector<int64_t> &extents, int64_t bytes) {
    int64_t row = 1;
    size_t inner = 0; // dimensions that are part of a row
    while (inner < extents.size() && from_strides[inner] == row && to_strides[inner] == row) {
        row *= extents[inner++];
    }
    std::vector<int64_t> at(extents.size(), 0);
    while (true) {
        std::memcpy(to, from, static_cast<size_t>(row * bytes));
        size_t d = inner;
        for (; d < extents.size(); d++) {
            from += from_strides[d] * bytes;
            to += to_strides[d] * bytes;
            if (++at[d] < extents[d]) {
                break;
            }
            from -= extents[d] * from_strides[d] * bytes;
            to -= extents[d] * to_strides[d] * bytes;
            at[d] = 0;
        }
        if (d >= extents.size()) {
            return;
        }
    }
}

std::vector<int64_t> extents_of(const Box &box) {
    std::vector<int64_t> extents;
    for (const Span &span : box) {
        extents.push_back(span.extent());
    }
    return extents;
}

} // namespace

char *ArrayView::at(const std::vector<int64_t> &coordinates) const {
    int64_t offset = 0;
    for (size_t d = 0; d < box.size(); d++) {
        offset += (coordinates[d] - box[d].begin) * strides[d];
    }
    return data + offset * bytes;
}

ArrayView ArrayView::cropped(const Box &part) const {
    ArrayView view = *this;
    std::vector<int64_t> begin;
    for (const Span &span : part) {
        begin.push_back(span.begin);
    }
    view.data = data ? at(begin) : nullptr;
    view.box = part;
    return view;
}

Readers readers_of_image(const Box &memory, const Box &owned) {
    const int64_t own = volume(owned);
    return own > 0 && volume(memory) >= own + own / 4 ? Readers::Peers : Readers::Own;
}

OwnedArray::OwnedArray(const Box &box, int64_t bytes, const std::vector<size_t> &order, Readers readers)
    : memory_(static_cast<size_t>(volume(box) * bytes), readers), size_(volume(box) * bytes) {
    view_ = {box, memory_.data(), dense_strides(box, order), bytes};
}

std::vector<int64_t> dense_strides(const Box &box, const std::vector<size_t> &order) {
    std::vector<int64_t> strides(box.size());
    int64_t stride = 1;
    for (size_t i = 0; i < box.size(); i++) {
        const size_t d = order.empty() ? i : order[i];
        strides[d] = stride;
        stride *= box[d].extent();
    }
    return strides;
}

void copy_box(const ArrayView &from, const Box &source, const ArrayView &to, const Box &destination) {
    if (empty(source)) {
        return;
    }
    check(extents_of(source) == extents_of(destination), "a box is copied to one of the same extents");
    copy_rows(from.cropped(source).data, from.strides, to.cropped(destination).data, to.strides, extents_of(source),
              from.bytes);
}

void pack(const ArrayView &from, const Box &box, char *to) {
    copy_box(from, box, {box, to, dense_strides(box), from.bytes}, box);
}

void unpack(const char *from, const ArrayView &to, const Box &box) {
    // The message is only read.
    copy_box({box, const_cast<char *>(from), dense_strides(box), to.bytes}, box, to, box); // NOLINT
}

void poison(const ArrayView &array) { poison_around(array, Box(array.box.size())); }

void poison_around(const ArrayView &array, const Box &kept) {
    if (empty(array.box)) {
        return;
    }
    const auto is_kept = [&](const std::vector<int64_t> &coordinates) {
        for (size_t d = 0; d < kept.size(); d++) {
            if (!kept[d].contains(coordinates[d])) {
                return false;
            }
        }
        return !kept.empty();
    };
    std::vector<int64_t> coordinates;
    for (const Span &span : array.box) {
        coordinates.push_back(span.begin);
    }
    while (true) {
        if (!is_kept(coordinates)) {
            std::memset(array.at(coordinates), poison_byte, static_cast<size_t>(array.bytes));
        }
        size_t d = 0;
        while (d < coordinates.size() && ++coordinates[d] == array.box[d].end) {
            coordinates[d] = array.box[d].begin;
            d++;
        }
        if (d == coordinates.size()) {
            return;
        }
    }
}

} // namespace fluorite::distribute
