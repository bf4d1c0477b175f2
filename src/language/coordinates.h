#pragma once
// Coordinates of calls: expands `_`, checks the number of arguments, converts to Int32.

#include "ir/expr_node.h"

#include <string>
#include <vector>

namespace fluorite::language {

/// The index of `_` among the arguments, or -1.
int find_placeholder(const std::vector<Expr> &args, const std::string &what, const Location &location);
/// Replaces `_` by `count` implicit Vars.
std::vector<Expr> expand_placeholder(const std::vector<Expr> &args, int position, int count);
/// One more than the greatest index of an implicit Var in the expressions.
int implicit_var_count(const std::vector<Expr> &exprs);

/// The coordinates of a call of an object with `dimensions` dimensions. Throws CompileError for a wrong number of
/// arguments or a wrong type. `what` is the object's name for messages.
std::vector<Expr> call_coordinates(const std::vector<Expr> &args, int dimensions, const std::string &what,
                                   const Location &location);
/// Converts integers to Int32; throws for other types.
std::vector<Expr> integer_coordinates(const std::vector<Expr> &args, const std::string &what, const Location &location);

} // namespace fluorite::language
