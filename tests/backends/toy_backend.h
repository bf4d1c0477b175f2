#pragma once
// A back end that prints the loops of a module as text, and does nothing else: CONTRIBUTING.md, "Adding a back end".

#include "backends/backend.h"

namespace fluorite::backends {

const Backend &toy_backend();

} // namespace fluorite::backends
