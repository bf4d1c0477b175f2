#pragma once
// The native checker, as the tool calls it.

#include <functional>
#include <string>

namespace fluorite::certify_tool {

struct Verdict {
    bool is_there = false; // whether the checker was built, which takes OCaml
    bool accepted = false;
    double milliseconds = 0; // of checking, without reading
    std::string text;
};
/// What fluorite_check says of the certificate.
Verdict check(const std::string &certificate);

/// Processor time of this process, of all its threads: since it began; of a call.
double processor_milliseconds();
double processor_milliseconds(const std::function<void()> &run);

} // namespace fluorite::certify_tool
