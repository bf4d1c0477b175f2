#pragma once
// The layout of Funcs in memory: circular buffers, extents in memory, and memory that is allocated further out.

#include "loopnest/loop_nest.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// From phase Split to phase Laid: takes folded dimensions modulo their size, gives each Realize its extents in memory,
/// and merges the Realize of a Func whose memory is allocated further out with the one that allocates it.
ir::Stmt lay_out_storage(const ir::Stmt &stmt, const loopnest::BoundedLoopNest &nest, const PassContext &context);

/// Whether a Realize only allocates memory, around the Realize that defines the Func's box.
bool only_takes_memory(const ir::Realize &realize, const PassContext &context);

} // namespace fluorite::lowering
