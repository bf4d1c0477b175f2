#pragma once
// What the program has taken over from the runtime.

#include "fluorite/errors.h"

namespace fluorite::driver {

/// Whether it takes error reports.

bool has_error_handler();

/// Refuses one of two functions that go together. `allocate` and `release` are what the program calls them.
void check_allocator(bool allocates, bool releases, const char *allocate, const char *release,
                     const Location &location);

} // namespace fluorite::driver
