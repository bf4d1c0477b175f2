// Operators on one lane.
//
// Method: integers compute in uint or ulong, because signed overflow is undefined in C, and narrower types are promoted
// to int, in which products of 16 bits overflow. Sums and products of coordinates, which do not overflow, stay signed,
// so that a compiler can widen them to addresses. 16-bit floats compute in float and round each result once. What
// takes more than an expression is a function (helpers.h).
//
// Relies on: FP_CONTRACT OFF; shifts to the right of signed values copy the sign; conversions to signed types keep the
// low bits. OpenCL C promises these, and so do the compilers of C and C++ that backends/c supports.

#include "backends/c_text/operators.h"

#include "backends/c_text/c_text.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "support/check.h"

namespace fluorite::backends::c_text {

using ir::ExprKind;

namespace {

std::string in_parentheses(const std::string &text) { return "(" + text + ")"; }
std::string infix(const std::string &a, ExprKind kind, const std::string &b) {
    return concat(a, " ", sign_of(kind), " ", b);
}

/// An expression of unsigned_type(type), or of any wider result, in the type.
std::string wrapped(Type type, const std::string &text) {
    return type.is_bool() ? concat("(bool)((", text, ") & 1)") : concat("(", value_type(type), ")(", text, ")");
}

std::string as_unsigned(Type type, const std::string &a) { return concat("(", unsigned_type(type), ")", a); }

/// The type in which a division computes: 32 or 64 bits.
Type division_type(Type type) { return type.with_bits(type.bits() == 64 ? 64 : 32); }

/// The bits of an integer, zero-extended to 32 or 64 bits.
std::string raw_bits(Type type, const std::string &a) {
    return type.bits() >= 32 || type.is_bool() ? as_unsigned(type, a)
                                               : concat("(uint)(", value_type(UInt(type.bits())), ")", a);
}

constexpr const char *signed_divisions = R"(static $T fluorite_quot_$T($T a, $T b) {
    return b == 0 ? 0 : b == -1 ? ($T)(0 - ($U)a) : a / b;
}
static $T fluorite_rem_$T($T a, $T b) {
    return b == 0 ? 0 : ($T)(($U)a - ($U)fluorite_quot_$T(a, b) * ($U)b);
}
static $T fluorite_div_$T($T a, $T b) {
    const $T q = fluorite_quot_$T(a, b);
    return fluorite_rem_$T(a, b) >= 0 ? q : b < 0 ? q + 1 : q - 1;
}
static $T fluorite_mod_$T($T a, $T b) {
    const $T r = fluorite_rem_$T(a, b);
    return r >= 0 ? r : b < 0 ? r - b : r + b;
})";
constexpr const char *unsigned_divisions = R"(static $T fluorite_quot_$T($T a, $T b) {
    return b == 0 ? 0 : a / b;
}
static $T fluorite_rem_$T($T a, $T b) {
    return b == 0 ? 0 : a % b;
}
static $T fluorite_div_$T($T a, $T b) {
    return b == 0 ? 0 : a / b;
}
static $T fluorite_mod_$T($T a, $T b) {
    return b == 0 ? 0 : a % b;
})";
constexpr const char *float_mod = R"(static $T fluorite_mod_$T($T x, $T y) {
    return x - y * floor(x / y);
})";
constexpr const char *signed_shifts = R"(static $T fluorite_left_$T($T x, ulong by) {
    return by >= $B ? 0 : ($T)(($U)x << (uint)by);
}
static $T fluorite_right_$T($T x, ulong by) {
    return x >> (by >= $B ? $B - 1 : (uint)by);
})";
constexpr const char *unsigned_shifts = R"(static $T fluorite_left_$T($T x, ulong by) {
    return by >= $B ? 0 : ($T)(($U)x << (uint)by);
}
static $T fluorite_right_$T($T x, ulong by) {
    return by >= $B ? 0 : ($T)(($U)x >> (uint)by);
})";
constexpr const char *random_hash = R"(static uint fluorite_random_combine(uint hash, int operand) {
    uint h = hash * 0x9E3779B1U + (uint)operand;
    h ^= h >> 16;
    h *= 0x85EBCA6BU;
    h ^= h >> 13;
    h *= 0xC2B2AE35U;
    return h ^ h >> 16;
})";
constexpr const char *signed_sum = R"(static $T fluorite_saturating_sum_$T($T a, $T b) {
    const $T sum = ($T)(($U)a + ($U)b);
    return ((a ^ sum) & (b ^ sum)) < 0 ? (a < 0 ? $L : $H) : sum;
})";
constexpr const char *unsigned_sum = R"(static $T fluorite_saturating_sum_$T($T a, $T b) {
    const $T sum = ($T)(($U)a + ($U)b);
    return sum < a ? $H : sum;
})";

} // namespace

const char *sign_of(ExprKind kind) {
    switch (kind) {
    case ExprKind::And: // no operand has an effect
        return "&";
    case ExprKind::Or:
        return "|";
    case ExprKind::Min:
        return "<";
    case ExprKind::Max:
        return ">";
    default: // those that the text of the IR has from C
        return ir::kind_name(kind);
    }
}

