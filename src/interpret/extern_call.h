#pragma once
// Calls of C functions whose signature is known only at run time.

#include "interpret/scalar.h"

#include <vector>

namespace fluorite::interpret {

/// The maximum number of arguments of call_extern.
inline constexpr size_t most_extern_arguments = 8;

/// Whether a function of this signature can be called: at most 8 arguments; arguments and result are integers, bool,
/// float32, float64 or pointers.
bool is_callable(const std::vector<Type> &arguments, Type result);

/// Calls the C function at `address`. Precondition: the signature is callable.
Cell call_extern(void *address, const std::vector<Type> &types, const Cell *arguments, Type result);

} // namespace fluorite::interpret
