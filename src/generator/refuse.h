#pragma once
// Errors of generators: they name the generator, as its user knows it by that name only.

#include "fluorite/errors.h"

#include <string>

namespace fluorite::generators {

/// Throws CompileError: `in generator <name>: <text>`, or `in a generator: ` where it has no name.
[[noreturn]] void refuse(const char *slug, const std::string &generator, const std::string &text);

/// `a, b, c`; `none` for no words.
template <typename Words> std::string word_list(const Words &words) {
    std::string list;
    for (const std::string &word : words) {
        list += (list.empty() ? "" : ", ") + word;
    }
    return list.empty() ? "none" : list;
}

} // namespace fluorite::generators
