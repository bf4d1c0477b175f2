#pragma once
// How many threads parallel loops use by default. Internal to the runtime.

#include <string>

namespace fluorite_runtime {

constexpr int most_threads = 256;

/// A thread count from the text of an environment variable: 1 .. most_threads, or 0 where the text is not one.
int parse_thread_count(const char *text);

/// FLUORITE_NUM_THREADS, else HL_NUM_THREADS, else the cores that this process may use; 0 where the variable is set to
/// something else.
int default_thread_count();
/// What is wrong with the variable, as an error's text; empty where nothing is.
std::string bad_thread_count();

} // namespace fluorite_runtime
