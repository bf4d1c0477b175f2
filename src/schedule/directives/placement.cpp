// compute_at, compute_root, compute_rank, compute_inline, store_at, store_root: the loop level at which a Func is
// computed or stored.
//   g.compute_at(f, y):   for f.y { for f.x { f(x, y) = ... g ... } }  -->  for f.y { produce g; for f.x { f ... } }
//   g.store_root():       realize g { for f.y { produce g; ... } }
// Legality depends on the consumers and is checked when the whole pipeline is known (schedule/placement/resolver.cpp).

#include "schedule/directives/common.h"

namespace fluorite::schedule {

Verdict compute_at(const FuncRef &func, const LoopLevel &level) {
    func.schedule->compute = level;
    func.schedule->compute_rank = {};
    func.schedule->location = level.location;
    return {};
}

Verdict compute_rank(const FuncRef &func, Location location) {
    Verdict placed = compute_at(func, LoopLevel::root(location));
    note_applied(func.schedule->compute_rank, "compute_rank", location);
    return placed;
}

Verdict store_at(const FuncRef &func, const LoopLevel &level) {
    func.schedule->store = level;
    func.schedule->location = level.location;
    return {};
}

} // namespace fluorite::schedule
