#pragma once
// Proofs of rows with Z3; linked into the tests of rewrite/ only.

#include "rewrite/rule_book.h"

#include <string>

namespace fluorite::rewrite {

/// What became of a row.
struct Verdict {
    bool proved = false;
    /// For which types, as in proofs.txt: `int8 int16 ... uint64`, `index`, `bool`, `float32`, ...
    std::string types;
    /// Of a refuted or open row: the type and a counterexample, or that time ran out.
    std::string problem;
};

/// Proves that pattern and result agree wherever the condition holds, for every type that the row names.
Verdict prove_row(const Row &row);
/// Whether this build has Z3.
bool has_prover();

} // namespace fluorite::rewrite
