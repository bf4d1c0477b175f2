#pragma once
// Which buffers are the memory of images of which each rank has a part.

#include "fluorite/runtime_abi.h"
#include "ranks/plan/program.h"

namespace fluorite::distribute {

/// What a rank knows of an image: the whole, how it is cut, and what it has.
struct ImagePart {
    Box domain;
    Placement placement;
    Box owned;
};

/// During its lifetime, a buffer is the calling rank's memory of an image: calls that are given its header then mean
/// the image. The header itself says so, by a flag and by its padding; copies of it are ordinary buffers. The later one
/// of two for one header counts. The header outlives it.
class ImageHeader {
  public:
    ImageHeader(fluorite_buffer_t *header, ImagePart part);
    ~ImageHeader();
    ImageHeader(const ImageHeader &) = delete;
    ImageHeader &operator=(const ImageHeader &) = delete;

    /// Null for an ordinary buffer.
    static const ImagePart *find(const fluorite_buffer_t *header);

  private:
    fluorite_buffer_t *header_;
    ImagePart part_;
};

/// What a rank has of a domain; a box without points, but with all dimensions, if nothing. `name` says of what, in
/// errors (layout_of).
Box owned_by(const Box &domain, const Placement &placement, int64_t rank, int64_t ranks, const std::string &name);

/// The dimensions of dense memory of a box, the first one innermost. Throws RuntimeError [buffer-too-large] where
/// strides do not fit 32 bits; `name` says of what.
std::vector<fluorite_dimension_t> dense_dimensions(const Box &box, const std::string &name);

} // namespace fluorite::distribute
