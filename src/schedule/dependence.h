#pragma once
// Dependence analysis: which orders of an update's iterations are legal.

#include "ir/graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// Whether iterations with different values of this RVar access disjoint parts of the Func, for any values of the other
/// RVars: no iteration reads or writes what another one writes. Such a loop may run in any order, in parallel and in
/// vectors.
bool rvar_is_independent(const ir::Stage &update, const ir::Symbol &func, const ir::Symbol &rvar);

/// The dependences between iterations of an update, each as the later iteration minus the earlier one.
struct DependenceDistances {
    std::vector<std::string> rvars; // innermost first
    std::vector<std::vector<int64_t>> distances;
};
/// All dependences of the update, if each has a constant distance, as in f(r.x, r.y) = f(r.x - 1, r.y) + 1; nothing if
/// one has not.
std::optional<DependenceDistances> dependence_distances(const ir::Stage &update, const ir::Symbol &func);

} // namespace fluorite::schedule
