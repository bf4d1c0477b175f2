// Operators on vectors.
//
//   a + b on 8 Int32   -->   FLUORITE_INLINE fluorite_i32x8 fluorite_add_i32x8_i32x8(fluorite_i32x8 a, fluorite_i32x8 b) {
//                            #if FLUORITE_VECTORS
//                                return (fluorite_i32x8)((fluorite_u32x8)a + (fluorite_u32x8)b);
//                            #else
//                                ... for each lane: the text of operators.h
//
// Method: a function has the operator of the compiler's vectors where that gives the same bits, and the loop over lanes
// where there is none, or for compilers without vectors. Signed sums are computed as unsigned ones, which wrap. The
// compilers of C have vectors of powers of two only, so the lanes of others end with unused ones.
//
// Relies on: FP_CONTRACT OFF. Cost: one function for each operator, type and number of lanes of the file.

#include "backends/c/vectors.h"

#include "backends/c_text/c_text.h"
#include "backends/c_text/math_functions.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "support/check.h"
#include "support/numeric.h"

#include "backends/c/words.h"

#include <bit>

namespace fluorite::backends::c {

using c_text::is_short_float;
using c_text::value_type;
using ir::ExprKind;

namespace {

Type unsigned_of(Type type) { return UInt(type.bits(), type.lanes()); }

std::string name_of(Type held) { return concat("fluorite_", short_name(held), "x", held.lanes()); }

/// The lane with which a lane of the function is computed, in the words of OpenCL C.
std::string lane_type(const Vector &vector) { return value_type(vector.type.element_of()); }

const char *sign_of(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
        return "+";
    case ExprKind::Sub:
        return "-";
    case ExprKind::Mul:
        return "*";
    case ExprKind::Div:
        return "/";
    case ExprKind::EQ:
        return "==";
    case ExprKind::NE:
        return "!=";
    case ExprKind::LT:
    case ExprKind::Min:
        return "<";
    case ExprKind::LE:
        return "<=";
    case ExprKind::GT:
    case ExprKind::Max:
        return ">";
    case ExprKind::GE:
        return ">=";
    case ExprKind::BitAnd:
        return "&";
    case ExprKind::BitOr:
        return "|";
    case ExprKind::BitXor:
        return "^";
    default: // operators that have no sign on vectors
        return nullptr;
    }
}

/// The operator in the name of a function.
std::string word_of(ExprKind kind) {
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
    case ExprKind::Quotient:
        return "quotient";
    case ExprKind::Remainder:
        return "remainder";
    case ExprKind::Min:
        return "min";
    case ExprKind::Max:
        return "max";
    case ExprKind::AbsDiff:
        return "absdiff";
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
    case ExprKind::Abs:
        return "abs";
    case ExprKind::CountOnes:
        return "ones";
    case ExprKind::CountLeadingZeros:
        return "leading_zeros";
    case ExprKind::CountTrailingZeros:
        return "trailing_zeros";
    default: // what is no operator
        unreachable("an operator on vectors");
    }
}

std::string sign_bits(Type type) {
    return type.bits() == 64 ? "0x7FFFFFFFFFFFFFFFUL" : type.bits() == 32 ? "0x7FFFFFFFU" : "(ushort)0x7FFF";
}

} // namespace

Type held_as(Type type) {
    return type.is_bool() ? Int(8, type.lanes()) : is_short_float(type) ? unsigned_of(type) : type;
}

Type mask_of(Type held) { return Int(held.bits(), held.lanes()); }

std::string lane_text(const std::string &vector, int i) { return concat("FLUORITE_LANE(", vector, ", ", i, ")"); }

std::string lane_value(const Vector &vector, int i) {
    return lane_text(vector.text, i) + (vector.type.is_bool() ? " != 0" : "");
}

std::string Vectors::type_name(Type held) {
    return helpers_.with(name_of(held), [&] {
        const auto stored = std::bit_ceil(static_cast<unsigned>(held.lanes()));
        return concat("FLUORITE_VECTOR(", value_type(held.element_of()), ", ", name_of(held), ", ", held.lanes(), ", ",
                      stored, ");");
    });
}

