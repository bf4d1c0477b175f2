// Shared by the formats: limits, planar buffers, and rows with interleaved channels.
//
// Limits are checked on the numbers that a file declares, before memory is allocated. Rows move one element at a time
// through loops specialized for 1, 2, 4 and 8 bytes; strides of any sign work.

#include "imageio/formats.h"
#include "support/reporting.h"

#include <algorithm>
#include <cstring>

namespace fluorite::imageio {

void check_shape(const Shape &shape, const Origin &origin) {
    const std::string size = std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " +
                             std::to_string(shape.channels) + " of " + to_string(shape.type);
    if (shape.width < 1 || shape.height < 1 || shape.channels < 1) {
        origin.fail_corrupt("the file declares a picture of " + size);
    }
    const bool extents_fit = std::max({shape.width, shape.height, shape.channels}) <= max_image_extent;
    // Extents are at most 2^24: the product of two fits 64 bits, the product of three may not.
    if (!extents_fit || shape.width * shape.height > max_image_bytes ||
        shape.width * shape.height * shape.channels > max_image_bytes / shape.type.bytes()) {
        origin.fail("image-too-large", "the file declares a picture of " + size + "; at most " +
                                           std::to_string(max_image_extent) + " elements a side and " +
                                           std::to_string(max_image_bytes) +
                                           " bytes together are read; cut it into smaller files");
    }
}

Buffer<> allocate(const Shape &shape, const Origin &origin) {
    std::vector<int> sizes{static_cast<int>(shape.width), static_cast<int>(shape.height)};
    if (shape.channels > 1) {
        sizes.push_back(static_cast<int>(shape.channels));
    }
    try {
        const NoReports guard;
        return Buffer<>(shape.type, sizes);
    } catch (const RuntimeError &error) {
        throw RuntimeError(error.slug(), "in " + origin.call + ": " + error.message(), origin.place);
    }
}

Shape shape_to_save(const ConstImage &image, int64_t max_channels, const char *format, const Origin &origin) {
    if (!image.defined() || (!image.has_host_memory() && image.number_of_elements() != 0)) {
        origin.fail("image-unsupported", "the buffer has no elements in host memory; only existing elements can be "
                                         "written; allocate and compute the buffer first");
    }
    const int rank = image.dimensions();
    const bool fits = (rank == 2 || rank == 3) && image.channels() <= max_channels;
    if (!fits || image.number_of_elements() == 0) {
        std::string size;
        for (int d = 0; d < rank; d++) {
            size += (d > 0 ? " x " : "") + std::to_string(image.extent(d));
        }
        origin.fail("image-unsupported",
                    "the buffer is " + (rank == 0 ? "a scalar" : size) + "; " + format +
                        " files hold width x height or width x height x 1.." + std::to_string(max_channels) +
                        (fits       ? ", none of them 0; save a buffer that has pixels, or save as .npy"
                         : rank < 2 ? "; add dimensions of extent 1 with embedded(), or save as .npy"
                                    : "; take parts with sliced() or cropped(), or save as .npy"));
    }
    return {image.width(), image.height(), image.channels(), image.type()};
}

void fail_unsupported_type(Type type, const char *format, const char *known, const Origin &origin) {
    origin.fail("image-unsupported", "the elements are of type " + to_string(type) + "; " + format + " files hold " +
                                         known + "; convert first, or use convert_and_save_image()");
}

namespace {

template <typename T> T read_element(const uint8_t *at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

// Copies count elements between two strided sequences.
template <typename T>
void move(uint8_t *to, ptrdiff_t to_step, const uint8_t *from, ptrdiff_t from_step, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const T value = read_element<T>(from + i * from_step);
        std::memcpy(to + i * to_step, &value, sizeof(T));
    }
}

void move(int bytes, uint8_t *to, ptrdiff_t to_step, const uint8_t *from, ptrdiff_t from_step, int64_t count) {
    switch (bytes) {
    case 1:
        return move<uint8_t>(to, to_step, from, from_step, count);
    case 2:
        return move<uint16_t>(to, to_step, from, from_step, count);
    case 4:
        return move<uint32_t>(to, to_step, from, from_step, count);
    default:
        return move<uint64_t>(to, to_step, from, from_step, count);
    }
}

// The address of element (0, y, channel), counted from the mins, and the distance in bytes from x to x + 1.
struct RowAddress {
    uint8_t *first;
    ptrdiff_t step;
};
RowAddress address_of_row(const fluorite_buffer_t &raw, int64_t y, int64_t channel) {
    const ptrdiff_t bytes = raw.type.bytes();
    const ptrdiff_t offset = y * raw.dim[1].stride + (raw.dimensions > 2 ? channel * raw.dim[2].stride : 0);
    return {raw.host + offset * bytes, raw.dim[0].stride * bytes};
}

} // namespace

void scatter_plane_row(const Buffer<> &image, int y, int channel, const uint8_t *row) {
    const int bytes = image.type().bytes();
    const RowAddress to = address_of_row(*image.raw_buffer(), y, channel);
    move(bytes, to.first, to.step, row, bytes, image.width());
}

void scatter_row(const Buffer<> &image, int y, const uint8_t *row) {
    const int bytes = image.type().bytes();
    const int channels = image.channels();
    for (int c = 0; c < channels; c++) {
        const RowAddress to = address_of_row(*image.raw_buffer(), y, c);
        move(bytes, to.first, to.step, row + c * bytes, static_cast<ptrdiff_t>(channels) * bytes, image.width());
    }
}

void gather_row(const ConstImage &image, const Shape &shape, int y, uint8_t *row) {
    const int bytes = shape.type.bytes();
    for (int64_t c = 0; c < shape.channels; c++) {
        const RowAddress from = address_of_row(*image.raw_buffer(), y, c);
        move(bytes, row + c * bytes, shape.channels * bytes, from.first, from.step, shape.width);
    }
}

void swap_bytes(uint8_t *data, size_t count, int bytes) {
    for (size_t i = 0; i < count; i++) {
        std::reverse(data + i * static_cast<size_t>(bytes), data + (i + 1) * static_cast<size_t>(bytes));
    }
}

} // namespace fluorite::imageio
