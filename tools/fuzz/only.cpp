// Campaigns over a subset of cases: a case outside it is redrawn from other seeds until one is in it. So the numbers
// have no gaps, and seed, number and option reproduce a case.

#include "genome.h"
#include "options.h"

#include <algorithm>

namespace fluorite::fuzz {

namespace {

bool runs_at_once(const Genome &genome) {
    return !genome.automatic.empty() ||
           std::any_of(genome.schedule.begin(), genome.schedule.end(), [](const Directive &directive) {
               using Op = Directive::Op;
               return directive.op == Op::Parallel || directive.op == Op::ParallelTasks || directive.op == Op::Async;
           });
}

// Tails that shift the last iterations inwards let two tasks write the same values to the same points, which is right,
// and which a thread sanitizer reports.
#if defined(__SANITIZE_THREAD__)
constexpr bool tasks_may_overlap = false;
#else
constexpr bool tasks_may_overlap = true;
#endif

void keep_tasks_apart(Genome &genome) {
    const auto keep_apart = [](TailStrategy &tail) {
        const bool shifts = tail == TailStrategy::ShiftInwards || tail == TailStrategy::Auto;
        tail = shifts ? TailStrategy::GuardWithIf : tail;
    };
    for (Directive &directive : genome.schedule) {
        keep_apart(directive.tail);
    }
    for (WalkStep &step : genome.walk) {
        keep_apart(step.tail);
    }
}

} // namespace

Genome make_genome(const Options &options, uint64_t number) {
    Genome genome = make_genome(options.seed, number);
    const auto is_wanted = [&] {
        return (!options.only_parallel || runs_at_once(genome)) &&
               (!options.only_automatic || !genome.automatic.empty());
    };
    for (uint64_t draw = 1; !is_wanted(); draw++) {
        genome = make_genome(options.seed + draw * 0x9e3779b97f4a7c15ull, number);
    }
    if (options.gpu) {
        genome.device = static_cast<int>(number % 1'000'000) + 1;
    }
    if (!tasks_may_overlap) {
        keep_tasks_apart(genome);
    }
    return genome;
}

} // namespace fluorite::fuzz
