// Buffers stay the plain structs that compiled functions take: the same function is given a whole buffer or a part of
// an image.

#include "ranks/compiled/image_parts.h"

#include "fluorite/errors.h"
#include "ranks/plan/plan_rank.h"
#include "support/check.h"

#include <algorithm>
#include <limits>

namespace fluorite::distribute {

/// Of fluorite_buffer_t::flags: the padding points to an ImageHeader.
static constexpr uint64_t is_of_image = uint64_t{1} << 62;

ImageHeader::ImageHeader(fluorite_buffer_t *header, ImagePart part) : header_(header), part_(std::move(part)) {
    header->flags |= is_of_image;
    header->padding = this;
}

ImageHeader::~ImageHeader() {
    if (header_->padding == this) { // else it has become another image's
        header_->flags &= ~is_of_image;
        header_->padding = nullptr;
    }
}

const ImagePart *ImageHeader::find(const fluorite_buffer_t *header) {
    if (header == nullptr || (header->flags & is_of_image) == 0) {
        return nullptr;
    }
    const auto *const found = static_cast<const ImageHeader *>(header->padding);
    return found->header_ == header ? &found->part_ : nullptr;
}

Box owned_by(const Box &domain, const Placement &placement, int64_t rank, int64_t ranks, const std::string &name) {
    Box owned = layout_of(placement, domain, ranks, name).slice(rank);
    return empty(owned) ? Box(domain.size()) : owned;
}

std::vector<fluorite_dimension_t> dense_dimensions(const Box &box, const std::string &name) {
    std::vector<fluorite_dimension_t> dims;
    int64_t stride = 1;
    for (const Span &span : box) {
        dims.emplace_back(static_cast<int32_t>(span.begin), static_cast<int32_t>(span.extent()),
                          static_cast<int32_t>(stride));
        stride *= std::max<int64_t>(span.extent(), 1);
        if (stride > std::numeric_limits<int32_t>::max()) {
            throw RuntimeError("buffer-too-large",
                               concat("in ", name, ": the part of this rank has ", stride, " elements in ", dims.size(),
                                      " dimensions; strides are 32-bit; use more ranks, "
                                      "or cut other dimensions"));
        }
    }
    return dims;
}

} // namespace fluorite::distribute
