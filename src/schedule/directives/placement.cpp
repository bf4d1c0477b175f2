// compute_at / compute_root / compute_inline and store_at / store_root: at which loop of a consumer a Func is computed
// and where its storage lives.
//   g.compute_at(f, y):   for f.y { for f.x { f(x, y) = ... g ... } }  -->  for f.y { produce g; for f.x { f ... } }
//   g.store_root():       realize g { for f.y { produce g; ... } }
// Legality against the consumers is known when the pipeline is whole: lowering/placement.cpp.

#include "schedule/directives/common.h"

namespace fluorite::schedule {

void compute_at(const FuncRef &func, const LoopLevel &level) {
    func.schedule->compute = level;
    func.schedule->location = level.location;
}

void store_at(const FuncRef &func, const LoopLevel &level) {
    func.schedule->store = level;
    func.schedule->location = level.location;
}

} // namespace fluorite::schedule
