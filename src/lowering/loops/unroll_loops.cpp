// Unrolling: loops marked Unrolled become copies of their bodies.
//
// What:      unrolled for x in [m, m + 3) { body(x) }   -->   body(m); body(m + 1); body(m + 2)
// The copies keep the order of the loop, so the meaning is that of the serial loop. Loops inside a body are unrolled
// first.
// Names bound in the body (lets, loops, allocations) occur once in each copy, side by side and never nested.
//
// Relies on: constant extents (constant_extent.h says what happens to others). Does not do: reorder or merge the
// copies; the backend sees them as straight code.
// Cost: linear in the size of the result, which has a budget (budget.h).

#include "lowering/late_passes.h"
#include "lowering/loops/constant_extent.h"
#include "lowering/statement_budget.h"
#include "lowering/vector/vector_algebra.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

class Unroller : public Mutator {
  public:
    explicit Unroller(const PassContext &context) : context_(context) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const LetStmt *let = stmt.as<LetStmt>()) {
            lets_.push(let->symbol, let->value);
            Stmt result = recurse(stmt);
            lets_.pop(let->symbol);
            return result;
        }
        const For *loop = stmt.as<For>();
        if (!loop || loop->for_kind != ForKind::Unrolled) {
            return recurse(stmt);
        }
        return unroll(*loop);
    }

  private:
    const PassContext &context_;
    LetScope lets_;

    Stmt unroll(const For &loop) {
        const ConstantExtent extent =
            constant_extent_of(loop, lets_, context_, "unrolled", "unroll-non-constant-extent");
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
