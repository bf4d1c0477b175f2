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

/// Marks a buffer as the calling rank's part of an image. As long as the object exists, calls of compiled pipelines
/// that are given the buffer's header treat it as the image. The mark is a flag and a pointer in the header's padding,
/// so copies of the header are ordinary buffers. Of two objects for one header, the later one counts. The header has to
/// outlive the object.
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
