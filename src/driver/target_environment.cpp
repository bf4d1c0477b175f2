// Targets from the environment: FLUORITE_TARGET and FLUORITE_JIT_TARGET, or Halide's HL_TARGET and HL_JIT_TARGET.

#include "fluorite/target.h"

#include <cstdlib>

namespace fluorite {

namespace {

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
