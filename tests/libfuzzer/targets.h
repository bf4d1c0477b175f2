#pragma once
// What reads bytes of others, as functions of bytes. libFuzzer calls one of them a million times (./dev libfuzzer
// TARGET), and corpora_test.cpp calls each with the files of tests/corpora/<name>. A target accepts what it reads or
// throws an error of the user's; all else is a finding: a crash, a sanitizer's report, an internal error, a promise of
// the text forms that is broken.
//
// A new target: a line in targets.def, a function here, a folder of small files in tests/corpora.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fluorite::libfuzzer {

#define FLUORITE_TARGET(name) void name(std::string_view bytes);
#include "targets.def"
#undef FLUORITE_TARGET

/// Ends the process with a message, as libFuzzer wants it.
[[noreturn]] void found(std::string_view what, std::string_view details);

} // namespace fluorite::libfuzzer
