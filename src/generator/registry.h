#pragma once
// Checks of the registry of Generators.

#include "generator/refuse.h"
#include "generator/state.h"

namespace fluorite::generators {

/// Throws CompileError [generator-registered-twice] where two Generators have one name.
void check_registry();

} // namespace fluorite::generators
