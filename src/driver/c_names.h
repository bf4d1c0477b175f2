#pragma once
// Names that a C program can call functions by.

#include <set>
#include <string>

namespace fluorite::driver {

/// Refuses a name that a function of a compiled file cannot have. `source` says where it comes from, where the program
/// has not given it: "from the file's name".
void check_function_name(const std::string &name, const std::string &source);

/// The text with everything that a C identifier cannot hold as underscores.
std::string c_identifier(const std::string &name);

/// `name`, or a name like it that is no keyword and not among those taken; takes it.
std::string free_identifier(const std::string &name, std::set<std::string> &taken);

} // namespace fluorite::driver
