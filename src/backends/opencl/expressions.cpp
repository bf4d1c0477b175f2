// Expressions.
//
//   let t = a + b in t * t    -->   const int v1 = (int)((uint)v0_a + (uint)b_1);
//                                   const int v2 = (int)((uint)v1 * (uint)v1);
//
// Method: each distinct node of a statement is computed once, lane by lane, by the texts of operators.h. All operands
// are computed, those of a Select too: lowering guarantees that both values can be computed. Loads of neighbours, and
// stores to them, are of vector types. In coordinates, arithmetic that is not on data stays signed (operators.h).
//
// Does not do: what only the host can, calls, messages and pointers; such a node is refused. Cost: linear in lanes of
// distinct nodes; the compiler of the device sees no vectors but those of memory.

#include "backends/opencl/expressions.h"

#include "backends/c_text/c_text.h"
#include "backends/c_text/math_functions.h"
#include "fluorite/runtime/math.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "lowering/access/access_shape.h"
#include "support/check.h"

namespace fluorite::backends::opencl {

using ir::ExprKind;
using ir::ExprNode;

namespace {

Overflow only_of_indices(Overflow overflow, Type type) { return ir::is_index_type(type) ? overflow : Overflow::Wraps; }

/// Whether the result is a coordinate only if the operands are.
bool keeps_coordinates(ExprKind kind) {
    return kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul || kind == ExprKind::Min ||
           kind == ExprKind::Max;
}

} // namespace

int lanes_at_once(int lanes) {
    for (int width = 16; width > 1; width /= 2) {
        if (lanes % width == 0) {
            return width;
        }
    }
    return 1;
}

template <typename Text> Value Expressions::define(Type type, const Text &text) {
    Value result{type, {}};
    const std::string c_type = value_type(type.element_of());
    for (int i = 0; i < type.lanes(); i++) {
        const std::string lane = text(static_cast<size_t>(i));
        result.lanes.push_back(letters_of(lane) == lane ? lane : f_.define(c_type, lane)); // a name is left as it is
    }
    return result;
}

void Expressions::refuse(const std::string &what) const {
    throw CompileError("not-built", concat("in ", kernel_, ": ", what,
                                           " in a loop over blocks of an OpenCL device; kernels call only functions of "
                                           "their own; compute it outside of the loops over blocks"));
}

Value Expressions::compute(const Expr &expr, Overflow overflow) {
    const FunctionText::Key key{expr.get(), static_cast<int>(overflow)};
    if (const Value *known = f_.find_known(key)) {
        return *known;
    }
    Value result = new_value(expr, overflow);
    f_.set_known(key, result);
    return result;
}

Value Expressions::unary(const ExprNode &node) {
    const Value a = value(node.arg(0));
    const Type type = a.type.element_of();
    return define(node.type(), [&](size_t i) { return operators_.unary(node.kind(), type, a.lane(i)); });
}

Value Expressions::binary(const ExprNode &node, Overflow overflow) {
    const Type type = node.arg(0).type().element_of();
    const bool is_exact = ir::is_index_type(type) && !node.reads_memory() && keeps_coordinates(node.kind());
    const Overflow inside = is_exact ? overflow : Overflow::Wraps;
    const Value a = compute(node.arg(0), inside), b = compute(node.arg(1), inside);
    return define(node.type(),
                  [&](size_t i) { return operators_.binary(node.kind(), type, a.lane(i), b.lane(i), inside); });
}

Value Expressions::shift(const ExprNode &node) {
    const Value a = value(node.arg(0)), amount = value(node.arg(1));
    const Type type = a.type.element_of(), amount_type = amount.type.element_of();
    return define(node.type(), [&](size_t i) {
        return operators_.shift(node.kind(), type, amount_type, a.lane(i), amount.lane(i));
    });
}

Value Expressions::fma(const ExprNode &node) {
    const Value a = value(node.arg(0)), b = value(node.arg(1)), c = value(node.arg(2));
    const Type type = node.type().element_of();
    return define(node.type(), [&](size_t i) { return operators_.fma(type, a.lane(i), b.lane(i), c.lane(i)); });
}

Value Expressions::conversion(const ExprNode &node, Overflow overflow) {
    const Type to = node.type().element_of(), from = node.arg(0).type().element_of();
    const Value a = compute(node.arg(0), only_of_indices(overflow, from));
    return define(node.type(), [&](size_t i) {
        return node.kind() == ExprKind::Cast ? operators_.cast(from, to, a.lane(i))
                                             : operators_.saturating_cast(from, to, a.lane(i));
    });
}

/// Lanes of one size are reinterpreted one by one; otherwise the bytes of the vector are those of another one.
Value Expressions::reinterpret(const ExprNode &node) {
    const Value a = value(node.arg(0));
    const Type from = a.type.element_of(), to = node.type().element_of();
    if (from.bits() == to.bits()) {
        return define(node.type(), [&](size_t i) { return operators_.reinterpret(from, to, a.lane(i)); });
    }
    const auto wide = static_cast<size_t>(from.bytes()), narrow = static_cast<size_t>(to.bytes());
    return define(node.type(), [&](size_t i) {
        std::string bits;
        for (size_t at = i * narrow; at < (i + 1) * narrow;) { // `at` is a byte; each step ends with a lane of `a`
            const size_t lane = at / wide, skipped = at % wide;
            const std::string part = operators_.bits_of(from, a.lane(lane));
            const size_t shift = 8 * (at - i * narrow);
            bits += concat(bits.empty() ? "" : " | ", "((", part, ") >> ", 8 * skipped, ") << ", shift);
            at = (lane + 1) * wide;
        }
        return operators_.from_bits(to, "(" + bits + ")");
    });
}

Value Expressions::math(const ExprNode &node) {
    std::vector<Value> args;
    for (const Expr &arg : node.args()) {
        args.push_back(value(arg));
    }
    const Type type = node.arg(0).type().element_of();
    return define(node.type(), [&](size_t i) {
        std::vector<std::string> lanes;
        for (const Value &arg : args) {
            lanes.push_back(arg.lane(i));
        }
        return math_text(operators_, node.math_op(), type, lanes);
    });
}

Value Expressions::select(const ExprNode &node, Overflow overflow) {
    const Overflow inside = only_of_indices(overflow, node.type());
    const Value condition = value(node.arg(0)), a = compute(node.arg(1), inside), b = compute(node.arg(2), inside);
    return define(node.type(), [&](size_t i) { return conditional(condition.lane(i), a.lane(i), b.lane(i)); });
}

/// Lane i of group k is base lane i + k * stride lane i, each sum rounded or wrapped as in scalar code.
Value Expressions::ramp(const ExprNode &node, Overflow overflow) {
    const Overflow inside = ir::is_index_type(node.type()) && !node.reads_memory() ? overflow : Overflow::Wraps;
    const Value base = compute(node.arg(0), inside), stride = compute(node.arg(1), inside);
    const Type type = node.type().element_of();
    const auto group = static_cast<size_t>(base.type.lanes());
    return define(node.type(), [&](size_t i) {
        const size_t lane = i % group, steps = i / group;
        if (steps < 2 && !type.is_float()) { // of floats, 0 * stride may be NaN, and base + 0 another zero
            return steps == 0 ? base.lane(lane)
                              : operators_.binary(ExprKind::Add, type, base.lane(lane), stride.lane(lane), inside);
        }
        const std::string count = text_of_number(type, static_cast<int64_t>(steps));
        const std::string by = operators_.binary(ExprKind::Mul, type, count, stride.lane(lane), inside);
        return operators_.binary(ExprKind::Add, type, base.lane(lane), "(" + by + ")", inside);
    });
}

Value Expressions::broadcast(const ExprNode &node, Overflow overflow) {
    const Value a = compute(node.arg(0), overflow);
    Value result{node.type(), {}};
    for (int i = 0; i < node.type().lanes(); i++) {
        result.lanes.push_back(a.lane(static_cast<size_t>(i % a.type.lanes())));
    }
    return result;
}

Value Expressions::shuffle(const ExprNode &node, Overflow overflow) {
    std::vector<std::string> lanes;
    for (const Expr &arg : node.args()) {
        const Value vector = compute(arg, overflow);
        for (int i = 0; i < vector.type.lanes(); i++) {
            lanes.push_back(vector.lane(static_cast<size_t>(i)));
        }
    }
    Value result{node.type(), {}};
    for (const int32_t index : node.indices()) {
        result.lanes.push_back(lanes[static_cast<size_t>(index)]);
    }
    return result;
}

std::string Expressions::joined(ir::ReduceOp op, Type type, const std::string &a, const std::string &b) {
    return operators_.joined(op, type, a, b);
}

/// Joins groups of adjacent lanes in the order that the language defines: adjacent pairs as long as the size of a group
/// is even, then one lane after the other.
Value Expressions::vector_reduce(const ExprNode &node) {
    const Value a = value(node.arg(0));
    const Type type = node.type().element_of();
    const std::string c_type = value_type(type);
    std::vector<std::string> lanes;
    for (int i = 0; i < a.type.lanes(); i++) {
        lanes.push_back(a.lane(static_cast<size_t>(i)));
    }
    const auto groups = static_cast<size_t>(node.type().lanes());
    size_t group = lanes.size() / groups;
    for (; group > 1 && group % 2 == 0; group /= 2) {
        for (size_t k = 0; k < lanes.size() / 2; k++) {
            lanes[k] = f_.define(c_type, joined(node.reduce_op(), type, lanes[2 * k], lanes[2 * k + 1]));
        }
        lanes.resize(lanes.size() / 2);
    }
    Value result{node.type(), {}};
    for (size_t k = 0; k < groups; k++) {
        std::string sum = lanes[k * group];
        for (size_t i = 1; i < group; i++) {
            sum = f_.define(c_type, joined(node.reduce_op(), type, sum, lanes[k * group + i]));
        }
        result.lanes.push_back(std::move(sum));
    }
    return result;
}

/// Nodes that are first computed in the body may depend on the variable, whose symbol another Let may bind, too.
Value Expressions::let(const ExprNode &node, Overflow overflow) {
    f_.bind(node.symbol(), value(node.arg(0)));
    f_.open_let();
    Value body = compute(node.arg(1), overflow);
    f_.close_scope();
    return body;
}

Value Expressions::dense_load(const ExprNode &node, const Expr &first) {
    const Array &array = f_.array(node.symbol());
    const std::string index = coordinate(first).lane(0), element = memory_type(array.type);
    const int lanes = node.type().lanes(), width = lanes_at_once(lanes);
    Value vector{node.type(), {}};
    for (int i = 0; i < lanes; i += width) {
        const std::string at = i == 0 ? index : concat(index, " + ", i);
        const std::string loaded =
            f_.define(concat(element, width), concat("vload", width, "(0, ", array.name, " + (", at, "))"));
        for (int k = 0; k < width; k++) {
            constexpr const char *digits = "0123456789abcdef";
            vector.lanes.push_back(concat(loaded, ".s", digits[k]));
        }
    }
    return array.type.is_bool() ? define(node.type(), [&](size_t i) { return vector.lane(i) + " != 0"; }) : vector;
}

Value Expressions::load(const ExprNode &node) {
    const Array &array = f_.array(node.symbol());
    const bool is_always = ir::is_true(node.arg(1));
    if (const Expr first = lowering::first_of_dense(node.arg(0));
        is_always && first.defined() && node.type().is_vector() && lanes_at_once(node.type().lanes()) > 1) {
        return dense_load(node, first);
    }
    const Value index = coordinate(node.arg(0)), predicate = value(node.arg(1));
    return define(node.type(), [&](size_t i) {
        const std::string loaded = concat(array.name, "[", index.lane(i), "]", array.type.is_bool() ? " != 0" : "");
        return is_always ? loaded : conditional(predicate.lane(i), loaded, "0");
    });
}

Value Expressions::random(const ExprNode &node) {
    std::vector<Value> operands;
    for (const Expr &arg : node.args()) {
        operands.push_back(value(arg));
    }
    const Type type = node.type().element_of();
    return define(node.type(), [&](size_t i) {
        std::string hash = concat(static_cast<uint32_t>(fluorite_random_seed), "U");
        for (const Value &operand : operands) {
            hash = operators_.random_combine(hash, operand.lane(i));
        }
        return operators_.random_value(type, hash);
    });
}

Value Expressions::call(const ExprNode &node) {
    if (node.text() == "memory.prefetch") { // only a hint
        return {node.type(), {"0"}};
    }
    refuse(concat("'", node.text(), "' is called"));
}

Value Expressions::new_value(const Expr &expr, Overflow overflow) {
    const ExprNode &node = *expr.get();
    switch (node.kind()) {
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::FloatImm:
        return {node.type(), {text_of_constant(node)}};
    case ExprKind::Variable:
        return overflow == Overflow::Never ? f_.coordinate(node.symbol()) : f_.value(node.symbol());
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
        return conversion(node, overflow);
    case ExprKind::Reinterpret:
        return reinterpret(node);
    case FLUORITE_BINARY_ARITHMETIC:
    case FLUORITE_COMPARISONS:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return binary(node, overflow);
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return shift(node);
    case ExprKind::Fma:
        return fma(node);
    case ExprKind::Not:
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
    case ExprKind::Abs:
        return unary(node);
    case ExprKind::Math:
        return math(node);
    case ExprKind::Select:
        return select(node, overflow);
    case ExprKind::Ramp:
        return ramp(node, overflow);
    case ExprKind::Broadcast:
        return broadcast(node, overflow);
    case ExprKind::Shuffle:
        return shuffle(node, overflow);
    case ExprKind::VectorReduce:
        return vector_reduce(node);
    case ExprKind::Let:
        return let(node, overflow);
    case ExprKind::Load:
        return load(node);
    case ExprKind::Random:
        return random(node);
    case ExprKind::Extern:
        return call(node);
    case ExprKind::MemoizeTag:
    case FLUORITE_HINTS:
        return compute(node.arg(0), overflow);
    case ExprKind::StringImm:
        refuse("a text is used");
    case ExprKind::BufferField:
        refuse(concat("a field of the buffer '", node.symbol().name(), "' is used"));
    case FLUORITE_EFFECTS:
        refuse("a message is made");
    case ExprKind::Call:
    case ExprKind::Image:
    case ExprKind::Undef:
        break;
    }
    unreachable("the expression does not occur in a lowered module");
}

} // namespace fluorite::backends::opencl
