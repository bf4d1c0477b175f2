#pragma once
// What holds of every node of a kind, from the columns of expr_kinds.def, and the questions that passes ask about it.
// Soundness rests on these answers, hence there is one place for each.

#include "ir/expr_node.h"

#include <optional>

namespace fluorite::ir {

/// The groups of kinds that are alike to most passes. ir/expr_cases.h has the case labels of each.
enum class ExprClass : uint8_t {
    Constant,   // immediates
    Name,       // a variable, or a field of a buffer
    Conversion, // from one type to another
    Arithmetic, // of operands of one type, which the result has as well (Abs, AbsDiff: or its unsigned form)
    Comparison, // to a Bool
    Logic,      // of Bools
    Bits,       // of the representation of integers
    Choice,     // select
    Hint,       // the operand's value
    Function,   // of the tables of math functions and operations, of the program, or a hash
    Vector,     // between types of different lanes
    Binding,    // let
    Access,     // a value in memory, at coordinates or at an index
    Undefined,
    Effect, // the second operand's value, and an observable action
    Tag,    // the first operand's value, with keys of a cache
};

/// Where it is stated whether evaluating a node is observable beyond its value; operations.h has the answer for a node.
enum class EffectTrait : uint8_t { None, ByName /* Operation::effect */, Always };

/// Whether the value is data: nothing is known of it that its operands would tell.
enum class ReadsTrait : uint8_t {
    Nothing,    // the value is a function of the operands
    Memory,     // it is read from memory, or may be
    Data,       // it is a hash of the operands, to which no arithmetic applies
    BySymbol,   // a variable: the let that binds it may name data (SymbolOwner::level)
    ByFunction, // a math function: those of unknown range count as data
};

enum class FailsTrait : uint8_t { Never, May };

/// Costs that models of work distinguish; autoschedule/from_graph/work.cpp has the numbers.
enum class CostTrait : uint8_t { Free, Operation, Division, Root, Function, Call, ByFunction };

/// The alternative of ir::Payload that a node of the kind carries.
enum class PayloadTrait : uint8_t { None, Int, UInt, Float, Text, Symbol, Member, Math, Reduce, Indices };

struct ExprTraits {
    PayloadTrait payload;
    ExprClass group;
    EffectTrait effect;
    ReadsTrait reads;
    FailsTrait fails;
    CostTrait cost;
};

namespace detail {
inline constexpr ExprTraits expr_traits[] = {
#define FLUORITE_EXPR(kind, text, least, most, payload, group, effect, reads, fails, cost)                             \
    {PayloadTrait::payload, ExprClass::group,  EffectTrait::effect,                                                    \
     ReadsTrait::reads,     FailsTrait::fails, CostTrait::cost},
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
};
} // namespace detail

constexpr const ExprTraits &traits_of(ExprKind kind) { return detail::expr_traits[index_of(kind)]; }
constexpr ExprClass class_of(ExprKind kind) { return traits_of(kind).group; }

// ---- Of a node alone, without its operands.

/// Whether evaluating a node of the kind may be observable beyond its value. ir::effect_of (operations.h) knows more of
/// an Extern, from its name.
constexpr bool may_have_effect(ExprKind kind) { return traits_of(kind).effect != EffectTrait::None; }

/// Whether a node of the kind is data whatever its payload: a value of memory, of a C function, or a hash.
constexpr bool is_data(ExprKind kind) {
    return traits_of(kind).reads == ReadsTrait::Memory || traits_of(kind).reads == ReadsTrait::Data;
}

/// Whether evaluation has one meaning wherever the operands are in scope: the node reads no memory, which statements in
/// between could change, and has no effect.
constexpr bool is_movable(ExprKind kind) {
    return traits_of(kind).reads != ReadsTrait::Memory && !may_have_effect(kind);
}

/// Whether evaluating a node of the kind may stop the program: an access out of bounds, a failing C function, or a
/// requirement that does not hold.
constexpr bool may_fail(ExprKind kind) { return traits_of(kind).fails == FailsTrait::May; }

/// Whether the node refers to a symbol, or binds it (Let).
constexpr bool has_symbol(ExprKind kind) {
    return traits_of(kind).payload == PayloadTrait::Symbol || traits_of(kind).payload == PayloadTrait::Member;
}

/// Whether each lane of the result is a function of the operands' lanes at its place, and of nothing else.
constexpr bool is_elementwise(ExprKind kind) {
    switch (class_of(kind)) {
    case ExprClass::Conversion:
    case ExprClass::Arithmetic:
    case ExprClass::Comparison:
    case ExprClass::Logic:
    case ExprClass::Bits:
    case ExprClass::Choice:
    case ExprClass::Hint:
        return true;
    case ExprClass::Function:
        return kind == ExprKind::Math; // operations take vectors whole, and the lanes of a Random are not its operands'
    case ExprClass::Constant:
    case ExprClass::Name:
    case ExprClass::Vector:
    case ExprClass::Binding:
    case ExprClass::Access:
    case ExprClass::Undefined:
    case ExprClass::Effect:
    case ExprClass::Tag:
        return false;
    }
    return false;
}

/// Whether the node counts bits of its operand.
constexpr bool is_count(ExprKind kind) {
    return kind == ExprKind::CountOnes || kind == ExprKind::CountLeadingZeros || kind == ExprKind::CountTrailingZeros;
}
constexpr bool is_shift(ExprKind kind) { return kind == ExprKind::ShiftLeft || kind == ExprKind::ShiftRight; }
constexpr bool is_comparison(ExprKind kind) { return class_of(kind) == ExprClass::Comparison; }
constexpr bool is_hint(ExprKind kind) { return class_of(kind) == ExprClass::Hint; }

/// The operand whose value the node has, if it has the value of one operand always.
constexpr std::optional<size_t> forwarded_operand(ExprKind kind) {
    switch (class_of(kind)) {
    case ExprClass::Hint:
    case ExprClass::Tag:
        return 0;
    case ExprClass::Effect:
        return 1;
    case ExprClass::Constant:
    case ExprClass::Name:
    case ExprClass::Conversion:
    case ExprClass::Arithmetic:
    case ExprClass::Comparison:
    case ExprClass::Logic:
    case ExprClass::Bits:
    case ExprClass::Choice:
    case ExprClass::Function:
    case ExprClass::Vector:
    case ExprClass::Binding:
    case ExprClass::Access:
    case ExprClass::Undefined:
        return std::nullopt;
    }
    return std::nullopt;
}

// ---- Of an expression, with its operands.

/// Whether all nodes are movable.
bool is_movable(const Expr &expr);

// ---- Of types. Coordinates and indices are signed integers of 32 or 64 bits. Their arithmetic does not overflow,
// unless an operand is data (ExprNode::reads_memory).

constexpr int least_index_bits = 32;

/// Whether the lanes are signed integers that are wide enough for coordinates.
inline bool is_index_type(Type type) { return type.is_int() && type.bits() >= least_index_bits; }

/// Whether the value is exact, as if its integers were unbounded: it may be compared, reordered and bounded as such.
inline bool is_index_arithmetic(const Expr &expr) { return is_index_type(expr.type()) && !expr->reads_memory(); }

// ---- Of math functions, from the columns of math_ops.def.

enum class MathRange : uint8_t { Known, Unknown };
enum class MathResult : uint8_t { Number, MaybeNan };

struct MathTraits {
    MathRange range;
    MathResult result;
    CostTrait cost;
};

namespace detail {
inline constexpr MathTraits math_traits[] = {
#define FLUORITE_MATH(op, text, arity, range, result, cost) {MathRange::range, MathResult::result, CostTrait::cost},
#include "ir/math_ops.def"
#undef FLUORITE_MATH
};
} // namespace detail

constexpr const MathTraits &traits_of(MathOp op) { return detail::math_traits[index_of(op)]; }

/// What a node costs that has no cost of its own kind, from its function.
inline CostTrait cost_of(const ExprNode &node) {
    const CostTrait cost = traits_of(node.kind()).cost;
    return cost == CostTrait::ByFunction ? traits_of(node.math_op()).cost : cost;
}

} // namespace fluorite::ir
