#include "task_orders.h"

#include <algorithm>

namespace fluorite::fuzz {

namespace {

/// Whether a case may run tasks concurrently: it is async or parallel somewhere.
bool has_tasks(const Genome &genome) {
    using Op = Directive::Op;
    return !genome.automatic.empty() ||
           std::any_of(genome.schedule.begin(), genome.schedule.end(),
                       [](const Directive &each) {
                           return each.op == Op::Async || each.op == Op::Parallel || each.op == Op::ParallelTasks;
                       }) ||
           std::any_of(genome.walk.begin(), genome.walk.end(),
                       [](const WalkStep &step) { return step.op == WalkStep::Op::LoopType; });
}

bool is_memoized(const Genome &genome) {
    return std::any_of(genome.schedule.begin(), genome.schedule.end(),
                       [](const Directive &directive) { return directive.op == Directive::Op::Memoize; });
}

constexpr uint64_t usual_orders = 3, orders_under_stress = 12, delays_under_stress = 4;

} // namespace

std::vector<Way> ways_of(const Genome &genome, const Options &options) {
    std::vector<Way> ways(1);
    const bool with_tasks = has_tasks(genome);
    for (uint64_t order = 1; with_tasks && order <= (options.stress ? orders_under_stress : usual_orders); order++) {
        ways.push_back({order, 0});
    }
    for (uint64_t delay = 1; with_tasks && options.stress && delay <= delays_under_stress; delay++) {
        ways.push_back({0, delay});
    }
    for (uint64_t i = 0; i < options.repeat; i++) {
        ways.push_back({0, i % 3 == 0 ? 0 : i});
    }
    if (is_memoized(genome)) { // the second run reads the cache
        ways.emplace_back();
    }
    return ways;
}

std::string text_of(const Way &way) {
    return way.order > 0   ? ", tasks in order " + std::to_string(way.order)
           : way.delay > 0 ? ", tasks with delay " + std::to_string(way.delay)
                           : "";
}

} // namespace fluorite::fuzz
