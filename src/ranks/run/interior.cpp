// The interior of a segment's region.
//
// What a segment reads for a box is a question to it, so the interior is searched: from each side of each dimension,
// the smallest cut is found, by doubling and bisection, that removes what is read beyond the available values at some
// side of some array. A cut that does not help against any is not made, so transposed reads and domains' edges, where
// nothing is missing, need no case of their own.
//
// Segments whose loops round up write beyond the box that they are asked for, and values there need not be right: an
// update may stop earlier than the definition before it. So a box may write beyond itself only where boxes follow that
// compute these values again, or where the whole region's computation writes, too. Cuts move inwards, by up to a
// vector, until that holds. Parts of an interior are whole strips of the loops that compute it: a box of half a strip
// is computed as a whole one, whose tail is shifted inwards and writes values twice.

#include "ranks/run/interior.h"

#include <algorithm>

namespace fluorite::distribute {

namespace {

constexpr int64_t widest_vector = 64; // in elements: cuts are moved by less
constexpr int64_t smallest_share = 8; // an interior of less than one of so many parts is not worth its boundary
constexpr int64_t most_reads = 3;     // times what the whole region reads
constexpr int64_t shortest_part = 8;  // rows or planes of the interior that are computed at once, at least

Box written(const SegmentBoxes &boxes) {
    Box all = boxes.writes.at(0);
    for (const Box &box : boxes.writes) {
        all = hull(all, box);
    }
    return all;
}

class RegionSplitter {
  public:
    RegionSplitter(const Segment &segment, const Region &region) : segment_(segment), region_(region) {}

    std::optional<SplitRegion> split(int64_t most_parts) const {
        Box interior = region_.asked;
        if (!shrink(interior)) {
            return std::nullopt;
        }
        if (interior != region_.asked) {
            if (!segment_.may_be_cut || !align(interior) || volume(interior) * smallest_share < volume(region_.asked)) {
                return std::nullopt;
            }
        }
        SplitRegion split{parts_of(interior, segment_.may_be_cut ? most_parts : 1), around(interior)};
        if (is_sound(split)) {
            return split;
        }
        split.interior = {interior};
        if (is_sound(split)) {
            return split;
        }
        return std::nullopt;
    }

  private:
    const Segment &segment_;
    const Region &region_;
    mutable std::vector<std::pair<Box, SegmentBoxes>> known_; // what the segment has answered; some boxes recur

    /// The segment's answer for one box of all arrays that it writes.
    SegmentBoxes boxes_of(const Box &box) const {
        for (const auto &[asked, boxes] : known_) {
            if (asked == box) {
                return boxes;
            }
        }
        known_.emplace_back(box, segment_.boxes(std::vector<Box>(segment_.writes.size(), box)));
        return known_.back().second;
    }

    /// By read array, dimension and side: whether the box reads something there that is not available.
    std::vector<bool> lacking(const Box &box) const {
        const SegmentBoxes boxes = boxes_of(box);
        std::vector<bool> sides;
        for (size_t i = 0; i < boxes.reads.size(); i++) {
            const Box need = intersect(boxes.reads[i], region_.domains[i]);
            for (size_t d = 0; d < need.size(); d++) {
                const bool is_asked = region_.available[i].has_value() && !empty(need);
                const Span have = is_asked ? (*region_.available[i])[d] : Span{};
                sides.push_back(is_asked && (have.empty() || need[d].begin < have.begin));
                sides.push_back(is_asked && (have.empty() || need[d].end > have.end));
            }
        }
        return sides;
    }

    static bool any(const std::vector<bool> &sides) {
        return std::find(sides.begin(), sides.end(), true) != sides.end();
    }

    /// Cuts a box until everything that it reads is available. False where it would become empty.
    bool shrink(Box &box) const {
        std::vector<bool> lacks = lacking(box);
        for (size_t d = box.size(); d-- > 0 && any(lacks);) {
            for (const bool is_begin : {true, false}) {
                const Span whole = box[d];
                const auto cut_by = [&](int64_t cut) {
                    Box part = box;
                    part[d] = is_begin ? Span{whole.begin + cut, whole.end} : Span{whole.begin, whole.end - cut};
                    return part;
                };
                int64_t bad = 0, good = whole.extent() - 1;
                if (good < 1) {
                    continue;
                }
                std::vector<bool> removed = lacking(cut_by(good));
                for (size_t i = 0; i < removed.size(); i++) {
                    removed[i] = lacks[i] && !removed[i];
                }
                if (!any(removed)) {
                    continue;
                }
                bool is_near = true; // halos are narrow: from the side inwards, until one cut is good
                while (good - bad > 1) {
                    const int64_t middle = is_near ? std::min(2 * bad + 1, good - 1) : bad + (good - bad) / 2;
                    std::vector<bool> left = lacking(cut_by(middle));
                    for (size_t i = 0; i < left.size(); i++) {
                        left[i] = left[i] && removed[i];
                    }
                    is_near = is_near && any(left);
                    (any(left) ? bad : good) = middle;
                }
                box = cut_by(good);
                lacks = lacking(box);
            }
        }
        return !any(lacks);
    }

