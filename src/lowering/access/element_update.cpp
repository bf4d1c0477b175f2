// Updates of single elements.
//
//   b[i] = min(b[i], v)      combines by min
//   b[i] = b[i]              nothing
//   b[i] = v                 replaces; simplification leaves this of min(b[i], 0) on unsigned integers
//   b[i] = b[i] + b[i + 1]   none
//
// The lanes of a vector are updates one after the other. A load of the old value may have a predicate: where the store
// takes place, the load does, too. Cost: linear in the value, for each level of chains and guards.

#include "lowering/access/element_update.h"

#include "analysis/reduction.h"
#include "ir/expr_traits.h"
#include "lowering/access/buffer_uses.h"

namespace fluorite::lowering {

using namespace ir;

std::optional<ElementUpdate> find_element_update(const Store &store) {
    const auto is_old = [&](const Expr &expr) {
        return is_kind(expr, ExprKind::Load) && expr->symbol() == store.buffer && equal(expr->arg(0), store.index);
    };
    const auto reads = [&](const Expr &expr) { return reads_buffer(expr, store.buffer); };
    if (reads(store.index) || (store.predicate.defined() && reads(store.predicate))) {
        return std::nullopt;
    }
    using enum ElementUpdate::Kind;
    if (is_old(store.value)) {
        return ElementUpdate{Nothing, {}, Expr()};
    }
    if (!reads(store.value)) {
        return ElementUpdate{Replaces, {}, store.value};
    }
    const auto found = analysis::find_contribution(store.value, is_old, reads);
    return found ? std::optional(ElementUpdate{Combines, found->op, found->value}) : std::nullopt;
}

} // namespace fluorite::lowering
