#pragma once
// How Funcs lie in memory: circular buffers, extents in memory, and memory that is taken further out.

#include "loopnest/loop_nest.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// Phase Split to Split: addresses folded dimensions modulo their size, gives realizes their extents in memory, and
/// merges those of Funcs whose memory is taken further out with the places where it is taken.
ir::Stmt lay_out_storage(const ir::Stmt &stmt, const loopnest::BoundedLoopNest &nest, const PassContext &context);

/// Whether a realize is only the place where memory is taken, around the one where the Func is stored.
bool only_takes_memory(const ir::Realize &realize, const PassContext &context);

} // namespace fluorite::lowering
