#pragma once
// Constant folding: evaluates every pure scalar operation on constants exactly as ir/expr_kinds.def defines it. The
// simplifier, the language layer and the tests all fold through here, so the code states the semantics once.

#include "ir/expr_node.h"

#include <optional>
#include <span>

namespace fluorite::rewrite {

/// One scalar of integer, bool or float type. Integers are held sign-extended (Int) or zero-extended (UInt) to 64 bits;
/// floats are held as the bits of the double of equal value.
struct Scalar {
    Type type; // one lane
    uint64_t bits = 0;

    int64_t as_int() const { return static_cast<int64_t>(bits); }
    uint64_t as_uint() const { return bits; }
    double as_float() const;
    bool is_zero() const;
    /// Equality of type and bits: NaN equals itself, -0.0 differs from 0.0.
    bool operator==(const Scalar &) const = default;
};

/// Integer types wrap the value into their range; float types convert it and round once.
Scalar int_scalar(Type type, int64_t value);
Scalar uint_scalar(Type type, uint64_t value);
/// Rounds once to the type.
Scalar float_scalar(Type type, double value);
Scalar bool_scalar(bool value);

/// The constant beneath any broadcasts; nothing for other expressions.
std::optional<Scalar> scalar_of(const Expr &expr);
/// The constant, broadcast to `lanes` lanes.
Expr expr_of(const Scalar &value, int lanes = 1);

// ---- 64-bit integers; narrower types are extended and use the same functions. Division is Euclidean: the remainder is
// never negative, and division by zero gives zero.

constexpr int64_t euclidean_mod(int64_t a, int64_t b) {
    if (b == 0 || b == -1) {
        return 0;
    }
    const int64_t rest = a % b;
    return rest >= 0 ? rest : b < 0 ? rest - b : rest + b;
}
/// Only least / -1 overflows; it wraps.
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

// ---- Folding. The result is empty where the kind is not a pure scalar operation on these operands.

std::optional<Scalar> fold_unary(ir::ExprKind kind, const Scalar &a);
/// Operands have the same type (for shifts, the same width); expr_kinds.def gives the type of the result.
std::optional<Scalar> fold_binary(ir::ExprKind kind, const Scalar &a, const Scalar &b);
/// a*b+c rounded once (16-bit floats: in float32, then to 16 bits).
Scalar fold_fma(const Scalar &a, const Scalar &b, const Scalar &c);
/// Integers wrap. Float to integer truncates and saturates, and NaN gives 0. Conversion to bool tests for nonzero.
Scalar fold_cast(Type to, const Scalar &value);
/// Gives the nearest value of an integer type, bool included (floats truncate first, NaN gives 0); for floats as
/// fold_cast.
Scalar fold_saturating_cast(Type to, const Scalar &value);
/// Same bits, same width.
Scalar fold_reinterpret(Type to, const Scalar &value);
/// Folds only functions whose result is exact or correctly rounded on every platform: roots, rounding, tests. The
/// others depend on the math library that generated code links.
std::optional<Scalar> fold_math(ir::MathOp op, std::span<const Scalar> args);

/// The constant that a node with constant operands equals; an undefined Expr where the node is not foldable. Examines
/// only this node, not its subtrees; folds vectors only where all lanes are equal.
Expr fold(const Expr &expr);
/// The same for a node that is not built yet.
Expr fold(ir::ExprKind kind, Type type, std::span<const Expr> args, const ir::Payload &payload = {});

} // namespace fluorite::rewrite
