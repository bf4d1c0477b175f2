#pragma once
// The ends of integer types as texts of OpenCL C.

#include "backends/c_text/c_text.h"

namespace fluorite::backends::c_text {

/// The bits of the type's values without the sign, and its ends.
inline int digits_of(Type type) { return type.bits() - (type.is_int() ? 1 : 0); }
inline uint64_t greatest(Type type) {
    return digits_of(type) == 64 ? UINT64_MAX : (uint64_t{1} << digits_of(type)) - 1;
}
inline int64_t least(Type type) { return type.is_int() ? -static_cast<int64_t>(greatest(type)) - 1 : 0; }

/// The ends of `value` in another type, which has them.
inline std::string text_of_greatest(Type value, Type type) {
    return type.is_int() ? text_of_int(type, static_cast<int64_t>(greatest(value)))
                         : text_of_uint(type, greatest(value));
}
inline std::string text_of_least(Type value, Type type) {
    return type.is_int() ? text_of_int(type, least(value)) : text_of_uint(type, 0);
}

/// A number that both float types have, such as a power of two, in one of them.
inline std::string text_of_power(Type type, double value) {
    return type.bits() == 64 ? text_of(value) : text_of(static_cast<float>(value));
}
/// The number above the greatest value, in a float type.
inline std::string text_above(Type value, Type type) {
    return text_of_power(type, static_cast<double>(uint64_t{1} << (digits_of(value) - 1)) * 2);
}

} // namespace fluorite::backends::c_text
