// Expressions as instructions.
//
// What: each distinct node gets a slot and one instruction that fills it from the slots of its operands, lane by lane,
// with the functions of interpret/scalar.h. So an operator means here exactly what it means to the interpreter of
// graphs; what differs is what this back end judges: lets, vectors, memory, and which values are in which lanes.
//
// All operands are computed, those of a Select too: lowering guarantees that both values can be computed. The parts of
// a message are computed where the message is needed.
//
// Cost: one indirect call for each node, and one for each lane.

#include "backends/executor/calls.h"
#include "backends/executor/function_builder.h"
#include "fluorite/runtime/checks.h"
#include "fluorite/runtime/math.h"
#include "interpret/scalar.h"
#include "ir/expr_cases.h"
#include "support/check.h"

#include <algorithm>
#include <cstring>

namespace fluorite::backends::executor {

using interpret::Binary;
using interpret::Ternary;
using interpret::Unary;
using ir::ExprKind;
using ir::ExprNode;

namespace {

/// a + b, where the sum of integers stops at the ends of the type.
template <bool is_signed> Cell saturated_sum(Cell a, Cell b, Type type) {
    if constexpr (is_signed) {
        int64_t sum = 0;
        if (__builtin_add_overflow(static_cast<int64_t>(a), static_cast<int64_t>(b), &sum)) {
            sum = static_cast<int64_t>(a) < 0 ? INT64_MIN : INT64_MAX;
        }
        return interpret::find_saturating_cast(Int(64), type)(static_cast<Cell>(sum));
    } else {
        uint64_t sum = 0;
        sum = __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
        return interpret::find_saturating_cast(UInt(64), type)(sum);
    }
}

/// The function that joins two lanes of a reduction.
std::function<Cell(Cell, Cell)> combiner(ir::ReduceOp op, Type element) {
    switch (op) {
    case ir::ReduceOp::Add:
        return interpret::find_binary(ExprKind::Add, element);
    case ir::ReduceOp::Mul:
        return interpret::find_binary(ExprKind::Mul, element);
    case ir::ReduceOp::Min:
        return interpret::find_binary(ExprKind::Min, element);
    case ir::ReduceOp::Max:
        return interpret::find_binary(ExprKind::Max, element);
    case ir::ReduceOp::And:
    case ir::ReduceOp::BitAnd:
        return [](Cell a, Cell b) { return a & b; };
    case ir::ReduceOp::Or:
    case ir::ReduceOp::BitOr:
        return [](Cell a, Cell b) { return a | b; };
    case ir::ReduceOp::BitXor:
        return [](Cell a, Cell b) { return a ^ b; };
    case ir::ReduceOp::SaturatingAdd:
        if (element.is_float()) {
            return interpret::find_binary(ExprKind::Add, element);
        }
        return [element](Cell a, Cell b) {
            return element.is_int() ? saturated_sum<true>(a, b, element) : saturated_sum<false>(a, b, element);
        };
    }
    unreachable("a reduction of no kind");
}

/// Joins groups of adjacent lanes in the order that the language defines: adjacent pairs as long as the size of a group
/// is even, then one lane after the other.
std::vector<Cell> reduced(std::vector<Cell> lanes, size_t groups, const std::function<Cell(Cell, Cell)> &join) {
    size_t group = lanes.size() / groups;
    for (; group > 1 && group % 2 == 0; group /= 2) {
        for (size_t k = 0; k < lanes.size() / 2; k++) {
            lanes[k] = join(lanes[2 * k], lanes[2 * k + 1]);
        }
        lanes.resize(lanes.size() / 2);
    }
    std::vector<Cell> result(groups);
    for (size_t k = 0; k < groups; k++) {
        result[k] = lanes[k * group];
        for (size_t i = 1; i < group; i++) {
            result[k] = join(result[k], lanes[k * group + i]);
        }
    }
    return result;
}

Cell field_of(const fluorite_buffer_t &header, const ir::Member &member) {
    const fluorite_dimension_t &dim = header.dim[member.index];
    switch (member.field) {
    case ir::Field::Min:
        return interpret::cell_of_int(Int(32), dim.min);
    case ir::Field::Max:
        return interpret::cell_of_int(Int(32), int64_t{dim.min} + dim.extent - 1);
    case ir::Field::Extent:
        return interpret::cell_of_int(Int(32), dim.extent);
    case ir::Field::Stride:
        return interpret::cell_of_int(Int(32), dim.stride);
    }
    unreachable("a field of no kind");
}

class ExpressionCompiler {
  public:
    ExpressionCompiler(const Expr &expr, FunctionBuilder &builder)
        : node_(*expr.get()), b_(builder), type_(expr.type()), lanes_(expr.type().lanes()) {}

