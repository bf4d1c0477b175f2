#pragma once
// Function names that a C program can call.

#include <set>
#include <string>

namespace fluorite::driver {

/// Refuses a name that a function of a compiled file cannot have. `source` says where the name comes from if the
/// program did not give it: "from the file's name".
void check_function_name(const std::string &name, const std::string &source);

/// The name of the C function behind one of C++: its namespaces are joined by underscores, `a_b_f` for `a::b::f`.
/// Refuses a name of which a part is no name in C++, as above.
std::string c_function_of(const std::string &name);

/// Replaces every character that a C identifier cannot contain by an underscore.
std::string c_identifier(const std::string &name);

/// Returns `name`, or a similar name, that is no keyword and not in `taken`; adds it to `taken`.
std::string free_identifier(const std::string &name, std::set<std::string> &taken);

} // namespace fluorite::driver
