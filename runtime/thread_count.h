#pragma once
// How many threads parallel loops use by default. Internal to the runtime.

#include <string>

namespace fluorite_runtime {

constexpr int most_threads = 256;

/// A thread count from the text of an environment variable: 1 .. most_threads, or 0 if the text is invalid.
int parse_thread_count(const char *text);

/// FLUORITE_NUM_THREADS, else HL_NUM_THREADS, else HL_NUMTHREADS, else the cores that this process may use; 0 if the
/// variable is invalid.
int default_thread_count();
/// The error text for the variable; empty if it is valid.
std::string bad_thread_count();

} // namespace fluorite_runtime
