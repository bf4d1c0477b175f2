// The end of hints.
//
// What:   likely(c), likely_if_innermost(c)   -->   c
// Hints tell partition_loops where the steady state of a loop is; nothing after it looks at them.
//
// Random stays: the node says that what is computed from it wraps around, which the integer arithmetic of its hash
// would not, and each back end makes the same hash of it (fluorite/runtime_math.h). Cost: linear.

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
