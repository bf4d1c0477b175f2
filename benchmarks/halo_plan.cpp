// The time in which one rank of many plans an exchange: stencils in two and three dimensions, and the transposition,
// whose plan has all ranks as peers.
#include "distribute/halo_plan.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace fluorite::distribute;

namespace {

double milliseconds_a_plan(const ExchangePoint &point) {
    double slowest = 0;
    const int64_t ranks = point.ranks();
    for (int64_t rank : {int64_t{0}, ranks / 3, ranks / 2 + 7, ranks - 1}) {
        double best = 1e9;
        for (int repeat = 0; repeat < 5; repeat++) {
            const auto start = std::chrono::steady_clock::now();
            const HaloPlan plan = plan_exchange(point, std::min(rank, ranks - 1));
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
            best = std::min(best, plan.visited > 0 ? took.count() : best);
        }
        slowest = std::max(slowest, best);
    }
    return slowest;
}

ExchangePoint stencil(const Box &domain, int64_t ranks) {
    const Layout layout = Layout::blocks(domain, ranks);
    Flow flow{"array", layout, layout, {}, 4};
    for (size_t d = 0; d < domain.size(); d++) {
        flow.need.push_back(AxisNeed::stencil(d, -4, 4));
    }
    return {"stencil", 0, {flow}};
}

ExchangePoint transposition(int64_t size, int64_t ranks) {
    const Layout rows = Layout::blocks({{0, size}, {0, size}}, ranks, {1, ranks});
    return {"transposition", 0, {{"array", rows, rows, {AxisNeed::same(1), AxisNeed::same(0)}, 4}}};
}

} // namespace

int main() {
    std::printf("%8s %22s %22s %22s   milliseconds to plan one rank\n", "ranks", "1000000 x 1000000",
                "10000 x 10000 x 10000", "transposition");
    for (int64_t ranks : {64, 1024, 16384}) {
        std::printf("%8lld %22.4f %22.4f %22.4f\n", static_cast<long long>(ranks),
                    milliseconds_a_plan(stencil({{0, 1000000}, {0, 1000000}}, ranks)),
                    milliseconds_a_plan(stencil({{0, 10000}, {0, 10000}, {0, 10000}}, ranks)),
                    milliseconds_a_plan(transposition(1000000, ranks)));
    }
    return 0;
}
