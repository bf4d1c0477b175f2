#pragma once
// The threads of a kernel.

#include "lowering/pass_context.h"

#include <vector>

namespace fluorite::lowering {

struct FusedThreads {
    ir::Stmt body;                   // without loops over threads
    std::vector<ir::Symbol> threads; // the indices, the innermost dimension first; none if there is no such loop
    std::vector<Expr> extents;       // of the block in these dimensions, in terms of what the kernel gets
};

/// Replaces the loops over threads of a kernel by one index for each dimension of its block. `blocks` are the indices
/// of the block and their extents. Throws CompileError for loops that are no dimensions of a block; see
/// fuse_threads.cpp.
FusedThreads fuse_threads(const ir::Stmt &body, const std::vector<ir::Symbol> &blocks,
                          const std::vector<Expr> &block_extents, const PassContext &context);

/// Puts loops over threads that stand in one another directly inside of each other; see nest_threads.cpp.
ir::Stmt nest_threads(const ir::Stmt &body);

/// Moves conditions around several pieces of the work of threads to each of them, so that no barrier will stand under a
/// condition; see guard_work.cpp.
ir::Stmt guard_work(const ir::Stmt &body, const PassContext &context);

/// Puts barriers between accesses of different threads of a block to the same memory, of which one is a store; see
/// place_barriers.cpp.
ir::Stmt place_barriers(const ir::Stmt &body);

} // namespace fluorite::lowering
