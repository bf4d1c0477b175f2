#pragma once
// The target that a call of the compiler names.

#include "fluorite/target.h"

namespace fluorite::driver {

/// The target itself, or that of the environment for code in memory where it is Target(). Throws CompileError
/// [bad-target] for one that says something but not for which architecture: what it says would be lost.
Target asked_target(const Target &target, const Location &location);

/// The same for schedules of code that is not made yet: throws for targets without a code generator, too.
Target asked_target_of_schedule(const Target &target, const Location &location);

} // namespace fluorite::driver