    /// Moves cuts inwards until the boundary does not write into the interior.
    bool align(Box &interior) const {
        for (size_t d = 0; d < interior.size(); d++) {
            const Span whole = region_.asked[d];
            const auto slab_is_sound = [&](Span span) {
                Box slab = region_.asked;
                slab[d] = span;
                const Box writes = written(boxes_of(slab));
                return contains(region_.computed, writes) &&
                       (span.begin == whole.begin ? writes[d].end <= span.end : writes[d].begin >= span.begin);
            };
            Span &cut = interior[d];
            for (int64_t moved = 0; cut.begin > whole.begin && !slab_is_sound({whole.begin, cut.begin}); moved++) {
                if (moved == widest_vector || ++cut.begin >= cut.end) {
                    return false;
                }
            }
            for (int64_t moved = 0; cut.end < whole.end && !slab_is_sound({cut.end, whole.end}); moved++) {
                if (moved == widest_vector || --cut.end <= cut.begin) {
                    return false;
                }
            }
        }
        return true;
    }

    /// The least extent of a part along a dimension: whole strips, which show as what is written for a single row.
    int64_t step_of_parts(const Box &interior, size_t d) const {
        Box row = interior;
        const int64_t middle = interior[d].begin + interior[d].extent() / 2;
        row[d] = {middle, middle + 1};
        const int64_t strip = std::max<int64_t>(1, written(boxes_of(row))[d].extent());
        return (shortest_part + strip - 1) / strip * strip;
    }

    /// Slabs of the interior along its last dimension.
    std::vector<Box> parts_of(const Box &interior, int64_t most) const {
        size_t d = interior.size();
        while (d > 0 && interior[d - 1].extent() == 1) {
            d--;
        }
        const int64_t extent = d == 0 ? 1 : interior[d - 1].extent();
        const int64_t step = d == 0 || most < 2 ? 1 : step_of_parts(interior, d - 1);
        const int64_t steps = (extent + step - 1) / step;
        const int64_t count = std::max<int64_t>(1, std::min(most, extent / step));
        std::vector<Box> parts;
        for (int64_t i = 0; i < count; i++) {
            Box part = interior;
            if (count > 1) {
                const Span whole = interior[d - 1];
                const auto bound = [&](int64_t at) {
                    return at == count ? whole.end : whole.begin + steps * at / count * step;
                };
                part[d - 1] = {bound(i), bound(i + 1)};
            }
            parts.push_back(part);
        }
        return parts;
    }

    /// The region without the interior. Later dimensions are cut first: their slabs have the longest rows.
    std::vector<Box> around(const Box &interior) const {
        std::vector<Box> boxes;
        Box rest = region_.asked;
        for (size_t d = rest.size(); d-- > 0;) {
            for (const Span span : {Span{rest[d].begin, interior[d].begin}, Span{interior[d].end, rest[d].end}}) {
                if (!span.empty()) {
                    boxes.push_back(rest);
                    boxes.back()[d] = span;
                }
            }
            rest[d] = interior[d];
        }
        return boxes;
    }

    bool is_sound(const SplitRegion &split) const {
        std::vector<Box> order = split.interior;
        order.insert(order.end(), split.boundary.begin(), split.boundary.end());
        const SegmentBoxes whole = boxes_of(region_.asked);
        std::vector<int64_t> read(whole.reads.size(), 0);
        for (size_t j = 0; j < order.size(); j++) {
            const SegmentBoxes boxes = boxes_of(order[j]);
            const Box writes = written(boxes);
            bool is_right = contains(region_.computed, writes) && contains(writes, order[j]);
            for (size_t i = 0; i < j; i++) {
                is_right = is_right && empty(intersect(writes, order[i]));
            }
            for (size_t i = 0; i < read.size(); i++) {
                read[i] += volume(boxes.reads[i]);
                // There is no memory beyond what the whole region reads.
                is_right = is_right && contains(whole.reads[i], boxes.reads[i]) &&
                           read[i] <= most_reads * volume(whole.reads[i]);
            }
            if (!is_right || (j < split.interior.size() && any(lacking(order[j])))) {
                return false;
            }
        }
        return true;
    }
};

} // namespace

std::optional<SplitRegion> split_region(const Segment &segment, const Region &region, int64_t most_parts) {
    if (empty(region.asked)) {
        return SplitRegion{};
    }
    return RegionSplitter(segment, region).split(most_parts);
}

} // namespace fluorite::distribute
