#pragma once
// Proofs of rows with Z3. Linked only into the tests of rewrite/.

#include "rewrite/rule_book.h"

#include <string>

namespace fluorite::rewrite {

/// The outcome for one row.
struct Verdict {
    bool proved = false;
    /// The types for which the row is proved, as in proofs.txt: `int8 int16 ... uint64`, `index`, `bool`, `float32`,
    /// ...
    std::string types;
    /// For a refuted or open row: the type and a counterexample, or that Z3 timed out.
    std::string problem;
};

/// Proves that pattern and result agree wherever the condition holds, for every type that the row names.
Verdict prove_row(const Row &row);
/// Whether this build has Z3.
bool has_prover();

} // namespace fluorite::rewrite
