#pragma once
// How operands of an operator are checked and brought to one type, and how constant results are folded.

#include "fluorite/located.h"
#include "ir/expr_node.h"

#include <span>
#include <string>

namespace fluorite::language {

struct Operands {
    Expr a, b;
};

/// The name of an operator or function as messages show it, and the place that they point to.
struct Site {
    const char *op;
    Location location;
};

[[noreturn]] void fail_operand(const Site &site, const char *slug, const std::string &text);

/// The operand as an Expr; throws where it is undefined or a text or pointer.
Expr checked(const Site &site, const LocatedExpr &operand);
/// A C++ number as a constant of the type, for where the type is given (an assignment, a limit): throws where the type
/// cannot represent it, but for the rounding of floats.
Expr literal_as(const Site &site, Type type, const LocatedExpr &literal);

/// The operands in their common type (fluorite/ops.h says which).
Operands match(const Site &site, const LocatedExpr &a, const LocatedExpr &b);
Operands match(const Site &site, const Expr &a, const Expr &b);
/// As `match`, and throws unless the common type is an integer.
Operands match_integers(const Site &site, const LocatedExpr &a, const LocatedExpr &b);
/// A condition: Bool; the constants 0 and 1 are converted.
Expr checked_condition(const Site &site, const LocatedExpr &operand);
Expr checked_integer(const Site &site, const LocatedExpr &operand);
/// float16, bfloat16, float32 and float64 as they are, integers as float32.
Expr checked_float(const Site &site, const LocatedExpr &operand);

/// Whether a value may be converted to a coordinate: constants beyond 32 bits would become others.
bool fits_int32(const Expr &value);
/// Throws CompileError [bad-type] where no value can have the type.
void check_type(const Type &type, const std::string &who, const Location &location);
/// Whether undef is part of the expression.
bool has_undef(const Expr &expr);

// Nodes whose constant operands fold.
Expr folded(const Expr &node);
Expr binary(ir::ExprKind kind, const Expr &a, const Expr &b);
Expr unary(ir::ExprKind kind, const Expr &a);
Expr convert(Type type, const Expr &value);
Expr choose(const Expr &condition, const Expr &a, const Expr &b);
Expr math(ir::MathOp op, std::span<const Expr> args);

} // namespace fluorite::language
