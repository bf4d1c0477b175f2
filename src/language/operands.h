#pragma once
// Checks the operands of an operator, brings them to one type, and folds constant results.

#include "fluorite/located.h"
#include "ir/expr_node.h"

#include <span>
#include <string>
#include <vector>

namespace fluorite::language {

struct Operands {
    Expr a, b;
};

/// The name of an operator or function for messages, and the user's location.
struct Site {
    const char *op;
    Location location;
};

/// The location of the first operand, or else of the second.
inline Location place_of(const LocatedExpr &a, const LocatedExpr &b) {
    return a.location.known() ? a.location : b.location;
}

[[noreturn]] void fail_operand(const Site &site, const char *slug, const std::string &text);

/// The operand as an Expr. Throws if it is undefined, a text or a pointer.
Expr checked(const Site &site, const LocatedExpr &operand);
/// A C++ number as a constant of a given type (for an assignment or a limit). Throws where the type cannot represent
/// it, except for the rounding of floats.
Expr literal_as(const Site &site, Type type, const LocatedExpr &literal);

/// The operands converted to their common type, which fluorite/ops.h defines.
Operands match(const Site &site, const LocatedExpr &a, const LocatedExpr &b);
Operands match(const Site &site, const Expr &a, const Expr &b);
/// As `match`; throws unless the common type is an integer.
Operands match_integers(const Site &site, const LocatedExpr &a, const LocatedExpr &b);
/// A condition: Bool; the constants 0 and 1 are converted.
Expr checked_condition(const Site &site, const LocatedExpr &operand);
Expr checked_integer(const Site &site, const LocatedExpr &operand);
/// float16, bfloat16, float32 and float64 unchanged; integers converted to float32.
Expr checked_float(const Site &site, const LocatedExpr &operand);

/// Whether conversion to the type changes no value that the expression can have.
bool is_value_of(Type type, const Expr &value);
/// Whether a value converts to a coordinate: constants beyond 32 bits would change their value.
bool fits_int32(const Expr &value);
/// As Int32. A computed value beyond 32 bits becomes the nearest one of 32 bits, not another number.
Expr nearest_int32(const Expr &value);
/// Throws CompileError [bad-type] for a type that no value can have.
void check_type(const Type &type, const std::string &who, const Location &location);
/// The same for values of Funcs and images, which are scalars.
void check_element_type(const Type &type, const std::string &who, const Location &location);
/// The types with commas between them.
std::string types_text(const std::vector<Type> &types);
/// Whether the expression contains undef.
bool has_undef(const Expr &expr);

// Nodes that fold if their operands are constants.
Expr folded(const Expr &node);
Expr binary(ir::ExprKind kind, const Expr &a, const Expr &b);
Expr unary(ir::ExprKind kind, const Expr &a);
Expr convert(Type type, const Expr &value);
Expr choose(const Expr &condition, const Expr &a, const Expr &b);
Expr math(ir::MathOp op, std::span<const Expr> args);

} // namespace fluorite::language
