#pragma once
// One case: compile, run, compare with the interpreter.

#include "genome.h"

#include <string>

namespace fluorite::fuzz {

struct Outcome {
    enum class Kind : uint8_t {
        Same,     // the interpreter's bits
        Rejected, // the schedule is refused as a whole
        Refused,  // the run refuses its inputs (a tail that needs more than the output has)
        Mismatch,
        Internal, // an internal error or an unexpected exception
        Crash,    // set by the parent
        Hang,     // set by the parent
    };
    Kind kind = Kind::Same;
    std::string text;
    uint32_t directives = 0; // bit set of accepted directive operators
    int refused_directives = 0;
    bool is_failure() const { return kind >= Kind::Mismatch; }
};
const char *kind_name(Outcome::Kind kind);

/// A fault to plant in the machine code, to see that it is found: "" none, "mod" (C remainder in place of Euclidean), "loop"
/// (the last iteration of every loop of more than four is lost), "max" (max takes its first operand in vectors).
Outcome run_case(const Genome &genome, const std::string &plant);

} // namespace fluorite::fuzz
