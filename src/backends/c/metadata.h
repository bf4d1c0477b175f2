#pragma once
// What describes a compiled function to its callers.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <string>

namespace fluorite::backends::c {

/// The function `<name>_metadata`.
std::string metadata_text(const ir::LoweredFunc &entry, const Target &target);
/// The code of a type in fluorite/runtime_abi.h.
const char *type_code(TypeCode code);

} // namespace fluorite::backends::c
