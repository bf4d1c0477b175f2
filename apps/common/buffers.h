#pragma once
// Between plain pictures and the compiler's buffers. Compiles against Fluorite and against the peer.

#include "image.h"

#include <Halide.h>

namespace apps {

/// A buffer over the values of a picture, which has to outlive it.
template <typename T> Halide::Buffer<T> over(const Image<T> &image, int dimensions) {
    std::vector<int> extents = {image.width, image.height, image.channels};
    extents.resize(static_cast<std::size_t>(dimensions));
    return Halide::Buffer<T>(const_cast<T *>(image.values.data()), extents); // inputs are only read
}

} // namespace apps
