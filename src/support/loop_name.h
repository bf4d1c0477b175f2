#pragma once
// Names of loops over RVars: `r$x` in schedules and code, where a dot would end the name, and `r.x` in messages, as
// programs write it.

#include <cctype>
#include <string>

namespace fluorite {

/// The text with each `r$x` replaced by r.x, and `r$d4` by r[4].
inline std::string with_dotted_loops(const std::string &text) {
    std::string result;
    const auto is_word = [&](size_t i) {
        return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
    };
    for (size_t i = 0; i < text.size(); i++) {
        const bool is_loop = text[i] == '$' && i > 0 && is_word(i - 1) && is_word(i + 1);
        size_t end = i + 1;
        while (is_loop && is_word(end)) {
            end++;
        }
        const std::string dimension = is_loop ? text.substr(i + 1, end - i - 1) : "";
        if (dimension.size() == 1 && dimension.find_first_of("xyzw") == 0) {
            result += "." + dimension;
            i = end - 1;
        } else if (dimension.size() > 1 && dimension[0] == 'd' &&
                   dimension.find_first_not_of("0123456789", 1) == std::string::npos) {
            result += "[" + dimension.substr(1) + "]";
            i = end - 1;
        } else {
            result += text[i];
        }
    }
    return result;
}

} // namespace fluorite
