#include "backends/c_text/c_text.h"

#include "fluorite/float16.h"
#include "support/check.h"

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>

namespace fluorite::backends::c_text {

namespace {

const char *integer_type(Type type) {
    const bool is_int = type.is_int();
    switch (type.bits()) {
    case 1:
        return "bool";
    case 8:
        return is_int ? "char" : "uchar";
    case 16:
        return is_int ? "short" : "ushort";
    case 32:
        return is_int ? "int" : "uint";
    default: // 64, the only other width
        return is_int ? "long" : "ulong";
    }
}

/// Digits after the point are hexadecimal, so that the text is exact, and no locale matters.
template <typename T> std::string finite_text(T value) {
    char digits[64];
    const auto [end, error] =
        std::to_chars(std::begin(digits), std::end(digits), std::fabs(value), std::chars_format::hex);
    check(error == std::errc(), "the text of a number fits");
    return std::string(std::signbit(value) ? "-0x" : "0x") + std::string(digits, end);
}

std::string hex_text(uint64_t bits) {
    char digits[32];
    const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), bits, 16);
    check(error == std::errc(), "the text of a number fits");
    return "0x" + std::string(digits, end);
}

std::string text_of_short_float(Type type, double value) {
    const uint16_t bits = type.is_bfloat() ? bfloat16_t(value).to_bits() : float16_t(value).to_bits();
    return concat("((ushort)", hex_text(bits), ")");
}

std::string text_of_float(Type type, double value) {
    return is_short_float(type) ? text_of_short_float(type, value)
           : type.bits() == 32  ? text_of(static_cast<float>(value))
                                : text_of(value);
}

} // namespace

std::string value_type(Type type) {
    check(!type.is_handle(), "kernels have no pointers as values");
    if (type.is_float()) {
        return type.bits() == 16 ? "ushort" : type.bits() == 32 ? "float" : "double";
    }
    return integer_type(type);
}

std::string memory_type(Type type) { return type.is_bool() ? "uchar" : value_type(type); }

const char *unsigned_type(Type type) { return type.bits() == 64 ? "ulong" : "uint"; }

std::string text_of_int(Type type, int64_t value) {
    if (type.bits() == 64) {
        return value == INT64_MIN ? "(-9223372036854775807L - 1)" : concat("(", value, "L)");
    }
    if (type.bits() == 32) {
        return value == INT32_MIN ? "(-2147483647 - 1)" : value < 0 ? concat("(", value, ")") : concat(value);
    }
    return concat("((", value_type(type), ")", value, ")");
}

std::string text_of_uint(Type type, uint64_t value) {
    if (type.is_bool()) {
        return value != 0 ? "true" : "false";
    }
    return type.bits() == 64   ? concat(value, "UL")
           : type.bits() == 32 ? concat(value, "U")
                               : concat("((", value_type(type), ")", value, ")");
}

std::string text_of(float value) {
    return std::isfinite(value) ? concat("(", finite_text(value), "f)")
                                : concat("as_float(", hex_text(std::bit_cast<uint32_t>(value)), "U)");
}

std::string text_of(double value) {
    return std::isfinite(value) ? concat("(", finite_text(value), ")")
                                : concat("as_double(", hex_text(std::bit_cast<uint64_t>(value)), "UL)");
}

std::string text_of_constant(const ir::ExprNode &node) {
    const Type type = node.type().element_of();
    return type.is_float() ? text_of_float(type, node.float_value())
           : type.is_int() ? text_of_int(type, node.int_value())
                           : text_of_uint(type, node.uint_value());
}

std::string text_of_number(Type type, int64_t value) {
    return type.is_float() ? text_of_float(type, static_cast<double>(value))
           : type.is_int() ? text_of_int(type, value)
                           : text_of_uint(type, static_cast<uint64_t>(value));
}

std::string letters_of(std::string_view name) {
    std::string result(name);
    for (char &letter : result) {
        letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    }
    return result;
}

std::string with_names(std::string_view text, std::initializer_list<std::pair<char, std::string>> names) {
    std::string result;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] != '$') {
            result += text[i];
            continue;
        }
        i++;
        for (const auto &[letter, name] : names) {
            result += letter == text[i] ? name : "";
        }
    }
    return result;
}

} // namespace fluorite::backends::c_text
