// The semantics of every operator on scalars of every type.
//
// Method: each operator is a small template over the C++ type of its operands. A switch over ExprKind selects the
// operator, visit_type maps the run-time type to the C++ type, and the result is a plain function pointer, looked up
// once per instruction. Each operator is thus defined by one short function, which can be compared with
// ir/expr_kinds.def.
//
// The file is long because it is the definition of all operators and conversions, each of a few lines, and is read
// beside ir/expr_kinds.def. All of them are made from the same templates on cells (load, store, visit_type); files for
// groups of operators would share these through a header and be instantiated together nevertheless.
//
// Integers wrap: all arithmetic is done in uint64_t and truncated to the type. 16-bit floats compute in float and round
// the result once. bool is an unsigned integer of one bit.

#include "interpret/scalar.h"

#include "fluorite/float16.h"
#include "fluorite/runtime/math.h"
#include "ir/expr_cases.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>

namespace fluorite::interpret {

using ir::ExprKind;
using ir::MathOp;

namespace {

// ---- Types and cells.

template <typename T>
concept AnyFloat = std::same_as<T, float> || std::same_as<T, double> || Float16<T>;
template <typename T>
concept AnyInteger = std::integral<T>; // bool included

template <typename T> constexpr int bits_of = std::same_as<T, bool> ? 1 : static_cast<int>(sizeof(T)) * 8;

template <typename T> T load(Cell cell) {
    if constexpr (Float16<T>) {
        return T::make_from_bits(static_cast<uint16_t>(cell));
    } else if constexpr (std::same_as<T, float>) {
        return std::bit_cast<float>(static_cast<uint32_t>(cell));
    } else if constexpr (std::same_as<T, double>) {
        return std::bit_cast<double>(cell);
    } else {
        return static_cast<T>(cell);
    }
}

template <typename T> Cell store(T value) {
    if constexpr (Float16<T>) {
        return value.to_bits();
    } else if constexpr (std::same_as<T, float>) {
        return std::bit_cast<uint32_t>(value);
    } else if constexpr (std::same_as<T, double>) {
        return std::bit_cast<uint64_t>(value);
    } else if constexpr (std::signed_integral<T>) {
        return static_cast<uint64_t>(static_cast<int64_t>(value));
    } else {
        return static_cast<uint64_t>(value);
    }
}

/// Truncates a 64-bit result to an integer type (for bool, to the lowest bit).
template <AnyInteger T> T wrap(uint64_t value) {
    if constexpr (std::same_as<T, bool>) {
        return (value & 1) != 0;
    } else {
        return static_cast<T>(value);
    }
}

/// An integer extended to 64 bits according to its signedness.
template <AnyInteger T> uint64_t extend(T value) { return store(value); }

template <typename T> struct Tag {
    using type = T;
};

/// Calls function(Tag<T>()) with the C++ type of a scalar type; null for handles.
template <typename Function> auto visit_type(Type type, const Function &function) -> decltype(function(Tag<float>())) {
    switch (type.code()) {
    case TypeCode::Int:
        switch (type.bits()) {
        case 8:
            return function(Tag<int8_t>());
        case 16:
            return function(Tag<int16_t>());
        case 32:
            return function(Tag<int32_t>());
        case 64:
            return function(Tag<int64_t>());
        default:
            return nullptr;
        }
    case TypeCode::UInt:
        switch (type.bits()) {
        case 1:
            return function(Tag<bool>());
        case 8:
            return function(Tag<uint8_t>());
        case 16:
            return function(Tag<uint16_t>());
        case 32:
            return function(Tag<uint32_t>());
        case 64:
            return function(Tag<uint64_t>());
        default:
            return nullptr;
        }
    case TypeCode::Float:
        switch (type.bits()) {
        case 16:
            return function(Tag<float16_t>());
        case 32:
            return function(Tag<float>());
        case 64:
            return function(Tag<double>());
        default:
            return nullptr;
        }
    case TypeCode::BFloat:
        return type.bits() == 16 ? function(Tag<bfloat16_t>()) : nullptr;
    case TypeCode::Handle:
        return nullptr;
    }
    return nullptr;
}

// ---- Arithmetic.

struct AddOp {
    template <AnyInteger T> static T apply(T a, T b) { return wrap<T>(extend(a) + extend(b)); }
    template <AnyFloat T> static T apply(T a, T b) { return a + b; }
};
struct SubOp {
    template <AnyInteger T> static T apply(T a, T b) { return wrap<T>(extend(a) - extend(b)); }
    template <AnyFloat T> static T apply(T a, T b) { return a - b; }
};
struct MulOp {
    template <AnyInteger T> static T apply(T a, T b) { return wrap<T>(extend(a) * extend(b)); }
    template <AnyFloat T> static T apply(T a, T b) { return a * b; }
};

/// Rounds toward zero; x/0 = 0, min/-1 = min.
struct QuotientOp {
    template <AnyInteger T> static T apply(T a, T b) {
        if (b == T(0)) {
            return T(0);
        }
        if constexpr (std::signed_integral<T>) {
            if (b == T(-1)) {
                return wrap<T>(0 - extend(a));
            }
        }
        return static_cast<T>(a / b);
    }
};
/// The remainder has the sign of the dividend; x%0 = 0.
struct RemainderOp {
    template <AnyInteger T> static T apply(T a, T b) {
        return b == T(0) ? T(0) : wrap<T>(extend(a) - extend(QuotientOp::apply(a, b)) * extend(b));
    }
};
/// Euclidean: 0 <= remainder < |b|.
struct ModOp {
    template <AnyInteger T> static T apply(T a, T b) {
        const T r = RemainderOp::apply(a, b);
        if constexpr (std::signed_integral<T>) {
            if (r < 0) {
                return b < 0 ? wrap<T>(extend(r) - extend(b)) : wrap<T>(extend(r) + extend(b));
            }
        }
        return r;
    }
    static float apply(float a, float b) { return fluorite_mod_f32(a, b); }
    static double apply(double a, double b) { return fluorite_mod_f64(a, b); }
    template <Float16 T> static T apply(T a, T b) {
        return T(fluorite_mod_f32(static_cast<float>(a), static_cast<float>(b)));
    }
};
/// The quotient for the Euclidean remainder.
struct DivOp {
    template <AnyInteger T> static T apply(T a, T b) {
        const T q = QuotientOp::apply(a, b);
        if constexpr (std::signed_integral<T>) {
            if (RemainderOp::apply(a, b) < 0) {
                return static_cast<T>(b < 0 ? q + 1 : q - 1);
            }
        }
        return q;
    }
    template <AnyFloat T> static T apply(T a, T b) { return a / b; }
};

struct MinOp {
    template <typename T> static T apply(T a, T b) { return a < b ? a : b; }
};
struct MaxOp {
    template <typename T> static T apply(T a, T b) { return a > b ? a : b; }
};

template <AnyFloat T> T magnitude(T value) {
    if constexpr (Float16<T>) {
        return T::make_from_bits(value.to_bits() & 0x7FFF);
    } else {
        return std::fabs(value);
    }
}

/// The unsigned type of the same width.
template <AnyInteger T> struct UnsignedOf {
    using type = std::make_unsigned_t<T>;
};
template <> struct UnsignedOf<bool> {
    using type = bool;
};

struct AbsDiffOp {
    template <AnyInteger T> static auto apply(T a, T b) {
        return wrap<typename UnsignedOf<T>::type>(a < b ? extend(b) - extend(a) : extend(a) - extend(b));
    }
    template <AnyFloat T> static T apply(T a, T b) { return magnitude(a - b); }
};
struct AbsOp {
    template <AnyInteger T> static auto apply(T a) {
        return wrap<typename UnsignedOf<T>::type>(a < T(0) ? 0 - extend(a) : extend(a));
    }
    template <AnyFloat T> static T apply(T a) { return magnitude(a); }
};
struct FmaOp {
    static float apply(float a, float b, float c) { return fluorite_fma_f32(a, b, c); }
    static double apply(double a, double b, double c) { return fluorite_fma_f64(a, b, c); }
    template <Float16 T> static T apply(T a, T b, T c) {
        return T(fluorite_fma_f32(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
    }
};

// ---- Comparisons, logic, bits.

struct EqualOp {
    template <typename T> static bool apply(T a, T b) { return a == b; }
};
struct NotEqualOp {
    template <typename T> static bool apply(T a, T b) { return !(a == b); }
};
struct LessOp {
    template <typename T> static bool apply(T a, T b) { return a < b; }
};
struct LessEqualOp {
    template <typename T> static bool apply(T a, T b) { return a <= b; }
};
struct GreaterOp {
    template <typename T> static bool apply(T a, T b) { return a > b; }
};
struct GreaterEqualOp {
    template <typename T> static bool apply(T a, T b) { return a >= b; }
};
struct AndOp {
    static bool apply(bool a, bool b) { return a && b; }
};
struct OrOp {
    static bool apply(bool a, bool b) { return a || b; }
};
struct NotOp {
    static bool apply(bool a) { return !a; }
};
struct BitAndOp {
    template <AnyInteger T> static T apply(T a, T b) { return wrap<T>(extend(a) & extend(b)); }
};
struct BitOrOp {
    template <AnyInteger T> static T apply(T a, T b) { return wrap<T>(extend(a) | extend(b)); }
};
struct BitXorOp {
    template <AnyInteger T> static T apply(T a, T b) { return wrap<T>(extend(a) ^ extend(b)); }
};
struct BitNotOp {
    template <AnyInteger T> static T apply(T a) { return wrap<T>(~extend(a)); }
};

/// The bits of an integer, zero-extended.
template <AnyInteger T> uint64_t raw_bits(T value) { return extend(static_cast<typename UnsignedOf<T>::type>(value)); }

struct CountOnesOp {
    template <AnyInteger T> static T apply(T a) { return wrap<T>(static_cast<uint64_t>(std::popcount(raw_bits(a)))); }
};
struct CountLeadingZerosOp {
    template <AnyInteger T> static T apply(T a) {
        return wrap<T>(static_cast<uint64_t>(std::countl_zero(raw_bits(a)) - (64 - bits_of<T>)));
    }
};
struct CountTrailingZerosOp {
    template <AnyInteger T> static T apply(T a) {
        const int count = std::countr_zero(raw_bits(a));
        return wrap<T>(static_cast<uint64_t>(count < bits_of<T> ? count : bits_of<T>));
    }
};
struct SameOp {
    template <typename T> static T apply(T a) { return a; }
};

/// Shifts left by a nonnegative amount.
template <AnyInteger T> T shift_left(T value, uint64_t amount) {
    return amount >= bits_of<T> ? T(0) : wrap<T>(extend(value) << amount);
}
/// Shifts right by a nonnegative amount; copies the sign bit of a signed value.
template <AnyInteger T> T shift_right(T value, uint64_t amount) {
    if constexpr (std::signed_integral<T>) {
        const int count = amount >= bits_of<T> ? bits_of<T> - 1 : static_cast<int>(amount);
        return static_cast<T>(static_cast<int64_t>(value) >> count);
    } else {
        return amount >= bits_of<T> ? T(0) : wrap<T>(extend(value) >> amount);
    }
}
template <AnyInteger T, bool left, bool signed_amount> Cell shift(Cell value_cell, Cell amount) {
    const T value = load<T>(value_cell);
    const bool reversed = signed_amount && static_cast<int64_t>(amount) < 0;
    const uint64_t distance = reversed ? 0 - amount : amount;
    return store(left != reversed ? shift_left(value, distance) : shift_right(value, distance));
}

// ---- Conversions.

template <AnyInteger To, AnyFloat From> To truncate_saturating(From source) {
    const double value = static_cast<double>(source); // exact
    if (!(value == value)) {
        return To(0);
    }
    // 2^digits is exact as a double for every type; so is the least value.
    const double above = std::ldexp(1.0, std::same_as<To, bool> ? 1 : std::numeric_limits<To>::digits);
    if (value >= above) {
        return std::numeric_limits<To>::max();
    }
    if (value <= static_cast<double>(std::numeric_limits<To>::min())) {
        return std::numeric_limits<To>::min();
    }
    if constexpr (std::same_as<To, bool>) {
        return value >= 1.0;
    } else {
        return static_cast<To>(value);
    }
}

template <AnyInteger To, AnyInteger From> To clamp_to(From value) {
    using Limits = std::numeric_limits<To>;
    if constexpr (std::signed_integral<From>) {
        const int64_t wide = value;
        if constexpr (std::signed_integral<To>) {
            return wide < Limits::min() ? Limits::min()
                                        : (wide > Limits::max() ? Limits::max() : static_cast<To>(wide));
        } else {
            const uint64_t high = static_cast<uint64_t>(Limits::max());
            return wide < 0 ? To(0) : (static_cast<uint64_t>(wide) > high ? Limits::max() : static_cast<To>(wide));
        }
    } else {
        const uint64_t wide = value;
        return wide > static_cast<uint64_t>(Limits::max()) ? Limits::max() : static_cast<To>(wide);
    }
}

template <typename To, typename From> To convert(From value) {
    if constexpr (std::same_as<To, bool>) {
        return !(value == From(0));
    } else if constexpr (AnyInteger<To> && AnyInteger<From>) {
        return wrap<To>(extend(value));
    } else if constexpr (AnyInteger<To>) {
        return truncate_saturating<To>(value);
    } else if constexpr (Float16<From>) {
        return static_cast<To>(static_cast<float>(value)); // exact, then rounded once
    } else {
        return static_cast<To>(value);
    }
}

template <typename To, typename From> To convert_saturating(From value) {
    if constexpr (AnyInteger<To> && AnyInteger<From>) {
        return clamp_to<To>(value);
    } else if constexpr (AnyInteger<To>) {
        return truncate_saturating<To>(value);
    } else {
        return convert<To>(value);
    }
}

template <typename From, typename To> Cell cast_cell(Cell cell) { return store(convert<To>(load<From>(cell))); }
template <typename From, typename To> Cell saturating_cast_cell(Cell cell) {
    return store(convert_saturating<To>(load<From>(cell)));
}

/// Keeps the low bits and extends them according to the type.
template <typename To> Cell extend_bits(Cell cell) {
    if constexpr (AnyInteger<To>) {
        return store(wrap<To>(cell));
    } else {
        return store(load<To>(cell));
    }
}

// ---- From operators to functions on cells; null where the operator does not support the type.

template <typename Op, typename T> Cell unary_cell(Cell a) { return store(Op::apply(load<T>(a))); }
template <typename Op, typename T> Cell binary_cell(Cell a, Cell b) { return store(Op::apply(load<T>(a), load<T>(b))); }
template <typename Op, typename T> Cell ternary_cell(Cell a, Cell b, Cell c) {
    return store(Op::apply(load<T>(a), load<T>(b), load<T>(c)));
}

/// Whether Op supports operands of exactly type T (without conversion).
template <typename Op, typename T>
concept TakesOne = requires(T a) { Op::template apply<T>(a); } || (std::same_as<T, bool> && std::same_as<Op, NotOp>);
template <typename Op, typename T>
concept TakesTwo = requires(T a) { Op::template apply<T>(a, a); } ||
                   (std::same_as<T, bool> && (std::same_as<Op, AndOp> || std::same_as<Op, OrOp>)) ||
                   (std::same_as<Op, ModOp> && std::floating_point<T>);

template <typename Op> Unary unary_of(Type type) {
    return visit_type(type, [](auto tag) -> Unary {
        using T = typename decltype(tag)::type;
        if constexpr (TakesOne<Op, T>) {
            return unary_cell<Op, T>;
        }
        return nullptr;
    });
}

template <typename Op> Binary binary_of(Type type) {
    return visit_type(type, [](auto tag) -> Binary {
        using T = typename decltype(tag)::type;
        if constexpr (TakesTwo<Op, T>) {
            return binary_cell<Op, T>;
        }
        return nullptr;
    });
}

} // namespace

Unary find_unary(ExprKind kind, Type type) {
    switch (kind) {
    case ExprKind::Not:
        return unary_of<NotOp>(type);
    case ExprKind::BitNot:
        return unary_of<BitNotOp>(type);
    case ExprKind::Abs:
        return unary_of<AbsOp>(type);
    case ExprKind::CountOnes:
        return unary_of<CountOnesOp>(type);
    case ExprKind::CountLeadingZeros:
        return unary_of<CountLeadingZerosOp>(type);
    case ExprKind::CountTrailingZeros:
        return unary_of<CountTrailingZerosOp>(type);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return unary_of<SameOp>(type);
    case ExprKind::Fma:
    case ExprKind::Select:
    case FLUORITE_BINARY:
    case FLUORITE_NOT_OPERATORS:
        return nullptr;
    }
    unreachable("a node of no kind");
}

Binary find_binary(ExprKind kind, Type type) {
    switch (kind) {
    case ExprKind::Add:
        return binary_of<AddOp>(type);
    case ExprKind::Sub:
        return binary_of<SubOp>(type);
    case ExprKind::Mul:
        return binary_of<MulOp>(type);
    case ExprKind::Div:
        return binary_of<DivOp>(type);
    case ExprKind::Mod:
        return binary_of<ModOp>(type);
    case ExprKind::Quotient:
        return binary_of<QuotientOp>(type);
    case ExprKind::Remainder:
        return binary_of<RemainderOp>(type);
    case ExprKind::Min:
        return binary_of<MinOp>(type);
    case ExprKind::Max:
        return binary_of<MaxOp>(type);
    case ExprKind::AbsDiff:
        return binary_of<AbsDiffOp>(type);
    case ExprKind::EQ:
        return binary_of<EqualOp>(type);
    case ExprKind::NE:
        return binary_of<NotEqualOp>(type);
    case ExprKind::LT:
        return binary_of<LessOp>(type);
    case ExprKind::LE:
        return binary_of<LessEqualOp>(type);
    case ExprKind::GT:
        return binary_of<GreaterOp>(type);
    case ExprKind::GE:
        return binary_of<GreaterEqualOp>(type);
    case ExprKind::And:
        return binary_of<AndOp>(type);
    case ExprKind::Or:
        return binary_of<OrOp>(type);
    case ExprKind::BitAnd:
        return binary_of<BitAndOp>(type);
    case ExprKind::BitOr:
        return binary_of<BitOrOp>(type);
    case ExprKind::BitXor:
        return binary_of<BitXorOp>(type);
    case ExprKind::ShiftLeft: // find_shift
    case ExprKind::ShiftRight:
    case FLUORITE_NOT_BINARY:
        return nullptr;
    }
    unreachable("a node of no kind");
}

Binary find_shift(ExprKind kind, Type type, Type amount) {
    if (!amount.is_int_or_uint()) {
        return nullptr;
    }
    const bool left = kind == ExprKind::ShiftLeft;
    return visit_type(type, [&](auto tag) -> Binary {
        using T = typename decltype(tag)::type;
        if constexpr (AnyInteger<T>) {
            if (amount.is_int()) {
                return left ? shift<T, true, true> : shift<T, false, true>;
            }
            return left ? shift<T, true, false> : shift<T, false, false>;
        }
        return nullptr;
    });
}

Ternary find_fma(Type type) {
    return visit_type(type, [](auto tag) -> Ternary {
        using T = typename decltype(tag)::type;
        if constexpr (AnyFloat<T>) {
            return ternary_cell<FmaOp, T>;
        }
        return nullptr;
    });
}

Unary find_cast(Type from, Type to) {
    if (from.is_handle() && to.is_handle()) {
        return [](Cell cell) { return cell; };
    }
    return visit_type(from, [to](auto from_tag) -> Unary {
        using From = typename decltype(from_tag)::type;
        return visit_type(to, [](auto to_tag) -> Unary { return cast_cell<From, typename decltype(to_tag)::type>; });
    });
}

Unary find_saturating_cast(Type from, Type to) {
    return visit_type(from, [to](auto from_tag) -> Unary {
        using From = typename decltype(from_tag)::type;
        return visit_type(
            to, [](auto to_tag) -> Unary { return saturating_cast_cell<From, typename decltype(to_tag)::type>; });
    });
}

Unary find_reinterpret(Type from, Type to) {
    if (from.bits() != to.bits()) {
        return nullptr;
    }
    if (to.is_handle()) {
        return [](Cell cell) { return cell; };
    }
    return visit_type(to, [](auto tag) -> Unary { return extend_bits<typename decltype(tag)::type>; });
}

// ---- Math functions: those of runtime/math.h; 16-bit floats use float32.

namespace {

template <auto f32> Cell math_unary_f32(Cell a) { return store(f32(load<float>(a))); }
template <auto f64> Cell math_unary_f64(Cell a) { return store(f64(load<double>(a))); }
template <auto f32, typename T> Cell math_unary_16(Cell a) {
    const auto result = f32(static_cast<float>(load<T>(a)));
    if constexpr (std::same_as<decltype(result), const bool>) {
        return store(result);
    } else {
        return store(T(result));
    }
}
template <auto f32, auto f64> Unary math_unary(Type type) {
    if (type == Float(32)) {
        return math_unary_f32<f32>;
    }
    if (type == Float(64)) {
        return math_unary_f64<f64>;
    }
    if (type == Float(16)) {
        return math_unary_16<f32, float16_t>;
    }
    return type == BFloat(16) ? math_unary_16<f32, bfloat16_t> : nullptr;
}

template <auto f32> Cell math_binary_f32(Cell a, Cell b) { return store(f32(load<float>(a), load<float>(b))); }
template <auto f64> Cell math_binary_f64(Cell a, Cell b) { return store(f64(load<double>(a), load<double>(b))); }
template <auto f32, typename T> Cell math_binary_16(Cell a, Cell b) {
    return store(T(f32(static_cast<float>(load<T>(a)), static_cast<float>(load<T>(b)))));
}
template <auto f32, auto f64> Binary math_binary(Type type) {
    if (type == Float(32)) {
        return math_binary_f32<f32>;
    }
    if (type == Float(64)) {
        return math_binary_f64<f64>;
    }
    if (type == Float(16)) {
        return math_binary_16<f32, float16_t>;
    }
    return type == BFloat(16) ? math_binary_16<f32, bfloat16_t> : nullptr;
}

} // namespace

Unary find_math_unary(MathOp op, Type type) {
#define FLUORITE_CASE(op, name)                                                                                        \
    case MathOp::op:                                                                                                   \
        return math_unary<fluorite_##name##_f32, fluorite_##name##_f64>(type)
    switch (op) {
        FLUORITE_CASE(Sqrt, sqrt);
        FLUORITE_CASE(Sin, sin);
        FLUORITE_CASE(Cos, cos);
        FLUORITE_CASE(Tan, tan);
        FLUORITE_CASE(Asin, asin);
        FLUORITE_CASE(Acos, acos);
        FLUORITE_CASE(Atan, atan);
        FLUORITE_CASE(Sinh, sinh);
        FLUORITE_CASE(Cosh, cosh);
        FLUORITE_CASE(Tanh, tanh);
        FLUORITE_CASE(Asinh, asinh);
        FLUORITE_CASE(Acosh, acosh);
        FLUORITE_CASE(Atanh, atanh);
        FLUORITE_CASE(Exp, exp);
        FLUORITE_CASE(Log, log);
        FLUORITE_CASE(Erf, erf);
        FLUORITE_CASE(Floor, floor);
        FLUORITE_CASE(Ceil, ceil);
        FLUORITE_CASE(Round, round);
        FLUORITE_CASE(Trunc, trunc);
        FLUORITE_CASE(FastLog, fast_log);
        FLUORITE_CASE(FastExp, fast_exp);
        FLUORITE_CASE(FastSin, fast_sin);
        FLUORITE_CASE(FastCos, fast_cos);
        FLUORITE_CASE(FastInverse, fast_inverse);
        FLUORITE_CASE(FastInverseSqrt, fast_inverse_sqrt);
        FLUORITE_CASE(IsNan, is_nan);
        FLUORITE_CASE(IsInf, is_inf);
        FLUORITE_CASE(IsFinite, is_finite);
    case MathOp::Atan2:
    case MathOp::Pow:
    case MathOp::Hypot:
    case MathOp::FastPow:
        return nullptr; // two operands
    }
#undef FLUORITE_CASE
    return nullptr;
}

Binary find_math_binary(MathOp op, Type type) {
    switch (op) {
    case MathOp::Atan2:
        return math_binary<fluorite_atan2_f32, fluorite_atan2_f64>(type);
    case MathOp::Pow:
        return math_binary<fluorite_pow_f32, fluorite_pow_f64>(type);
    case MathOp::Hypot:
        return math_binary<fluorite_hypot_f32, fluorite_hypot_f64>(type);
    case MathOp::FastPow:
        return math_binary<fluorite_fast_pow_f32, fluorite_fast_pow_f64>(type);
    default: // functions of one operand
        return nullptr;
    }
}

Cell random_value(uint32_t hash, Type type) {
    if (type.is_float()) {
        return store(fluorite_random_to_f32(hash));
    }
    return type.is_int() ? store(static_cast<int32_t>(hash)) : store(hash);
}

// ---- Memory and literals.

namespace {
template <typename T> Cell load_from_memory(const void *address) {
    if constexpr (std::same_as<T, bool>) {
        return *static_cast<const uint8_t *>(address) != 0 ? 1 : 0;
    } else {
        T value;
        std::memcpy(&value, address, sizeof(T));
        return store(value);
    }
}
} // namespace

Loader find_loader(Type type) {
    if (type.is_handle()) {
        return load_from_memory<uint64_t>;
    }
    return visit_type(type, [](auto tag) -> Loader { return load_from_memory<typename decltype(tag)::type>; });
}

void store_element(void *address, Type type, Cell cell) {
    std::memcpy(address, &cell, static_cast<size_t>(type.bytes()));
}

uint64_t element_bits(Cell cell, Type type) {
    uint64_t bits = 0;
    store_element(&bits, type, cell);
    return bits;
}

Cell cell_of_int(Type type, int64_t value) {
    const Unary cast = find_cast(Int(64), type.element_of());
    return cast(static_cast<uint64_t>(value));
}
Cell cell_of_uint(Type type, uint64_t value) {
    const Unary cast = find_cast(UInt(64), type.element_of());
    return cast(value);
}
Cell cell_of_float(Type type, double value) {
    const Unary cast = find_cast(Float(64), type.element_of());
    return cast(store(value));
}

} // namespace fluorite::interpret
