#pragma once
// The ranks of this process, and how they talk.

#include "distribute/execute/transport.h"
#include "fluorite/errors.h"

namespace fluorite::driver {

/// The transport of the calling rank: that of run_on_ranks on its threads, otherwise that of the MPI library that the
/// program has initialized, which is opened by the first call (collective) and kept to the end of the process. Throws
/// RuntimeError [no-mpi] where there is none.
distribute::Transport &current_transport(const Location &location);

/// The rank of a thread of run_on_ranks; 0 on all other threads.
int64_t rank_of_thread();

} // namespace fluorite::driver
