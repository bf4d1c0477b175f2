// The time in which one rank of many plans what it receives: stencils in two and three dimensions, and the
// transposition, whose plan has all ranks as peers.
#include "ranks/describe/description.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace fluorite::distribute;

namespace {

double milliseconds_a_plan(const Description &description) {
    const ProgramOnRanks described = describe(description);
    const std::vector<Box> domains = domains_of(described.program, described.domains);
    const int64_t ranks = description.ranks;
    double slowest = 0;
    for (int64_t rank : {int64_t{0}, ranks / 3, ranks / 2 + 7, ranks - 1}) {
        double best = 1e9;
        for (int repeat = 0; repeat < 5; repeat++) {
            const auto start = std::chrono::steady_clock::now();
            const RankPlan plan = plan_receives(described.program, domains, std::min(rank, ranks - 1), ranks);
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
            best = std::min(best, plan.exchanges.empty() ? best : took.count());
        }
        slowest = std::max(slowest, best);
    }
    return slowest;
}

Description stencil(const std::vector<int64_t> &size, int64_t ranks) {
    Description description;
    description.size = size;
    description.ranks = ranks;
    description.radius = 4;
    return description;
}

Description transposition(int64_t size, int64_t ranks) {
    Description description = stencil({size, size}, ranks);
    description.kind = Description::Kind::Transpose;
    return description;
}

} // namespace

int main() {
    std::printf("%8s %22s %22s %22s   milliseconds to plan one rank\n", "ranks", "1000000 x 1000000",
                "10000 x 10000 x 10000", "transposition");
    for (int64_t ranks : {64, 1024, 16384}) {
        std::printf("%8lld %22.4f %22.4f %22.4f\n", static_cast<long long>(ranks),
                    milliseconds_a_plan(stencil({1000000, 1000000}, ranks)),
                    milliseconds_a_plan(stencil({10000, 10000, 10000}, ranks)),
                    milliseconds_a_plan(transposition(1000000, ranks)));
    }
    return 0;
}
