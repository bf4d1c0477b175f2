#pragma once
// The options of the command line.

#include "fluorite/target.h"

#include <cstdint>
#include <optional>
#include <string>

namespace fluorite::fuzz {

// A case that compiles in 5 s takes a minute with a sanitizer, and its code runs ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int usual_time_limit = 600, usual_run_limit = 20;
#else
constexpr int usual_time_limit = 60, usual_run_limit = 2;
#endif
constexpr double slower_than_usual = usual_time_limit / 60.0; // than without a sanitizer

struct Options {
    uint64_t count = 1000, seed = 1, first = 0;
    int jobs = 2, time_limit = usual_time_limit, run_limit = usual_run_limit, stop_after = 3;
    int idle_limit = 20; // seconds in which a case may use no processor time
    std::string plant, corpus, save;
    bool only_parallel = false, only_automatic = false;
    bool single = false, print = false, self_test = false, help = false, shrink = true;
    bool stress = false;                   // only cases with tasks, in many orders, delayed, on a busy machine
    bool ranks = false;                    // runs each case on several ranks, too
    bool gpu = false;                      // loops become blocks and threads of a GPU; the executor runs them
    std::optional<Target::Feature> device; // with gpu: OpenCL or CUDA, whose first device runs the kernels instead
    bool iterate = false;                  // iterated pipelines instead of genomes
    uint64_t repeat = 0;                   // how often the code of each case runs
    int busy = -1; // the number of processes that only load the machine; -1: one more than there are cores
};

} // namespace fluorite::fuzz
