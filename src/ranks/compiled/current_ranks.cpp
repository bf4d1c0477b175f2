// The ranks of this process.
//
// The MPI transport is never closed: MPI may be finalized before static objects are destroyed, and closing frees a
// communicator.

#include "ranks/compiled/current_ranks.h"

#include "ranks/transport/mpi_transport.h"

#include <mutex>

namespace fluorite::distribute {

namespace {

thread_local Transport *thread_transport = nullptr;

std::mutex mpi_mutex;

MpiOptions &mpi_options() {
    static MpiOptions options;
    return options;
}

} // namespace

Transport &current_transport() {
    if (thread_transport) {
        return *thread_transport;
    }
    static Transport *of_process = nullptr;
    const std::lock_guard lock(mpi_mutex);
    if (!of_process) {
        of_process = open_mpi_transport(mpi_options().limit, mpi_options().library).release();
    }
    return *of_process;
}

void set_mpi_options(const MpiOptions &options) {
    const std::lock_guard lock(mpi_mutex);
    mpi_options() = options;
}

int64_t rank_of_thread() { return thread_transport ? thread_transport->rank() : 0; }

UseTransport::UseTransport(Transport &transport) : outer_(thread_transport) { thread_transport = &transport; }
UseTransport::~UseTransport() { thread_transport = outer_; }

} // namespace fluorite::distribute
