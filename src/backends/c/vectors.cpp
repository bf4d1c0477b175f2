// Operators on vectors.
//
//   a + b on 8 Int32   -->   FLUORITE_INLINE fluorite_i32x8 fluorite_add_i32x8_i32x8(fluorite_i32x8 a, fluorite_i32x8 b) {
//                            #if FLUORITE_VECTORS
//                                return (fluorite_i32x8)((fluorite_u32x8)a + (fluorite_u32x8)b);
//                            #else
//                                ... for each lane: the text of operators.h
//   a + b on 16 Int32  -->       return fluorite_join_i32x16(fluorite_add_i32x8_i32x8(fluorite_low_i32x16(a), ...), ...);
//
// Method: a function has the operator of the compiler's vectors where that gives the same bits, and the loop over lanes
// where there is none, or for compilers without vectors. On pairs (vector_types.h) it is that of each half. Signed sums
// are computed as unsigned ones, which wrap. The compilers of C have vectors of powers of two only, so the lanes of
// others end with unused ones.
//
// Relies on: FP_CONTRACT OFF. Cost: one function for each operator, type and number of lanes of the file.

#include "backends/c/vectors.h"

#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "backends/c_text/math_functions.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "support/check.h"

#include <algorithm>
#include <bit>

namespace fluorite::backends::c {

using c_text::is_short_float;
using c_text::sign_of;
using c_text::value_type;
using c_text::word_of;
using ir::ExprKind;

namespace {

/// The lane with which a lane of the function is computed, in the words of OpenCL C.
std::string lane_type(const Vector &vector) { return value_type(vector.type.element_of()); }

std::string sign_bits(Type type) {
    return type.bits() == 64 ? "0x7FFFFFFFFFFFFFFFUL" : type.bits() == 32 ? "0x7FFFFFFFU" : "(ushort)0x7FFF";
}

Vector parameter(const Vector &arg, size_t i) { return {arg.type, arg.held, std::string(1, "abc"[i])}; }

} // namespace

// ---- Functions.

std::string Vectors::selected(Type held, const std::string &mask, const std::string &a, const std::string &b) {
    return concat("FLUORITE_SELECT(", type_name(held), ", ", type_name(mask_of(held)), ", ", mask, ", ", a, ", ", b,
                  ")");
}

std::string Vectors::body_of_pairs(const std::vector<Vector> &args, Type held, const OfHalves &of_halves) {
    std::vector<Vector> low, high;
    for (size_t i = 0; i < args.size(); i++) {
        const Vector whole = parameter(args[i], i);
        const Type low_held = VectorTypes::low(whole.held), high_held = VectorTypes::high(whole.held);
        low.push_back({whole.type.with_lanes(low_held.lanes()), low_held, types_.low(whole.held, whole.text)});
        high.push_back({whole.type.with_lanes(high_held.lanes()), high_held, types_.high(whole.held, whole.text)});
    }
    const std::string of_low = of_halves(low).text, of_high = of_halves(high).text;
    return concat("    return ", types_.joined(held, of_low, of_high), ";\n");
}

std::string Vectors::body_of_lanes(const std::vector<Vector> &args, const Result &result) {
    std::string lanes;
    for (size_t i = 0; i < args.size(); i++) {
        lanes += concat("        const ", lane_type(args[i]), " ", "xyz"[i], " = FLUORITE_LANE(", "abc"[i], ", i)",
                        args[i].type.is_bool() ? " != 0" : "", ";\n");
    }
    return concat("    ", type_name(result.held), " r = FLUORITE_ZERO;\n    for (int i = 0; i < ", result.held.lanes(),
                  "; i++) {\n", lanes, "        FLUORITE_LANE(r, i) = ",
                  result.type.is_bool() ? concat("-(", result.lane, ")") : result.lane, ";\n    }\n    return r;\n");
}

Vector Vectors::call(const std::string &name, const std::vector<Vector> &args, const Result &result,
                     const OfHalves &of_halves) {
    std::string full = "fluorite_" + name, texts;
    bool has_pairs = types_.is_pair(result.held);
    for (const Vector &arg : args) {
        full += concat("_", arg.type.is_bool() ? "m" : "", short_name(arg.type.is_bool() ? arg.held : arg.type), "x",
                       arg.type.lanes());
        texts += (texts.empty() ? "" : ", ") + arg.text;
        has_pairs = has_pairs || types_.is_pair(arg.held);
    }
    helpers().with(full, [&] {
        std::string list, body;
        for (size_t i = 0; i < args.size(); i++) {
            list += concat(i == 0 ? "" : ", ", type_name(args[i].held), " ", "abc"[i]);
        }
        const std::string loop = body_of_lanes(args, result);
        const auto statement = [](const std::string &text) {
            return text.find(';') != std::string::npos ? text : "    return " + text + ";\n";
        };
        if (has_pairs) {
            body = concat("#if FLUORITE_VECTORS\n", body_of_pairs(args, result.held, of_halves), "#else\n", loop,
                          "#endif\n");
        } else if (!result.builtin.empty()) {
            const std::string function = result.builtin.substr(0, result.builtin.find('('));
            body = concat("#if FLUORITE_VECTORS && FLUORITE_HAS_BUILTIN(", function, ")\n", statement(result.builtin),
                          "#else\n", loop, "#endif\n");
        } else {
            body = result.native.empty()
                       ? loop
                       : concat("#if FLUORITE_VECTORS\n", statement(result.native), "#else\n", loop, "#endif\n");
        }
        return concat("static ", type_name(result.held), " ", full, "(", list, ") {\n", body, "}");
    });
    return {result.type, result.held, concat(full, "(", texts, ")")};
}

Vector Vectors::in_lanes(Type held, const Vector &a) {
    if (!a.type.is_bool() || a.held.bits() == held.bits()) {
        return a;
    }
    const Type mask = mask_of(held).with_lanes(a.held.lanes());
    return call("mask" + std::to_string(held.bits()), {a},
                {a.type, mask, "x", concat("__builtin_convertvector(a, ", type_name(mask), ")")},
                [=, this](const auto &h) { return in_lanes(held, h[0]); });
}

// ---- Operators.

Vector Vectors::unary(ExprKind kind, const Vector &a) {
    const Type type = a.type.element_of();
    const std::string lane = operators_.unary(kind, type, "x"), held = type_name(a.held);
    const OfHalves of_halves = [=, this](const auto &h) { return unary(kind, h[0]); };
    if (type.is_bool()) {
        return call(word_of(kind), {a},
                    {a.type, a.held, lane, kind == ExprKind::Not || kind == ExprKind::BitNot ? "~a" : ""}, of_halves);
    }
    const Type result = kind == ExprKind::Abs && type.is_int() ? unsigned_of(a.type) : a.type;
    std::string native;
    if (kind == ExprKind::BitNot) {
        native = "~a";
    } else if (kind == ExprKind::Abs) {
        const std::string bits = type_name(unsigned_of(a.held));
        native = type.is_float() ? concat("(", held, ")((", bits, ")a & ", sign_bits(type), ")")
                 : !type.is_int()
                     ? "a"
                     : selected(unsigned_of(a.held), "a < 0", concat("-(", bits, ")a"), concat("(", bits, ")a"));
    }
    return call(word_of(kind), {a}, {result, held_as(result), lane, native}, of_halves);
}

/// Numbers are masks of one width.
Vector Vectors::bool_binary(ExprKind kind, const Vector &a, const Vector &b) {
    const Vector same = in_lanes(a.held, b);
    const char *native = "";
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::AbsDiff:
    case ExprKind::BitXor:
    case ExprKind::NE:
        native = "a ^ b";
        break;
    case ExprKind::Mul:
    case ExprKind::Min:
    case ExprKind::And:
    case ExprKind::BitAnd:
        native = "a & b";
        break;
    case ExprKind::Max:
    case ExprKind::Or:
    case ExprKind::BitOr:
        native = "a | b";
        break;
    case ExprKind::EQ:
        native = "~(a ^ b)";
        break;
    case ExprKind::LT:
        native = "~a & b";
        break;
    case ExprKind::LE:
        native = "~a | b";
        break;
    case ExprKind::GT:
        native = "a & ~b";
        break;
    case ExprKind::GE:
        native = "a | ~b";
        break;
    default: // divisions
        break;
    }
    return call(word_of(kind), {a, same}, {a.type, a.held, operators_.binary(kind, Bool(), "x", "y"), native},
                [=, this](const auto &h) { return bool_binary(kind, h[0], h[1]); });
}

