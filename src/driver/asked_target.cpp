// Target() stands for the target of the environment wherever a call takes a target. One that has features, an operating
// system, a width or a processor and no architecture is most likely a Target to which features were added in place of
// the host's: the environment's target would be used in its place, without them.

#include "driver/asked_target.h"

#include "support/check.h"

namespace fluorite::driver {

Target asked_target(const Target &target, const Location &location) {
    if (target.arch != Target::ArchUnknown) {
        return target;
    }
    const Target named = target.without_feature(Target::JIT);
    const Target host = get_host_target(); // whose architecture may be none that is known
    if (!(named == Target()) && !(named == host)) {
        throw CompileError(
            "bad-target",
            concat("target ", target.to_string(),
                   ": it has no architecture; only Target(), which says nothing, stands for the target of "
                   "the environment; begin with get_host_target() and add features to it, or name an "
                   "architecture"),
            location);
    }
    return get_jit_target_from_environment(location);
}

Target asked_target_of_schedule(const Target &target, const Location &location) {
    Target asked = asked_target(target, location);
    asked.os = asked.os == Target::OSUnknown ? Target::Linux : asked.os;
    if (!asked.supported()) {
        throw CompileError("bad-target",
                           concat("in auto_schedule: target ", target.to_string(),
                                  " has no code generator here; a schedule is found for code that can be made; use a "
                                  "target for which Target::supported() holds"),
                           location);
    }
    return asked;
}

} // namespace fluorite::driver
