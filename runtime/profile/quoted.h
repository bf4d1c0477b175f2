#pragma once
// Texts in JSON that may stand in a script of a page.

#include <string>

namespace fluorite_runtime::profile {

/// In quotes; `<` is escaped, too, so that no name ends a script.
inline std::string quoted(const std::string &text) {
    constexpr const char *digits = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (code < 32 || c == '<') {
            result += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
        } else {
            result += c;
        }
    }
    return result + "\"";
}

} // namespace fluorite_runtime::profile
