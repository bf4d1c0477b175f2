#pragma once
#include "ir/expr_node.h"

namespace fluorite::loopnest {

/// Marks the clamped operands of plain clamps in coordinates as likely in innermost loops; see hint_clamps.cpp.
Expr hint_clamps(const Expr &expr);

} // namespace fluorite::loopnest
