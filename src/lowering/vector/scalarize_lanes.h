#pragma once
// Laying out a statement lane by lane, inside code that is otherwise made of vectors.

#include "lowering/vector/expr_vectorizer.h"

namespace fluorite::lowering {

/// The statement of the original body once for each lane, in order; names bound to vectors become their lane, widened
/// buffers the lane's copy. Under a mask each copy runs where its lane does.
ir::Stmt scalarize_lanes(const ir::Stmt &stmt, const ExprVectorizer &widener);

} // namespace fluorite::lowering
