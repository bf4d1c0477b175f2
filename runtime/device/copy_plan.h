#pragma once
// Copies between two layouts of the same elements, as boxes of three dimensions.

#include "runtime/device/driver.h"

#include <cstdint>
#include <vector>

namespace fluorite_runtime {

/// One dimension of a copy: steps in bytes on both sides, of any sign.
struct CopyDimension {
    int64_t extent = 1;
    int64_t from_step = 0, to_step = 0;
};

struct CopyPlan {
    /// The box that is copied at each position, with its offsets relative to it.
    Box box;
    /// Dimensions that no box covers; loops over them, the last one innermost, add to the offsets.
    std::vector<CopyDimension> outer;

    int64_t count() const;
};

/// The plan of a copy of elements of `bytes` bytes. The elements of each side are distinct, or steps are 0. Offsets are
/// those of the element at the first position of every dimension.
CopyPlan plan_copy(int64_t bytes, std::vector<CopyDimension> dimensions, int64_t from_offset, int64_t to_offset);

/// Calls `copy(box)` for each box, until it returns a status that failed.
template <typename Copy> Status for_each_box(const CopyPlan &plan, const Copy &copy) {
    std::vector<int64_t> at(plan.outer.size(), 0);
    Box box = plan.box;
    for (int64_t left = plan.count(); left > 0; left--) {
        if (Status status = copy(box); status.failed()) {
            return status;
        }
        for (size_t d = at.size(); d-- > 0;) {
            const CopyDimension &dim = plan.outer[d];
            box.from.offset += static_cast<uint64_t>(dim.from_step);
            box.to.offset += static_cast<uint64_t>(dim.to_step);
            if (++at[d] < dim.extent) {
                break;
            }
            box.from.offset -= static_cast<uint64_t>(dim.from_step * dim.extent);
            box.to.offset -= static_cast<uint64_t>(dim.to_step * dim.extent);
            at[d] = 0;
        }
    }
    return {};
}

} // namespace fluorite_runtime
