#pragma once
// Modules of several pipelines, whose entry hands the functions of the others to the runtime.

#include "ir/lowered.h"

namespace fluorite::lowering {

/// Takes over the functions of a module; its entry becomes a callee. Precondition: it has no constants.
void add_callee(ir::LoweredModule &module, ir::LoweredModule part);
/// The address of a callee, as an operand.
Expr callee_address(const ir::LoweredFunc &callee);
/// What an argument of the entry is as an operand: a handle for buffers, the value of a scalar.
Expr argument_operand(const ir::LoweredArg &arg);
/// The body of an entry that calls a function of the runtime with a text and operands, and returns its result.
ir::Stmt call_of_runtime(const std::string &function, const std::string &text, const std::vector<Expr> &operands);

} // namespace fluorite::lowering
