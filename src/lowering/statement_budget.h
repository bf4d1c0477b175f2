#pragma once
// Counting what a statement has grown to, and refusing more than its budget (loopnest/budget.h).

#include "ir/stmt.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// The nodes of a statement as the budget counts them; stops counting once they are more than `most`.
size_t count_nodes(const ir::Stmt &stmt, size_t most);

/// Refuses a statement that has grown too large, and says where.
void check_statement(const ir::Stmt &stmt, const PassContext &context);
/// Refuses so many copies of a body.
void check_copies(const ir::For &loop, int64_t copies, const ir::Stmt &body, const PassContext &context);

} // namespace fluorite::lowering
