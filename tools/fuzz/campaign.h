#pragma once
// Runs many cases in child processes, counts the results, and shrinks what fails.

#include "refusals.h"
#include "worker.h"

#include <map>
#include <string>
#include <vector>

namespace fluorite::fuzz {

struct Failure {
    uint64_t number = 0;
    Outcome::Kind kind = Outcome::Kind::Same;
    int divisor = 1; // of its sizes
};

class Campaign {
  public:
    explicit Campaign(const Options &options) : options_(options) {}

    void run();
    /// Reruns slow cases with smaller sizes to find those that hang or fail, in parallel on all jobs.
    void judge_slow();
    void summary() const;
    /// Shrinks a failure and prints it.
    Genome explain(const Failure &failure) const;

    const std::vector<Failure> &failures() const { return failures_; }
    const RefusalCounts &refusals() const { return refusals_; }
    uint64_t done() const { return done_; }

  private:
    Options options_;
    uint64_t done_ = 0, accepted_ = 0, grown_ = 0;
    uint64_t directives_ = 0, directives_refused_ = 0, directives_idle_ = 0;
    std::map<std::string, uint64_t> kinds_;
    RefusalCounts refusals_;
    RegionCounts regions_;
    std::vector<uint64_t> uses_ = std::vector<uint64_t>(Features().size());
    std::vector<Failure> failures_;
    std::vector<uint64_t> slow_;

    void print_coverage() const;
    void print_regions() const;
    void take_verdict(const Failure &found);
    Failure judge_slow(uint64_t number) const;
    bool step(std::vector<Worker> &workers);
    void advance(Worker &worker, bool readable);
    void fail(Worker &worker, Outcome::Kind kind);
    void count(const Report &report);
};

/// Returns the exit code: 0 if all agree, 1 for failures.
int run_campaign(const Options &options);
/// Runs every file of a folder as one case; campaigns with `save` write failures as such files.
int run_corpus(const Options &options);
/// Checks that the fuzzer finds and shrinks planted faults, that genomes survive being written and read, and that
/// nothing is excused silently.
int run_self_test(const Options &options);

} // namespace fluorite::fuzz
