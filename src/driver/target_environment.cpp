// Targets from the environment: FLUORITE_TARGET and FLUORITE_JIT_TARGET, or Halide's HL_TARGET and HL_JIT_TARGET; and
// FLUORITE_HOST, the processor for which the program takes this machine.

#include "ir/host_target.h"

#include <cstdlib>

namespace fluorite {

namespace {

Target host_from_environment(const Target &real) {
    const char *name = std::getenv("FLUORITE_HOST");
    return name && *name ? ir::host_seen_as(name, real, "FLUORITE_HOST") : real;
}

/// Before main(), so that the first question for the host is answered as all later ones.
[[maybe_unused]] const bool is_host_view_set = (ir::set_host_view(host_from_environment), true);

Target from_environment(const char *name, const char *halide_name, const Location &location) {
    for (const char *variable : {name, halide_name}) {
        const char *text = std::getenv(variable);
        if (text && *text) {
            return Target(text, location);
        }
    }
    return get_host_target();
}

} // namespace

Target get_target_from_environment(const Location &location) {
    return from_environment("FLUORITE_TARGET", "HL_TARGET", location);
}

Target get_jit_target_from_environment(const Location &location) {
    return from_environment("FLUORITE_JIT_TARGET", "HL_JIT_TARGET", location).with_feature(Target::JIT);
}

} // namespace fluorite
