#pragma once
// Arrays that are read beyond their edges, where they repeat themselves.

#include "ranks/compiled/segment_call.h"

namespace fluorite::distribute {

/// The edges of all views, by view and dimension; nothing in dimensions that do not wrap around. `numbers` are those of
/// the function of numbers.
std::vector<Box> edges_of_views(const SegmentsDescription &description, const std::vector<int64_t> &numbers);

/// What is known of the arrays when views become arrays of a program.
struct ViewedArrays {
    const SegmentsDescription &description;
    const std::vector<Box> &edges;     // by view
    const std::vector<bool> &has_part; // by array: inputs of which each rank has a part
    const std::shared_ptr<const CallSlot> &slot;
};

/// Adds an inner array for each view, behind the described ones. Precondition: the program has the described arrays.
void add_view_arrays(const ViewedArrays &viewed, DistributedProgram &program);
/// Adds the segments that copy the views of an array from it. Where each rank has the whole of an input, the copy takes
/// it from the buffer that the call binds.
void add_view_copies(const ViewedArrays &viewed, size_t array, DistributedProgram &program);

/// An array whose domain is what its view repeats is periodic itself: then the view and its copy are left out.
/// `domains` are by array of the program, `outputs` numbers of arrays; both are kept up to date. Throws like
/// domains_of.
void leave_out_views(const SegmentsDescription &description, DistributedProgram &program, std::vector<Box> &domains,
                     std::vector<size_t> &outputs);

} // namespace fluorite::distribute
