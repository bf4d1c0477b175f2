#pragma once
// Variants of a case, with fewer directives or smaller sizes, and the retries of a case whose schedule is refused.

#include "run.h"

#include <string>
#include <utility>

namespace fluorite::fuzz {

/// The genome with placements at root (1), or with no directive but these (2).
Genome relaxed(const Genome &genome, int retry);

/// All sizes divided, but at least one, and for large divisors the factors of splits, but at least two; `second` is
/// whether any is larger than that.
std::pair<Genome, bool> divided(const Genome &genome, int divisor);

struct Tried {
    Outcome outcome;
    Genome genome; // the variant that gave the outcome
    /// A schedule that is refused as a whole is retried with all placements at root, then without directives.
    int retries = 0;
    std::string slug; // why it was refused at first
};
Tried try_case(const Genome &genome, const Options &options, const OnPhase &on_phase = {});

inline bool is_refused(Outcome::Kind kind) { return kind == Outcome::Kind::Rejected || kind == Outcome::Kind::Refused; }

} // namespace fluorite::fuzz