/// The operator of vectors; empty if there is none with the meaning of the language.
std::string Vectors::native_binary(ExprKind kind, const Vector &a) {
    const Type type = a.type.element_of();
    if (is_short_float(type)) {
        return "";
    }
    const char *sign = sign_of(kind);
    const std::string held = type_name(a.held), bits = type_name(unsigned_of(a.held)),
                      mask = type_name(mask_of(a.held));
    if (ir::is_comparison(kind)) {
        return concat("(", mask, ")(a ", sign, " b)");
    }
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
        return type.is_int() ? concat("(", held, ")((", bits, ")a ", sign, " (", bits, ")b)")
                             : concat("a ", sign, " b");
    case ExprKind::Div:
        return type.is_float() ? "a / b" : "";
    case ExprKind::Min:
    case ExprKind::Max:
        return selected(a.held, concat("a ", sign, " b"), "a", "b");
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return concat("a ", sign, " b");
    case ExprKind::AbsDiff:
        return type.is_float() ? concat("(", held, ")((", bits, ")(a - b) & ", sign_bits(type), ")")
                               : selected(unsigned_of(a.held), "a < b", concat("(", bits, ")b - (", bits, ")a"),
                                          concat("(", bits, ")a - (", bits, ")b"));
    default: // divisions, and remainders of floats
        return "";
    }
}

