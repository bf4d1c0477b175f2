// The semantics of every operator on scalars of every type.
//
// Method: each operator is a small template over the C++ type of its operands. A switch over ExprKind selects the
// operator, visit_type maps the run-time type to the C++ type, and the result is a plain function pointer, looked up
// once per instruction. Each operator is thus defined by one short function, which can be compared with
// ir/expr_kinds.def. Conversions are in conversions.cpp, math functions in math_functions.cpp.
//
// Integers wrap: all arithmetic is done in uint64_t and truncated to the type. 16-bit floats compute in float and round
// the result once. bool is an unsigned integer of one bit.

#include "interpret/scalar.h"

#include "fluorite/runtime/math.h"
#include "interpret/cells.h"
#include "ir/expr_cases.h"

#include <bit>
#include <cmath>
#include <concepts>

namespace fluorite::interpret {

using ir::ExprKind;

namespace {

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
    template <typename T, std::enable_if_t<is_float16<T>, int> = 0> static T apply(T a, T b) {
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
    if constexpr (is_float16<T>) {
        return T::make_from_bits(value.to_bits() & 0x7FFF);
    } else {
        return std::fabs(value);
    }
}

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
    template <typename T, std::enable_if_t<is_float16<T>, int> = 0> static T apply(T a, T b, T c) {
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

} // namespace fluorite::interpret
