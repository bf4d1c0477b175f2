#pragma once
// The pieces of an innermost loop before and after its interior.

#include "lowering/loops/steady_state.h"

namespace fluorite::lowering {

/// The nodes that are steady in all iterations before, and after, the interior of an innermost loop, and the mirrored
/// or repeated coordinates that rise while the edges of their image stay: before the interior no lane is above the
/// image, after it none below.
struct EdgeState {
    ir::ExprMap<LikelyNode> before, after;
    ir::ExprMap<bool> rising;
};

/// `lets` are the values of the lets around the loop.
EdgeState find_edge_state(const ir::For &loop, const SteadyState &steady, const ir::SymbolMap<Expr> &lets);

} // namespace fluorite::lowering
