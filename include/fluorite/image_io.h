#pragma once
// Image files to and from buffers: PNG, JPEG, TIFF, PGM/PPM, NPY.
//
//     format          element types                                   shapes
//     .png            uint8, uint16 (gray, gray+alpha, RGB, RGBA;     w x h, w x h x 1..4
//                     palettes and 1..4 bit gray are expanded)
//     .jpg .jpeg      uint8 (gray, RGB)                               w x h, w x h x 1 or 3
//     .tif .tiff      int8..64, uint8..64, float16, float32, float64  w x h, w x h x c
//     .pgm .ppm .pnm  uint8, uint16 (gray, RGB; text or binary)       w x h, w x h x 1 or 3
//     .npy            every type of the language                      any rank
//
// A loaded image is dense with dimension 0 (x) innermost, then y, then channels (planar); it has two dimensions where
// the file has one channel. A PNM file with a maximum other than 255 or 65535 is scaled to the full range. The first
// image of a TIFF file is read. An element a[i, j, k] of a NumPy array is buffer(k, j, i), so that a gray image saved
// from NumPy as rows x columns loads as x, y; bfloat16, which NumPy lacks, is stored as the dtype V2.
//
// Saving takes any strides and mins. It writes a temporary file beside the target and renames it, so a target is
// either complete or untouched. The format follows the extension; on loading, extension and content must agree.
//
// Everything throws RuntimeError with a slug: image-missing, image-empty, image-truncated, image-corrupt,
// image-too-large, image-unknown-format, image-wrong-extension, image-unsupported, image-write-failed.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"

#include <cstdint>
#include <string>
#include <type_traits>

namespace fluorite {

/// Files that declare larger images are refused before memory is allocated.
inline constexpr int64_t max_image_extent = int64_t{1} << 24;
inline constexpr int64_t max_image_bytes = int64_t{1} << 33;

/// Options for writing files.
struct SaveOptions {
    int jpeg_quality = 95; ///< 1 .. 100
};

/// Reads an image file in its own element type.
Buffer<> load_image(const std::string &path, Location place = Location::current());

/// Writes an image file. The format must support the buffer's element type and shape.
void save_image(const Buffer<const void> &image, const std::string &path, const SaveOptions &options = {},
                Location place = Location::current());

/// Converts the image's values to another type: unsigned integers represent 0 .. 1, signed ones -1 .. 1, floats
/// themselves and bool 0 or 1. Values outside the range of the new type are clamped, others are rounded to nearest; NaN
/// becomes 0 in an integer type.
Buffer<> convert_image(const Buffer<const void> &image, Type type, Location place = Location::current());

/// The element type closest to `type` that the format of `path` can store.
Type storable_image_type(const std::string &path, Type type, Location place = Location::current());

/// The names of Halide's tools.
namespace Tools {

/// A loaded image that converts to the element type of the buffer to which it is assigned.
class ConvertibleImage {
  public:
    /// An image as it was loaded; load_and_convert_image makes it.
    ConvertibleImage(Buffer<> image, Location place) : image_(std::move(image)), place_(place) {}
    template <typename T, int D> operator Buffer<T, D>() const { // NOLINT(google-explicit-constructor)
        if constexpr (std::is_void_v<T>) {
            return Buffer<T, D>(image_, place_);
        } else {
            return Buffer<T, D>(convert_image(image_, type_of<T>(), place_), place_);
        }
    }

    /// Likewise to classes that copy the struct of a buffer, as the Halide::Runtime::Buffer of programs that call
    /// compiled functions.
    template <typename Image, typename Element = typename Image::ElementType,
              std::enable_if_t<!std::is_base_of_v<buffer_detail::Handle, Image> &&
                                   std::is_constructible_v<Image, const fluorite_buffer_t &>,
                               int> = 0>
    operator Image() const { // NOLINT(google-explicit-constructor)
        const Buffer<std::remove_const_t<Element>> image = *this;
        return Image(*image.raw_buffer()).copy();
    }

  private:
    Buffer<> image_;
    Location place_;
};

// The same functions, so that their names are unambiguous in a program that uses both namespaces.
using fluorite::load_image;
using fluorite::save_image;

/// Reads a file and converts it to the element type of the buffer to which it is assigned.
inline ConvertibleImage load_and_convert_image(const std::string &path, Location place = Location::current()) {
    return {fluorite::load_image(path, place), place};
}
/// Writes a file, after conversion to the closest element type that its format can store.
inline void convert_and_save_image(const Buffer<const void> &image, const std::string &path,
                                   Location place = Location::current()) {
    const Type type = storable_image_type(path, image.type(), place);
    fluorite::save_image(convert_image(image, type, place), path, {}, place);
}

/// The spelling of 2014: load<uint8_t>("image.png").
template <typename T> Buffer<T> load(const std::string &path, Location place = Location::current()) {
    return {fluorite::load_image(path, place), place};
}

/// The same without exceptions: returns false if the file cannot be read or written. load() keeps the file's type.
template <typename T, int D> bool load(const std::string &path, Buffer<T, D> *image) {
    try {
        *image = fluorite::load_image(path);
        return true;
    } catch (const RuntimeError &) {
        return false;
    }
}
inline bool save(const Buffer<const void> &image, const std::string &path) {
    try {
        fluorite::save_image(image, path);
        return true;
    } catch (const RuntimeError &) {
        return false;
    }
}

} // namespace Tools
} // namespace fluorite
