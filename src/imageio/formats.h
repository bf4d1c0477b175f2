#pragma once
// The image formats, and what they share: shapes and rows. Internal to imageio.

#include "fluorite/buffer.h"
#include "fluorite/image_io.h"
#include "imageio/files.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fluorite::imageio {

using ConstImage = Buffer<const void>;

/// One file format.
struct Format {
    const char *name;
    std::vector<std::string> extensions;
    /// Whether a file that begins with these bytes has this format.
    bool (*matches)(std::span<const uint8_t> head);
    Buffer<> (*load)(InputFile &file);
    void (*save)(const ConstImage &image, OutputFile &file, const SaveOptions &options);
    /// The closest element type that the format stores.
    Type (*closest_type)(Type type);
};

extern const Format png_format;
extern const Format jpeg_format;
extern const Format tiff_format;
extern const Format pnm_format;
extern const Format npy_format;

/// The shape of a picture in a file.
struct Shape {
    int64_t width = 0;
    int64_t height = 0;
    int64_t channels = 1;
    Type type;
};

/// Throws image-too-large, and image-corrupt for sizes below 1.
void check_shape(const Shape &shape, const Origin &origin);
/// A dense planar buffer for a checked shape: x, y and, for more than one channel, c.
Buffer<> allocate(const Shape &shape, const Origin &origin);

/// The shape of a buffer that is to be saved as a picture with at most `max_channels` channels.
Shape shape_to_save(const ConstImage &image, int64_t max_channels, const char *format, const Origin &origin);
/// Throws image-unsupported: `format` has no such element type.
[[noreturn]] void fail_unsupported_type(Type type, const char *format, const char *known, const Origin &origin);

/// Copies a row of width * channels elements, channels interleaved, into row y of a planar buffer, and back.
void scatter_row(const Buffer<> &image, int y, const uint8_t *row);
void gather_row(const ConstImage &image, const Shape &shape, int y, uint8_t *row);
/// One channel of a row.
void scatter_plane_row(const Buffer<> &image, int y, int channel, const uint8_t *row);

/// Swaps the bytes of each of `count` elements of 1, 2, 4 or 8 bytes.
void swap_bytes(uint8_t *data, size_t count, int bytes);

} // namespace fluorite::imageio
