#pragma once
// A genome as a C++ program.

#include "genome.h"

#include <string>

namespace fluorite::fuzz {

std::string print_cpp(const Genome &genome);

} // namespace fluorite::fuzz
