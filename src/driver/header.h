#pragma once
// C headers of compiled functions.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <string>
#include <vector>

namespace fluorite::driver {

/// The text of a header that declares the functions, their `_argv` and `_metadata` forms, for C and C++.
std::string header_text(const std::vector<ir::LoweredFunc> &funcs, const std::string &guard);

} // namespace fluorite::driver
