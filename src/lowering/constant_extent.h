#pragma once
// Loops that must have a constant number of iterations: the constant, and the error if there is none.

#include "lowering/access/let_scope.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// A constant number of iterations. If `end` is defined, it is only an upper bound: the body runs under `var < end`.
struct ConstantExtent {
    int extent = 0;
    Expr end;
};

/// The constant number of iterations of a loop inside `scope`, or a constant that it does not exceed.
/// Throws CompileError [slug] if no constant bounds the extent; `what` is "unrolled" or "vectorized".
ConstantExtent constant_extent_of(const ir::For &loop, const LetScope &scope, const PassContext &context,
                                  const char *what, const char *slug);

/// The body, under the condition that `var` is before the end of the loop if the constant is only an upper bound.
ir::Stmt guarded_body(const ir::For &loop, const ConstantExtent &extent);

} // namespace fluorite::lowering
