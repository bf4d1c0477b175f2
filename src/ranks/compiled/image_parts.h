#pragma once
// Which buffers are the memory of images of which each rank has a part.

#include "fluorite/runtime_abi.h"
#include "ranks/plan/program.h"

#include <optional>

namespace fluorite::distribute {

/// What a rank knows of an image: the whole, how it is cut, and what it has.
struct ImagePart {
    Box domain;
    Placement placement;
    Box owned;
};

/// Notes that the buffer behind this header is the calling rank's memory of an image; calls that are given the header
/// then mean the image. The note ends with forget_part; both name the object that the image is, so that nobody forgets
/// memory that has become another image's. Thread-safe.
void note_part(const fluorite_buffer_t *header, const ImagePart &part, const void *image);
void forget_part(const fluorite_buffer_t *header, const void *image);
/// Nothing for an ordinary buffer.
std::optional<ImagePart> find_part(const fluorite_buffer_t *header);

/// What a rank has of a domain; a box without points, but with all dimensions, if nothing. `name` says of what, in
/// errors (layout_of).
Box owned_by(const Box &domain, const Placement &placement, int64_t rank, int64_t ranks, const std::string &name);

/// The dimensions of dense memory of a box, the first one innermost. Throws RuntimeError [buffer-too-large] where
/// strides do not fit 32 bits; `name` says of what.
std::vector<fluorite_dimension_t> dense_dimensions(const Box &box, const std::string &name);

} // namespace fluorite::distribute
