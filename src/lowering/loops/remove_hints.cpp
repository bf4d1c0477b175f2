// Removal of hints.
//
//   likely(c), likely_if_innermost(c)   -->   c
// Hints tell partition_loops where the steady state of a loop is; no later pass uses them.
//
// Random stays: the node records that arithmetic on its value wraps, which the integer arithmetic of its hash would not
// record. All back ends compute the same hash (fluorite/runtime_math.h). Cost: linear.

#include "lowering/late_passes.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

class HintRemover : public Mutator {
  public:
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        return transform(expr, [](const Expr &node) {
            const bool is_hint = node->kind() == ExprKind::Likely || node->kind() == ExprKind::LikelyIfInnermost;
            return is_hint ? Expr(node->arg(0)) : node;
        });
    }
};

} // namespace

Stmt remove_hints(const Stmt &stmt, const PassContext &) { return stmt.defined() ? HintRemover().mutate(stmt) : stmt; }

} // namespace fluorite::lowering
