#pragma once
// Looks into texts, for tests.

#include <cstddef>
#include <string_view>

namespace fluorite {

/// How often a text contains a part; occurrences may overlap.
inline size_t count(std::string_view text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
        found++;
    }
    return found;
}

} // namespace fluorite
