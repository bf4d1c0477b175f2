// Node construction: constants, and constructors that implement the type rules of expr_kinds.def.
//
// Constructors check what the verifier would otherwise report much later, and broadcast a scalar operand to the lanes
// of the other one. They fold nothing, except where the node would be the identity: a cast or reinterpret to the
// value's own type, and a broadcast or ramp of one lane, return the value itself.

#include "ir/expr_cases.h"
#include "ir/expr_node.h"

#include "ir/expr_traits.h"
#include "support/numeric.h"

#include <algorithm>
#include <limits>

namespace fluorite {

using ir::make_float;
using ir::make_int;
using ir::make_uint;

Expr::Expr(int32_t value) : Expr(make_int(Int(32), value)) {}
Expr::Expr(float value) : Expr(make_float(Float(32), static_cast<double>(value))) {}
Expr::Expr(const std::string &text) : Expr(ir::make_string(text)) {}
Expr::Expr(const char *text) : Expr(ir::make_string(text)) {}
Expr::Expr(float16_t value) : Expr(make_float(Float(16), static_cast<double>(value))) {}
Expr::Expr(bfloat16_t value) : Expr(make_float(BFloat(16), static_cast<double>(value))) {}
Expr Expr::of_bool(bool value) { return ir::make_bool(value); }
Expr::Expr(int8_t value) : Expr(make_int(Int(8), value)) {}
Expr::Expr(int16_t value) : Expr(make_int(Int(16), value)) {}
Expr::Expr(int64_t value) : Expr(make_int(Int(64), value)) {}
Expr::Expr(uint8_t value) : Expr(make_uint(UInt(8), value)) {}
Expr::Expr(uint16_t value) : Expr(make_uint(UInt(16), value)) {}
Expr::Expr(uint32_t value) : Expr(make_uint(UInt(32), value)) {}
Expr::Expr(uint64_t value) : Expr(make_uint(UInt(64), value)) {}
Expr::Expr(long long value) : Expr(make_int(Int(64), value)) {}
Expr::Expr(unsigned long long value) : Expr(make_uint(UInt(64), value)) {}
Expr::Expr(double value) : Expr(make_float(Float(64), value)) {}

Type Expr::type() const { return node_ ? node_->type() : Type(); }

namespace ir {

namespace {

Expr with_lanes_of(const Expr &scalar, Type type) { return make_broadcast(scalar, type.lanes()); }

void require(bool condition, ExprKind kind, const char *rule, std::span<const Expr> args) {
    if (condition) {
        return;
    }
    std::string types;
    for (const Expr &arg : args) {
        types += (types.empty() ? "" : ", ") + to_string(arg.type());
    }
    internal_error(concat("'", kind_name(kind), "' of (", types, "): ", rule), Location::current());
}

/// Broadcasts scalar operands to the lanes of the vector operands.
void match_lanes(std::span<Expr> operands) {
    int lanes = 1;
    for (const Expr &operand : operands) {
        lanes = std::max(lanes, operand.type().lanes());
    }
    for (Expr &operand : operands) {
        if (operand.type().is_scalar() && lanes > 1) {
            operand = make_broadcast(operand, lanes);
        }
    }
}

/// The result type of a binary node; checks its operands.
Type binary_type(ExprKind kind, std::span<const Expr> args) {
    const Type a = args[0].type(), b = args[1].type();
    if (is_shift(kind)) {
        require(a.is_int_or_uint() && b.is_int_or_uint() && a.bits() == b.bits() && a.lanes() == b.lanes(), kind,
                "a shift takes integers of one width", args);
        return a;
    }
    require(a == b, kind, "operands must agree in type", args);
    switch (kind) {
    case FLUORITE_COMPARISONS:
        return Bool(a.lanes());
    case ExprKind::And:
    case ExprKind::Or:
        require(a.is_bool(), kind, "operands must be bool", args);
        return a;
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
        require(a.is_int_or_uint(), kind, "operands must be integers", args);
        return a;
    case ExprKind::AbsDiff:
        require(a.is_int_or_uint() || a.is_float(), kind, "operands must be numbers", args);
        return a.is_int() ? a.with_code(TypeCode::UInt) : a;
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Min:
    case ExprKind::Max:
        require(a.is_int_or_uint() || a.is_float(), kind, "operands must be numbers", args);
        return a;
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        break; // above
    case FLUORITE_NOT_BINARY:
        break;
    }
    unreachable("make_binary takes nodes of two operands of one type");
}

/// The constant below any broadcasts.
const Expr *scalar_constant(const Expr &expr) {
    const Expr *at = &expr;
    while (is_kind(*at, ExprKind::Broadcast)) {
        at = &(*at)->arg(0);
    }
    return at->defined() ? at : nullptr;
}

} // namespace

// ---- Constants.

Expr make_int(Type type, int64_t value) {
    Expr scalar;
    if (type.is_int()) {
        scalar = ExprNode::create(ExprKind::IntImm, type.element_of(), {}, wrap_signed(value, type.bits()));
    } else if (type.is_uint()) {
        const uint64_t bits = wrap_unsigned(static_cast<uint64_t>(value), type.bits());
        scalar = ExprNode::create(ExprKind::UIntImm, type.element_of(), {}, bits);
    } else {
        return make_float(type, static_cast<double>(value));
    }
    return with_lanes_of(scalar, type);
}

Expr make_uint(Type type, uint64_t value) {
    if (type.is_float()) {
        return make_float(type, static_cast<double>(value));
    }
    return make_int(type, static_cast<int64_t>(value));
}

Expr make_float(Type type, double value) {
    check(type.is_float(), concat("a number of type ", type, " is neither an integer nor a float"));
    const Expr scalar =
        ExprNode::create(ExprKind::FloatImm, type.element_of(), {}, Payload(round_to_float(type, value)));
    return with_lanes_of(scalar, type);
}

Expr make_const(Type type, int64_t value) {
    return type.is_bool() ? make_bool(value != 0, type.lanes()) : make_int(type, value);
}

Expr make_zero(Type type) { return make_const(type, 0); }
Expr make_one(Type type) { return make_const(type, 1); }

Expr make_bool(bool value, int lanes) { return make_uint(Bool(lanes), value ? 1 : 0); }

Expr make_string(const std::string &text) { return ExprNode::create(ExprKind::StringImm, Handle(), {}, text); }

Expr type_min(Type type) {
    if (type.is_float()) {
        return make_float(type, -std::numeric_limits<double>::infinity());
    }
    return type.is_int() ? make_int(type, static_cast<int64_t>(uint64_t{1} << (type.bits() - 1))) : make_uint(type, 0);
}

Expr type_max(Type type) {
    if (type.is_float()) {
        return make_float(type, std::numeric_limits<double>::infinity());
    }
    return make_uint(type, wrap_unsigned(~uint64_t{0}, type.bits() - (type.is_int() ? 1 : 0)));
}

bool is_const_int(const Expr &expr, int64_t *value) {
    const Expr *constant = scalar_constant(expr);
    if (constant && (*constant)->kind() == ExprKind::IntImm) {
        *value = (*constant)->int_value();
        return true;
    }
    if (constant && (*constant)->kind() == ExprKind::UIntImm) {
        *value = static_cast<int64_t>((*constant)->uint_value());
        return *value >= 0;
    }
    return false;
}

bool is_const_float(const Expr &expr, double *value) {
    const Expr *constant = scalar_constant(expr);
    if (constant && (*constant)->kind() == ExprKind::FloatImm) {
        *value = (*constant)->float_value();
        return true;
    }
    return false;
}

bool is_const(const Expr &expr) {
    const Expr *constant = scalar_constant(expr);
    return constant && class_of((*constant)->kind()) == ExprClass::Constant &&
           (*constant)->kind() != ExprKind::StringImm;
}

namespace {
bool is_number(const Expr &expr, int64_t number) {
    int64_t integer = 0;
    double value = 0;
    return (is_const_int(expr, &integer) && integer == number) ||
           (is_const_float(expr, &value) && value == static_cast<double>(number));
}
} // namespace

bool is_zero(const Expr &expr) { return is_number(expr, 0); }
bool is_one(const Expr &expr) { return is_number(expr, 1); }
bool is_true(const Expr &expr) { return expr.type().is_bool() && is_one(expr); }
bool is_false(const Expr &expr) { return expr.type().is_bool() && is_zero(expr); }

// ---- Constructors.

Expr make_var(Type type, const Symbol &symbol) { return ExprNode::create(ExprKind::Variable, type, {}, symbol); }

Expr make_binary(ExprKind kind, const Expr &a, const Expr &b) {
    Expr args[] = {a, b};
    match_lanes(args);
    return ExprNode::create(kind, binary_type(kind, args), args);
}

Expr make_unary(ExprKind kind, const Expr &a) {
    const Type type = a.type();
    const std::span<const Expr> args(&a, 1);
    switch (kind) {
    case ExprKind::Not:
        require(type.is_bool(), kind, "the operand must be bool", args);
        break;
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
        require(type.is_int_or_uint(), kind, "the operand must be an integer", args);
        break;
    case ExprKind::Abs:
        require(type.is_int_or_uint() || type.is_float(), kind, "the operand must be a number", args);
        return ExprNode::create(kind, type.is_int() ? type.with_code(TypeCode::UInt) : type, args);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        break;
    default: // other kinds have more operands than one, or a payload
        unreachable("make_unary takes Not, BitNot, Abs, the counts and the hints");
    }
    return ExprNode::create(kind, type, args);
}

namespace {
Expr make_conversion(ExprKind kind, Type type, const Expr &value) {
    if (value.type() == type) {
        return value;
    }
    const Expr operand = value.type().is_scalar() ? make_broadcast(value, type.lanes()) : value;
    require(operand.type().lanes() == type.lanes(), kind, "lanes of value and type must agree", {&value, 1});
    return ExprNode::create(kind, type, {operand});
}
} // namespace

Expr make_cast(Type type, const Expr &value) { return make_conversion(ExprKind::Cast, type, value); }

Expr make_saturating_cast(Type type, const Expr &value) {
    return make_conversion(ExprKind::SaturatingCast, type, value);
}

Expr make_reinterpret(Type type, const Expr &value) {
    if (value.type() == type) {
        return value;
    }
    require(type.bits() * type.lanes() == value.type().bits() * value.type().lanes(), ExprKind::Reinterpret,
            "value and type must have the same number of bits", {&value, 1});
    return ExprNode::create(ExprKind::Reinterpret, type, {value});
}

Expr make_select(const Expr &condition, const Expr &a, const Expr &b) {
    Expr args[] = {condition, a, b};
    match_lanes(args);
    require(args[0].type() == Bool(args[0].type().lanes()) && args[1].type() == args[2].type() &&
                args[0].type().lanes() == args[1].type().lanes(),
            ExprKind::Select, "select takes a bool and two values of one type", args);
    return ExprNode::create(ExprKind::Select, args[1].type(), args);
}

Expr make_fma(const Expr &a, const Expr &b, const Expr &c) {
    Expr args[] = {a, b, c};
    match_lanes(args);
    require(args[0].type().is_float() && args[0].type() == args[1].type() && args[0].type() == args[2].type(),
            ExprKind::Fma, "operands must be floats of one type", args);
    return ExprNode::create(ExprKind::Fma, args[0].type(), args);
}

Expr make_math(MathOp op, std::span<const Expr> args) {
    std::vector<Expr> operands(args.begin(), args.end());
    match_lanes(operands);
    require(static_cast<int>(operands.size()) == math_arity(op), ExprKind::Math, math_name(op), args);
    const Type type = operands[0].type();
    for (const Expr &operand : operands) {
        require(type.is_float() && operand.type() == type, ExprKind::Math, "operands must be floats of one type", args);
    }
    const bool is_test = op == MathOp::IsNan || op == MathOp::IsInf || op == MathOp::IsFinite;
    return ExprNode::create(ExprKind::Math, is_test ? Bool(type.lanes()) : type, operands, op);
}

// ---- Vectors.

Expr make_ramp(const Expr &base, const Expr &stride, int lanes) {
    check(lanes >= 1, "a ramp has at least one lane");
    if (lanes == 1) {
        return base;
    }
    Expr args[] = {base, stride};
    match_lanes(args);
    require(args[0].type() == args[1].type(), ExprKind::Ramp, "base and stride must agree in type", args);
    return ExprNode::create(ExprKind::Ramp, args[0].type().with_lanes(args[0].type().lanes() * lanes), args);
}

Expr make_broadcast(const Expr &value, int lanes) {
    check(lanes >= 1, "a broadcast has at least one lane");
    if (lanes == 1) {
        return value;
    }
    return ExprNode::create(ExprKind::Broadcast, value.type().with_lanes(value.type().lanes() * lanes), {value});
}

Expr make_shuffle(std::span<const Expr> vectors, Indices indices) {
    check(!vectors.empty() && !indices.empty(), "a shuffle takes vectors and indices");
    int lanes = 0;
    for (const Expr &vector : vectors) {
        require(vector.type().element_of() == vectors[0].type().element_of(), ExprKind::Shuffle,
                "vectors must have one element type", vectors);
        lanes += vector.type().lanes();
    }
    for (int32_t index : indices) {
        check(index >= 0 && index < lanes, concat("shuffle index ", index, " is outside ", lanes, " lanes"));
    }
    const Type type = vectors[0].type().with_lanes(static_cast<int>(indices.size()));
    return ExprNode::create(ExprKind::Shuffle, type, vectors, std::move(indices));
}

Expr make_vector_reduce(ReduceOp op, const Expr &value, int lanes) {
    if (value.type().lanes() == lanes) {
        return value;
    }
    require(lanes >= 1 && value.type().lanes() % lanes == 0, ExprKind::VectorReduce,
            "lanes must be reduced in groups of one size", {&value, 1});
    require((op == ReduceOp::And || op == ReduceOp::Or) == value.type().is_bool() ||
                (op == ReduceOp::BitXor && value.type().is_bool()),
            ExprKind::VectorReduce, "bool reduces by and/or/bit_xor, numbers by all but and/or", {&value, 1});
    require(op < ReduceOp::BitAnd || value.type().is_int_or_uint(), ExprKind::VectorReduce,
            "bits are those of integers", {&value, 1});
    return ExprNode::create(ExprKind::VectorReduce, value.type().with_lanes(lanes), {value}, op);
}

// ---- Names and memory.

Expr make_let(const Symbol &symbol, const Expr &value, const Expr &body) {
    return ExprNode::create(ExprKind::Let, body.type(), {value, body}, symbol);
}

Expr make_call(Type type, const Symbol &func, int value_index, std::span<const Expr> args) {
    return ExprNode::create(ExprKind::Call, type, args, Member{func, value_index, Field::Min});
}

Expr make_image(Type type, const Symbol &buffer, std::span<const Expr> args) {
    return ExprNode::create(ExprKind::Image, type, args, buffer);
}

Expr make_load(Type type, const Symbol &buffer, const Expr &index, const Expr &predicate) {
    const Expr mask = predicate.defined() ? predicate : make_bool(true);
    Expr args[] = {index, mask};
    match_lanes(args);
    require(args[0].type().lanes() == type.lanes() && args[1].type() == Bool(type.lanes()), ExprKind::Load,
            "index and predicate must have the lanes of the value", args);
    return ExprNode::create(ExprKind::Load, type, args, buffer);
}

Expr make_field(const Symbol &buffer, Field field, int dim) {
    return ExprNode::create(ExprKind::BufferField, Int(32), {}, Member{buffer, dim, field});
}

Expr make_extern(Type type, const std::string &name, std::span<const Expr> args) {
    return ExprNode::create(ExprKind::Extern, type, args, name);
}

} // namespace ir

namespace {
Expr limit_of(Type type, const char *which, Expr (*limit)(Type)) {
    if (type.is_void() || type.is_handle()) {
        throw CompileError(
            "bad-type", concat("in a Type: ", which, "() of the type ",
                               type.is_void() ? std::string("without bits") : to_string(type),
                               " is asked for; numbers have a least and a greatest; use a type of integers or floats"));
    }
    return limit(type);
}
} // namespace

Expr Type::min() const { return limit_of(*this, "min", ir::type_min); }
Expr Type::max() const { return limit_of(*this, "max", ir::type_max); }

} // namespace fluorite
