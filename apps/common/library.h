#pragma once
// The measuring program of an application's counterpart in another library, in conversation with benchmarks/run.py.
// Results are not compared: other libraries round otherwise.

#include "benchmarks/cases/serve.h"
#include "image.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace apps {

/// As many threads as generated code gets.
inline int threads() {
    const char *number = std::getenv("FLUORITE_NUM_THREADS");
    return number ? std::max(std::atoi(number), 1) : 1;
}

/// Serves repetitions of `run`.
template <typename Run> int measure_library(const std::string &name, Run run) {
    return bench::serve([&](int) { bench::report(name, bench::seconds(run)); });
}

} // namespace apps
