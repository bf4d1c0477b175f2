// Expressions.
//
// Method: scalars by the texts of backends/c_text/operators.h, vectors by functions (vectors.h). Coordinates, whose
// arithmetic does not overflow, are computed in 64 bits, so that the offsets of large buffers are exact. Predicated and
// irregular accesses are made lane by lane. Cost: linear in the distinct nodes of each statement, and in the lanes of
// irregular accesses.

#include "backends/c/expressions.h"

#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "backends/c_text/math_functions.h"
#include "fluorite/runtime/math.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "lowering/access/access_shape.h"
#include "support/check.h"

namespace fluorite::backends::c {

using c_text::Overflow;
using ir::ExprKind;
using ir::ExprNode;

namespace {

bool is_constant_text(const std::string &text) { return c_text::letters_of(text) == text; }

bool keeps_coordinates(ExprKind kind) {
    return kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul || kind == ExprKind::Min ||
           kind == ExprKind::Max;
}

} // namespace

Value Expressions::named(Type type, const std::string &text) {
    return {type, {is_constant_text(text) ? text : f_.define(scalar_type(type.element_of()), text)}};
}

Value Expressions::named(const Vector &vector) {
    const bool is_name = is_constant_text(vector.text);
    return {vector.held, {is_name ? vector.text : f_.define(vectors_.type_name(vector.held), vector.text)}};
}

Vector Expressions::vector(const Expr &expr) {
    const Value found = value(expr);
    return {expr.type(), found.type, found.lanes[0]};
}

Value Expressions::compute(const Expr &expr, Overflow overflow) {
    if (expr.type().is_vector()) {
        overflow = Overflow::Wraps;
    }
    const c_text::FunctionText::Key key{expr.get(), static_cast<int>(overflow)};
    if (const Value *known = f_.find_known(key)) {
        return *known;
    }
    Value result = new_value(expr, overflow);
    f_.set_known(key, result);
    return result;
}

/// A coordinate in 64 bits.
Value Expressions::exact(const Expr &expr) {
    const ExprNode &node = *expr.get();
    if (node.kind() == ExprKind::IntImm) {
        return {Int(64), {concat(node.int_value())}};
    }
    if (node.kind() == ExprKind::Variable) {
        return {Int(64), {concat("(int64_t)", f_.coordinate(node.symbol()).lanes[0])}};
    }
    if (ir::is_hint(node.kind())) {
        return compute(node.arg(0), Overflow::Never);
    }
    if (ir::is_index_arithmetic(expr) && keeps_coordinates(node.kind())) {
        const std::string a = coordinate(node.arg(0)), b = coordinate(node.arg(1));
        return named(Int(64), in_c(operators_.binary(node.kind(), Int(64), a, b, Overflow::Never)));
    }
    return named(Int(64), "(int64_t)" + scalar(expr));
}

Value Expressions::let(const ExprNode &node, Overflow overflow) {
    f_.bind(node.symbol(), value(node.arg(0)));
    f_.open_let();
    Value body = compute(node.arg(1), overflow);
    f_.close_scope();
    return body;
}

// ---- Scalars.

Value Expressions::scalar_node(const ExprNode &node) {
    const Type type = node.type(), from = node.arg_count() > 0 ? node.arg(0).type() : Type();
    const auto made = [&](const std::string &text) { return named(type, in_c(text)); };
    switch (node.kind()) {
    case ExprKind::Cast:
        return made(operators_.cast(from, type, scalar(node.arg(0))));
    case ExprKind::SaturatingCast:
        return made(operators_.saturating_cast(from, type, scalar(node.arg(0))));
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return made(operators_.shift(node.kind(), type, node.arg(1).type(), scalar(node.arg(0)), scalar(node.arg(1))));
    case ExprKind::Fma:
        return made(operators_.fma(type, scalar(node.arg(0)), scalar(node.arg(1)), scalar(node.arg(2))));
    case ExprKind::Not:
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
    case ExprKind::Abs:
        return made(operators_.unary(node.kind(), from, scalar(node.arg(0))));
    case ExprKind::Select: {
        const std::string condition = scalar(node.arg(0)), a = scalar(node.arg(1)), b = scalar(node.arg(2));
        return named(type, c_text::conditional(condition, a, b));
    }
    case ExprKind::Math: {
        std::vector<std::string> args;
        for (const Expr &arg : node.args()) {
            args.push_back(scalar(arg));
        }
        return made(c_text::math_text(operators_, node.math_op(), from, args));
    }
    case ExprKind::Random: {
        std::string hash = concat(static_cast<uint32_t>(fluorite_random_seed), "U");
        for (const Expr &arg : node.args()) {
            hash = operators_.random_combine(hash, scalar(arg));
        }
        return made(operators_.random_value(type, hash));
    }
    default: // binary operators
        return made(operators_.binary(node.kind(), from, scalar(node.arg(0)), scalar(node.arg(1))));
    }
}

// ---- Vectors.

/// Lane i of a value, which may be a scalar.
std::string Expressions::lane_of(const Value &whole, Type type, int i) {
    return type.is_scalar() ? whole.lanes[0] : vectors_.lane({type, whole.type, whole.lanes[0]}, i);
}

Vector Expressions::binary_vector(const ExprNode &node) {
    const Vector a = vector(node.arg(0));
    const Type type = a.type.element_of();
    int64_t by = 0;
    if (type.is_int_or_uint() && !type.is_bool() && ir::is_const_int(node.arg(1), &by)) {
        const bool is_division = node.kind() == ExprKind::Div || node.kind() == ExprKind::Mod ||
                                 node.kind() == ExprKind::Quotient || node.kind() == ExprKind::Remainder;
        if (is_division && by > 0) {
            return vectors_.divided(node.kind(), a, by);
        }
        if (ir::is_shift(node.kind()) && by >= 0 && by < type.bits()) {
            return vectors_.shifted(node.kind(), a, static_cast<int>(by));
        }
    }
    const Vector b = vector(node.arg(1));
    return ir::is_shift(node.kind()) ? vectors_.shift(node.kind(), a, b) : vectors_.binary(node.kind(), a, b);
}

/// Lane i of group k is base lane i + k * stride lane i, each sum rounded or wrapped as in scalar code.
Vector Expressions::ramp(const ExprNode &node) {
    const Type type = node.type(), element = type.element_of();
    const Expr &base = node.arg(0), &stride = node.arg(1);
    if (base.type().is_scalar() && type.is_int_or_uint() && !type.is_bool()) {
        const std::string first = scalar(base);
        return vectors_.integer_ramp(type, first, scalar(stride));
    }
    const Value from = value(base), by = value(stride);
    const int group = base.type().lanes();
    const auto lane = [&](const Value &whole, int i) {
        return named(element, lane_of(whole, base.type(), i)).lanes[0];
    };
    std::vector<std::string> lanes;
    for (int i = 0; i < type.lanes(); i++) {
        const std::string count = c_text::text_of_number(element, i / group);
        const std::string product = operators_.binary(ExprKind::Mul, element, count, lane(by, i % group));
        lanes.push_back(in_c(operators_.binary(ExprKind::Add, element, lane(from, i % group), "(" + product + ")")));
    }
    return vectors_.of_lanes(type, lanes);
}

Vector Expressions::broadcast(const ExprNode &node) {
    if (node.arg(0).type().is_scalar()) {
        return vectors_.broadcast(node.type(), scalar(node.arg(0)));
    }
    const Vector piece = vector(node.arg(0));
    std::vector<int32_t> indices;
    for (int i = 0; i < node.type().lanes(); i++) {
        indices.push_back(i % piece.held.lanes());
    }
    return vectors_.shuffle({piece}, indices);
}

Vector Expressions::shuffle(const ExprNode &node) {
    std::vector<Vector> sources;
    bool are_alike = true;
    for (const Expr &arg : node.args()) {
        are_alike = are_alike && arg.type().is_vector() && arg.type() == node.arg(0).type();
    }
    if (!are_alike || node.type().is_scalar()) {
        std::vector<std::string> all, lanes;
        for (const Expr &arg : node.args()) {
            const Value whole = value(arg);
            for (int i = 0; i < arg.type().lanes(); i++) {
                all.push_back(lane_of(whole, arg.type(), i));
            }
        }
        for (const int32_t index : node.indices()) {
            lanes.push_back(all[static_cast<size_t>(index)]);
        }
        return node.type().is_scalar() ? Vector{node.type(), node.type(), lanes[0]}
                                       : vectors_.of_lanes(node.type(), lanes);
    }
    for (const Expr &arg : node.args()) {
        const Vector source = vector(arg);
        sources.push_back(sources.empty() ? source : vectors_.in_lanes(sources[0].held, source));
    }
    while (sources.size() > 2) { // pairs become one vector each
        std::vector<Vector> joined;
        for (size_t i = 0; i < sources.size(); i += 2) {
            const Vector &second = sources[std::min(i + 1, sources.size() - 1)];
            std::vector<int32_t> order;
            for (int k = 0; k < 2 * sources[i].held.lanes(); k++) {
                order.push_back(k);
            }
            Vector both = vectors_.shuffle({sources[i], second}, order);
            both.text = named(both).lanes[0];
            joined.push_back(both);
        }
        sources = joined;
    }
    return vectors_.shuffle(sources, node.indices());
}

/// Adjacent pairs as long as the size of a group is even, then one lane after the other.
Value Expressions::reduce(const ExprNode &node) {
    Vector a = vector(node.arg(0));
    const int groups = node.type().lanes();
    int group = a.type.lanes() / groups;
    const auto strided = [&](int first, int stride, int count) {
        std::vector<int32_t> order;
        for (int i = 0; i < count; i++) {
            order.push_back(first + i * stride);
        }
        Vector part = vectors_.shuffle({a}, order);
        part.text = named(part).lanes[0];
        return part;
    };
    for (; group > 1 && group % 2 == 0 && groups * group > 2; group /= 2) {
        const Vector even = strided(0, 2, groups * group / 2), odd = strided(1, 2, groups * group / 2);
        a = vectors_.joined(node.reduce_op(), even, odd);
        a.text = named(a).lanes[0];
    }
    if (groups > 1) {
        Vector sum = strided(0, group, groups);
        for (int i = 1; i < group; i++) {
            sum = vectors_.joined(node.reduce_op(), sum, strided(i, group, groups));
            sum.text = named(sum).lanes[0];
        }
        return named(sum);
    }
    // The last lanes of one group.
    const Type element = node.type();
    const auto lane = [&](int i) { return named(element, vectors_.lane(a, i)).lanes[0]; };
    std::string sum = lane(0);
    for (int i = 1; i < group; i++) {
        sum = named(element, in_c(operators_.joined(node.reduce_op(), element, sum, lane(i)))).lanes[0];
    }
    return {element, {sum}};
}

Vector Expressions::random(const ExprNode &node) {
    const Type words = UInt(32, node.type().lanes());
    Vector hash = vectors_.broadcast(words, concat(static_cast<uint32_t>(fluorite_random_seed), "U"));
    for (const Expr &arg : node.args()) {
        const Vector operand =
            arg.type().is_vector() ? vector(arg) : vectors_.broadcast(Int(32, words.lanes()), scalar(arg));
        hash.text = named(vectors_.random_combine(hash, operand)).lanes[0];
    }
    return vectors_.random_value(node.type(), hash);
}

Vector Expressions::new_vector(const ExprNode &node) {
    switch (node.kind()) {
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::FloatImm:
        return vectors_.broadcast(node.type(), in_c(c_text::text_of_constant(node)));
    case ExprKind::Cast:
        return vectors_.cast(node.type(), vector(node.arg(0)));
    case ExprKind::SaturatingCast:
        return vectors_.saturating_cast(node.type(), vector(node.arg(0)));
    case ExprKind::Fma: {
        const Vector a = vector(node.arg(0)), b = vector(node.arg(1)), c = vector(node.arg(2));
        return vectors_.fma(a, b, c);
    }
    case ExprKind::Not:
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
    case ExprKind::Abs:
        return vectors_.unary(node.kind(), vector(node.arg(0)));
    case ExprKind::Select: {
        const Vector condition = node.arg(0).type().is_vector()
                                     ? vector(node.arg(0))
                                     : vectors_.broadcast(Bool(node.type().lanes()), scalar(node.arg(0)));
        const Vector a = vector(node.arg(1)), b = vector(node.arg(2));
        return vectors_.select(condition, a, b);
    }
    case ExprKind::Math: {
        std::vector<Vector> args;
        for (const Expr &arg : node.args()) {
            args.push_back(vector(arg));
        }
        return vectors_.math(node.math_op(), node.type(), args);
    }
    case ExprKind::Ramp:
        return ramp(node);
    case ExprKind::Broadcast:
        return broadcast(node);
    case ExprKind::Shuffle:
        return shuffle(node);
    case ExprKind::Random:
        return random(node);
    default: // binary operators
        return binary_vector(node);
    }
}

// ---- Memory.

std::string Expressions::address(const ir::Symbol &symbol, const std::string &index) {
    return concat(buffer(symbol).host, " + (", index, ")");
}

std::function<std::string(int)> Expressions::lane_indices(const Expr &index) {
    if (index.type().is_scalar()) {
        return [at = coordinate(index)](int) { return at; };
    }
    const lowering::AccessShape shape = lowering::access_shape(index);
    if (shape.is_uniform()) {
        return [at = coordinate(shape.first)](int) { return at; };
    }
    if (shape.is_strided()) {
        const std::string first = coordinate(shape.first), stride = coordinate(shape.stride);
        return [=](int i) { return concat(first, " + ", i, " * ", stride); };
    }
    // Sums of exact lanes are computed in 64 bits, as each may exceed those of the vector's lanes.
    const ExprNode &node = *index.get();
    if (ir::is_index_arithmetic(index) &&
        (node.kind() == ExprKind::Add || node.kind() == ExprKind::Sub || node.kind() == ExprKind::Mul)) {
        const auto a = lane_indices(node.arg(0)), b = lane_indices(node.arg(1));
        const char *sign = node.kind() == ExprKind::Add ? " + " : node.kind() == ExprKind::Sub ? " - " : " * ";
        return [=](int i) { return concat("(", a(i), ")", sign, "(", b(i), ")"); };
    }
    return [this, whole = vector(index)](int i) { return "(int64_t)" + vectors_.lane(whole, i); };
}

Value Expressions::load(const ExprNode &node) {
    const Type type = node.type();
    const bool is_always = ir::is_true(node.arg(1));
    const Expr first = type.is_vector() ? lowering::first_of_dense(node.arg(0)) : Expr();
    if (is_always && first.defined()) {
        const std::string at = coordinate(first);
        return named(vectors_.load(type, address(node.symbol(), at)));
    }
    const auto index = lane_indices(node.arg(0));
    const Value predicate = is_always ? Value{} : value(node.arg(1));
    const std::string host = buffer(node.symbol()).host;
    const auto lane = [&](int i) {
        const std::string loaded = concat(host, "[", index(i), "]", type.is_bool() ? " != 0" : "");
        if (is_always) {
            return loaded;
        }
        return concat("(", lane_of(predicate, node.arg(1).type(), i), ") ? ", loaded, " : 0");
    };
    if (type.is_scalar()) {
        return named(type, lane(0));
    }
    std::vector<std::string> lanes;
    for (int i = 0; i < type.lanes(); i++) {
        lanes.push_back(lane(i));
    }
    return named(vectors_.of_lanes(type, lanes));
}

// ---- All nodes.

Value Expressions::new_value(const Expr &expr, Overflow overflow) {
    const ExprNode &node = *expr.get();
    const bool is_scalar = node.type().is_scalar();
    switch (node.kind()) {
    case ExprKind::Let:
        return let(node, overflow);
    case ExprKind::BufferField:
    case ExprKind::StringImm:
    case ExprKind::Extern:
    case FLUORITE_EFFECTS:
        if (overflow == Overflow::Never) {
            return exact(expr);
        }
        return host_node(node);
    default: // the others are values
        break;
    }
    if (is_scalar && overflow == Overflow::Never) {
        return exact(expr);
    }
    switch (node.kind()) {
    case ExprKind::Variable:
        return node.type().is_handle() && buffers_.contains(node.symbol())
                   ? Value{node.type(),
                           {buffer(node.symbol()).header.empty() ? buffer(node.symbol()).host
                                                                 : buffer(node.symbol()).header}}
                   : f_.value(node.symbol());
    case ExprKind::Load:
        return load(node);
    case ExprKind::VectorReduce:
        return reduce(node);
    case ExprKind::MemoizeTag:
    case FLUORITE_HINTS:
        return compute(node.arg(0), overflow);
    case ExprKind::Undef:
        return is_scalar ? Value{node.type(), {"0"}} : named(vectors_.broadcast(node.type(), "0"));
    case ExprKind::Reinterpret:
    case ExprKind::Cast:
        if (node.type().is_handle()) {
            return named(node.type(), concat("(const void *)(uintptr_t)", scalar(node.arg(0))));
        }
        if (is_scalar && node.arg(0).type().is_handle()) {
            return named(node.type(), concat("(", scalar_type(node.type()), ")(uintptr_t)", scalar(node.arg(0))));
        }
        if (node.kind() == ExprKind::Cast) {
            return is_scalar ? scalar_node(node) : named(new_vector(node));
        }
        if (is_scalar && node.arg(0).type().is_scalar()) {
            return named(node.type(),
                         in_c(operators_.reinterpret(node.arg(0).type(), node.type(), scalar(node.arg(0)))));
        }
        if (!is_scalar && !node.arg(0).type().is_scalar()) {
            return named(vectors_.reinterpret(node.type(), vector(node.arg(0))));
        } else {
            const Type from = node.arg(0).type(), to = node.type();
            const std::string given = is_scalar ? vector(node.arg(0)).text : scalar(node.arg(0)), made = f_.fresh(),
                              kept = f_.fresh();
            const std::string source = is_scalar ? vectors_.type_name(held_as(from)) : scalar_type(from),
                              result = is_scalar ? scalar_type(to) : vectors_.type_name(held_as(to));
            f_.line(concat("const ", source, " ", kept, " = ", given, ";"));
            f_.line(concat(result, " ", made, " = FLUORITE_ZERO;"));
            f_.line(concat("memcpy(&", made, ", &", kept, ", ", to.lanes() * to.bytes(), ");"));
            return {held_as(to), {made}};
        }
    case ExprKind::Shuffle: {
        const Vector made = shuffle(node);
        return is_scalar ? named(node.type(), made.text) : named(made);
    }
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::FloatImm:
        if (node.type().is_handle()) {
            return {node.type(), {concat("((const void *)(uintptr_t)", node.uint_value(), "ULL)")}};
        }
        if (is_scalar) {
            return {node.type(), {in_c(c_text::text_of_constant(node))}};
        }
        [[fallthrough]];
    default: // operators
        return is_scalar ? scalar_node(node) : named(new_vector(node));
    }
}

} // namespace fluorite::backends::c