const char *word_of(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
        return "add";
    case ExprKind::Sub:
        return "sub";
    case ExprKind::Mul:
        return "mul";
    case ExprKind::Div:
        return "div";
    case ExprKind::Mod:
        return "mod";
    case ExprKind::EQ:
        return "eq";
    case ExprKind::NE:
        return "ne";
    case ExprKind::LT:
        return "lt";
    case ExprKind::LE:
        return "le";
    case ExprKind::GT:
        return "gt";
    case ExprKind::GE:
        return "ge";
    case ExprKind::And:
    case ExprKind::BitAnd:
        return "and";
    case ExprKind::Or:
    case ExprKind::BitOr:
        return "or";
    case ExprKind::BitXor:
        return "xor";
    case ExprKind::ShiftLeft:
        return "left";
    case ExprKind::ShiftRight:
        return "right";
    case ExprKind::Not:
    case ExprKind::BitNot:
        return "not";
    default: // those that are words in the text of the IR
        return ir::kind_name(kind);
    }
}

std::string Operators::unary(ExprKind kind, Type type, const std::string &a) {
    switch (kind) {
    case ExprKind::Not:
        return "!" + a;
    case ExprKind::BitNot:
        return type.is_bool() ? "!" + a : wrapped(type, "~" + as_unsigned(type, a));
    case ExprKind::Abs:
        if (is_short_float(type)) {
            return concat("(ushort)(", a, " & 0x7FFF)");
        }
        return type.is_float()  ? concat("fabs(", a, ")")
               : !type.is_int() ? a
                                : wrapped(type.with_code(TypeCode::UInt),
                                          conditional(a + " < 0", "0 - " + as_unsigned(type, a), as_unsigned(type, a)));
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
        return count(kind, type, a);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return a;
    case ExprKind::Fma:
    case ExprKind::Select:
    case FLUORITE_BINARY:
    case FLUORITE_NOT_OPERATORS:
        break;
    }
    unreachable("an operator of one operand");
}

/// Of zero, the width.
std::string Operators::count(ExprKind kind, Type type, const std::string &a) {
    if (type.is_bool()) {
        return kind == ExprKind::CountOnes ? a : "!" + a;
    }
    const std::string bits = raw_bits(type, a), widest = type.bits() == 64 ? "64" : "32";
    if (kind == ExprKind::CountOnes) {
        return wrapped(type, concat("popcount(", bits, ")"));
    }
    if (kind == ExprKind::CountLeadingZeros) {
        return wrapped(type, concat("clz(", bits, ") - ", type.bits() == 64 ? 0 : 32 - type.bits()));
    }
    const std::string least = text_of_uint(UInt(32), uint64_t{1} << (type.bits() % 32)); // one above the highest bit
    const std::string full = type.bits() >= 32 ? in_parentheses(bits) : concat("(", bits, " | ", least, ")");
    return wrapped(type, concat("popcount(~", full, " & (", full, " - 1))"));
}

std::string Operators::binary(ExprKind kind, Type type, const std::string &a, const std::string &b, Overflow overflow) {
    return is_short_float(type) ? short_float_binary(kind, type, a, b)
           : type.is_float()    ? float_binary(kind, type, a, b)
                                : integer_binary(kind, type, a, b, overflow);
}

std::string Operators::float_binary(ExprKind kind, Type type, const std::string &a, const std::string &b) {
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case FLUORITE_COMPARISONS:
        return infix(a, kind, b);
    case ExprKind::Min:
    case ExprKind::Max:
        return conditional(infix(a, kind, b), a, b);
    case ExprKind::AbsDiff:
        return concat("fabs(", a, " - ", b, ")");
    case ExprKind::Mod: {
        const std::string name = "fluorite_mod_" + value_type(type);
        return concat(helpers_.with(name, [&] { return with_names(float_mod, {{'T', value_type(type)}}); }), "(", a,
                      ", ", b, ")");
    }
    default: // those that floats do not have
        unreachable("an operator of floats");
    }
}

std::string Operators::short_float_binary(ExprKind kind, Type type, const std::string &a, const std::string &b) {
    const std::string wide_a = widened(type, a), wide_b = widened(type, b);
    if (kind == ExprKind::Min || kind == ExprKind::Max) {
        return conditional(infix(wide_a, kind, wide_b), a, b);
    }
    if (kind == ExprKind::AbsDiff) {
        return concat("(ushort)(", rounded(type, wide_a + " - " + wide_b), " & 0x7FFF)");
    }
    const std::string result = float_binary(kind, Float(32), wide_a, wide_b);
    return ir::is_comparison(kind) ? result : rounded(type, result);
}

