#pragma once
// Coordinates of calls: `_` expanded, numbers counted, everything Int32.

#include "ir/expr_node.h"

#include <string>
#include <vector>

namespace fluorite::language {

/// The index of `_` among the arguments, or -1.
int find_placeholder(const std::vector<Expr> &args, const std::string &what, const Location &location);
/// `_` replaced by `count` implicit Vars.
std::vector<Expr> expand_placeholder(const std::vector<Expr> &args, int position, int count);
/// The greatest index of an implicit Var in the expressions, plus one.
int implicit_var_count(const std::vector<Expr> &exprs);

/// The coordinates of a call of something with `dimensions` dimensions; throws CompileError where their number or a
/// type is wrong. `what` is the name for messages.
std::vector<Expr> call_coordinates(const std::vector<Expr> &args, int dimensions, const std::string &what,
                                   const Location &location);
/// Integers as Int32; throws for others.
std::vector<Expr> integer_coordinates(const std::vector<Expr> &args, const std::string &what, const Location &location);

} // namespace fluorite::language
