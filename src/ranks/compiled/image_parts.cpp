// The notes are by the address of the header, so buffers stay the plain structs that compiled functions take: the same
// function is given a whole buffer or a part of an image.

#include "ranks/compiled/image_parts.h"

#include "fluorite/errors.h"
#include "ranks/plan/plan_rank.h"
#include "support/check.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

namespace fluorite::distribute {

namespace {

struct Notes {
    std::mutex mutex;
    struct Note {
        ImagePart part;
        const void *image;
    };
    std::map<const fluorite_buffer_t *, Note> parts;

    /// Never destroyed: images in static objects forget their parts when the process ends.
    static Notes &get() {
        static Notes *const all = new Notes;
        return *all;
    }
};

} // namespace

void note_part(const fluorite_buffer_t *header, const ImagePart &part, const void *image) {
    Notes &notes = Notes::get();
    const std::lock_guard lock(notes.mutex);
    notes.parts[header] = {part, image};
}

void forget_part(const fluorite_buffer_t *header, const void *image) {
    Notes &notes = Notes::get();
    const std::lock_guard lock(notes.mutex);
    const auto found = notes.parts.find(header);
    if (found != notes.parts.end() && found->second.image == image) {
        notes.parts.erase(found);
    }
}

std::optional<ImagePart> find_part(const fluorite_buffer_t *header) {
    Notes &notes = Notes::get();
    const std::lock_guard lock(notes.mutex);
    const auto found = notes.parts.find(header);
    return found == notes.parts.end() ? std::nullopt : std::optional(found->second.part);
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