Vector Vectors::call(const std::string &name, Type type, Type held, const std::vector<Vector> &args,
                     const std::string &native, const std::string &lane) {
    std::string full = "fluorite_" + name, list, texts;
    for (const Vector &arg : args) {
        full += concat("_", arg.type.is_bool() ? "m" : "", short_name(arg.type.is_bool() ? arg.held : arg.type), "x",
                       arg.type.lanes());
        texts += (texts.empty() ? "" : ", ") + arg.text;
    }
    helpers_.with(full, [&] {
        const std::string result = type_name(held);
        std::string lanes;
        for (size_t i = 0; i < args.size(); i++) {
            list += concat(i == 0 ? "" : ", ", type_name(args[i].held), " ", "abc"[i]);
            lanes += concat("        const ", lane_type(args[i]), " ", "xyz"[i], " = FLUORITE_LANE(", "abc"[i], ", i)",
                            args[i].type.is_bool() ? " != 0" : "", ";\n");
        }
        const std::string loop =
            concat("    ", result, " r = FLUORITE_ZERO;\n    for (int i = 0; i < ", held.lanes(), "; i++) {\n", lanes,
                   "        FLUORITE_LANE(r, i) = ", type.is_bool() ? concat("-(", lane, ")") : lane,
                   ";\n    }\n    return r;\n");
        const bool is_body = native.find(';') != std::string::npos;
        const std::string body =
            native.empty() ? loop
                           : concat("#if FLUORITE_VECTORS\n", is_body ? native : "    return " + native + ";\n",
                                    "#else\n", loop, "#endif\n");
        return concat("static ", result, " ", full, "(", list, ") {\n", body, "}");
    });
    return {type, held, concat(full, "(", texts, ")")};
}

Vector Vectors::call_bool(const std::string &name, Type held, const std::vector<Vector> &args,
                          const std::string &native, const std::string &lane) {
    return call(name, Bool(held.lanes()), held, args, native, lane);
}

Vector Vectors::in_lanes(Type held, const Vector &a) {
    if (!a.type.is_bool() || a.held == held) {
        return a;
    }
    return call("mask" + std::to_string(held.bits()), a.type, held, {a},
                concat("__builtin_convertvector(a, ", type_name(held), ")"), "x");
}

// ---- Operators.

Vector Vectors::unary(ExprKind kind, const Vector &a) {
    const Type type = a.type.element_of();
    const std::string lane = operators_.unary(kind, type, "x"), held = type_name(a.held);
    if (type.is_bool()) {
        return call_bool(word_of(kind), a.held, {a}, kind == ExprKind::Not || kind == ExprKind::BitNot ? "~a" : "",
                         lane);
    }
    const Type result = kind == ExprKind::Abs && type.is_int() ? unsigned_of(a.type) : a.type;
    std::string native;
    if (kind == ExprKind::BitNot) {
        native = "~a";
    } else if (kind == ExprKind::Abs) {
        const std::string bits = type_name(unsigned_of(a.held)), mask = type_name(mask_of(a.held));
        native = type.is_float() ? concat("(", held, ")((", bits, ")a & ", sign_bits(type), ")")
                 : !type.is_int()
                     ? "a"
                     : concat("FLUORITE_SELECT(", bits, ", ", mask, ", a < 0, -(", bits, ")a, (", bits, ")a)");
    }
    return call(word_of(kind), result, held_as(result), {a}, native, lane);
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
    return call_bool(word_of(kind), a.held, {a, same}, native, operators_.binary(kind, Bool(), "x", "y"));
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
        return concat("FLUORITE_SELECT(", held, ", ", mask, ", a ", sign, " b, a, b)");
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return concat("a ", sign, " b");
    case ExprKind::AbsDiff:
        return type.is_float() ? concat("(", held, ")((", bits, ")(a - b) & ", sign_bits(type), ")")
                               : concat("FLUORITE_SELECT(", bits, ", ", mask, ", a < b, (", bits, ")b - (", bits,
                                        ")a, (", bits, ")a - (", bits, ")b)");
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
    if (ir::is_comparison(kind)) {
        return call_bool(word_of(kind), mask_of(a.held), {a, b}, native, lane);
    }
    const Type result = kind == ExprKind::AbsDiff && type.is_int() ? unsigned_of(a.type) : a.type;
    return call(word_of(kind), result, held_as(result), {a, b}, native, lane);
}

Vector Vectors::divided(ExprKind kind, const Vector &a, int64_t by) {
    const Type type = a.type.element_of();
    const std::string divisor = c_text::text_of_number(type, by), held = type_name(a.held),
                      mask = type_name(mask_of(a.held));
    const bool is_div = kind == ExprKind::Div || kind == ExprKind::Quotient;
    std::string native;
    const bool rounds_down = !type.is_int() || kind == ExprKind::Div || kind == ExprKind::Mod;
    if (rounds_down && std::has_single_bit(static_cast<uint64_t>(by))) {
        native = is_div ? concat("a >> ", std::countr_zero(static_cast<uint64_t>(by)))
                        : concat("a & ", c_text::text_of_number(type, by - 1));
    } else if (!type.is_int() || kind == ExprKind::Quotient || kind == ExprKind::Remainder) {
        native = concat("a ", is_div ? "/" : "%", " ", divisor);
    } else { // a remainder below zero is that of the next quotient
        native =
            concat("    const ", held, " q = a / ", divisor, ", r = a - q * ", divisor, ";\n    const ", mask,
                   " below = r < 0;\n    return ", is_div ? "q + below" : concat("r + (below & ", divisor, ")"), ";\n");
    }
    return call(concat(word_of(kind), "_by_", by), a.type, a.held, {a}, native,
                operators_.binary(kind, type, "x", divisor));
}

