#pragma once
// Builds a program of the language from a genome.

#include "fluorite/fluorite.h"
#include "genome.h"

#include <map>
#include <string>
#include <vector>

namespace fluorite::fuzz {

/// A directive that the library refused.
struct Refusal {
    std::string slug, text;
};

struct Program {
    std::vector<ImageParam> inputs;
    std::vector<Expr> params;
    std::vector<Func> funcs;
    std::vector<std::vector<Func>> wrappers; // of each Func
    std::vector<Func> outputs;
    /// For each step of the walk, and for each directive: whether it took effect.
    std::vector<bool> walked;
    std::vector<bool> accepted;
    std::vector<Refusal> refusals;
    /// C++ text of the walk's schedule and the accepted directives.
    std::vector<std::string> schedule_text;
};

Program build(const Genome &genome);

} // namespace fluorite::fuzz
