#pragma once
// The memory that stages take in blocks of a device, as the bounded loop nest says.

#include "loopnest/explain/nest_values.h"

namespace fluorite::autoschedule {

struct BlockBytes {
    int64_t most = 0;   // of all blocks, at the given sizes of the outputs or at larger ones, whichever is more
    bool grows = false; // with the sizes
};

/// What a Func takes that is computed in the blocks of another one. None where no bound is known before the kernel
/// runs.
std::optional<BlockBytes> bytes_in_blocks(const loopnest::BoundedLoopNest &nest, const std::vector<int32_t> &sizes,
                                          FuncId member, FuncId of);

/// Whether the loops of a Func that are unrolled or vectors have constant extents.
bool has_constant_loops(const loopnest::BoundedLoopNest &nest, const std::vector<int32_t> &sizes, FuncId func);

} // namespace fluorite::autoschedule
