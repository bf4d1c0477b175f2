#pragma once
// Constant folding: the meaning of every pure scalar operation on constants, exactly as ir/expr_kinds.def states it.
// The simplifier, the language layer and tests fold through here, so there is one statement of the semantics in code.

#include "ir/expr_node.h"

#include <optional>
#include <span>

namespace fluorite::rewrite {

/// One scalar of an integer, bool or float type.
/// Integers hold their value sign-extended (Int) or zero-extended (UInt) to 64 bits; floats hold the bits of a double
/// that equals them.
struct Scalar {
    Type type; // one lane
    uint64_t bits = 0;

    int64_t as_int() const { return static_cast<int64_t>(bits); }
    uint64_t as_uint() const { return bits; }
    double as_float() const;
    bool is_zero() const;
    /// Same type and same bits (NaN equals itself, -0.0 differs from 0.0).
    bool operator==(const Scalar &) const = default;
};

/// Wraps into the range of the type; for float types, converts and rounds once.
Scalar int_scalar(Type type, int64_t value);
Scalar uint_scalar(Type type, uint64_t value);
/// Rounds once to the type.
Scalar float_scalar(Type type, double value);
Scalar bool_scalar(bool value);

/// The constant behind any broadcasts; nothing for other expressions.
std::optional<Scalar> scalar_of(const Expr &expr);
/// The constant in all `lanes` lanes.
Expr expr_of(const Scalar &value, int lanes = 1);

// ---- Integers of 64 bits, as the narrower types use them after extension. Division is Euclidean: the remainder is
// never
// negative, and division by zero gives zero.

constexpr int64_t euclidean_mod(int64_t a, int64_t b) {
    if (b == 0 || b == -1) {
        return 0;
    }
    const int64_t rest = a % b;
    return rest >= 0 ? rest : b < 0 ? rest - b : rest + b;
}
/// The one case that does not fit, least / -1, wraps.
constexpr int64_t euclidean_div(int64_t a, int64_t b) {
    if (b == 0) {
        return 0;
    }
    if (b == -1) {
        return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
    }
    const int64_t quotient = a / b;
    return a % b >= 0 ? quotient : b < 0 ? quotient + 1 : quotient - 1;
}

// ---- Folding. Nothing where the kind is not a pure scalar operation of these operands.

std::optional<Scalar> fold_unary(ir::ExprKind kind, const Scalar &a);
/// Operands of one type (for shifts: of one width); the result has the type that expr_kinds.def gives.
std::optional<Scalar> fold_binary(ir::ExprKind kind, const Scalar &a, const Scalar &b);
/// a*b+c rounded once (16-bit floats: in float32, then to 16 bits).
Scalar fold_fma(const Scalar &a, const Scalar &b, const Scalar &c);
/// Integers wrap; float to integer truncates, saturates, and gives 0 for NaN; to bool: whether the value is not zero.
Scalar fold_cast(Type to, const Scalar &value);
/// To the nearest value of an integer type, bool included (floats truncate first, NaN gives 0); to floats as fold_cast.
Scalar fold_saturating_cast(Type to, const Scalar &value);
/// Same bits, same width.
Scalar fold_reinterpret(Type to, const Scalar &value);
/// Functions whose result is exact or correctly rounded everywhere: roots, rounding, tests. The others depend on the
/// library that generated code links and are left alone.
std::optional<Scalar> fold_math(ir::MathOp op, std::span<const Scalar> args);

/// The constant that a node with constant operands equals; an undefined Expr where it is not foldable. Only this one
/// node is looked at, and vectors only where all lanes agree.
Expr fold(const Expr &expr);
/// The same for a node that is not made yet.
Expr fold(ir::ExprKind kind, Type type, std::span<const Expr> args, const ir::Payload &payload = {});

} // namespace fluorite::rewrite
