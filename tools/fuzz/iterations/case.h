#pragma once
// Random programs with stencils and iterations, each built through the public API and written as C++ at the same time.

#include "buffers.h"

#include "fluorite/iterate.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace fluorite::fuzz::iterations {

/// Receives each line of the program before the call that the line states, so that a crash leaves the text of what
/// crashed.
using WriteLine = std::function<void(const std::string &line)>;

/// An output of a program: what is to be realized.
struct IterationOutput {
    Func func;
    Box box;
    Layout layout = Layout::Dense;
};

struct IterationCase {
    std::vector<IterationOutput> outputs;
    std::vector<GuardedBuffer> inputs;
    std::set<std::string> features; // what the program has, for the summary of a campaign
};

/// Draws case `number` of a seed. Throws what the calls of the API throw.
IterationCase make_iteration_case(uint64_t seed, uint64_t number, const WriteLine &write_line);

} // namespace fluorite::fuzz::iterations
