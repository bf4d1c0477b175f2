#pragma once
// The values of fluorite/target_queries.h.

#include "fluorite/target.h"
#include "ir/expr_node.h"

namespace fluorite::language {

/// The constant that a query is for a target (undefined: this machine's); undefined for a node that is no query.
Expr value_of_target_query(const ir::ExprNode &node, const Target &target);

} // namespace fluorite::language
