#pragma once
// The loops of updates. In the source an update runs inside of the loops over elements, each element's to its end:
//
//     gen y. gen x. (iter t k K start step)
//
// Two derivations lead from there to the loops of its schedule. The stages before it become a nest of their own,
//
//     let before = (gen y. gen x. start) in gen y. gen x. (iter t k K (get before y x) step)
//
// and a loop of the reduction changes places with loops over elements further in (`iter_gen`), after which the
// accumulator is a tensor:
//
//     gen y. (iter t k K (gen x. get before y x) (gen x. step with (get t x) for t))
//
// Two loops of the reduction change places (`iter_swap`) where the step adds to the element: by laws of its operator.

#include "verify/loops/new_loops.h"
#include "verify/rewrite/rewriter.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fluorite::verify {

/// The last update of the nest at the path, apart from the stages before it, which are bound as `before`: they are at
/// operand 0 then, the update at operand 1. `rank` loops are over elements. False, and nothing is changed, where the
/// nest has no update.
bool separate_update(Derivation &derivation, const Path &nest, size_t rank, const std::string &before);

/// The loops of the reduction around one element of the nest at the path, outermost first; `loop` and `extent` alone
/// are set.
std::vector<Dimension> reduction_loops(const Derivation &derivation, const Path &nest, size_t rank);

/// Splits the loops of the reduction that begins at the path, and puts them in order, outermost first. False, and the
/// reason, where a rule does not apply.
bool cut_and_order_reduction(Derivation &derivation, const Path &chain, const std::vector<ReductionSplit> &splits,
                             const std::vector<PlannedLoop> &order, std::set<std::string> &operators,
                             std::string &reason);

/// Replaces the nest at the path by the loops of the plan, in its order. Gives the paths of these loops; nothing, and
/// the reason, where a rule does not apply, when the nest may be left between both. `operators` gets those whose order
/// of operands may be changed thereby.
std::optional<std::vector<Path>> order_loops(Derivation &derivation, const Path &nest, const LoopPlan &plan,
                                             std::set<std::string> &operators, std::string &reason);

} // namespace fluorite::verify
