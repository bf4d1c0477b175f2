#pragma once
// The text form of a measured machine: what a probe found out about the processor it ran on, as a file that automatic
// schedules are made from.

#include "fluorite/errors.h"
#include "machine/cache_model.h"

#include <string>

namespace fluorite::machine {

struct MeasuredMachine {
    std::string processor; // one line; names the machine on which the numbers hold
    int vector_bits = 128; // of the vectors that were measured
    CacheModel caches;
};

std::string write_machine(const MeasuredMachine &machine);

/// The inverse of write_machine. `file` and a line stand in the message of the CompileError (machine-file) that reports
/// a text of another form, an unknown, repeated or missing row, or a number outside of the row's range.
MeasuredMachine read_machine(const std::string &text, const std::string &file, const Location &location);

} // namespace fluorite::machine
