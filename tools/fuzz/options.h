#pragma once
// What the command line says.

#include <cstdint>
#include <string>

namespace fluorite::fuzz {

struct Options {
    uint64_t count = 1000, seed = 1, first = 0;
    int jobs = 2, time_limit = 60, run_limit = 10, stop_after = 3;
    std::string plant, corpus, save;
    bool only_parallel = false;
    bool single = false, print = false, self_test = false, shrink = true;
};

} // namespace fluorite::fuzz