    Slot compile_node();

  private:
    Slot operand(size_t i) { return compile(node_.arg(i), b_); }
    Slot new_slot() { return b_.new_slot(lanes_); }
    Type operand_type(size_t i = 0) const { return node_.arg(i).type().element_of(); }

    Slot variable();
    Slot field();
    Slot unary(Unary op);
    Slot binary(Binary op);
    Slot ternary(Ternary op);
    Slot reinterpret();
    Slot select();
    Slot ramp();
    Slot broadcast();
    Slot shuffle();
    Slot vector_reduce();
    Slot let();
    Slot load();
    Slot random();
    Slot require();
    Slot print();

    const ExprNode &node_;
    FunctionBuilder &b_;
    Type type_;
    int lanes_;
};

Slot ExpressionCompiler::variable() {
    if (const Slot *bound = b_.find_value(node_.symbol())) {
        return *bound;
    }
    const Slot dest = new_slot();
    b_.emit([dest, buffer = b_.buffer(node_.symbol())](Frame &frame) {
        frame.cell(dest) = reinterpret_cast<Cell>(frame.buffer(buffer).handle());
    });
    return dest;
}

Slot ExpressionCompiler::field() {
    const Slot dest = new_slot();
    b_.emit([dest, buffer = b_.buffer(node_.symbol()), member = node_.member()](Frame &frame) {
        frame.cell(dest) = field_of(*frame.buffer(buffer).header, member);
    });
    return dest;
}

Slot ExpressionCompiler::unary(Unary op) {
    check(op != nullptr, concat("the operator ", kind_name(node_.kind()), " is defined on ", operand_type()));
    const Slot a = operand(0), dest = new_slot();
    b_.emit([=](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            frame.cell(dest, i) = op(frame.cell(a, i));
        }
    });
    return dest;
}

Slot ExpressionCompiler::binary(Binary op) {
    check(op != nullptr, concat("the operator ", kind_name(node_.kind()), " is defined on ", operand_type()));
    const Slot a = operand(0), b = operand(1), dest = new_slot();
    b_.emit([=](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            frame.cell(dest, i) = op(frame.cell(a, i), frame.cell(b, i));
        }
    });
    return dest;
}

Slot ExpressionCompiler::ternary(Ternary op) {
    check(op != nullptr, concat("the operator ", kind_name(node_.kind()), " is defined on ", operand_type()));
    const Slot a = operand(0), b = operand(1), c = operand(2), dest = new_slot();
    b_.emit([=](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            frame.cell(dest, i) = op(frame.cell(a, i), frame.cell(b, i), frame.cell(c, i));
        }
    });
    return dest;
}

/// Lanes of one size are reinterpreted one by one; otherwise the bytes of the vector are those of another one.
Slot ExpressionCompiler::reinterpret() {
    const Type from = operand_type(), to = type_.element_of();
    if (from.bits() == to.bits()) {
        return unary(interpret::find_reinterpret(from, to));
    }
    const Slot a = operand(0), dest = new_slot();
    b_.emit([=, load = interpret::find_loader(to)](Frame &frame) {
        std::vector<uint8_t> bytes(static_cast<size_t>(a.lanes * from.bytes()));
        for (int i = 0; i < a.lanes; i++) {
            interpret::store_element(&bytes[static_cast<size_t>(i * from.bytes())], from, frame.cell(a, i));
        }
        for (int i = 0; i < dest.lanes; i++) {
            frame.cell(dest, i) = load(&bytes[static_cast<size_t>(i * to.bytes())]);
        }
    });
    return dest;
}

Slot ExpressionCompiler::select() {
    const Slot condition = operand(0), a = operand(1), b = operand(2), dest = new_slot();
    b_.emit([=](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            frame.cell(dest, i) = frame.cell(condition, i) ? frame.cell(a, i) : frame.cell(b, i);
        }
    });
    return dest;
}

