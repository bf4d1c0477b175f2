#pragma once
// What an Extern node stands for, and what evaluating an expression does beside giving its value.

#include "ir/expr_node.h"

#include <string_view>

namespace fluorite::ir {

enum class Effect : uint8_t {
    None,     // none: it may be dropped, repeated and moved
    Function, // a C function of the program, which may report a failure: dropping it is seen
    Always,   // it has to happen as often, and in the order, that the statement says
};

/// A row of operations.def.
struct Operation {
    enum class Kind : uint8_t { InPlace, RuntimeCall, Placeholder };
    std::string_view name;
    Kind kind = Kind::InPlace;
    bool takes_context = false; // before its operands
    Type result;
    std::string_view operands; // one letter each
    char rest = ' ';           // of further operands
    Effect effect = Effect::Always;

    /// The letter of operand i; a space where there is none.
    char operand(size_t i) const { return i < operands.size() ? operands[i] : rest; }
};

std::span<const Operation> operations();
/// Null: the name is that of a C function of the program.
const Operation *find_operation(std::string_view name);

/// Of the node alone, without its operands.
Effect effect_of(const ExprNode &node);
/// The most of all nodes.
Effect effect_of(const Expr &expr);
/// Whether something would be missing if the expression were not evaluated.
inline bool has_effect(const Expr &expr) { return effect_of(expr) != Effect::None; }

} // namespace fluorite::ir
