#pragma once
// What an Extern node denotes, and the side effects of evaluating an expression.

#include "ir/expr_node.h"

#include <string_view>

namespace fluorite::ir {

enum class Effect : uint8_t {
    None,     // pure: may be dropped, repeated and moved
    Function, // a C function of the program: pure, but it may report a failure, which is lost with a dropped call
    Always,   // must be executed exactly as often, and in the order, that the statement says
};

/// A row of operations.def.
struct Operation {
    enum class Kind : uint8_t { InPlace, RuntimeCall, Placeholder };
    std::string_view name;
    Kind kind = Kind::InPlace;
    bool takes_context = false; // passed before its operands
    Type result;
    std::string_view operands; // one letter per operand
    char rest = ' ';           // the letter of all further operands
    Effect effect = Effect::Always;

    /// The letter of operand i; a space if there is none.
    char operand(size_t i) const { return i < operands.size() ? operands[i] : rest; }
};

/// What kernels do with a buffer that device.need names.
enum class DeviceUse : uint8_t {
    Read,
    WritePart, // or read and write
    WriteWhole // in the end; nothing that it held before matters
};

std::span<const Operation> operations();
/// Null if the name denotes a C function of the program.
const Operation *find_operation(std::string_view name);

/// The effect of the node alone, without its operands.
Effect effect_of(const ExprNode &node);
/// The strongest effect of any node.
Effect effect_of(const Expr &expr);
/// Whether evaluating the expression is observable beyond its value.
inline bool has_effect(const Expr &expr) { return effect_of(expr) != Effect::None; }

} // namespace fluorite::ir
