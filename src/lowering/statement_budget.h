#pragma once
// Counts the nodes of a statement, and refuses those that exceed the budget (loopnest/budget.h).

#include "ir/stmt.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// The number of nodes as the budget counts them; counting stops once it exceeds `most`.
size_t count_nodes(const ir::Stmt &stmt, size_t most);

/// Refuses a statement that is too large, and names the Func with the largest part of it.
void check_statement(const ir::Stmt &stmt, const PassContext &context);
/// Refuses to unroll a loop if the copies of its body exceed the budget.
void check_copies(const ir::For &loop, int64_t copies, const ir::Stmt &body, const PassContext &context);

} // namespace fluorite::lowering
