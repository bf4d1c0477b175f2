#pragma once
// The part of a segment's region that can be computed before messages are there, and the rest.

#include "ranks/plan/program.h"

#include <optional>

namespace fluorite::distribute {

/// A region as boxes that are computed one after the other. Together they are the region, and they are disjoint.
struct SplitRegion {
    std::vector<Box> interior; // needs available values only
    std::vector<Box> boundary; // the rest
};

/// What a segment is to compute on one rank.
struct Region {
    Box asked;    // what others need
    Box computed; // what the segment writes for that
    /// By read array: the values that are there before the messages; of arrays without messages, nothing is said.
    std::vector<std::optional<Box>> available;
    std::vector<Box> domains; // by read array: values outside are used by nobody
};

/// Cuts the region of a segment. The interior is a box, in up to `most_parts` slabs. Nothing is found where no box of
/// an eighth of the region or more has its needs available, or where cutting would change values or cost too much:
/// where a box's computation writes beyond the box into boxes that were computed before it, or beyond the region, or
/// where the boxes together read three times what the region reads. Cost: some ten calls of Segment::boxes for each
/// dimension.
std::optional<SplitRegion> split_region(const Segment &segment, const Region &region, int64_t most_parts);

} // namespace fluorite::distribute
