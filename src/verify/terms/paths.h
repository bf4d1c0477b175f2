#pragma once
// Places in programs, and what is known there: the ranges of loops and the conditions around them, in the order of
// proofs/Rewrite.v.

#include "verify/witnesses/prover.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::verify {

/// One number for each operand that is taken, from the root on.
using Path = std::vector<size_t>;
Path operator+(Path a, const Path &b);

/// The facts inside of a loop, and where a condition holds besides.
Facts inside(const std::string &loop, const Index &extent, const Facts &facts);
Facts with(const Condition &fact, const Facts &facts);
/// The facts below operand k of a term, in the order of proofs/Rewrite.v (at_path).
Facts facts_below(const Term &term, size_t k, const Facts &facts);
/// Nothing where the path leaves the program.
std::optional<Term> at_path(const Term &term, const Path &path);

} // namespace fluorite::verify
