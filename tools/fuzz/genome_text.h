#pragma once
// Genomes as text: nested lists of `name=value`. Members with default values are omitted, so that files stay readable
// when genomes get new members. Invariant: parse_genome(genome_text(g)) == g.

#include "genome.h"

#include <string>

namespace fluorite::fuzz {

std::string genome_text(const Genome &genome);
/// Throws std::runtime_error with line and reason.
Genome parse_genome(const std::string &text);

} // namespace fluorite::fuzz