Vector Vectors::shift(ExprKind kind, const Vector &a, const Vector &amount) {
    return call(word_of(kind), a.type, a.held, {a, amount}, "",
                operators_.shift(kind, a.type.element_of(), amount.type.element_of(), "x", "y"));
}

Vector Vectors::shifted(ExprKind kind, const Vector &a, int amount) {
    const Type type = a.type.element_of();
    const std::string held = type_name(a.held), bits = type_name(unsigned_of(a.held));
    const std::string native =
        kind == ExprKind::ShiftRight ? concat("a >> ", amount) : concat("(", held, ")((", bits, ")a << ", amount, ")");
    return call(concat(word_of(kind), "_by_", amount), a.type, a.held, {a}, native,
                operators_.shift(kind, type, type.with_code(TypeCode::UInt), "x", std::to_string(amount)));
}

Vector Vectors::fma(const Vector &a, const Vector &b, const Vector &c) {
    return call("fma", a.type, a.held, {a, b, c}, "", operators_.fma(a.type.element_of(), "x", "y", "z"));
}

Vector Vectors::select(const Vector &condition, const Vector &a, const Vector &b) {
    const Vector other = in_lanes(a.held, b), mask = in_lanes(mask_of(a.held), condition);
    const std::string native = concat("FLUORITE_SELECT(", type_name(a.held), ", ", type_name(mask.held), ", a, b, c)");
    return call("select", a.type, a.held, {mask, a, other}, native, "x ? y : z");
}

