#pragma once
// The type rules of expr_kinds.def as one function, for the parser, the printer and the verifier.

#include "ir/expr_node.h"

#include <optional>
#include <string>

namespace fluorite::ir {

/// The type that a node of this kind has by its operands alone; the void type where the operands do not decide it
/// (constants, names, casts, vector shapes...) or break the rules.
Type default_type(ExprKind kind, std::span<const Expr> args, const Payload &payload);

/// What is wrong with the type of this node, given its operands' types: nothing, or one sentence.
std::optional<std::string> type_violation(const ExprNode &node);

/// Whether the kind is one of two operands written between them (a + b).
bool is_infix(ExprKind kind);

} // namespace fluorite::ir
