#pragma once
// The picture that the demo runs on: one that it paints itself, or a file of the user's.

#include "fluorite/buffer.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace fluorite::demo {

/// Width x height x channels (1 or 3), planar, coordinates from 0.
using Picture = Buffer<uint8_t, 3>;

/// What the user handed over cannot be used; what() says why and what would be accepted.
class BadInput : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Pictures smaller than this along a side are refused: the schedules' tiles and vectors would not fit.
inline constexpr int smallest_side = 64;

/// A landscape that looks like a photo: smooth sky, rough mountains, foliage, a house with sharp edges, film grain. The
/// same sizes give the same bytes on every machine. Uses all cores; about a second for five megapixels.
Picture paint_landscape(int width, int height);

/// Any file that the library reads, as 8 bits: 16-bit samples are scaled down, floats are taken as 0 to 1, alpha is
/// dropped. Throws BadInput.
Picture load_picture(const std::string &path);

} // namespace fluorite::demo
