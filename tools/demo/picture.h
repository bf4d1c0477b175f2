#pragma once
// The picture that the demo runs on: painted by the demo, or a file of the user.

#include "fluorite/buffer.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace fluorite::demo {

/// Width x height x channels (1 or 3), planar, coordinates from 0.
using Picture = Buffer<uint8_t, 3>;

/// The user's input cannot be used; what() gives the reason and what would be accepted.
class BadInput : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The minimum extent of a picture: the schedules' tiles and vectors do not fit smaller ones.
inline constexpr int smallest_side = 64;

/// A landscape that resembles a photo: smooth sky, rough mountains, foliage, a house with sharp edges, film grain. The
/// same sizes give the same bytes on every machine. Uses all cores; takes about a second for five megapixels.
Picture paint_landscape(int width, int height);

/// Any file that the library reads, as 8 bits: 16-bit samples are scaled down, floats range from 0 to 1, alpha is
/// dropped. Throws BadInput.
Picture load_picture(const std::string &path);

} // namespace fluorite::demo