Vector Vectors::saturating_sum(const Vector &a, const Vector &b) {
    return call("saturating_sum", a.type, a.held, {a, in_lanes(a.held, b)}, "",
                operators_.saturating_sum(a.type.element_of(), "x", "y"));
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

Vector Vectors::math(ir::MathOp op, Type result, const std::vector<Vector> &args) {
    const Type type = args[0].type.element_of();
    const std::vector<std::string> lanes =
        args.size() == 1 ? std::vector<std::string>{"x"} : std::vector<std::string>{"x", "y"};
    const std::string lane = c_text::math_text(operators_, op, type, lanes);
    const std::string name = ir::math_name(op);
    return result.is_bool() ? call_bool(name, mask_of(args[0].held), args, "", lane)
                            : call(name, result, args[0].held, args, "", lane);
}

Vector Vectors::random_combine(const Vector &hash, const Vector &operand) {
    return call("random_combine", hash.type, hash.held, {hash, operand}, "", operators_.random_combine("x", "y"));
}

Vector Vectors::random_value(Type type, const Vector &hash) {
    return call("random_" + short_name(type), type, held_as(type), {hash}, "",
                operators_.random_value(type.element_of(), "x"));
}

// ---- Lanes.

Vector Vectors::broadcast(Type type, const std::string &scalar) {
    const Type held = held_as(type), element = type.element_of();
    const std::string result = type_name(held), name = concat("fluorite_broadcast_", type.is_bool() ? "m" : "",
                                                              short_name(element), "x", type.lanes());
    helpers_.with(name, [&] {
        std::string lanes;
        for (int i = 0; i < held.lanes(); i++) {
            lanes += concat(i == 0 ? "" : ", ", "v");
        }
        const std::string value = type.is_bool() ? "-(char)x" : "x";
        return concat("static ", result, " ", name, "(", value_type(element), " x) {\n    const ",
                      value_type(held.element_of()), " v = ", value, ";\n    const ", result, " r = FLUORITE_LANES(",
                      lanes, ");\n    return r;\n}");
    });
    return {type, held, concat(name, "(", scalar, ")")};
}

Vector Vectors::integer_ramp(Type type, const std::string &base, const std::string &stride) {
    const Type element = type.element_of();
    const std::string result = type_name(type), of_bits = type_name(unsigned_of(type)),
                      name = concat("fluorite_ramp_", short_name(element), "x", type.lanes());
    const Type bits = element.with_code(TypeCode::UInt);
    broadcast(unsigned_of(type), "");
    helpers_.with(name, [&] {
        std::string lanes;
        for (int i = 0; i < type.lanes(); i++) {
            lanes += concat(i == 0 ? "" : ", ", c_text::text_of_number(bits, i));
        }
        const std::string all = concat("fluorite_broadcast_", short_name(bits), "x", type.lanes()),
                          unsigned_lane = value_type(bits);
        return concat(
            "static ", result, " ", name, "(", value_type(element), " base, ", value_type(element),
            " stride) {\n#if FLUORITE_VECTORS\n    const ", of_bits, " steps = FLUORITE_LANES(", lanes,
            ");\n    return (", result, ")(", all, "((", unsigned_lane, ")base) + steps * ", all, "((", unsigned_lane,
            ")stride));\n#else\n    ", result, " r = FLUORITE_ZERO;\n    for (int i = 0; i < ", type.lanes(),
            "; i++) {\n        FLUORITE_LANE(r, i) = ",
            operators_.binary(
                ExprKind::Add, element, "base",
                "(" + operators_.binary(ExprKind::Mul, element, concat("(", value_type(element), ")i"), "stride") +
                    ")"),
            ";\n    }\n    return r;\n#endif\n}");
    });
    return {type, type, concat(name, "(", base, ", ", stride, ")")};
}

Vector Vectors::shuffle(const std::vector<Vector> &sources, const std::vector<int32_t> &indices) {
    const Vector &first = sources[0];
    const int lanes = first.held.lanes(), count = static_cast<int>(indices.size());
    const Type type = first.type.with_lanes(count), held = first.held.with_lanes(count);
    const auto stored = static_cast<int>(std::bit_ceil(static_cast<unsigned>(lanes)));
    std::string order, assigned, native;
    for (int i = 0; i < static_cast<int>(std::bit_ceil(static_cast<unsigned>(count))); i++) {
        const int index = i < count ? indices[static_cast<size_t>(i)] : -1;
        native += concat(", ", index < lanes ? index : stored + index - lanes);
        if (i < count) {
            order += concat("_", index);
            assigned += concat("    FLUORITE_LANE(r, ", i, ") = FLUORITE_LANE(", index < lanes ? "a" : "b", ", ",
                               index % lanes, ");\n");
        }
    }
    const std::string result = type_name(held), source = type_name(first.held);
    const std::string name =
        concat("fluorite_shuffle_", short_name(held), "x", lanes, sources.size() > 1 ? "_two" : "", "_to", order);
    const std::string used = name.size() < 100 ? name : concat(name.substr(0, 60), "_", hash_text(name));
    helpers_.with(used, [&] {
        return concat(
            "static ", result, " ", used, "(", source, " a", sources.size() > 1 ? concat(", ", source, " b") : "",
            ") {\n#if FLUORITE_SHUFFLES\n    return __builtin_shufflevector(a, ", sources.size() > 1 ? "b" : "a",
            native, ");\n#else\n    ", result, " r = FLUORITE_ZERO;\n", assigned, "    return r;\n#endif\n}");
    });
    return {type, held, concat(used, "(", first.text, sources.size() > 1 ? ", " + sources[1].text : "", ")")};
}

// ---- Memory.

Vector Vectors::load(Type type, const std::string &address) {
    const bool is_bool = type.is_bool();
    const Type held = is_bool ? UInt(8, type.lanes()) : held_as(type);
    const std::string result = type_name(held), name = concat("fluorite_load_", short_name(held), "x", type.lanes()),
                      element = value_type(held.element_of());
    helpers_.with(name, [&] {
        return concat("static ", result, " ", name, "(const ", element, " *from) {\n    ", result,
                      " r = FLUORITE_ZERO;\n    memcpy(&r, from, ", type.lanes(), " * sizeof(", element,
                      "));\n    return r;\n}");
    });
    const Vector loaded{is_bool ? held : type, held, concat(name, "(", address, ")")};
    return is_bool ? cast(type, loaded) : loaded;
}

std::string Vectors::store(const std::string &address, const Vector &value) {
    const Vector bytes = value.type.is_bool() ? cast(UInt(8, value.type.lanes()), value) : value;
    const std::string type = type_name(bytes.held), element = value_type(bytes.held.element_of()),
                      name = concat("fluorite_store_", short_name(bytes.held), "x", bytes.held.lanes());
    helpers_.with(name, [&] {
        return concat("static void ", name, "(", element, " *to, ", type, " v) {\n    memcpy(to, &v, ",
                      bytes.held.lanes(), " * sizeof(", element, "));\n}");
    });
    return concat(name, "(", address, ", ", bytes.text, ")");
}

} // namespace fluorite::backends::c
