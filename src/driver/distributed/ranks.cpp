// The ranks of this process.
//
// The MPI transport is never closed: MPI may be finalized before static objects are destroyed, and closing frees a
// communicator.

#include "driver/distributed/ranks.h"

#include "distribute/execute/mpi_transport.h"
#include "distribute/execute/thread_transport.h"
#include "distribute/grid.h"
#include "fluorite/distributed.h"
#include "support/check.h"
#include "support/place.h"

#include <mutex>

namespace fluorite {

namespace {

thread_local distribute::Transport *thread_transport = nullptr;

class UseTransport {
  public:
    explicit UseTransport(distribute::Transport &transport) : outer_(thread_transport) {
        thread_transport = &transport;
    }
    ~UseTransport() { thread_transport = outer_; }
    UseTransport(const UseTransport &) = delete;
    UseTransport &operator=(const UseTransport &) = delete;

  private:
    distribute::Transport *outer_;
};

void require_count(int count, const char *what, const Location &location) {
    if (count < 1) {
        throw RuntimeError(
            "bad-distribution",
            concat("in ", what, ": ", count,
                   " ranks are asked for; a distributed pipeline has one or more; pass a positive number"),
            location);
    }
}

} // namespace

namespace driver {

distribute::Transport &current_transport(const Location &location) {
    if (thread_transport) {
        return *thread_transport;
    }
    static std::mutex mutex;
    static distribute::Transport *of_process = nullptr;
    const std::lock_guard lock(mutex);
    if (!of_process) {
        of_process = with_place(location, [] { return distribute::open_mpi_transport().release(); });
    }
    return *of_process;
}

int64_t rank_of_thread() { return thread_transport ? thread_transport->rank() : 0; }

} // namespace driver

Ranks ranks(const Location &location) {
    const distribute::Transport &transport = driver::current_transport(location);
    return {static_cast<int>(transport.rank()), static_cast<int>(transport.ranks())};
}

void run_on_ranks(int count, const std::function<void()> &body, const Location &location) {
    require_count(count, "run_on_ranks", location);
    if (!body) {
        throw RuntimeError("bad-distribution",
                           "in run_on_ranks: there is no function to run; each rank calls it once; pass one", location);
    }
    // Ranks compile at different speeds.
    distribute::ThreadRanks(count, std::chrono::minutes(2)).run([&](distribute::Transport &transport) {
        const UseTransport use(transport);
        body();
    });
}

std::pair<int, int> approx_factors_near_sqrt(int n, const Location &location) {
    require_count(n, "approx_factors_near_sqrt", location);
    const auto [p, q] = distribute::approx_factors_near_sqrt(n);
    return {static_cast<int>(p), static_cast<int>(q)};
}

std::vector<int> approx_factors_near_cubert(int n, const Location &location) {
    require_count(n, "approx_factors_near_cubert", location);
    const std::vector<int64_t> factors = distribute::approx_factors_near_cubert(n);
    return {factors.begin(), factors.end()};
}

} // namespace fluorite
