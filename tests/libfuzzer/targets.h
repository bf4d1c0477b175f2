#pragma once
// The readers of untrusted bytes, as functions of bytes. libFuzzer calls one of them a million times (./dev libfuzzer
// TARGET), and corpora_test.cpp calls each with the files of tests/corpora/<name>. A target accepts its input or throws
// an error for the user. Everything else is a finding: a crash, a sanitizer's report, an internal error, a text form
// that does not keep its guarantees.
//
// To add a target: a line in targets.def, a function here, and a folder of small files in tests/corpora.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fluorite::libfuzzer {

#define FLUORITE_TARGET(name) void name(std::string_view bytes);
#include "targets.def"
#undef FLUORITE_TARGET

/// Terminates the process with a message, which libFuzzer reports.
[[noreturn]] void found(std::string_view what, std::string_view details);

} // namespace fluorite::libfuzzer
