#pragma once
// Counterexamples: integers for names at which facts hold and a condition does not. The search for witnesses asks here
// first, because a condition that does not follow costs it most: it tries every case before it gives up.

#include "verify/witnesses/prover.h"

namespace fluorite::verify {

/// Whether a counterexample was found among a few integers; false says nothing. Always the same answer for the same
/// question. Cost: linear in the facts.
bool is_refuted(const Facts &facts, const Condition &goal);

/// Adds a condition to the facts if values are found that obey all of them: of facts that contradict each other,
/// anything follows.
bool add_if_possible(const Condition &condition, Facts &facts);

} // namespace fluorite::verify
