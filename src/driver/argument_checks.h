#pragma once
// What the arguments of a function that is compiled from a pipeline may be, in C or as a Callable.

#include "fluorite/argument.h"
#include "ir/lowered.h"

#include <string>
#include <vector>

namespace fluorite::driver {

inline bool is_user_context(const std::string &name) { return name == "__user_context"; }

/// Checks that an argument is an input that a function can have, used or not. `name` is the function's.
void check_argument(const std::string &name, const Argument &wanted);
/// Checks that no argument is there twice.
void check_distinct(const std::string &name, const std::vector<Argument> &args);
/// Checks that an argument that denotes an input is declared with the input's type and dimensions.
void check_declared(const std::string &name, const Argument &wanted, const ir::LoweredArg &arg);

} // namespace fluorite::driver
