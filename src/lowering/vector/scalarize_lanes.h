#pragma once
// Scalarization of a statement inside vectorized code.

#include "lowering/vector/expr_vectorizer.h"

namespace fluorite::lowering {

/// Repeats the statement of the original body for each lane, in order. Symbols bound to vectors are replaced by the
/// lane's value, and accesses of widened buffers go to the lane's copy. Under a mask, each copy is executed only if its
/// lane is active.
ir::Stmt scalarize_lanes(const ir::Stmt &stmt, const ExprVectorizer &widener);

} // namespace fluorite::lowering
