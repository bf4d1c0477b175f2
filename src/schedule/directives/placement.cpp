// compute_at, compute_root, compute_rank, compute_inline, store_at, store_root: the loop level at which a Func is
// computed or stored.
//   g.compute_at(f, y):   for f.y { for f.x { f(x, y) = ... g ... } }  -->  for f.y { produce g; for f.x { f ... } }
//   g.store_root():       realize g { for f.y { produce g; ... } }
// Legality depends on the consumers and is checked when the whole pipeline is known (schedule/placement/resolver.cpp).

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

namespace fluorite::schedule {

Verdict compute_at(const FuncRef &func, const LoopLevel &level) {
    func.schedule->compute = level;
    func.schedule->marks.remove(DirectiveName::compute_rank);
    func.schedule->location = level.location;
    return {};
}

Verdict compute_rank(const FuncRef &func, Location location) {
    Verdict placed = compute_at(func, LoopLevel::root(location));
    func.schedule->marks.set({DirectiveName::compute_rank, {}, location});
    return placed;
}

Verdict store_at(const FuncRef &func, const LoopLevel &level) {
    func.schedule->store = level;
    func.schedule->location = level.location;
    return {};
}

// ---- Rows.

DirectiveRow row_of_compute_root() {
    return {.again = Again::Replace,
            .slot = "compute level",
            .apply = [](DirectiveContext &c,
                        const Directive &d) { return compute_at(c.func(d), LoopLevel::root(c.location())); },
            .subject = Subject::Placement,
            .meaning = implied,
            .example = "blur_y.compute_root()"};
}

DirectiveRow row_of_compute_rank() {
    return {.again = Again::Replace,
            .slot = "compute level",
            .apply = [](DirectiveContext &c, const Directive &d) { return compute_rank(c.func(d), c.location()); },
            .subject = Subject::Placement,
            .meaning = uncovered(no_ranks_in_terms),
            .example = "blur_y.compute_rank()"};
}

DirectiveRow row_of_compute_at() {
    return {.again = Again::Replace,
            .slot = "compute level",
            .args = level_args(),
            .apply = [](DirectiveContext &c, const Directive &d) { return compute_at(c.func(d), c.level(d)); },
            .subject = Subject::Placement,
            .meaning = rewrites,
            .example = "blur_y.compute_at(total, y, 1)"};
}

DirectiveRow row_of_compute_inline() {
    return {
        .again = Again::Replace,
        .slot = "compute level",
        .apply = [](DirectiveContext &c, const Directive &d) { return compute_at(c.func(d), LoopLevel::inlined()); },
        .subject = Subject::Placement,
        .meaning = rewrites,
        .example = "blur_y.compute_inline()",
        .leaves_nothing = true};
}

DirectiveRow row_of_store_root() {
    return {.again = Again::Replace,
            .slot = "store level",
            .apply = [](DirectiveContext &c,
                        const Directive &d) { return store_at(c.func(d), LoopLevel::root(c.location())); },
            .subject = Subject::Storage,
            .meaning = implied,
            .example = "blur_y.store_root()"};
}

DirectiveRow row_of_store_at() {
    return {.again = Again::Replace,
            .slot = "store level",
            .args = level_args(),
            .apply = [](DirectiveContext &c, const Directive &d) { return store_at(c.func(d), c.level(d)); },
            .subject = Subject::Storage,
            .meaning = implied,
            .example = "blur_y.store_at(total, __outermost, 1)"};
}

} // namespace fluorite::schedule