/// Lane i of group k is base lane i + k * stride lane i, each sum rounded or wrapped as in scalar code.
Slot ExpressionCompiler::ramp() {
    const Type element = type_.element_of();
    const Slot base = operand(0), stride = operand(1), dest = new_slot();
    const Binary add = interpret::find_binary(ExprKind::Add, element),
                 times = interpret::find_binary(ExprKind::Mul, element);
    std::vector<Cell> steps;
    for (int k = 0; k < dest.lanes / base.lanes; k++) {
        steps.push_back(element.is_float() ? interpret::cell_of_float(element, k)
                        : element.is_int() ? interpret::cell_of_int(element, k)
                                           : interpret::cell_of_uint(element, static_cast<uint64_t>(k)));
    }
    b_.emit([=](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            const int lane = i % base.lanes;
            const Cell step = times(steps[static_cast<size_t>(i / base.lanes)], frame.cell(stride, lane));
            frame.cell(dest, i) = add(frame.cell(base, lane), step);
        }
    });
    return dest;
}

Slot ExpressionCompiler::broadcast() {
    const Slot a = operand(0), dest = new_slot();
    b_.emit([=](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            frame.cell(dest, i) = frame.cell(a, i % a.lanes);
        }
    });
    return dest;
}

Slot ExpressionCompiler::shuffle() {
    std::vector<std::pair<Slot, int>> sources; // of each lane
    for (const Expr &arg : node_.args()) {
        const Slot vector = compile(arg, b_);
        for (int i = 0; i < vector.lanes; i++) {
            sources.emplace_back(vector, i);
        }
    }
    const Slot dest = new_slot();
    b_.emit([=, indices = node_.indices()](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            const auto &[vector, lane] = sources[static_cast<size_t>(indices[static_cast<size_t>(i)])];
            frame.cell(dest, i) = frame.cell(vector, lane);
        }
    });
    return dest;
}

Slot ExpressionCompiler::vector_reduce() {
    const Slot a = operand(0), dest = new_slot();
    b_.emit([=, join = combiner(node_.reduce_op(), type_.element_of())](Frame &frame) {
        const std::vector<Cell> lanes(frame.lanes(a), frame.lanes(a) + a.lanes);
        const std::vector<Cell> result = reduced(lanes, static_cast<size_t>(dest.lanes), join);
        std::copy(result.begin(), result.end(), frame.lanes(dest));
    });
    return dest;
}

/// Nodes that are first computed in the body may depend on the variable, whose symbol another Let may bind, too.
Slot ExpressionCompiler::let() {
    b_.bind(node_.symbol(), operand(0));
    b_.open_scope();
    const Slot body = operand(1);
    b_.close_scope();
    return body;
}

Slot ExpressionCompiler::load() {
    const Slot index = operand(0), predicate = operand(1), dest = new_slot();
    const Type element = type_.element_of();
    b_.emit([=, buffer = b_.buffer(node_.symbol()), name = node_.symbol().name(),
             read = interpret::find_loader(element)](Frame &frame) {
        const Memory &memory = frame.accessed(buffer);
        for (int i = 0; i < dest.lanes; i++) {
            if (!frame.cell(predicate, i)) {
                frame.cell(dest, i) = 0;
                continue;
            }
            const uint8_t *at = address_of(frame, memory, name, element, frame.cell(index, i));
            note_access(frame, memory, name, at, element);
            frame.cell(dest, i) = read(at);
        }
    });
    return dest;
}

Slot ExpressionCompiler::random() {
    std::vector<Slot> operands;
    for (size_t i = 0; i < node_.arg_count(); i++) {
        operands.push_back(operand(i));
    }
    const Slot dest = new_slot();
    b_.emit([=, element = type_.element_of()](Frame &frame) {
        for (int i = 0; i < dest.lanes; i++) {
            uint32_t hash = fluorite_random_seed;
            for (const Slot &each : operands) {
                hash = fluorite_random_combine(hash, static_cast<int32_t>(frame.cell(each, i)));
            }
            frame.cell(dest, i) = interpret::random_value(hash, element);
        }
    });
    return dest;
}

