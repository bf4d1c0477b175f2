// What programs ask of their ranks.

#include "distributed/ranks.h"

#include "distributed/rank_count.h"
#include "fluorite/distributed.h"
#include "ranks/plan/grid.h"
#include "ranks/transport/thread_transport.h"
#include "support/check.h"
#include "support/place.h"

namespace fluorite {

namespace distributed {

const RefPtr<ir::Parameter> &rank_count() {
    static const auto *const count = [] { // never destroyed: handles of the program may outlive it
        RefPtr<ir::Parameter> made(new ir::Parameter);
        made->name = "number_of_ranks";
        made->type = Int(32);
        made->value_bits = 1; // for the interpreter
        made->has_value = true;
        return new RefPtr<ir::Parameter>(made);
    }();
    return *count;
}

} // namespace distributed

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
    const distribute::Transport &transport = distributed::current_transport(location);
    return {static_cast<int>(transport.rank()), static_cast<int>(transport.ranks())};
}

Expr number_of_ranks() {
    const ir::Parameter &count = *distributed::rank_count();
    return ir::make_var(Int(32), ir::Symbol(ir::SymbolKind::Param, count.name, {}, &count));
}

void run_on_ranks(int count, const std::function<void()> &body, const Location &location) {
    require_count(count, "run_on_ranks", location);
    if (!body) {
        throw RuntimeError("bad-distribution",
                           "in run_on_ranks: there is no function to run; each rank calls it once; pass one", location);
    }
    // Ranks compile at different speeds.
    const auto limit = std::chrono::minutes(2);
    auto all = with_place(location, [&] { return distribute::ThreadRanks(count, limit); });
    all.run([&](distribute::Transport &transport) {
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
