#pragma once
// Internal checks: they carry a text and the source location, and throw InternalError.

#include "fluorite/errors.h"

#include <sstream>
#include <string>

namespace fluorite {

/// Concatenates values into one text, formatted as by a stream.
template <typename... Parts> std::string concat(const Parts &...parts) {
    std::ostringstream stream;
    (stream << ... << parts);
    return stream.str();
}

[[noreturn]] inline void internal_error(const std::string &text, const Location &place) {
    throw InternalError("internal error at " + to_string(place) + ": " + text);
}

/// Checks an invariant of the compiler. The text states the invariant.
inline void check(bool condition, const char *text, const Location &place = Location::current()) {
    if (!condition) {
        internal_error(text, place);
    }
}
inline void check(bool condition, const std::string &text, const Location &place = Location::current()) {
    if (!condition) {
        internal_error(text, place);
    }
}
[[noreturn]] inline void unreachable(const char *text, const Location &place = Location::current()) {
    internal_error(text, place);
}

} // namespace fluorite
