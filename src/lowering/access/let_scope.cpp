// Scopes of lets and loops.
//
// For { let a = n + 1; for x in [a, +8) { let b = x * a; S } }, `b` in S expands to x * (n + 1), and x is between n + 1
// and n + 8. A let's value is expanded when its scope is entered, so no expansion has to be repeated; the range of a
// loop is computed when it is first asked for.
//
// Relies on: no symbol is bound again where it is in scope (ir/verify.h), so leaving a scope erases its symbol. Cost: a
// let costs the size of its value, an expansion that of the expression; values share what they have in common.

#include "lowering/access/let_scope.h"

#include "rewrite/simplify.h"

namespace fluorite::lowering {

using namespace ir;

const LetScope::Range *LetScope::range(const Symbol &symbol) const {
    const auto found = loops_.find(symbol);
    if (found == loops_.end()) {
        return nullptr;
    }
    auto &[min, extent, range] = found->second;
    if (!range) {
        const Expr first = expand(min);
        range = {first, rewrite::simplify(sub(add(first, expand(extent)), make_int(Int(32), 1)))};
    }
    return &*range;
}

Stmt ScopedMutator::mutate(const Stmt &stmt) {
    if (const LetStmt *let = stmt.as<LetStmt>()) {
        scope_.push(let->symbol, let->value);
        Stmt result = mutate_in_scope(stmt);
        scope_.pop(let->symbol);
        return result;
    }
    if (const For *loop = stmt.as<For>()) {
        scope_.enter(*loop);
        Stmt result = mutate_in_scope(stmt);
        scope_.leave(*loop);
        return result;
    }
    return mutate_in_scope(stmt);
}

} // namespace fluorite::lowering
