// Images of C programs, of which each rank has a part (fluorite/runtime_ranks.h).
//
// An image is a header over the rank's memory, which says that it is an image's (image_parts.h). Pipelines that are
// called with the header find the whole image and its layout there.

#include "fluorite/errors.h"
#include "fluorite/runtime_ranks.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/compiled/current_ranks.h"
#include "ranks/compiled/image_parts.h"
#include "ranks/compiled/report_errors.h"
#include "support/check.h"

#include <algorithm>
#include <limits>
#include <memory>

using namespace fluorite;
using namespace fluorite::distribute;

struct fluorite_rank_image_t {
    std::string name;
    std::vector<fluorite_dimension_t> dims, part;
    fluorite_buffer_t header{};
    std::optional<ImageHeader> mark; // of the header
    OwnedArray memory;
};

namespace {

[[noreturn]] void refuse(const std::string &name, const std::string &text) {
    throw RuntimeError("bad-distribution", concat("in ", name, ": ", text));
}

Box whole_of(const std::string &name, const fluorite_buffer_t *whole) {
    if (whole == nullptr || whole->dimensions < 0 || (whole->dimensions > 0 && whole->dim == nullptr)) {
        refuse(name, "an image is made without sizes; it has those of the buffer `whole`, which has an array of "
                     "dimensions; pass one");
    }
    Box domain;
    for (int32_t d = 0; d < whole->dimensions; d++) {
        const fluorite_dimension_t &dim = whole->dim[d];
        domain.push_back({dim.min, int64_t{dim.min} + dim.extent});
        if (dim.extent < 1 || domain.back().last() > std::numeric_limits<int32_t>::max()) {
            refuse(name, concat("an image of ", dim.extent, " elements from ", dim.min, " on along dimension ", d,
                                " is made; it has one or more along each dimension, whose coordinates are int32; pass "
                                "such sizes"));
        }
    }
    return domain;
}

Placement placement_of(const std::string &name, const fluorite_placement_t *given, size_t dimensions) {
    Placement placement;
    if (given == nullptr || given->cuts == 0) {
        return placement;
    }
    if (given->cuts < 0 || given->dimensions == nullptr) {
        refuse(name, concat("its placement has ", given->cuts, " cuts",
                            given->dimensions == nullptr ? " and no list of dimensions" : "",
                            "; each cut is of a dimension; give the list, or 0 cuts"));
    }
    placement.kind = Placement::Kind::Blocks;
    placement.tiles.assign(given->tiles == nullptr ? 0 : dimensions, 1);
    for (int32_t i = 0; i < given->cuts; i++) {
        const int32_t dimension = given->dimensions[i];
        const auto cut = static_cast<size_t>(dimension);
        const bool is_cut = std::count(placement.dimensions.begin(), placement.dimensions.end(), cut) > 0;
        if (dimension < 0 || cut >= dimensions || is_cut) {
            refuse(name, concat("its placement cuts dimension ", dimension, is_cut ? " twice" : "", "; the image has ",
                                dimensions, " dimensions, of which each is cut once at most; name others"));
        }
        const int32_t parts = given->grid == nullptr ? 1 : given->grid[i];
        const int32_t tile = given->tiles == nullptr ? 1 : given->tiles[i];
        if (parts < 1 || tile < 1) {
            refuse(name, concat("its placement cuts dimension ", dimension, " into ", parts, " parts of tiles of ",
                                tile, "; both are 1 or more; pass positive numbers, or no list"));
        }
        placement.dimensions.push_back(cut);
        if (given->grid != nullptr) {
            placement.grid.push_back(parts);
        }
        if (given->tiles != nullptr) {
            placement.tiles[cut] = tile;
        }
    }
    return placement;
}

} // namespace

int fluorite_rank_image_new(void *context, const char *name, const fluorite_buffer_t *whole,
                            const fluorite_placement_t *placement, fluorite_rank_image_t **image) {
    return with_reports(context, [&] {
        const std::string shown = name == nullptr ? "an image" : name;
        if (image == nullptr) {
            refuse(shown, "there is no place for the image that is made; it is stored where `image` points; pass one");
        }
        ImagePart part;
        part.domain = whole_of(shown, whole);
        part.placement = placement_of(shown, placement, part.domain.size());
        const Transport &transport = current_transport();
        part.owned = owned_by(part.domain, part.placement, transport.rank(), transport.ranks(), shown);
        auto made = std::make_unique<fluorite_rank_image_t>();
        made->name = shown;
        made->dims = made->part = dense_dimensions(part.owned, shown);
        made->header.type = whole->type.with_lanes(1);
        made->header.dimensions = whole->dimensions;
        made->header.dim = made->dims.data();
        made->mark.emplace(&made->header, part);
        *image = made.release();
    });
}

void fluorite_rank_image_free(fluorite_rank_image_t *image) {
    delete image; // NOLINT(cppcoreguidelines-owning-memory)
}

fluorite_buffer_t *fluorite_rank_image_buffer(fluorite_rank_image_t *image) { return &image->header; }

const fluorite_dimension_t *fluorite_rank_image_part(const fluorite_rank_image_t *image) { return image->part.data(); }

int fluorite_rank_image_allocate(void *context, fluorite_rank_image_t *image) {
    return with_reports(context, [&] {
        if (image->header.host != nullptr) {
            refuse(image->name,
                   "memory is asked for, and there is memory; an image is allocated once; make another one");
        }
        static uint8_t nothing[128];
        const Box box = box_of(image->header);
        const std::vector<fluorite_dimension_t> dense = dense_dimensions(box, image->name);
        std::copy(dense.begin(), dense.end(), image->dims.begin());
        Box owned;
        for (const fluorite_dimension_t &part : image->part) {
            owned.push_back({part.min, int64_t{part.min} + part.extent});
        }
        image->memory = OwnedArray(box, image->header.type.bytes(), {}, readers_of_image(box, owned));
        image->header.host = empty(box) ? nothing : reinterpret_cast<uint8_t *>(image->memory.view().data); // NOLINT
    });
}
