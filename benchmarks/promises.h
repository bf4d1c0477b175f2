#pragma once
// What a schedule by hand promises, for automatic schedules to be given as well.

#include <Halide.h>

#include <sstream>
#include <string>

namespace auto_cases {

/// The promises about the output that a schedule makes.
inline fluorite::Schedule promises(const Halide::Func &output) {
    std::istringstream text(Halide::Pipeline(output).schedule().text());
    std::string kept;
    for (std::string line; std::getline(text, line);) {
        const bool is_promise = line.rfind(output.name() + ".bound(", 0) == 0;
        kept += is_promise || line.rfind("fluorite", 0) == 0 || line == "end" ? line + "\n" : "";
    }
    return fluorite::Schedule::parse(kept);
}

} // namespace auto_cases
