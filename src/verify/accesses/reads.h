#pragma once
// Access safety: the extents of tensors, and witnesses that reads are within them.

#include "verify/from_graph/convert.h"

#include <string>
#include <vector>

namespace fluorite::verify {

/// The extents that are allocated for a tensor, outermost first (`shape` in proofs/Safety.v).
std::vector<Index> shape_of(const Term &term);

/// Witnesses that each index of each read is in bounds, in the order of proofs/Safety.v; throws Unsupported with the
/// read for which there is none.
std::vector<std::string> witnesses_of_reads(const Facts &facts, const std::vector<Tensor> &inputs, const Term &program);

} // namespace fluorite::verify
