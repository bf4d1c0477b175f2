#pragma once
// How types, constants and names are written in OpenCL C, whose words the back ends share that write source code: its
// types have fixed sizes and its functions take each type, so that a text is made once. Where a compiler for another
// language reads it, the words are replaced one by one (Helpers::Spelling).

#include "ir/expr_node.h"

#include <string>
#include <string_view>

namespace fluorite::backends::c_text {

/// The type of a variable that holds a lane. A 16-bit float is held as its bits.
std::string value_type(Type type);
/// The type of an element in memory: that of values, but a byte for Bool.
std::string memory_type(Type type);
/// The unsigned type, of 32 or 64 bits, in which integers of the type are computed.
const char *unsigned_type(Type type);

std::string text_of_int(Type type, int64_t value);
std::string text_of_uint(Type type, uint64_t value);
std::string text_of(float value);
std::string text_of(double value);
/// The lane of an IntImm, UIntImm or FloatImm.
std::string text_of_constant(const ir::ExprNode &node);
/// The value in the type, which may be any arithmetic one; 16-bit floats have small values only.
std::string text_of_number(Type type, int64_t value);

inline std::string conditional(const std::string &condition, const std::string &yes, const std::string &no) {
    return condition + " ? " + yes + " : " + no;
}

/// The letters and digits of a name; others become `_`.
std::string letters_of(std::string_view name);
/// The text with `$T` replaced, for each pair {"T", ...}.
std::string with_names(std::string_view text, std::initializer_list<std::pair<char, std::string>> names);

/// Whether the type is float16 or bfloat16, which compute in float32.
inline bool is_short_float(Type type) { return type.is_float() && type.bits() == 16; }

} // namespace fluorite::backends::c_text