Vector Vectors::binary(ExprKind kind, const Vector &a, const Vector &b) {
    const Type type = a.type.element_of();
    if (type.is_bool()) {
        return bool_binary(kind, a, b);
    }
    const std::string lane = operators_.binary(kind, type, "x", "y"), native = native_binary(kind, a);
    const Type result = ir::is_comparison(kind)                      ? Bool(a.held.lanes())
                        : kind == ExprKind::AbsDiff && type.is_int() ? unsigned_of(a.type)
                                                                     : a.type;
    const Type held = ir::is_comparison(kind) ? mask_of(a.held) : held_as(result);
    return call(word_of(kind), {a, b}, {result, held, lane, native},
                [=, this](const auto &h) { return binary(kind, h[0], h[1]); });
}

std::string Vectors::native_division(ExprKind kind, const Vector &a, int64_t by) {
    const Type type = a.type.element_of();
    const std::string divisor = c_text::text_of_number(type, by);
    const bool is_div = kind == ExprKind::Div || kind == ExprKind::Quotient;
    const bool rounds_down = !type.is_int() || kind == ExprKind::Div || kind == ExprKind::Mod;
    if (rounds_down && std::has_single_bit(static_cast<uint64_t>(by))) {
        return is_div ? concat("a >> ", std::countr_zero(static_cast<uint64_t>(by)))
                      : concat("a & ", c_text::text_of_number(type, by - 1));
    }
    if (!type.is_int() || kind == ExprKind::Quotient || kind == ExprKind::Remainder) {
        return concat("a ", is_div ? "/" : "%", " ", divisor);
    }
    // A remainder below zero is that of the next quotient.
    return concat("    const ", type_name(a.held), " q = a / ", divisor, ", r = a - q * ", divisor, ";\n    const ",
                  type_name(mask_of(a.held)), " below = r < 0;\n    return ",
                  is_div ? "q + below" : concat("r + (below & ", divisor, ")"), ";\n");
}

Vector Vectors::divided(ExprKind kind, const Vector &a, int64_t by) {
    const Type type = a.type.element_of();
    return call(concat(word_of(kind), "_by_", by), {a},
                {a.type, a.held, operators_.binary(kind, type, "x", c_text::text_of_number(type, by)),
                 native_division(kind, a, by)},
                [=, this](const auto &h) { return divided(kind, h[0], by); });
}

/// An amount of the width or more shifts all bits out; one below zero shifts the other way.
std::string Vectors::native_shift(ExprKind kind, const Vector &a, const Vector &amount) {
    const Type type = a.type.element_of(), bits = unsigned_of(type);
    const std::string held = type_name(a.held), of_bits = type_name(unsigned_of(a.held)),
                      mask = type_name(mask_of(a.held)), width = c_text::text_of_number(bits, type.bits()),
                      most = c_text::text_of_number(bits, type.bits() - 1);
    const auto shifted_by = [&](bool is_left, const std::string &by) {
        const std::string within = concat("(", mask, ")(", by, " < ", width, ")");
        if (!is_left && type.is_int()) {
            const std::string at_most = selected(unsigned_of(a.held), within, by, concat("zero + ", most));
            return concat("(", held, ")(a >> (", mask, ")", at_most, ")");
        }
        const std::string moved = concat("((", of_bits, ")a ", is_left ? "<<" : ">>", " (", by, " & ", most, "))");
        return concat("(", held, ")", selected(unsigned_of(a.held), within, moved, "zero"));
    };
    const bool is_left = kind == ExprKind::ShiftLeft;
    const std::string zero = concat("    const ", of_bits, " zero = FLUORITE_ZERO, by = (", of_bits, ")b;\n");
    if (!amount.type.is_int()) {
        return concat(zero, "    return ", shifted_by(is_left, "by"), ";\n");
    }
    return concat(zero, "    const ", of_bits, " back = -by;\n    const ", held, " there = ", shifted_by(is_left, "by"),
                  ", here = ", shifted_by(!is_left, "back"), ";\n    return ",
                  selected(a.held, concat("(", mask, ")(b < 0)"), "here", "there"), ";\n");
}

