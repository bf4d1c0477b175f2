#pragma once
// The type rules of expr_kinds.def as functions, for the parser, the printer and the verifier.

#include "ir/expr_node.h"

#include <optional>
#include <string>

namespace fluorite::ir {

/// The type that the operands alone determine; void where they do not determine it (constants, names, casts, vector
/// shapes...) or break the rules.
Type default_type(ExprKind kind, std::span<const Expr> args, const Payload &payload);

/// The rule that this node's type breaks, given its operands' types, as one sentence; empty if none.
std::optional<std::string> type_violation(const ExprNode &node);

/// Whether the kind is a binary operator written between its operands (a + b).
bool is_infix(ExprKind kind);

} // namespace fluorite::ir
