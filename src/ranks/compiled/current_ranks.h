#pragma once
// The ranks of this process, and how they talk.

#include "ranks/transport/transport.h"

#include <string>

namespace fluorite::distribute {

/// The transport of the calling rank: that of a UseTransport on its thread, otherwise that of the MPI library that the
/// program has initialized, which is opened by the first call (collective) and kept to the end of the process. Throws
/// RuntimeError [no-mpi] where there is none.
Transport &current_transport();

/// How the MPI transport is opened; without effect once it is open.
struct MpiOptions {
    double limit = 60;   // seconds without progress after which a peer counts as lost
    std::string library; // the file of the transport; empty: it is looked for
};
void set_mpi_options(const MpiOptions &options);

/// The rank of a thread with a UseTransport; 0 on all other threads.
int64_t rank_of_thread();

/// During its lifetime, this thread is a rank that talks through the transport. Scopes nest.
class UseTransport {
  public:
    explicit UseTransport(Transport &transport);
    ~UseTransport();
    UseTransport(const UseTransport &) = delete;
    UseTransport &operator=(const UseTransport &) = delete;

  private:
    Transport *outer_;
};

} // namespace fluorite::distribute
