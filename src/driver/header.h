#pragma once
// C headers of compiled functions.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <string>

namespace fluorite::driver {

/// The text of a header that declares the entry of a module, its `_argv` and `_metadata` forms, for C and C++. If
/// `cpp_name`, `a::b::f`, has namespaces, callers in C++ have all three in these, too.
std::string header_text(const ir::LoweredFunc &entry, const std::string &guard, const std::string &cpp_name = "");

} // namespace fluorite::driver