/// Fails where the condition is false in some lane.
Slot ExpressionCompiler::require() {
    const Slot condition = operand(0), value = operand(1), shown = operand(2);
    const Text text(ir::message_parts(node_), b_);
    b_.emit([=](Frame &frame) {
        const Cell *lanes = frame.lanes(condition);
        if (std::all_of(lanes, lanes + condition.lanes, [](Cell lane) { return lane != 0; })) {
            return;
        }
        const std::string message = text.in(frame);
        const auto *rule = reinterpret_cast<const char *>(frame.cell(shown));
        throw Failed{fluorite_error_requirement_failed(frame.context(), rule, message.c_str())};
    });
    return value;
}

/// Prints once where the condition is true in some lane.
Slot ExpressionCompiler::print() {
    const Slot condition = operand(0), value = operand(1);
    const Text text(ir::message_parts(node_), b_);
    b_.emit([=](Frame &frame) {
        const Cell *lanes = frame.lanes(condition);
        if (std::any_of(lanes, lanes + condition.lanes, [](Cell lane) { return lane != 0; })) {
            fluorite_print(frame.context(), text.in(frame).c_str());
        }
    });
    return value;
}

Slot ExpressionCompiler::compile_node() {
    const Type element = type_.element_of();
    switch (node_.kind()) {
    case ExprKind::IntImm:
        return b_.constant(interpret::cell_of_int(type_, node_.int_value()));
    case ExprKind::UIntImm:
        return b_.constant(interpret::cell_of_uint(type_, node_.uint_value()));
    case ExprKind::FloatImm:
        return b_.constant(interpret::cell_of_float(type_, node_.float_value()));
    case ExprKind::StringImm:
        return b_.constant(reinterpret_cast<Cell>(node_.text().c_str()));
    case ExprKind::Variable:
        return variable();
    case ExprKind::BufferField:
        return field();
    case ExprKind::Cast:
        return unary(interpret::find_cast(operand_type(), element));
    case ExprKind::SaturatingCast:
        return unary(interpret::find_saturating_cast(operand_type(), element));
    case ExprKind::Reinterpret:
        return reinterpret();
    case FLUORITE_BINARY_ARITHMETIC:
    case FLUORITE_COMPARISONS:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return binary(interpret::find_binary(node_.kind(), operand_type()));
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return binary(interpret::find_shift(node_.kind(), element, operand_type(1)));
    case ExprKind::Fma:
        return ternary(interpret::find_fma(element));
    case ExprKind::Not:
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
    case ExprKind::Abs:
        return unary(interpret::find_unary(node_.kind(), operand_type()));
    case ExprKind::Math:
        return math_arity(node_.math_op()) == 1 ? unary(interpret::find_math_unary(node_.math_op(), operand_type()))
                                                : binary(interpret::find_math_binary(node_.math_op(), operand_type()));
    case ExprKind::Select:
        return select();
    case ExprKind::Ramp:
        return ramp();
    case ExprKind::Broadcast:
        return broadcast();
    case ExprKind::Shuffle:
        return shuffle();
    case ExprKind::VectorReduce:
        return vector_reduce();
    case ExprKind::Let:
        return let();
    case ExprKind::Load:
        return load();
    case ExprKind::Random:
        return random();
    case ExprKind::Extern:
        return compile_call(node_, b_);
    case ExprKind::Require:
        return require();
    case ExprKind::Print:
        return print();
    case ExprKind::MemoizeTag:
        return operand(0);
    case FLUORITE_HINTS:
    case ExprKind::Call:
    case ExprKind::Image:
    case ExprKind::Undef:
        break;
    }
    unreachable("the expression does not occur in a lowered module");
}

} // namespace

uint8_t *address_of(Frame &frame, const Memory &memory, const std::string &name, Type element, Cell index) {
    const auto at = static_cast<int64_t>(index);
    if (at < memory.first || at > memory.last) {
        throw Failed{fluorite_error_bad_access(frame.context(), name.c_str(), at, memory.first, memory.last)};
    }
    return memory.host + at * element.bytes();
}

Slot compile(const Expr &expr, FunctionBuilder &builder) {
    if (const Slot *known = builder.find_known(expr)) {
        return *known;
    }
    const Slot slot = ExpressionCompiler(expr, builder).compile_node();
    builder.set_known(expr, slot);
    return slot;
}

} // namespace fluorite::backends::executor
