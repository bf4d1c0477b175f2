#pragma once
// From a genome to a program of the language.

#include "fluorite/fluorite.h"
#include "genome.h"

#include <string>
#include <vector>

namespace fluorite::fuzz {

struct Program {
    std::vector<ImageParam> inputs;
    std::vector<Func> funcs;
    Func output;
    /// For each directive: accepted, or the refusal.
    std::vector<bool> accepted;
    std::vector<std::string> refusals;
    /// The accepted directives as C++.
    std::vector<std::string> schedule_text;
};

Program build(const Genome &genome);

} // namespace fluorite::fuzz
