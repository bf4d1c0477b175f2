#pragma once
// Which values of floats may be NaN: bounds say nothing of them.

#include "ir/expr_node.h"

#include <unordered_map>

namespace fluorite::analysis {

/// Answers for the expressions of one caller, who keeps them alive.
class PossibleNans {
  public:
    /// Whether a float may be NaN.
    bool may_be(const Expr &expr);

  private:
    std::unordered_map<const ir::ExprNode *, bool> known_;
};

} // namespace fluorite::analysis
