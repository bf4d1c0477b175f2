// Conditions around barriers become conditions of the work of threads.
//
//   if a <= last {                                      let guard = a <= last
//     gpu_thread for x in [0, +16) { tile[x] = a }      if guard { gpu_thread for x in [0, +16) { tile[x] = a } }
//     for k in [0, +n) {                          -->   for k in [0, +select(guard, n, 0)) {
//       gpu_thread for x in [0, +16) {                    if guard { gpu_thread for x in [0, +16) {
//         out[x] = tile[15 - x] } } }                       out[x] = tile[15 - x] } } }
//
// A barrier may stand under a condition that all threads of a block agree on. But translators of kernels have to prove
// this, and not all succeed: PoCL 3.1 gives wrong values for such a barrier in a loop. So place_barriers gets
// statements in which a condition is around nothing but one piece of work, and puts the barrier before it. A loop that
// a condition excludes has no iteration.
//
// Where a value between the condition and the work is loaded from memory, it may only be loaded if the condition holds;
// there the condition stays. Relies on: nothing else that is evaluated between conditions and work can fault, and the
// conditions have the same value in all threads of a block. Cost: linear in the depth of conditions times the size.

#include "lowering/device/device_loops.h"
#include "lowering/device/fuse_threads.h"
#include "lowering/map_children.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

class WorkGuard {
  public:
    explicit WorkGuard(const PassContext &context) : context_(context) {}

    Stmt guard(const Stmt &stmt) {
        if (threads_.is_guarded_work(stmt)) {
            return stmt;
        }
        const auto *branch = stmt.as<IfThenElse>();
        if (!branch || !loads_nothing(stmt)) {
            return map_child_stmts(stmt, [this](const Stmt &child) { return guard(child); });
        }
        const Symbol symbol = context_.symbols.fresh_let("guard", branch->condition);
        return LetStmt::make(symbol, branch->condition, cases(*branch, make_var(Bool(), symbol), Expr()));
    }

  private:
    const PassContext &context_;
    ThreadLoops threads_;

    /// Whether no value that is evaluated around the work is loaded from memory, but for the outermost condition.
    bool loads_nothing(const Stmt &stmt, bool is_outermost = true) {
        if (threads_.is_work(stmt)) {
            return true;
        }
        bool none = true;
        const auto expect = [&](const Expr &expr) { none = none && !expr->reads_memory(); };
        if (const auto *let = stmt.as<LetStmt>()) {
            expect(let->value);
        } else if (const auto *loop = stmt.as<For>()) {
            expect(loop->min), expect(loop->extent);
        } else if (const auto *branch = stmt.as<IfThenElse>(); branch && !is_outermost) {
            expect(branch->condition);
        } else if (const auto *allocate = stmt.as<Allocate>()) {
            for (const Expr &extent : allocate->extents) {
                expect(extent);
            }
        }
        for_each_child_stmt(stmt, [&](const Stmt &child) { none = none && loads_nothing(child, false); });
        return none;
    }

    /// Both cases of a branch whose condition has the value `holds`, under `outer` if it is defined.
    Stmt cases(const IfThenElse &branch, const Expr &holds, const Expr &outer) {
        const Expr first = outer.defined() ? logical_and(outer, holds) : holds;
        if (!branch.else_case.defined()) {
            return under(branch.then_case, first);
        }
        const Expr fails = make_unary(ExprKind::Not, holds);
        const Expr second = outer.defined() ? logical_and(outer, fails) : fails;
        return Block::make({under(branch.then_case, first), under(branch.else_case, second)});
    }

    /// The statement, if the condition holds.
    Stmt under(const Stmt &stmt, const Expr &condition) {
        if (threads_.is_work(stmt)) {
            return IfThenElse::make(condition, stmt);
        }
        if (const auto *branch = stmt.as<IfThenElse>()) {
            return cases(*branch, branch->condition, condition);
        }
        if (const auto *loop = stmt.as<For>()) {
            return For::make(loop->var, loop->min, make_select(condition, loop->extent, int32(0)), loop->for_kind,
                             under(loop->body, condition), loop->partition);
        }
        return map_child_stmts(stmt, [&](const Stmt &child) { return under(child, condition); });
    }
};

} // namespace

Stmt guard_work(const Stmt &body, const PassContext &context) { return WorkGuard(context).guard(body); }

} // namespace fluorite::lowering
