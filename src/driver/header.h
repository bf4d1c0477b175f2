#pragma once
// C headers of compiled functions.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <string>

namespace fluorite::driver {

/// The text of a header that declares the entry of a module, its `_argv` and `_metadata` forms, for C and C++.
std::string header_text(const ir::LoweredFunc &entry, const std::string &guard);

} // namespace fluorite::driver
