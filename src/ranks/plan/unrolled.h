#pragma once
// Several runs of a program as one program, which exchanges once for all of them (deep halos).

#include "ranks/plan/program.h"

#include <optional>

namespace fluorite::distribute {

/// An input that an output of the run before becomes. Both have one domain and one placement.
struct Field {
    size_t input, output;                        // arrays of the program
    std::optional<size_t> before = std::nullopt; // an input, too: what `input` is in the run before
};

struct UnrolledProgram {
    /// Its first arrays are those of the program: the inputs of the first run, inner arrays and outputs of the last.
    /// Arrays of earlier runs follow.
    DistributedProgram program;
    std::vector<std::vector<size_t>> levels; // by field: the arrays after 0, 1, ... runs
    std::vector<size_t> original;            // by array: the array of the program that it stands for
    std::vector<int64_t> runs;               // by segment: in which run it is
};

/// The program of so many runs in a row. Only inputs are exchanged, before the first run; each rank recomputes what it
/// needs of earlier runs and of inner arrays beyond its own part. For a field with a `before`, each rank also has its
/// part of the field after the last run but one. Arrays that all ranks have remain whole on each. Outputs of earlier
/// runs that are no fields are not computed, nor what only they need. One run is the program itself, with the exchanges
/// within it. Throws RuntimeError [bad-distribution] for several runs where they cannot be one program (can_unroll).
UnrolledProgram unrolled(const DistributedProgram &program, const std::vector<Field> &fields, int64_t runs);

/// Whether several runs can be one program: not if an array that a run computes, or that becomes one, is periodic, and
/// a segment's values depend on coordinates; nor if a field has a `before` and is not computed from itself.
bool can_unroll(const DistributedProgram &program, const std::vector<Field> &fields);

} // namespace fluorite::distribute
