#pragma once
// The hooks that the program has taken over from the runtime.

#include "fluorite/errors.h"

namespace fluorite::driver {

/// Whether the program has installed an error handler.

bool has_error_handler();

/// Refuses an allocator without its counterpart. `allocate` and `release` are the names that messages use.
void check_allocator(bool allocates, bool releases, const char *allocate, const char *release,
                     const Location &location);

} // namespace fluorite::driver
