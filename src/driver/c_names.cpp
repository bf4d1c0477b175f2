// Function names that a C program can call.
//
// What: a function of a compiled file is called from C and C++, so its name must be an identifier in both: ASCII
// letters, digits and underscores, no keyword of either, no reserved name, and not the name of a function that every
// program has: main, a function of the C library, or one of the runtime. LLVM treats a function called `floor` as the C
// library's and calls it as such, so the linker would not even see such a clash.
//
// A generator may ask for a function in a namespace: C knows it by the joined parts of its name, and the header has the
// function of C++ that calls it. Names of arguments only serve readers; they are made to fit.

#include "driver/c_names.h"

#include "driver/choose_backend.h"
#include "fluorite/errors.h"
#include "fluorite/runtime_abi.h"
#include "support/check.h"

#include <algorithm>
#include <string_view>

namespace fluorite::driver {

namespace {

constexpr std::string_view keywords[] = {"alignas",
                                         "alignof",
                                         "and",
                                         "and_eq",
                                         "asm",
                                         "auto",
                                         "bitand",
                                         "bitor",
                                         "bool",
                                         "break",
                                         "case",
                                         "catch",
                                         "char",
                                         "char16_t",
                                         "char32_t",
                                         "char8_t",
                                         "class",
                                         "co_await",
                                         "co_return",
                                         "co_yield",
                                         "compl",
                                         "concept",
                                         "const",
                                         "const_cast",
                                         "consteval",
                                         "constexpr",
                                         "constinit",
                                         "continue",
                                         "decltype",
                                         "default",
                                         "delete",
                                         "do",
                                         "double",
                                         "dynamic_cast",
                                         "else",
                                         "enum",
                                         "explicit",
                                         "export",
                                         "extern",
                                         "false",
                                         "float",
                                         "for",
                                         "friend",
                                         "goto",
                                         "if",
                                         "inline",
                                         "int",
                                         "long",
                                         "mutable",
                                         "namespace",
                                         "new",
                                         "noexcept",
                                         "not",
                                         "not_eq",
                                         "nullptr",
                                         "operator",
                                         "or",
                                         "or_eq",
                                         "private",
                                         "protected",
                                         "public",
                                         "register",
                                         "reinterpret_cast",
                                         "requires",
                                         "restrict",
                                         "return",
                                         "short",
                                         "signed",
                                         "sizeof",
                                         "static",
                                         "static_assert",
                                         "static_cast",
                                         "struct",
                                         "switch",
                                         "template",
                                         "this",
                                         "thread_local",
                                         "throw",
                                         "true",
                                         "try",
                                         "typedef",
                                         "typeid",
                                         "typename",
                                         "typeof",
                                         "typeof_unqual",
                                         "union",
                                         "unsigned",
                                         "using",
                                         "virtual",
                                         "void",
                                         "volatile",
                                         "wchar_t",
                                         "while",
                                         "xor",
                                         "xor_eq",
                                         "linux",
                                         "unix",
                                         "_Alignas",
                                         "_Alignof",
                                         "_Atomic",
                                         "_BitInt",
                                         "_Bool",
                                         "_Complex",
                                         "_Generic",
                                         "_Imaginary",
                                         "_Noreturn",
                                         "_Static_assert",
                                         "_Thread_local",
                                         "_Pragma",
                                         "_Float16",
                                         "_Float32",
                                         "_Float64",
                                         "_Float128",
                                         "_Float32x",
                                         "_Float64x",
                                         "_Decimal32",
                                         "_Decimal64",
                                         "_Decimal128"};

bool is_keyword(std::string_view name) {
    return std::find(std::begin(keywords), std::end(keywords), name) != std::end(keywords);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
/// Whether an identifier may contain the character, in any locale.
bool is_word(char c) { return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '_'; }

bool is_runtime_function(const std::string &name) {
    size_t count = 0;
    const fluorite_symbol_t *symbols = fluorite_runtime_symbols(&count);
    return std::any_of(symbols, symbols + count, [&](const fluorite_symbol_t &symbol) { return name == symbol.name; });
}

bool is_library_function(const std::string &name) {
    return backend_for(get_host_target(), backends::OutputKind::Object).knows_function(name);
}

/// Why C cannot have a function of that name; empty if it can.
std::string objection(const std::string &name) {
    if (name.empty()) {
        return "which is empty";
    }
    if (name.find("::") != std::string::npos) {
        return "which is in a namespace";
    }
    if (is_digit(name[0])) {
        return "which begins with a digit";
    }
    const auto odd = std::find_if_not(name.begin(), name.end(), is_word);
    if (odd != name.end()) {
        const bool is_ascii = *odd >= ' ' && *odd <= '~';
        return is_ascii ? concat("which has a '", *odd, "'") : std::string("which has a character beyond ASCII");
    }
    if (is_keyword(name)) {
        return "which is a word of C or C++";
    }
    if (name.find("__") != std::string::npos || (name[0] == '_' && (name.size() == 1 || is_upper(name[1])))) {
        return "which C and C++ reserve for themselves";
    }
    if (name == "main" || is_library_function(name)) {
        return "which is a function of every C program";
    }
    if (is_runtime_function(name)) {
        return "which is a function of the runtime";
    }
    return {};
}

} // namespace

void check_function_name(const std::string &name, const std::string &source) {
    const std::string why = objection(name);
    if (!why.empty()) {
        throw CompileError("bad-function-name",
                           concat("in a Pipeline: its function is to be called '", name, "'",
                                  source.empty() ? "" : " " + source, ", ", why,
                                  "; C calls it, so its name is of ASCII letters, digits and underscores, and nobody "
                                  "else's; pass another fn_name"));
    }
}

std::string c_function_of(const std::string &name) {
    std::string joined;
    size_t begin = 0;
    for (size_t end = name.find("::"); end != std::string::npos; end = name.find("::", begin)) {
        const std::string part = name.substr(begin, end - begin);
        check_function_name(part, "as a part of '" + name + "'");
        joined += part + "_";
        begin = end + 2;
    }
    return joined + name.substr(begin);
}

std::string c_identifier(const std::string &name) {
    std::string text = name;
    for (char &c : text) {
        c = is_word(c) ? c : '_';
    }
    return text;
}

std::string free_identifier(const std::string &name, std::set<std::string> &taken) {
    std::string found = name;
    for (int i = 2; is_keyword(found) || !taken.insert(found).second; i++) {
        found = concat(name, "_", i);
    }
    return found;
}

} // namespace fluorite::driver
