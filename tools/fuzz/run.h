#pragma once
// Compiles and runs one case, and compares it with the interpreter.

#include "coverage.h"
#include "genome.h"
#include "options.h"
#include "regions.h"

#include <functional>
#include <string>
#include <vector>

namespace fluorite::fuzz {

struct Outcome {
    enum class Kind : uint8_t {
        Same,      // the same bits as the interpreter
        Rejected,  // the schedule is refused as a whole
        Refused,   // the run refuses its inputs (a bound that is too small, a region that is too large)
        Slow,      // set by the parent: it compiles, then runs too long, but ends with small sizes
        Mismatch,  // different bits, or bytes written outside the outputs
        TooLong,   // it compiles, but takes longer than its size warrants
        Internal,  // an internal error or an unexpected exception
        NoProgram, // the genome is not a program: the fuzzer's own mistake
        Crash,     // set by the parent
        Hang,      // set by the parent
    };
    Kind kind = Kind::Same;
    std::string slug, text;
    Features features;                 // what the case exercises
    std::vector<std::string> refusals; // slugs of directives that were refused at the call
    int idle = 0;                      // directives without a legal meaning
    RegionCounts regions;              // of its inputs
    bool grown = false;                // the outputs had to be larger than drawn
    bool is_failure() const { return kind >= Kind::Mismatch; }
};
const char *kind_name(Outcome::Kind kind);

/// Called when a case begins to compile (false), and when machine code and the interpreter begin to run (true).
using OnPhase = std::function<void(bool runs)>;

/// Runs a case in this process.
Outcome run_case(const Genome &genome, const Options &options, const OnPhase &on_phase = {});

} // namespace fluorite::fuzz
