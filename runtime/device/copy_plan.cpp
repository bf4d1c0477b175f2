// Plans copies between strided layouts.
//
// What: a device copies rows of bytes, rows of them, and planes of those in one call. Nearly every buffer is one such
// box: an image with padded rows is one of two dimensions, one channel of interleaved pixels has rows of one element.
//
// Method: a dimension of extent 1, and one that steps nowhere on both sides, is dropped; one that steps backwards on
// both sides starts at its other end. The rest is sorted by steps, innermost first. Dimensions that continue each
// other on both sides are joined; the one whose elements adjoin becomes the row; of all pairs that the pitches allow,
// the one with the most elements becomes rows and planes. What is left becomes loops.
//
//     uint8, 640 x 480 x 3, planes of 640 x 512 on the device, dense on the host:
//         row of 307200 bytes, 3 rows, pitches 307200 and 327680
//
// Relies on: elements of a side do not overlap, except where they are the same. Does not do: copies of gaps; bytes
// between elements stay. Cost: a sort of at most 64 dimensions.

#include "runtime/device/copy_plan.h"

#include <algorithm>
#include <cstdlib>

namespace fluorite_runtime {

namespace {

using Dimensions = std::vector<CopyDimension>;

/// Drops what moves nowhere, and lets steps be positive where both sides allow it.
void normalize(Dimensions &dimensions, int64_t &from_offset, int64_t &to_offset) {
    std::erase_if(dimensions,
                  [](const CopyDimension &d) { return d.extent == 1 || (d.from_step == 0 && d.to_step == 0); });
    for (CopyDimension &d : dimensions) {
        if (d.from_step < 0 && d.to_step < 0) {
            from_offset += d.from_step * (d.extent - 1);
            to_offset += d.to_step * (d.extent - 1);
            d.from_step = -d.from_step;
            d.to_step = -d.to_step;
        }
    }
    std::stable_sort(dimensions.begin(), dimensions.end(), [](const CopyDimension &a, const CopyDimension &b) {
        return std::abs(a.to_step) != std::abs(b.to_step) ? std::abs(a.to_step) < std::abs(b.to_step)
                                                          : std::abs(a.from_step) < std::abs(b.from_step);
    });
}

/// Joins dimensions that continue each other on both sides.
void join(Dimensions &dimensions) {
    for (size_t k = 0; k < dimensions.size(); k++) {
        const auto continues = [&](const CopyDimension &d) {
            const CopyDimension &inner = dimensions[k];
            return d.from_step == inner.from_step * inner.extent && d.to_step == inner.to_step * inner.extent;
        };
        for (auto next = std::find_if(dimensions.begin(), dimensions.end(), continues); next != dimensions.end();
             next = std::find_if(dimensions.begin(), dimensions.end(), continues)) {
            const auto at = static_cast<size_t>(next - dimensions.begin());
            dimensions[k].extent *= next->extent;
            dimensions.erase(next);
            k -= at < k ? 1 : 0;
        }
    }
}

/// Makes a dimension whose elements adjoin on both sides part of the row.
void take_row(Dimensions &dimensions, Box &box) {
    const auto bytes = static_cast<int64_t>(box.row_bytes);
    const auto found = std::find_if(dimensions.begin(), dimensions.end(),
                                    [&](const CopyDimension &d) { return d.from_step == bytes && d.to_step == bytes; });
    if (found != dimensions.end()) {
        box.row_bytes *= static_cast<uint64_t>(found->extent);
        dimensions.erase(found);
    }
}

bool can_be_rows(const CopyDimension &d, const Box &box) {
    const auto least = static_cast<int64_t>(box.row_bytes);
    return d.from_step >= least && d.to_step >= least;
}

bool can_be_planes(const CopyDimension &d, const CopyDimension &rows) {
    return d.from_step >= rows.from_step * rows.extent && d.to_step >= rows.to_step * rows.extent &&
           d.from_step % rows.from_step == 0 && d.to_step % rows.to_step == 0;
}

/// Makes dimensions the rows and planes of the box: those of which the fewest boxes remain.
void take_rows_and_planes(Dimensions &dimensions, Box &box) {
    const size_t none = dimensions.size();
    size_t rows = none, planes = none;
    int64_t most = 1;
    for (size_t r = 0; r < none; r++) {
        for (size_t p = 0; p <= none && can_be_rows(dimensions[r], box); p++) {
            const bool has_planes = p != none && p != r && can_be_planes(dimensions[p], dimensions[r]);
            const int64_t covered = dimensions[r].extent * (has_planes ? dimensions[p].extent : 1);
            if (covered > most) {
                most = covered;
                rows = r;
                planes = has_planes ? p : none;
            }
        }
    }
    if (rows != none) {
        box.rows = static_cast<uint64_t>(dimensions[rows].extent);
        box.from.row_pitch = static_cast<uint64_t>(dimensions[rows].from_step);
        box.to.row_pitch = static_cast<uint64_t>(dimensions[rows].to_step);
    }
    box.from.plane_pitch = box.rows * box.from.row_pitch;
    box.to.plane_pitch = box.rows * box.to.row_pitch;
    if (planes != none) {
        box.planes = static_cast<uint64_t>(dimensions[planes].extent);
        box.from.plane_pitch = static_cast<uint64_t>(dimensions[planes].from_step);
        box.to.plane_pitch = static_cast<uint64_t>(dimensions[planes].to_step);
    }
    for (const size_t taken : {std::max(rows, planes), std::min(rows, planes)}) {
        if (taken < none) {
            dimensions.erase(dimensions.begin() + static_cast<ptrdiff_t>(taken));
        }
    }
}

} // namespace

int64_t CopyPlan::count() const {
    int64_t boxes = box.row_bytes == 0 ? 0 : 1;
    for (const CopyDimension &d : outer) {
        boxes *= d.extent;
    }
    return boxes;
}

CopyPlan plan_copy(int64_t bytes, std::vector<CopyDimension> dimensions, int64_t from_offset, int64_t to_offset) {
    CopyPlan plan;
    if (std::any_of(dimensions.begin(), dimensions.end(), [](const CopyDimension &d) { return d.extent <= 0; })) {
        return plan;
    }
    normalize(dimensions, from_offset, to_offset);
    Box &box = plan.box;
    box.row_bytes = static_cast<uint64_t>(bytes);
    join(dimensions);
    take_row(dimensions, box);
    box.from.row_pitch = box.to.row_pitch = box.row_bytes;
    take_rows_and_planes(dimensions, box);
    box.from.offset = static_cast<uint64_t>(from_offset);
    box.to.offset = static_cast<uint64_t>(to_offset);
    plan.outer.assign(dimensions.rbegin(), dimensions.rend());
    return plan;
}

} // namespace fluorite_runtime
