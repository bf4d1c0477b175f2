#pragma once
// Numbers in a printf pattern, as a string.

#include <cstdio>
#include <string>

namespace fluorite {

/// The text that snprintf writes for a pattern of at most 600 characters of result; the rest is cut off.
template <typename... Values> std::string printed(const char *pattern, const Values &...values) {
    char buffer[600];
    std::snprintf(buffer, sizeof buffer, pattern, values...);
    return buffer;
}

} // namespace fluorite
