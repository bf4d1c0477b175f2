#pragma once
// Genomes as text: nested lists of `name=value`, members at their default left out, so that files stay readable when
// genomes get new members. parse_genome(genome_text(g)) is g.

#include "genome.h"

#include <string>

namespace fluorite::fuzz {

std::string genome_text(const Genome &genome);
/// Throws std::runtime_error with line and reason.
Genome parse_genome(const std::string &text);

} // namespace fluorite::fuzz
