// memoize, async: when a Func is computed.
//   g.memoize():   produce g  -->  if (the cache has no result for g) { produce g; store the result }
//   g.async():     produce g  consume g { ... }
//                  -->  { produce g } concurrently with { consume g { ... } }, which waits for it
// Legal if the eviction key is a number computed from Params. What the Func reads, and where it is computed and stored,
// is checked when the whole pipeline is known (loopnest/inline/memoize_key.cpp, schedule/placement/resolver.cpp).

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

namespace fluorite::schedule {

namespace {
bool is_fixed(const Expr &key) {
    bool fixed = true;
    ir::for_each_node(key, [&](const Expr &node) {
        const bool is_variable = node->kind() == ir::ExprKind::Variable;
        fixed = fixed && node->kind() != ir::ExprKind::Call && node->kind() != ir::ExprKind::Image &&
                !(is_variable && node->symbol().kind() != ir::SymbolKind::Param);
    });
    return fixed;
}

/// The key that the Func has from now on; undefined if it has none.
Result<Expr> check_key(const FuncRef &func, const Expr &eviction_key, Location location) {
    if (eviction_key.defined()) {
        const Type type = eviction_key.type();
        const bool is_number = (type.is_int_or_uint() || type.is_handle()) && type.is_scalar();
        if (!is_number || !is_fixed(eviction_key)) {
            return refused(
                func, "memoize-eviction-key",
                "memoize with an EvictionKey " +
                    (is_number ? std::string("that is made of Vars, Funcs or inputs") : "of type " + to_string(type)) +
                    "; results are evicted by one number for all points; pass an integer made of Params",
                location);
        }
    }
    const Expr before = func.schedule->marks.value(DirectiveName::memoize);
    if (Verdict legal = require_one_value(func, "the EvictionKey of memoize", before, eviction_key, location); !legal) {
        return legal.refusal();
    }
    return eviction_key.defined() ? eviction_key : before;
}

} // namespace

// ---- Rows.

DirectiveRow row_of_memoize() {
    return {.again = Again::Replace,
            .slot = "memoize",
            .args = {maybe_expression},
            .apply = apply_mark,
            .subject = Subject::Time,
            .meaning = uncovered("terms have no cache of results"),
            .example = "blur_y.memoize(p + 1)",
            .check_func = check_key};
}

DirectiveRow row_of_async() {
    return {.again = Again::Replace,
            .slot = "async",
            .apply = apply_mark,
            .subject = Subject::Time,
            .meaning = uncovered("terms have no time"),
            .example = "blur_y.async()"};
}

} // namespace fluorite::schedule
