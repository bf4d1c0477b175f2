#pragma once
// Faults on request, to check that the fuzzer finds them.

#include "driver/compiled.h"
#include "fluorite/pipeline.h"
#include "run.h"
#include "tests/planted/plant.h"

#include <string>
#include <vector>

namespace fluorite::fuzz {

/// Faults to plant: "mod" (C remainder instead of Euclidean), "loop" (every serial loop of more than four iterations
/// loses the last one), "max" (max returns its first operand in vectors), "wait" (tasks do not wait for each other).
/// In passes, which fluorite_fuzz_planted alone has, "sliding", "fold", "still", "halo", "region" and "binder"
/// (tests/planted/plant.h); the last changes no value, but the verifier finds it. "refusal" gives refusals slugs that
/// are not on the list. "slow" takes compilations for ten thousand times as long as they are, so that every one is too
/// long, on every machine.
struct Plant {
    const char *name;
    int first; // of seed 1: the first case,
    int cases; // the number of cases within which it is found
    int nodes; // the size to which it is shrunk; 0: the campaign complains; unshrunk: the case is large, and shrinking
               // it takes long
    Outcome::Kind kind = Outcome::Kind::Mismatch;
};
constexpr int unshrunk = -1;
/// After a change of the generator, `--plant NAME --seed 1 --no-shrink` reports where each is found.
const std::vector<Plant> &plants();

/// The fault of this name that is one of passes.
planted::Fault fault_of(const std::string &plant);
/// A pipeline that is compiled already, once more with the fault of this name, be it of machine code or of passes.
driver::CompiledPipeline compile_with_fault(const Pipeline &pipeline, const driver::CompiledPipeline &compiled,
                                            const std::string &plant);

} // namespace fluorite::fuzz
