// Constant folding.
//
// Before: an operation whose operands are constants. After: the constant that generated code and the interpreter would
// compute, bit for bit.
//
// Integers of all widths are computed in 64 bits and wrapped into their type. Sums, products and negations agree modulo
// 2^width; division, comparison, minimum and shifts are exact on the extended operands. float64 computes in double,
// float32 in float; the 16-bit types compute in float and round once, which for the basic operations gives the
// correctly rounded result.
//
// Relies on the host's IEEE arithmetic in round-to-nearest mode, without contraction. Does not fold transcendental
// functions: their bits depend on the math library in use. Cost: constant per node.

#include "rewrite/fold.h"

#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "support/numeric.h"

#include <bit>
#include <cmath>

namespace fluorite::rewrite {

using ir::ExprKind;
using ir::MathOp;

double Scalar::as_float() const { return std::bit_cast<double>(bits); }
bool Scalar::is_zero() const { return type.is_float() ? as_float() == 0 : bits == 0; }

Scalar int_scalar(Type type, int64_t value) {
    if (type.is_float()) {
        if (type.bits() == 32) {
            return float_scalar(type, static_cast<double>(static_cast<float>(value)));
        }
        // The sticky bit below 53 bits makes only the rounding from double to 16 bits effective.
        const bool narrow = type.bits() == 16;
        return float_scalar(type, narrow ? float16_detail::sticky_double(value) : static_cast<double>(value));
    }
    return {type.element_of(), type.is_int() ? static_cast<uint64_t>(wrap_signed(value, type.bits()))
                                             : wrap_unsigned(static_cast<uint64_t>(value), type.bits())};
}

Scalar uint_scalar(Type type, uint64_t value) {
    if (type.is_float()) {
        if (type.bits() == 32) {
            return float_scalar(type, static_cast<double>(static_cast<float>(value)));
        }
        const bool narrow = type.bits() == 16;
        return float_scalar(type, narrow ? float16_detail::sticky_double(value) : static_cast<double>(value));
    }
    return int_scalar(type, static_cast<int64_t>(value));
}

Scalar float_scalar(Type type, double value) {
    return {type.element_of(), std::bit_cast<uint64_t>(round_to_float(type, value))};
}

Scalar bool_scalar(bool value) { return {Bool(), value ? uint64_t{1} : uint64_t{0}}; }

std::optional<Scalar> scalar_of(const Expr &expr) {
    const ir::ExprNode *node = expr.get();
    while (node && node->kind() == ExprKind::Broadcast) {
        node = node->arg(0).get();
    }
    if (!node) {
        return std::nullopt;
    }
    switch (node->kind()) {
    case ExprKind::IntImm:
        return Scalar{node->type(), static_cast<uint64_t>(node->int_value())};
    case ExprKind::UIntImm:
        return Scalar{node->type(), node->uint_value()};
    case ExprKind::FloatImm:
        return Scalar{node->type(), std::bit_cast<uint64_t>(node->float_value())};
    default: // no other kind is a constant number
        return std::nullopt;
    }
}

Expr expr_of(const Scalar &value, int lanes) {
    const Type type = value.type.with_lanes(lanes);
    return type.is_float() ? ir::make_float(type, value.as_float()) : ir::make_int(type, value.as_int());
}

// ---- Integers.

namespace {

uint64_t shift_left(const Scalar &a, uint64_t amount) {
    return amount >= static_cast<uint64_t>(a.type.bits()) ? 0 : a.bits << amount;
}

uint64_t shift_right(const Scalar &a, uint64_t amount) {
    const bool all = amount >= static_cast<uint64_t>(a.type.bits());
    if (a.type.is_int()) {
        return static_cast<uint64_t>(a.as_int() >> (all ? 63 : amount));
    }
    return all ? 0 : a.bits >> amount;
}

Scalar shift(bool left, const Scalar &a, const Scalar &b) {
    uint64_t amount = b.bits;
    if (b.type.is_int() && b.as_int() < 0) {
        left = !left;
        amount = 0 - amount;
    }
    return int_scalar(a.type, static_cast<int64_t>(left ? shift_left(a, amount) : shift_right(a, amount)));
}

bool int_less(const Scalar &a, const Scalar &b) { return a.type.is_int() ? a.as_int() < b.as_int() : a.bits < b.bits; }

Scalar int_div(const Scalar &a, const Scalar &b) {
    if (a.type.is_int()) {
        return int_scalar(a.type, euclidean_div(a.as_int(), b.as_int()));
    }
    return uint_scalar(a.type, b.bits == 0 ? 0 : a.bits / b.bits);
}

Scalar int_mod(const Scalar &a, const Scalar &b) {
    if (a.type.is_int()) {
        return int_scalar(a.type, euclidean_mod(a.as_int(), b.as_int()));
    }
    return uint_scalar(a.type, b.bits == 0 ? 0 : a.bits % b.bits);
}

Scalar int_quotient(const Scalar &a, const Scalar &b) {
    if (!a.type.is_int() || b.bits == 0) {
        return int_div(a, b);
    }
    return int_scalar(a.type, b.as_int() == -1 ? static_cast<int64_t>(0 - a.bits) : a.as_int() / b.as_int());
}

Scalar int_remainder(const Scalar &a, const Scalar &b) {
    if (!a.type.is_int() || b.bits == 0) {
        return int_mod(a, b);
    }
    return int_scalar(a.type, b.as_int() == -1 ? 0 : a.as_int() % b.as_int());
}

std::optional<Scalar> fold_int(ExprKind kind, const Scalar &a, const Scalar &b) {
    auto wrapped = [&](uint64_t value) { return uint_scalar(a.type, value); };
    switch (kind) {
    case ExprKind::Add:
        return wrapped(a.bits + b.bits);
    case ExprKind::Sub:
        return wrapped(a.bits - b.bits);
    case ExprKind::Mul:
        return wrapped(a.bits * b.bits);
    case ExprKind::Div:
        return int_div(a, b);
    case ExprKind::Mod:
        return int_mod(a, b);
    case ExprKind::Quotient:
        return int_quotient(a, b);
    case ExprKind::Remainder:
        return int_remainder(a, b);
    case ExprKind::Min:
        return int_less(a, b) ? a : b;
    case ExprKind::Max:
        return int_less(b, a) ? a : b;
    case ExprKind::AbsDiff:
        return uint_scalar(a.type.with_code(TypeCode::UInt), int_less(a, b) ? b.bits - a.bits : a.bits - b.bits);
    case ExprKind::EQ:
        return bool_scalar(a.bits == b.bits);
    case ExprKind::NE:
        return bool_scalar(a.bits != b.bits);
    case ExprKind::LT:
        return bool_scalar(int_less(a, b));
    case ExprKind::LE:
        return bool_scalar(!int_less(b, a));
    case ExprKind::GT:
        return bool_scalar(int_less(b, a));
    case ExprKind::GE:
        return bool_scalar(!int_less(a, b));
    case ExprKind::And:
    case ExprKind::BitAnd:
        return wrapped(a.bits & b.bits);
    case ExprKind::Or:
    case ExprKind::BitOr:
        return wrapped(a.bits | b.bits);
    case ExprKind::BitXor:
        return wrapped(a.bits ^ b.bits);
    case ExprKind::ShiftLeft:
        return shift(true, a, b);
    case ExprKind::ShiftRight:
        return shift(false, a, b);
    case FLUORITE_NOT_BINARY:
        return std::nullopt;
    }
    unreachable("a node of no kind");
}

// ---- Floats. F is the type of the computation: double, or float for narrower types.

template <typename F> std::optional<Scalar> fold_float_as(ExprKind kind, Type type, F a, F b) {
    auto rounded = [&](F value) { return float_scalar(type, static_cast<double>(value)); };
    switch (kind) {
    case ExprKind::Add:
        return rounded(a + b);
    case ExprKind::Sub:
        return rounded(a - b);
    case ExprKind::Mul:
        return rounded(a * b);
    case ExprKind::Div:
        return rounded(a / b);
    case ExprKind::Mod: {
        const F product = b * std::floor(a / b);
        return rounded(a - product);
    }
    case ExprKind::Min:
        return rounded(a < b ? a : b);
    case ExprKind::Max:
        return rounded(a > b ? a : b);
    case ExprKind::AbsDiff:
        return rounded(std::fabs(a - b));
    case ExprKind::EQ:
        return bool_scalar(a == b);
    case ExprKind::NE:
        return bool_scalar(a != b);
    case ExprKind::LT:
        return bool_scalar(a < b);
    case ExprKind::LE:
        return bool_scalar(a <= b);
    case ExprKind::GT:
        return bool_scalar(a > b);
    case ExprKind::GE:
        return bool_scalar(a >= b);
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight: // of integers only
    case FLUORITE_NOT_BINARY:
        return std::nullopt;
    }
    unreachable("a node of no kind");
}

} // namespace

std::optional<Scalar> fold_binary(ExprKind kind, const Scalar &a, const Scalar &b) {
    if (!a.type.is_float()) {
        return fold_int(kind, a, b);
    }
    if (a.type.bits() == 64) {
        return fold_float_as<double>(kind, a.type, a.as_float(), b.as_float());
    }
    return fold_float_as<float>(kind, a.type, static_cast<float>(a.as_float()), static_cast<float>(b.as_float()));
}

Scalar fold_fma(const Scalar &a, const Scalar &b, const Scalar &c) {
    const double x = a.as_float(), y = b.as_float(), z = c.as_float();
    if (a.type.bits() == 64) {
        return float_scalar(a.type, std::fma(x, y, z));
    }
    const float sum = std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    return float_scalar(a.type, static_cast<double>(sum));
}

std::optional<Scalar> fold_unary(ExprKind kind, const Scalar &a) {
    const int bits = a.type.bits();
    const uint64_t raw = a.type.is_float() ? 0 : wrap_unsigned(a.bits, bits);
    if (ir::is_hint(kind)) {
        return a;
    }
    if (a.type.is_float()) {
        return kind == ExprKind::Abs ? std::optional(float_scalar(a.type, std::fabs(a.as_float()))) : std::nullopt;
    }
    switch (kind) {
    case ExprKind::Abs:
        return a.type.is_int() ? uint_scalar(a.type.with_code(TypeCode::UInt), a.as_int() < 0 ? 0 - a.bits : a.bits)
                               : a;
    case ExprKind::Not:
        return bool_scalar(a.bits == 0);
    case ExprKind::BitNot:
        return uint_scalar(a.type, ~a.bits);
    case ExprKind::CountOnes:
        return int_scalar(a.type, std::popcount(raw));
    case ExprKind::CountLeadingZeros:
        return int_scalar(a.type, std::countl_zero(raw) - (64 - bits));
    case ExprKind::CountTrailingZeros:
        return int_scalar(a.type, raw == 0 ? bits : std::countr_zero(raw));
    default: // kinds of more operands, or none that is a number
        return std::nullopt;
    }
}

// ---- Conversions.

namespace {

Scalar float_to_int(Type to, double value) {
    if (std::isnan(value)) {
        return int_scalar(to, 0);
    }
    const double whole = std::trunc(value);
    const int magnitude_bits = to.bits() - (to.is_int() ? 1 : 0);
    const double limit = std::ldexp(1.0, magnitude_bits); // one past the greatest value, exact
    if (whole >= limit) {
        return *scalar_of(ir::type_max(to.element_of()));
    }
    if (to.is_int() ? whole < -limit : whole < 0) {
        return *scalar_of(ir::type_min(to.element_of()));
    }
    return to.is_int() ? int_scalar(to, static_cast<int64_t>(whole)) : uint_scalar(to, static_cast<uint64_t>(whole));
}

/// The value of the range of `to` nearest to an integer scalar.
Scalar clamp_int(Type to, const Scalar &value) {
    const bool negative = value.type.is_int() && value.as_int() < 0;
    if (negative) {
        return to.is_int() && to.can_represent(value.as_int()) ? int_scalar(to, value.as_int())
                                                               : *scalar_of(ir::type_min(to.element_of()));
    }
    return to.can_represent(value.bits) ? uint_scalar(to, value.bits) : *scalar_of(ir::type_max(to.element_of()));
}

} // namespace

Scalar fold_cast(Type to, const Scalar &value) {
    to = to.element_of();
    if (to.is_bool()) {
        return bool_scalar(!value.is_zero());
    }
    if (value.type.is_float()) {
        return to.is_float() ? float_scalar(to, value.as_float()) : float_to_int(to, value.as_float());
    }
    return value.type.is_int() ? int_scalar(to, value.as_int()) : uint_scalar(to, value.as_uint());
}

Scalar fold_saturating_cast(Type to, const Scalar &value) {
    if (to.is_float()) {
        return fold_cast(to, value);
    }
    return value.type.is_float() ? float_to_int(to, value.as_float()) : clamp_int(to.element_of(), value);
}

namespace {

uint64_t machine_bits(const Scalar &value) {
    if (!value.type.is_float()) {
        return wrap_unsigned(value.bits, value.type.bits());
    }
    if (value.type.is_bfloat()) {
        return bfloat16_t(value.as_float()).to_bits();
    }
    switch (value.type.bits()) {
    case 16:
        return float16_t(value.as_float()).to_bits();
    case 32:
        return std::bit_cast<uint32_t>(static_cast<float>(value.as_float()));
    default:
        return value.bits;
    }
}

} // namespace

Scalar fold_reinterpret(Type to, const Scalar &value) {
    const uint64_t bits = machine_bits(value);
    to = to.element_of();
    if (!to.is_float()) {
        return uint_scalar(to, bits);
    }
    if (to.is_bfloat()) {
        return float_scalar(to, static_cast<double>(bfloat16_t::make_from_bits(static_cast<uint16_t>(bits))));
    }
    switch (to.bits()) {
    case 16:
        return float_scalar(to, static_cast<double>(float16_t::make_from_bits(static_cast<uint16_t>(bits))));
    case 32:
        return float_scalar(to, static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
    default:
        return {to, bits};
    }
}

std::optional<Scalar> fold_math(MathOp op, std::span<const Scalar> args) {
    const double x = args[0].as_float();
    const Type type = args[0].type;
    switch (op) {
    case MathOp::Sqrt: // a float's root in double, rounded again: double has more than twice the digits
        return float_scalar(type, std::sqrt(x));
    case MathOp::Floor:
        return float_scalar(type, std::floor(x));
    case MathOp::Ceil:
        return float_scalar(type, std::ceil(x));
    case MathOp::Round:
        return float_scalar(type, std::nearbyint(x));
    case MathOp::Trunc:
        return float_scalar(type, std::trunc(x));
    case MathOp::IsNan:
        return bool_scalar(std::isnan(x));
    case MathOp::IsInf:
        return bool_scalar(std::isinf(x));
    case MathOp::IsFinite:
        return bool_scalar(std::isfinite(x));
    default: // functions of the math library that generated code links
        return std::nullopt;
    }
}

// ---- Nodes.

namespace {

std::optional<Scalar> fold_scalars(ExprKind kind, Type type, std::span<const Scalar> args, const ir::Payload &payload) {
    switch (kind) {
    case ExprKind::Cast:
        return fold_cast(type, args[0]);
    case ExprKind::SaturatingCast:
        return fold_saturating_cast(type, args[0]);
    case ExprKind::Reinterpret:
        return type.bits() == args[0].type.bits() && !type.is_handle() ? std::optional(fold_reinterpret(type, args[0]))
                                                                       : std::nullopt;
    case ExprKind::Fma:
        return fold_fma(args[0], args[1], args[2]);
    case ExprKind::Select:
        return args[0].bits != 0 ? args[1] : args[2];
    case ExprKind::Math:
        return fold_math(std::get<MathOp>(payload), args);
    default: // the operations of one and two operands follow
        break;
    }
    if (args.size() == 2) {
        return fold_binary(kind, args[0], args[1]);
    }
    return args.size() == 1 ? fold_unary(kind, args[0]) : std::nullopt;
}

} // namespace

Expr fold(ExprKind kind, Type type, std::span<const Expr> args, const ir::Payload &payload) {
    if (!ir::is_elementwise(kind) || args.empty() || args.size() > 3) {
        return {};
    }
    Scalar values[3];
    for (size_t i = 0; i < args.size(); i++) {
        const std::optional<Scalar> value = scalar_of(args[i]);
        if (!value) {
            return {};
        }
        values[i] = *value;
    }
    const std::optional<Scalar> result = fold_scalars(kind, type, std::span(values, args.size()), payload);
    return result ? expr_of(*result, type.lanes()) : Expr();
}

Expr fold(const Expr &expr) { return fold(expr->kind(), expr.type(), expr->args(), expr->payload()); }

} // namespace fluorite::rewrite
