// The classes of kinds, checked against their case labels, and traits of expressions.

#include "ir/expr_traits.h"

#include "ir/expr_cases.h"

#include <iterator>

namespace fluorite::ir {

namespace {

/// The class by the case labels of expr_cases.h, which have to name every kind once.
constexpr ExprClass class_by_cases(ExprKind kind) {
    switch (kind) {
    case FLUORITE_CONSTANTS:
        return ExprClass::Constant;
    case FLUORITE_NAMES:
        return ExprClass::Name;
    case FLUORITE_CONVERSIONS:
        return ExprClass::Conversion;
    case FLUORITE_ARITHMETIC:
        return ExprClass::Arithmetic;
    case FLUORITE_COMPARISONS:
        return ExprClass::Comparison;
    case FLUORITE_LOGIC:
        return ExprClass::Logic;
    case FLUORITE_BITS:
        return ExprClass::Bits;
    case ExprKind::Select:
        return ExprClass::Choice;
    case FLUORITE_HINTS:
        return ExprClass::Hint;
    case FLUORITE_FUNCTIONS:
        return ExprClass::Function;
    case FLUORITE_VECTORS:
        return ExprClass::Vector;
    case ExprKind::Let:
        return ExprClass::Binding;
    case FLUORITE_ACCESSES:
        return ExprClass::Access;
    case ExprKind::Undef:
        return ExprClass::Undefined;
    case FLUORITE_EFFECTS:
        return ExprClass::Effect;
    case ExprKind::MemoizeTag:
        return ExprClass::Tag;
    }
    return ExprClass::Undefined;
}

constexpr bool cases_agree() {
    for (size_t i = 0; i < std::size(detail::expr_traits); i++) {
        const auto kind = static_cast<ExprKind>(i);
        if (class_by_cases(kind) != class_of(kind)) {
            return false;
        }
    }
    return true;
}
static_assert(cases_agree(), "a kind has another class in expr_cases.h than in expr_kinds.def");

constexpr bool is_binary_by_cases(ExprKind kind) {
    switch (kind) {
    case FLUORITE_BINARY:
        return true;
    case FLUORITE_NOT_BINARY:
        return false;
    }
    return false;
}

constexpr size_t fewest_operands[] = {
#define FLUORITE_EXPR(kind, text, least, ...) least,
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
};

constexpr bool is_binary(ExprKind kind) {
    const ExprClass group = class_of(kind);
    const bool is_operator = group == ExprClass::Arithmetic || group == ExprClass::Comparison ||
                             group == ExprClass::Logic || group == ExprClass::Bits;
    return is_operator && fewest_operands[index_of(kind)] == 2;
}

constexpr bool binary_cases_agree() {
    for (size_t i = 0; i < std::size(detail::expr_traits); i++) {
        const auto kind = static_cast<ExprKind>(i);
        if (is_binary_by_cases(kind) != is_binary(kind)) {
            return false;
        }
    }
    return true;
}
static_assert(binary_cases_agree(), "FLUORITE_BINARY names other kinds than the operators of two operands");

} // namespace

bool is_movable(const Expr &expr) {
    bool all = true;
    for_each_node(expr, [&](const Expr &node) { all = all && is_movable(node->kind()); });
    return all;
}

} // namespace fluorite::ir
