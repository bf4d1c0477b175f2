#pragma once
// Counterexamples: integers for names at which facts hold and a condition does not. The search for witnesses asks here
// first, because a condition that does not follow costs it most: it tries every case before it gives up.

#include "verify/prover.h"

namespace fluorite::verify {

/// Whether a counterexample was found among a few integers; false says nothing. Always the same answer for the same
/// question. Cost: linear in the facts.
bool is_refuted(const Facts &facts, const Condition &goal);

} // namespace fluorite::verify