Vector Vectors::shift(ExprKind kind, const Vector &a, const Vector &amount) {
    const Type type = a.type.element_of(), amount_type = amount.type.element_of();
    const bool is_native = !type.is_bool() && type.bits() == amount_type.bits();
    return call(word_of(kind), {a, amount},
                {a.type, a.held, operators_.shift(kind, type, amount_type, "x", "y"),
                 is_native ? native_shift(kind, a, amount) : ""},
                [=, this](const auto &h) { return shift(kind, h[0], h[1]); });
}

Vector Vectors::shifted(ExprKind kind, const Vector &a, int amount) {
    const Type type = a.type.element_of();
    const std::string held = type_name(a.held), bits = type_name(unsigned_of(a.held));
    const std::string native =
        kind == ExprKind::ShiftRight ? concat("a >> ", amount) : concat("(", held, ")((", bits, ")a << ", amount, ")");
    return call(concat(word_of(kind), "_by_", amount), {a},
                {a.type, a.held,
                 operators_.shift(kind, type, type.with_code(TypeCode::UInt), "x", std::to_string(amount)), native},
                [=, this](const auto &h) { return shifted(kind, h[0], amount); });
}

Vector Vectors::fma(const Vector &a, const Vector &b, const Vector &c) {
    const Type type = a.type.element_of();
    return call("fma", {a, b, c},
                {a.type, a.held, operators_.fma(type, "x", "y", "z"), "",
                 is_short_float(type) ? "" : "__builtin_elementwise_fma(a, b, c)"},
                [this](const auto &h) { return fma(h[0], h[1], h[2]); });
}

Vector Vectors::select(const Vector &condition, const Vector &a, const Vector &b) {
    const Vector other = in_lanes(a.held, b), mask = in_lanes(mask_of(a.held), condition);
    return call("select", {mask, a, other}, {a.type, a.held, "x ? y : z", selected(a.held, "a", "b", "c")},
                [this](const auto &h) { return select(h[0], h[1], h[2]); });
}

Vector Vectors::saturating_sum(const Vector &a, const Vector &b) {
    return call("saturating_sum", {a, in_lanes(a.held, b)},
                {a.type, a.held, operators_.saturating_sum(a.type.element_of(), "x", "y")},
                [this](const auto &h) { return saturating_sum(h[0], h[1]); });
}

Vector Vectors::joined(ir::ReduceOp op, const Vector &a, const Vector &b) {
    switch (op) {
    case ir::ReduceOp::Add:
        return binary(ExprKind::Add, a, b);
    case ir::ReduceOp::Mul:
        return binary(ExprKind::Mul, a, b);
    case ir::ReduceOp::Min:
        return binary(ExprKind::Min, a, b);
    case ir::ReduceOp::Max:
        return binary(ExprKind::Max, a, b);
    case ir::ReduceOp::And:
    case ir::ReduceOp::BitAnd:
        return binary(ExprKind::BitAnd, a, b);
    case ir::ReduceOp::Or:
    case ir::ReduceOp::BitOr:
        return binary(ExprKind::BitOr, a, b);
    case ir::ReduceOp::BitXor:
        return binary(ExprKind::BitXor, a, b);
    case ir::ReduceOp::SaturatingAdd:
        return saturating_sum(a, b);
    }
    unreachable("a reduction of no kind");
}

