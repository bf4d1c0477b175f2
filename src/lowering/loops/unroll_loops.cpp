// Unrolling: loops marked Unrolled become copies of their bodies.
//
//   unrolled for x in [m, m + 3) { body(x) }   -->   body(m); body(m + 1); body(m + 2)
// The copies keep the order of the loop, so the meaning is that of the serial loop. Inner loops are unrolled first.
// Names bound in the body (lets, loops, allocations) are bound once in each copy, in disjoint scopes.
//
// Relies on: constant extents (constant_extent.cpp describes other extents). Does not reorder or merge the copies,
// which are straight-line code to the back end. Cost: linear in the size of the result, which statement_budget.h
// limits.

#include "lowering/access/vector_algebra.h"
#include "lowering/constant_extent.h"
#include "lowering/late_passes.h"
#include "lowering/statement_budget.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

class Unroller : public ScopedMutator {
  public:
    explicit Unroller(const PassContext &context) : context_(context) {}

  private:
    const PassContext &context_;

    Stmt mutate_in_scope(const Stmt &stmt) override {
        const For *loop = stmt.as<For>();
        return loop && loop->for_kind == ForKind::Unrolled ? unroll(*loop) : recurse(stmt);
    }

    Stmt unroll(const For &loop) {
        const ConstantExtent extent =
            constant_extent_of(loop, scope(), context_, "unrolled", "unroll-non-constant-extent");
        const Stmt body = mutate(guarded_body(loop, extent));
        if (!body.defined()) {
            return {};
        }
        check_copies(loop, extent.extent, body, context_);
        std::vector<Stmt> copies;
        for (int i = 0; i < extent.extent; i++) {
            const Expr at = vector_binary(ExprKind::Add, loop.min, make_int(Int(32), i), Use::Index);
            copies.push_back(substitute(body, loop.var, at));
        }
        return Block::make(std::move(copies));
    }
};

} // namespace

Stmt unroll_loops(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Unroller(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
