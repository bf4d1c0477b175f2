#pragma once
// Runs a case on several ranks, which are threads of this process.

#include "fluorite/fluorite.h"
#include "schedule/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::fuzz {

struct RanksOutcome {
    bool ran = false;       // false: what the ranks refuse, such as a domain that a segment would leave
    std::string difference; // empty: the same bits; if it has not run, the slug of the error
    std::string error;      // its text
};

/// Cuts the pipeline at random among the Funcs computed at root, places what they compute and the inputs at random, and
/// compares with `expected`, the values of the outputs in order. Precondition: inputs and parameters are bound.
RanksOutcome run_on_ranks(const schedule::ScheduledGraph &pipeline, const Target &target,
                          const std::vector<fluorite_buffer_t *> &expected, uint64_t seed);

} // namespace fluorite::fuzz
