#include "backends/c/words.h"

#include "backends/c_text/c_text.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace fluorite::backends::c {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> words = {{
    {"char", "int8_t"},
    {"uchar", "uint8_t"},
    {"short", "int16_t"},
    {"ushort", "uint16_t"},
    {"int", "int32_t"},
    {"uint", "uint32_t"},
    {"long", "int64_t"},
    {"ulong", "uint64_t"},
    {"static", "FLUORITE_INLINE"},
    {"clz", "fluorite_leading_zeros"},
    {"popcount", "fluorite_ones"},
    {"as_float", "fluorite_as_float"},
    {"as_double", "fluorite_as_double"},
    {"as_int", "fluorite_as_int32"},
    {"as_uint", "fluorite_as_uint32"},
    {"as_long", "fluorite_as_int64"},
    {"as_ulong", "fluorite_as_uint64"},
    {"rint", "nearbyint"}, // which raises no exception
}};

bool is_of_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

/// 64-bit constants are `long long`, which has 64 bits on every machine.
std::string number_in_c(std::string_view number) {
    return std::string(number) + (number.back() == 'L' && !number.ends_with("LL") ? "L" : "");
}

std::string word_in_c(std::string_view word) {
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
        return number_in_c(word);
    }
    const auto *found = std::find_if(words.begin(), words.end(), [&](const auto &row) { return row.first == word; });
    return std::string(found == words.end() ? word : found->second);
}

} // namespace

std::string in_c(std::string_view text) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() && is_of_word(text[end])) {
            end++;
        }
        result += end > at ? word_in_c(text.substr(at, end - at)) : std::string(1, text[at]);
        at = std::max(end, at + 1);
    }
    return result;
}

std::string function_in_c(std::string_view text) {
    constexpr size_t most_expanded = 2000; // letters: math functions have more, and others with two forms fewer
    constexpr std::string_view expanded = "FLUORITE_INLINE", called = "FLUORITE_FUNCTION";
    std::string result = in_c(text);
    if (result.size() > most_expanded && result.starts_with(expanded)) {
        result.replace(0, expanded.size(), called);
    }
    return result;
}

std::string scalar_type(Type type) { return type.is_handle() ? "fluorite_pointer" : in_c(c_text::value_type(type)); }
std::string element_type(Type type) { return type.is_handle() ? "void *" : in_c(c_text::memory_type(type)); }

std::string short_name(Type type) {
    const char *kind = type.is_bfloat() ? "bf" : type.is_float() ? "f" : type.is_int() ? "i" : "u";
    return concat(kind, type.bits());
}

std::string c_string(std::string_view text) {
    std::string result = "\"";
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            result += std::string("\\") + letter;
        } else if (letter == '?' || byte < 0x20 || byte >= 0x7F) { // of "??" a C compiler may make another letter
            const char digits[] = {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                                   static_cast<char>('0' + byte % 8), 0};
            result += digits;
        } else {
            result += letter;
        }
    }
    return result + "\"";
}

} // namespace fluorite::backends::c
