// Loop-invariant code motion of lets.
//
//   for x in [a, +n) { let t = y * 3 + w { S } }   -->   let t = y * 3 + w { for x in [a, +n) { S } }
// A let at the head of a loop's body moves out if its value depends neither on the loop variable nor on a let that
// stays, reads no memory and has no effect. Bounds of inner stages and regions of buffers consist of such lets. The
// back end would move most of them too, but not out of a parallel loop's task, and not divisions.
//
// Loops are visited from the innermost outwards, so a let moves out of as many loops as possible. Names are bound once,
// so moving a binder captures nothing; a name that several copies of a body bind (unrolled loops) stays in each copy's
// scope.
//
// Does not move parts of expressions, which is left to the back end, nor loads, as the body may store to what they
// read. A let moved out of a loop without iterations is computed in vain but cannot fail. Cost: linear, times the depth
// of loops.

#include "ir/expr_traits.h"
#include "lowering/late_passes.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

class Hoister : public Mutator {
  public:
    explicit Hoister(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const Stmt result = recurse(stmt);
        const For *loop = result.as<For>();
        return loop ? hoist_from(*loop) : result;
    }

  private:
    const PassContext &context_;

    Stmt hoist_from(const For &loop) const {
        std::vector<const LetStmt *> moving, staying;
        std::vector<Symbol> fixed = {loop.var};
        Stmt rest = loop.body;
        while (const LetStmt *let = rest.as<LetStmt>()) {
            const bool depends = std::any_of(fixed.begin(), fixed.end(),
                                             [&](const Symbol &symbol) { return uses_symbol(let->value, symbol); });
            if (depends || !is_movable(let->value)) {
                staying.push_back(let);
                fixed.push_back(let->symbol);
            } else {
                moving.push_back(let);
            }
            rest = let->body;
        }
        if (moving.empty()) {
            return &loop;
        }
        context_.beyond(loop.var, "loop invariants are computed before it");
        for (size_t i = staying.size(); i-- > 0;) {
            rest = LetStmt::make(staying[i]->symbol, staying[i]->value, rest);
        }
        Stmt result = For::make(loop.var, loop.min, loop.extent, loop.for_kind, rest, loop.partition);
        for (size_t i = moving.size(); i-- > 0;) {
            result = LetStmt::make(moving[i]->symbol, moving[i]->value, result);
        }
        return result;
    }
};

} // namespace

Stmt hoist_invariants(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Hoister(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
