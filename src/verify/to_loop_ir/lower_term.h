#pragma once
// From the term that a certificate is about to loop IR: the loops, stores and allocations that it says, no others.
//
// A binding becomes a buffer with the extents of its tensor; a nest of generations becomes loops; a view of a nest says
// where its iterations store (stores.h), and under which guard, which is a statement `if` in the loop; marks are the
// kinds of loops. A fold of ones is the integer; an `iter` for an element is a loop over a buffer of one element, which
// is the accumulator. A select that reads in a branch is a branch, as its reads may be in bounds in that branch only.
//
// Before: a term of a Conversion, with the plan of its stores. After: phase Laid of ir/verify.h. Relies on: the
// certificate, for reads in bounds and for what guards may be left out; nothing is simplified here, and nothing decided
// that the term leaves open. Does not do: checks of arguments (the driver makes them before it calls the code).
// Cost: linear in the term.

#include "ir/stmt.h"
#include "verify/certify.h"

namespace fluorite::verify {

/// Where an output is stored: a buffer for each value of its elements.
struct OutputBuffers {
    std::vector<ir::Symbol> symbols;
    std::vector<Type> types;
};

/// `outputs` are those of the pipeline, in its order. Throws Unsupported for terms that have no loops, as sums over
/// operators whose unit nobody knows.
ir::Stmt lower_term(const ScheduledTerm &term, const std::vector<OutputBuffers> &outputs);

} // namespace fluorite::verify
