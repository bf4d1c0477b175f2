// Numbers, types and values as text, and printing.
//
// What: the functions that generated code calls to build the text of print and require, the hook that prints it, and
// those of the runtime's own messages. Printed floats have the forms of C: %f for 32 bits and fewer, %e for doubles.
// Floats in messages have the shortest decimal form that reads back as the same value of their own width, with `.0` if
// they would look like an integer.
//
// Relies on: std::to_chars. Does not do: locale. Cost: some 100 ns per number.

#include "runtime/text.h"

#include "fluorite/float16.h"
#include "runtime/catcher.h"
#include "runtime/replaceable.h"

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace fluorite_runtime {

namespace {

template <typename T> std::string integer_text(T value) {
    char digits[24];
    return {digits, std::to_chars(digits, digits + sizeof(digits), value).ptr};
}

template <typename T> std::string float_text(T value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    char digits[40];
    std::string text(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

template <typename T> T read(const void *value) {
    T result;
    std::memcpy(&result, value, sizeof(T));
    return result;
}

std::string int_text(int bits, const void *value) {
    switch (bits) {
    case 8:
        return to_text(int64_t{read<int8_t>(value)});
    case 16:
        return to_text(int64_t{read<int16_t>(value)});
    case 32:
        return to_text(int64_t{read<int32_t>(value)});
    default:
        return to_text(read<int64_t>(value));
    }
}

std::string uint_text(int bits, const void *value) {
    switch (bits) {
    case 1:
        return read<uint8_t>(value) != 0 ? "true" : "false";
    case 8:
        return to_text(uint64_t{read<uint8_t>(value)});
    case 16:
        return to_text(uint64_t{read<uint16_t>(value)});
    case 32:
        return to_text(uint64_t{read<uint32_t>(value)});
    default:
        return to_text(read<uint64_t>(value));
    }
}

std::string pointer_text(const void *value) {
    char digits[24];
    char *end = std::to_chars(digits, digits + sizeof(digits), reinterpret_cast<uintptr_t>(value), 16).ptr;
    return "0x" + std::string(digits, end);
}

char *append(char *at, char *end, const char *text, size_t length) {
    if (at >= end) {
        return at;
    }
    const size_t room = static_cast<size_t>(end - at) - 1;
    const size_t count = length < room ? length : room;
    std::memcpy(at, text, count);
    at[count] = 0;
    return at + count;
}

/// The form that printf gives in the locale C: six digits behind the point.
template <typename T> char *append_as_c(char *at, char *end, T value, std::chars_format format) {
    char digits[64]; // a float has at most 39 digits before the point
    if (std::isnan(value)) {
        return append(at, end, std::signbit(value) ? "-nan" : "nan", std::signbit(value) ? 4 : 3);
    }
    const char *last = std::to_chars(digits, digits + sizeof(digits), value, format, 6).ptr;
    return append(at, end, digits, static_cast<size_t>(last - digits));
}

char *append(char *at, char *end, const std::string &text) { return append(at, end, text.data(), text.size()); }

thread_local bool prints_message = false; // while print_message() runs

void default_print(void *, const char *text) {
    std::FILE *const stream = prints_message ? stderr : stdout;
    std::fputs(text, stream);
    std::fflush(stream);
}

std::atomic<fluorite_print_t> print_function{default_print};

} // namespace

void print_message(void *context, const char *text) {
    prints_message = true;
    fluorite_print(context, text);
    prints_message = false;
}

std::string to_text(int64_t value) { return integer_text(value); }
std::string to_text(uint64_t value) { return integer_text(value); }
std::string to_text(float value) { return float_text(value); }
std::string to_text(double value) { return float_text(value); }

std::string to_text(fluorite_type_t type) {
    static const char *const names[] = {"int", "uint", "float", "handle", "bfloat"};
    std::string text;
    if (type.code == fluorite_type_handle) {
        text = "handle";
    } else if (type.code == fluorite_type_uint && type.bits == 1) {
        text = "bool";
    } else if (type.code <= fluorite_type_bfloat) {
        text = names[type.code] + to_text(uint64_t{type.bits});
    } else {
        text = "type of code " + to_text(uint64_t{type.code});
    }
    return type.lanes > 1 ? text + "x" + to_text(uint64_t{type.lanes}) : text;
}

std::string to_text(fluorite_type_t type, const void *value) {
    switch (type.code) {
    case fluorite_type_int:
        return int_text(type.bits, value);
    case fluorite_type_uint:
        return uint_text(type.bits, value);
    case fluorite_type_float:
        return type.bits == 64   ? to_text(read<double>(value))
               : type.bits == 32 ? to_text(read<float>(value))
                                 : to_text(static_cast<float>(read<fluorite::float16_t>(value)));
    case fluorite_type_bfloat:
        return to_text(static_cast<float>(read<fluorite::bfloat16_t>(value)));
    default:
        return pointer_text(read<const void *>(value));
    }
}

} // namespace fluorite_runtime

using namespace fluorite_runtime;

extern "C" {

char *fluorite_append_text(char *at, char *end, const char *text) {
    return append(at, end, text != nullptr ? text : "(null)", text != nullptr ? std::strlen(text) : 6);
}
char *fluorite_append_bool(char *at, char *end, uint64_t value) {
    return fluorite_append_text(at, end, value != 0 ? "true" : "false");
}
char *fluorite_append_int64(char *at, char *end, int64_t value) { return append(at, end, to_text(value)); }
char *fluorite_append_uint64(char *at, char *end, uint64_t value) { return append(at, end, to_text(value)); }
char *fluorite_append_float(char *at, char *end, float value) {
    return append_as_c(at, end, value, std::chars_format::fixed);
}
char *fluorite_append_double(char *at, char *end, double value) {
    return append_as_c(at, end, value, std::chars_format::scientific);
}
char *fluorite_append_pointer(char *at, char *end, const void *value) { return append(at, end, pointer_text(value)); }

void fluorite_print(void *context, const char *text) {
    fluorite_runtime::call_hook(0, [&] {
        halide_print(context, text != nullptr ? text : "");
        return 0;
    });
}

fluorite_print_t fluorite_set_custom_print(fluorite_print_t function) {
    return print_function.exchange(function != nullptr ? function : default_print);
}

void fluorite_own_halide_print(void *context, const char *text) {
    print_function.load(std::memory_order_relaxed)(context, text);
}
void halide_default_print(void *context, const char *text) { default_print(context, text); }
halide_print_t halide_set_custom_print(halide_print_t function) { return fluorite_set_custom_print(function); }
}

FLUORITE_REPLACEABLE(void, halide_print, (void *context, const char *text));
