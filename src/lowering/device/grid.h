#pragma once
// The grid of a kernel.

#include "lowering/pass_context.h"

#include <vector>

namespace fluorite::lowering {

/// The loops over blocks of a nest, and what each block executes.
struct Grid {
    ir::Symbol loop;                // the outermost loop, for messages
    std::vector<ir::Symbol> blocks; // the indices of a block, from 0 on, the innermost first
    std::vector<Expr> extents;      // in these dimensions, in terms of what is outside of the nest
    ir::Stmt body;                  // in terms of the indices
};

/// Throws CompileError for loops that are no dimensions of a grid; see grid.cpp.
Grid grid_of(const ir::Stmt &outermost, const PassContext &context);

/// Throws CompileError [gpu-not-possible] about a loop over blocks.
[[noreturn]] void refuse_kernel(const ir::Symbol &loop, const std::string &what);

} // namespace fluorite::lowering
