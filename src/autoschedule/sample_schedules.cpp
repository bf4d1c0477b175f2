// Schedules of groupings at random, written and judged as the one that the search finds.
//
// The first is the search's own, of the pipeline as it is described without further trials; the second computes every
// stage apart; the others are drawn. What is refused is taken apart as it always is, so each schedule stands for the
// groups that it has in the end, and one that has been met before is left out.
//
// Cost: planning and judging of each; a fixed number of draws for each schedule that is asked for.
#include "autoschedule/auto_schedule.h"
#include "autoschedule/costs.h"
#include "autoschedule/grouping/sampling.h"
#include "autoschedule/scheduler.h"

#include <algorithm>
#include <random>

namespace fluorite::autoschedule {

namespace {} // namespace

std::vector<FoundSchedule> sample_schedules(const schedule::ScheduledGraph &pipeline, const Request &request,
                                            size_t count, uint32_t seed) {
    std::vector<FoundSchedule> samples;
    const auto add = [&](FoundSchedule schedule) {
        const bool is_new = std::none_of(samples.begin(), samples.end(),
                                         [&](const FoundSchedule &other) { return other.lines == schedule.lines; });
        if (is_new && samples.size() < count) {
            samples.push_back(std::move(schedule));
        }
    };
    Scheduler searched(pipeline, request, {});
    const Precedence precedence = precedence_of(searched.graph());
    add(searched.run().or_raise());
    std::vector<StageSet> apart;
    for (const size_t stage : precedence.all()) {
        apart.push_back({stage});
    }
    std::mt19937 random(seed);
    // Groupings are given to one scheduler, so that costs are asked for once.
    searched.set_groups(make_grouping(precedence, apart).value());
    add(searched.run().or_raise());
    for (size_t draw = 0; samples.size() < count && draw < count * costs::most_draws; ++draw) {
        searched.set_groups(draw_grouping(precedence, searched.cost(), random));
        add(searched.run().or_raise());
    }
    return samples;
}

} // namespace fluorite::autoschedule
