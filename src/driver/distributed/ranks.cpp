// What programs ask of their ranks.

#include "driver/distributed/ranks.h"

#include "distribute/execute/thread_transport.h"
#include "distribute/grid.h"
#include "fluorite/distributed.h"
#include "support/check.h"

namespace fluorite {

namespace {

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
        const distribute::UseTransport use(transport);
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
