#pragma once
// The processor time that one compilation takes, measured in a process of its own.

#include "kinds.h"

#include <string>
#include <utility>
#include <vector>

namespace fluorite::compile_time {

struct Limits {
    double seconds = 60; // of processor time, for one compilation
    bool verifies = false;
    bool only_lowers = false;
};

struct Sample {
    int size = 0;
    std::string failure; // empty: it has been compiled; else why not
    /// Seconds of processor time: building the graph, freezing, each pass on all modules, generating code. The last one
    /// is the step that ended last.
    std::vector<std::pair<std::string, double>> steps;
    double nodes = 0;     // of the statement, as the budget counts them
    double megabytes = 0; // at most
    double total() const;
    double step(const std::string &name) const;
    void add_step(const std::string &name, double seconds);
};

/// Compiles in a child process, which a compilation that runs away or crashes takes with it.
Sample measure(const Kind &kind, int size, const Limits &limits);

/// The statement after a pass, as text.
std::string statement_after(const Kind &kind, int size, const std::string &pass);

} // namespace fluorite::compile_time
