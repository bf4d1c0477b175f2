#pragma once
// A module as one file of C99 and C++17.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <string>

namespace fluorite::backends::c {

enum class Use : uint8_t {
    File,   // compiled by the user: with metadata, and linked with the runtime
    Process // loaded into this process: what it calls is found in a table (Symbols)
};

/// The text, and, for Use::Process, the names of what it calls, in the order of the table `fluorite_symbols`.
struct Source {
    std::string text;
    std::vector<std::string> symbols;
};
Source c_source(const ir::LoweredModule &module, const Target &target, Use use);

} // namespace fluorite::backends::c
