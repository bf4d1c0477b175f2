#pragma once
// Builds the texts of errors and trace lines. Internal to the runtime.

#include "fluorite/runtime_abi.h"

#include <cstdint>
#include <string>

namespace fluorite_runtime {

/// Prints what the library says, rather than the program: through the same handler, whose default writes it to the
/// standard error stream.
void print_message(void *context, const char *text);

std::string to_text(int64_t value);
std::string to_text(uint64_t value);
std::string to_text(float value);
/// The shortest form that reads back as the same double; always looks like a float (`1.0`, `1e+30`, `nan`).
std::string to_text(double value);
/// `int32`, `uint8`, `bool`, `bfloat16`, `float32x8`, `handle`.
std::string to_text(fluorite_type_t type);
/// One lane at `value`, which is a scalar of the type.
std::string to_text(fluorite_type_t type, const void *value);

} // namespace fluorite_runtime
