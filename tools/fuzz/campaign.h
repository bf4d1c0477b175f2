#pragma once
// Many cases in child processes, counted, and what fails made smaller.

#include "options.h"
#include "run.h"

#include <string>

namespace fluorite::fuzz {

struct Tried {
    Outcome outcome;
    Genome genome; // the one that the outcome is of
    int retries =
        0; // a schedule that is refused as a whole is tried with all placements at root, then without directives
    std::string slug; // why it was refused at first
};
Tried try_case(const Genome &genome, const std::string &plant, const OnPhase &on_phase = {});

/// Runs one genome in a child process, at most for the time limit: Hang where it does not end.
Outcome::Kind run_isolated(const Genome &genome, const Options &options);

/// The exit code: 0 all agree, 1 failures.
int run_campaign(const Options &options);
/// Every file of a folder as one case; with `save`, failures of a campaign are such files.
int run_corpus(const Options &options);
/// The fuzzer finds planted faults and shrinks them; genomes survive being written and read.
int run_self_test(const Options &options);

} // namespace fluorite::fuzz
