#pragma once
// Cases made from a case: with fewer directives, with smaller sizes; and what becomes of a case whose schedule is
// refused.

#include "run.h"

#include <string>
#include <utility>

namespace fluorite::fuzz {

/// The genome with placements at root (1), then without any directive (2).
Genome relaxed(const Genome &genome, int retry);

/// All sizes divided, but at least one; the second part says whether any is larger than one.
std::pair<Genome, bool> divided(const Genome &genome, int divisor);

struct Tried {
    Outcome outcome;
    Genome genome; // the one that the outcome is of
    int retries =
        0; // a schedule that is refused as a whole is tried with all placements at root, then without directives
    std::string slug; // why it was refused at first
};
Tried try_case(const Genome &genome, const Options &options, const OnPhase &on_phase = {});

inline bool is_refused(Outcome::Kind kind) { return kind == Outcome::Kind::Rejected || kind == Outcome::Kind::Refused; }

} // namespace fluorite::fuzz
