#include "autoschedule/search_options.h"

#include "autoschedule/costs.h"

#include <algorithm>

namespace fluorite::autoschedule {

GivenFuncs given_funcs(const Request &request) {
    GivenFuncs funcs{request.by_hand, {}};
    for (const FuncId id : request.by_hand) {
        if (request.hand.func(id).compute.is_inlined() && request.hand.func(id).stages.size() == 1) {
            funcs.inlined.push_back(id);
        }
    }
    return funcs;
}

PlanOptions initial_options(const schedule::ScheduledGraph &pipeline, const Request &request) {
    PlanOptions options;
    for (const auto &[func, lanes] : request.partials) {
        const std::vector<std::string> &args = pipeline.graph.func(func).arg_names;
        options.transpositions.push_back({func, position_in(args, std::find(args.begin(), args.end(), lanes)), {}});
    }
    return options;
}

SearchLimits search_limits(const StageGraph &graph) {
    SearchLimits limits;
    limits.groups = std::max<size_t>(costs::most_groups, graph.stages.size());
    limits.states = costs::most_states;
    limits.break_ties = false;
    return limits;
}

loopnest::NestOptions judging_options() {
    loopnest::NestOptions options;
    options.find_ranges = false;
    return options;
}

} // namespace fluorite::autoschedule
