#pragma once
// The words of C: texts that are made in those of OpenCL C (backends/c_text), and the types of values.

#include "fluorite/type.h"

#include <string>
#include <string_view>

namespace fluorite::backends::c {

/// A text in the words of OpenCL C as C: types by their sizes, functions of fluorite/runtime_c.h. Names that the text
/// makes itself are longer than a word, and stay.
std::string in_c(std::string_view text);
/// The same of the text of a function: long ones are not expanded at each call.
std::string function_in_c(std::string_view text);

/// The type of a variable that holds a scalar, and of an element in memory.
std::string scalar_type(Type type);
std::string element_type(Type type);
/// How names spell the type: i32, u8, f64, or f16 and bf16 of what is held as its bits.
std::string short_name(Type type);
/// A text as a C literal.
std::string c_string(std::string_view text);

} // namespace fluorite::backends::c
