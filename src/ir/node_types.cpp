// The type rules of every kind.
//
// default_type derives a node's type from its operands, so that the text form can omit it. type_violation checks a
// finished node: first the rules on operands, by family of kinds, then the result type. The switch over all kinds has
// no default, so that a new kind does not compile until its rule is here.

#include "ir/node_types.h"

#include "ir/expr_cases.h"
#include "ir/text_names.h"

#include <algorithm>

namespace fluorite::ir {

bool is_infix(ExprKind kind) { return precedence(kind) > 0; }

namespace {

bool is_number(Type type) { return type.is_int_or_uint() || type.is_float(); }
Type unsigned_of(Type type) { return type.is_int() ? type.with_code(TypeCode::UInt) : type; }
bool is_test(MathOp op) { return op == MathOp::IsNan || op == MathOp::IsInf || op == MathOp::IsFinite; }

/// The sentence if the rule does not hold.
std::optional<std::string> rule(bool holds, const std::string &sentence) {
    return holds ? std::nullopt : std::optional(sentence);
}

bool same_types(const ExprNode &node) {
    return std::all_of(node.args().begin(), node.args().end(),
                       [&](const Expr &arg) { return arg.type() == node.arg(0).type(); });
}

/// The rule for nodes whose operands all have one type.
std::optional<std::string> same(const ExprNode &node, bool (*family)(Type), const char *name) {
    if (!same_types(node)) {
        return "the operands differ in type";
    }
    return rule(family(node.arg(0).type()), std::string("the operands must be ") + name);
}

bool is_integer(Type type) { return type.is_int_or_uint(); }
bool is_boolean(Type type) { return type.is_bool(); }
bool is_floating(Type type) { return type.is_float(); }

bool all_scalar_int32(const ExprNode &node, bool vectors_too) {
    return std::all_of(node.args().begin(), node.args().end(), [&](const Expr &arg) {
        return vectors_too ? arg.type().element_of() == Int(32) : arg.type() == Int(32);
    });
}

std::optional<std::string> conversion_violation(const ExprNode &node) {
    const Type from = node.arg(0).type(), to = node.type();
    if (node.kind() == ExprKind::Reinterpret) {
        return rule(from.bits() * from.lanes() == to.bits() * to.lanes(), "a reinterpret must keep the number of bits");
    }
    if (from.lanes() != to.lanes()) {
        return "a cast must keep the lanes";
    }
    const bool handles = from.is_handle() || to.is_handle();
    return rule(!handles || from.bits() == to.bits(), "a handle casts only to what has its width");
}

std::optional<std::string> shift_violation(const ExprNode &node) {
    const Type a = node.arg(0).type(), b = node.arg(1).type();
    return rule(is_integer(a) && is_integer(b) && a.bits() == b.bits() && a.lanes() == b.lanes(),
                "a shift takes integers of one width");
}

std::optional<std::string> select_violation(const ExprNode &node) {
    if (!node.arg(0).type().is_bool()) {
        return "the condition must be bool";
    }
    return rule(node.arg(1).type() == node.arg(2).type() && node.arg(0).type().lanes() == node.arg(1).type().lanes(),
                "both values must have one type, with the lanes of the condition");
}

std::optional<std::string> vector_violation(const ExprNode &node) {
    const Type from = node.arg(0).type(), to = node.type();
    if (from.element_of() != to.element_of()) {
        return "the element type must be that of the operand";
    }
    if (node.kind() == ExprKind::Ramp) {
        if (node.arg(1).type() != from) {
            return "base and stride must have one type";
        }
        if (!is_number(from) || from.is_bool()) {
            return "a ramp counts in numbers";
        }
    }
    if (node.kind() == ExprKind::VectorReduce) {
        const bool logic = node.reduce_op() == ReduceOp::And || node.reduce_op() == ReduceOp::Or;
        if (logic != from.is_bool() && !(from.is_bool() && node.reduce_op() == ReduceOp::BitXor)) {
            return "bool reduces by and/or/bit_xor, numbers by all but and/or";
        }
        if (node.reduce_op() >= ReduceOp::BitAnd && !from.is_int_or_uint()) {
            return "bits are those of integers";
        }
        return rule(to.lanes() < from.lanes() && from.lanes() % to.lanes() == 0,
                    "lanes must be reduced in groups of one size");
    }
    return rule(to.lanes() > from.lanes() && to.lanes() % from.lanes() == 0,
                "lanes must be a multiple of the operand's lanes");
}

std::optional<std::string> shuffle_violation(const ExprNode &node) {
    int lanes = 0;
    for (const Expr &arg : node.args()) {
        if (arg.type().element_of() != node.type().element_of()) {
            return "the vectors must have the element type of the result";
        }
        lanes += arg.type().lanes();
    }
    for (int32_t index : node.indices()) {
        if (index < 0 || index >= lanes) {
            return concat("index ", index, " is outside the ", lanes, " lanes of the operands");
        }
    }
    return rule(node.type().lanes() == static_cast<int>(node.indices().size()), "there must be one index per lane");
}

std::optional<std::string> load_violation(const ExprNode &node) {
    const Type index = node.arg(0).type();
    if (!index.is_int() || (index.bits() != 32 && index.bits() != 64)) {
        return "the index must be int32 or int64";
    }
    return rule(index.lanes() == node.type().lanes() && node.arg(1).type() == Bool(index.lanes()),
                "index and predicate must have the lanes of the value");
}

std::optional<std::string> access_violation(const ExprNode &node) {
    if (!all_scalar_int32(node, true)) {
        return "coordinates must be int32";
    }
    int lanes = 1;
    for (const Expr &arg : node.args()) {
        const int own = arg.type().lanes();
        if (own != 1 && lanes != 1 && own != lanes) {
            return "coordinates must agree in lanes";
        }
        lanes = std::max(lanes, own);
    }
    return rule(lanes == node.type().lanes(), "the value must have the lanes of the coordinates");
}

std::optional<std::string> random_violation(const ExprNode &node) {
    const Type element = node.type().element_of();
    const bool known = element == UInt(32) || element == Int(32) || element == Float(32);
    for (const Expr &arg : node.args()) {
        if (arg.type().lanes() != node.type().lanes()) {
            return "the operands must have the lanes of the result";
        }
    }
    return rule(known && all_scalar_int32(node, true), "a random uint32, int32 or float32 is made of int32 operands");
}

std::optional<std::string> guarded_violation(const ExprNode &node) {
    if (!node.arg(0).type().is_bool()) {
        return "the condition must be bool";
    }
    if (node.kind() == ExprKind::Require && node.arg(2).type() != Handle()) {
        return "the text of the condition must be a string";
    }
    return rule(node.arg(1).type() == node.type(), "the type must be that of the value");
}

std::optional<std::string> constant_violation(const ExprNode &node) {
    const Type type = node.type();
    switch (node.kind()) {
    case ExprKind::IntImm:
        return rule(type.is_int() && type.can_represent(node.int_value()), "not a value of the type");
    case ExprKind::UIntImm:
        return rule(type.is_uint() && type.can_represent(node.uint_value()), "not a value of the type");
    case ExprKind::FloatImm:
        return rule(type.is_float() && type.can_represent(node.float_value()), "not a value of the type");
    default: // only constants are asked, of which StringImm is left
        return rule(type == Handle(), "a text is a handle");
    }
}

/// The rules on operands, and on results that default_type leaves open.
std::optional<std::string> operand_violation(const ExprNode &node) {
    switch (node.kind()) {
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::FloatImm:
    case ExprKind::StringImm:
        return constant_violation(node);
    case ExprKind::Variable:
    case ExprKind::Undef:
    case ExprKind::Extern:
        return rule(!node.type().is_void(), "the type must not be void");
    case ExprKind::BufferField:
        return std::nullopt;
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
    case ExprKind::Reinterpret:
        return conversion_violation(node);
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::AbsDiff:
        return same(node, is_number, "numbers");
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
        return same(node, is_integer, "integers");
    case ExprKind::Fma:
    case ExprKind::Math:
        return same(node, is_floating, "floats");
    case ExprKind::EQ:
    case ExprKind::NE:
        return same(node, [](Type type) { return !type.is_void(); }, "values");
    case ExprKind::LT:
    case ExprKind::LE:
    case ExprKind::GT:
    case ExprKind::GE:
    case ExprKind::Abs:
        return same(node, is_number, "numbers");
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
        return same(node, is_boolean, "bool");
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return shift_violation(node);
    case ExprKind::Select:
        return select_violation(node);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::Let:
    case ExprKind::MemoizeTag:
        return std::nullopt;
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::VectorReduce:
        return vector_violation(node);
    case ExprKind::Shuffle:
        return shuffle_violation(node);
    case ExprKind::Call:
    case ExprKind::Image:
        return access_violation(node);
    case ExprKind::Load:
        return load_violation(node);
    case ExprKind::Random:
        return random_violation(node);
    case ExprKind::Require:
    case ExprKind::Print:
        return guarded_violation(node);
    }
    unreachable("a node of no kind");
}

} // namespace

Type default_type(ExprKind kind, std::span<const Expr> args, const Payload &payload) {
    switch (kind) {
    case FLUORITE_COMPARISONS:
        return Bool(args[0].type().lanes());
    case ExprKind::StringImm:
        return Handle();
    case ExprKind::BufferField:
        return Int(32);
    case ExprKind::AbsDiff:
    case ExprKind::Abs:
        return unsigned_of(args[0].type());
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Fma:
    case FLUORITE_LOGIC:
    case FLUORITE_BITS:
    case FLUORITE_HINTS:
    case ExprKind::MemoizeTag:
        return args[0].type();
    case ExprKind::Select:
    case ExprKind::Let:
    case FLUORITE_EFFECTS:
        return args[1].type();
    case ExprKind::Math:
        return is_test(std::get<MathOp>(payload)) ? Bool(args[0].type().lanes()) : args[0].type();
    case ExprKind::Shuffle:
        return args[0].type().with_lanes(static_cast<int>(std::get<Indices>(payload).size()));
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::FloatImm:
    case ExprKind::Variable:
    case FLUORITE_CONVERSIONS:
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::VectorReduce:
    case FLUORITE_ACCESSES:
    case ExprKind::Extern:
    case ExprKind::Random:
    case ExprKind::Undef:
        return Type(); // written with the node
    }
    unreachable("a node of no kind");
}

std::optional<std::string> type_violation(const ExprNode &node) {
    if (auto violation = operand_violation(node)) {
        return violation;
    }
    const Type expected = default_type(node.kind(), node.args(), node.payload());
    return rule(expected.is_void() || expected == node.type(), "the type must be " + to_string(expected));
}

} // namespace fluorite::ir
