#pragma once
// The instructions of x86 that a target has, by the names that LLVM, gcc and clang share.

#include "fluorite/target.h"

#include <string_view>
#include <vector>

namespace fluorite::backends {

/// Those beyond what every processor with 64 bits has.
std::vector<std::string_view> x86_features(const Target &target);

} // namespace fluorite::backends
