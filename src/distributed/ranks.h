#pragma once
// The ranks of this process, for calls of the program.

#include "ranks/compiled/current_ranks.h"
#include "support/place.h"

namespace fluorite::distributed {

/// distribute::current_transport; errors point to the call.
inline distribute::Transport &current_transport(const Location &location) {
    return with_place(location, []() -> distribute::Transport & { return distribute::current_transport(); });
}

} // namespace fluorite::distributed