/// The function by which some compilers compute whole vectors, to the same bits; empty if there is none.
static std::string elementwise(ir::MathOp op, Type type) {
    if (is_short_float(type)) {
        return "";
    }
    switch (op) {
    case ir::MathOp::Sqrt:
        return "__builtin_elementwise_sqrt(a)";
    case ir::MathOp::Floor:
        return "__builtin_elementwise_floor(a)";
    case ir::MathOp::Ceil:
        return "__builtin_elementwise_ceil(a)";
    case ir::MathOp::Round:
        return "__builtin_elementwise_roundeven(a)";
    case ir::MathOp::Trunc:
        return "__builtin_elementwise_trunc(a)";
    default: // those that are functions of the file
        return "";
    }
}

Vector Vectors::math(ir::MathOp op, Type result, const std::vector<Vector> &args) {
    const Type type = args[0].type.element_of();
    const std::vector<std::string> lanes =
        args.size() == 1 ? std::vector<std::string>{"x"} : std::vector<std::string>{"x", "y"};
    const std::string lane = c_text::math_text(operators_, op, type, lanes);
    const Type held = result.is_bool() ? mask_of(args[0].held) : args[0].held;
    return call(ir::math_name(op), args, {result, held, lane, "", elementwise(op, type)},
                [=, this](const auto &h) { return math(op, result.with_lanes(h[0].type.lanes()), h); });
}

Vector Vectors::random_combine(const Vector &hash, const Vector &operand) {
    return call("random_combine", {hash, operand}, {hash.type, hash.held, operators_.random_combine("x", "y")},
                [this](const auto &h) { return random_combine(h[0], h[1]); });
}

Vector Vectors::random_value(Type type, const Vector &hash) {
    return call("random_" + short_name(type), {hash},
                {type, held_as(type), operators_.random_value(type.element_of(), "x")},
                [=, this](const auto &h) { return random_value(type.with_lanes(h[0].type.lanes()), h[0]); });
}

// ---- Lanes and memory.

Vector Vectors::broadcast(Type type, const std::string &scalar) {
    const Type held = held_as(type);
    return {type, held, types_.broadcast(held, type.is_bool() ? concat("-(", scalar, ")") : scalar)};
}

Vector Vectors::of_lanes(Type type, const std::vector<std::string> &lanes) {
    const Type held = held_as(type);
    std::vector<std::string> as_held;
    for (const std::string &lane : lanes) {
        as_held.push_back(type.is_bool() ? concat("-(", lane, ")") : lane);
    }
    return {type, held, types_.of_lanes(held, as_held)};
}

/// base + steps * stride, where the steps are a constant vector.
Vector Vectors::integer_ramp(Type type, const std::string &base, const std::string &stride) {
    const Type bits = unsigned_of(type);
    std::vector<std::string> numbers;
    for (int i = 0; i < type.lanes(); i++) {
        numbers.push_back(c_text::text_of_number(bits.element_of(), i));
    }
    const std::string of_bits = in_c(value_type(bits.element_of()));
    const auto all = [&](const std::string &scalar) {
        return broadcast(bits, concat("(", of_bits, ")(", scalar, ")"));
    };
    const std::string name = concat("fluorite_steps_", short_name(bits), "x", bits.lanes());
    helpers().with(name, [&] {
        const std::string made = types_.of_lanes(bits, numbers);
        return concat("static ", type_name(bits), " ", name, "(void) {\n    return ", made, ";\n}");
    });
    const Vector steps{bits, bits, name + "()"};
    return reinterpret(type, binary(ExprKind::Add, all(base), binary(ExprKind::Mul, steps, all(stride))));
}

Vector Vectors::shuffle(const std::vector<Vector> &sources, const std::vector<int32_t> &indices) {
    const auto count = static_cast<int>(indices.size());
    std::vector<std::string> texts;
    for (const Vector &source : sources) {
        texts.push_back(source.text);
    }
    return {sources[0].type.with_lanes(count), sources[0].held.with_lanes(count),
            types_.shuffle(sources[0].held, texts, indices)};
}

Vector Vectors::load(Type type, const std::string &address) {
    if (type.is_bool()) {
        const Type bytes = UInt(8, type.lanes());
        return cast(type, {bytes, bytes, types_.load(bytes, address)});
    }
    return {type, held_as(type), types_.load(held_as(type), address)};
}

std::string Vectors::store(const std::string &address, const Vector &value) {
    const Vector bytes = value.type.is_bool() ? cast(UInt(8, value.type.lanes()), value) : value;
    return types_.store(bytes.held, address, bytes.text);
}

} // namespace fluorite::backends::c
