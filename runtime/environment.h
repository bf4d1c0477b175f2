#pragma once
// Variables of the environment that begin with FLUORITE_ or HL_ and that nothing reads. Internal to the runtime.

#include <string>

namespace fluorite_runtime {

/// A line for each variable of the list (`NAME=value`, null at the end) that begins with FLUORITE_ or HL_ and is none
/// of docs/environment.md; empty if there is none.
std::string unknown_variables(const char *const *environment);

} // namespace fluorite_runtime