std::string Operators::integer_binary(ExprKind kind, Type type, const std::string &a, const std::string &b,
                                      Overflow overflow) {
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
        return overflow == Overflow::Never ? infix(a, kind, b)
                                           : wrapped(type, infix(as_unsigned(type, a), kind, as_unsigned(type, b)));
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
        return division(word_of(kind), type, a, b);
    case ExprKind::Min:
    case ExprKind::Max:
        return conditional(infix(a, kind, b), a, b);
    case ExprKind::AbsDiff: {
        const std::string x = as_unsigned(type, a), y = as_unsigned(type, b);
        return wrapped(type.with_code(TypeCode::UInt), conditional(a + " < " + b, y + " - " + x, x + " - " + y));
    }
    case FLUORITE_COMPARISONS:
        return infix(a, kind, b);
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return concat("(", value_type(type), ")(", infix(a, kind, b), ")");
    default: // shifts, see shift()
        unreachable("an operator of integers");
    }
}

std::string Operators::division(const char *name, Type type, const std::string &a, const std::string &b) {
    const Type wide = division_type(type);
    const std::string its_type = value_type(wide);
    helpers_.with("fluorite_divisions_" + its_type, [&] {
        return with_names(type.is_int() ? signed_divisions : unsigned_divisions,
                          {{'T', its_type}, {'U', unsigned_type(wide)}});
    });
    return wrapped(type, concat("fluorite_", name, "_", its_type, "(", a, ", ", b, ")"));
}

std::string Operators::shift(ExprKind kind, Type type, Type amount_type, const std::string &a,
                             const std::string &amount) {
    if (type.is_bool()) { // an amount of 1 is that of the width
        return concat(a, " && !", amount);
    }
    const std::string its_type = value_type(type);
    helpers_.with("fluorite_shifts_" + its_type, [&] {
        return with_names(type.is_int() ? signed_shifts : unsigned_shifts,
                          {{'T', its_type}, {'U', unsigned_type(type)}, {'B', concat(type.bits())}});
    });
    const auto call = [&](bool is_left, const std::string &by) {
        return concat(is_left ? "fluorite_left_" : "fluorite_right_", its_type, "(", a, ", ", by, ")");
    };
    const bool is_left = kind == ExprKind::ShiftLeft;
    const std::string forward = call(is_left, "(ulong)" + amount);
    return amount_type.is_int() ? conditional(amount + " < 0", call(!is_left, "0UL - (ulong)" + amount), forward)
                                : forward;
}

std::string Operators::fma(Type type, const std::string &a, const std::string &b, const std::string &c) {
    return is_short_float(type)
               ? rounded(type, concat("fma(", widened(type, a), ", ", widened(type, b), ", ", widened(type, c), ")"))
               : concat("fma(", a, ", ", b, ", ", c, ")");
}

std::string Operators::joined(ir::ReduceOp op, Type type, const std::string &a, const std::string &b) {
    switch (op) {
    case ir::ReduceOp::Add:
        return binary(ExprKind::Add, type, a, b);
    case ir::ReduceOp::Mul:
        return binary(ExprKind::Mul, type, a, b);
    case ir::ReduceOp::Min:
        return binary(ExprKind::Min, type, a, b);
    case ir::ReduceOp::Max:
        return binary(ExprKind::Max, type, a, b);
    case ir::ReduceOp::And:
    case ir::ReduceOp::BitAnd:
        return binary(ExprKind::BitAnd, type, a, b);
    case ir::ReduceOp::Or:
    case ir::ReduceOp::BitOr:
        return binary(ExprKind::BitOr, type, a, b);
    case ir::ReduceOp::BitXor:
        return binary(ExprKind::BitXor, type, a, b);
    case ir::ReduceOp::SaturatingAdd:
        return saturating_sum(type, a, b);
    }
    unreachable("a reduction of no kind");
}

std::string Operators::saturating_sum(Type type, const std::string &a, const std::string &b) {
    if (type.is_float()) {
        return binary(ExprKind::Add, type, a, b);
    }
    if (type.is_bool()) {
        return concat("(bool)(", a, " | ", b, ")");
    }
    const std::string its_type = value_type(type), name = "fluorite_saturating_sum_" + its_type;
    const int64_t most = type.bits() == 64 ? INT64_MAX : (int64_t{1} << (type.bits() - 1)) - 1;
    const std::string high =
        type.is_int() ? text_of_int(type, most) : text_of_uint(type, static_cast<uint64_t>(most) * 2 + 1);
    return concat(helpers_.with(name,
                                [&] {
                                    return with_names(type.is_int() ? signed_sum : unsigned_sum,
                                                      {{'T', its_type},
                                                       {'U', unsigned_type(type)},
                                                       {'L', text_of_int(type, -most - 1)},
                                                       {'H', high}});
                                }),
                  "(", a, ", ", b, ")");
}

std::string Operators::random_combine(const std::string &hash, const std::string &operand) {
    return concat(helpers_.with("fluorite_random_combine", [] { return std::string(random_hash); }), "(", hash, ", ",
                  operand, ")");
}

std::string Operators::random_value(Type type, const std::string &hash) {
    return type.is_float() ? concat("(float)(", hash, " >> 8) * 0x1p-24f") : type.is_int() ? "(int)" + hash : hash;
}

} // namespace fluorite::backends::c_text
