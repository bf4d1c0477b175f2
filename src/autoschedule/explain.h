#pragma once
// Automatic schedules in words.

#include "autoschedule/auto_schedule.h"
#include "autoschedule/directive_writer.h"
#include "autoschedule/grouping/group_search.h"

#include <string>
#include <vector>

namespace fluorite::autoschedule {

/// What there is to say of a schedule. All of it lives longer than this.
struct Explained {
    const ir::Graph &graph;
    const Request &request;
    const DescribedPipeline &described;
    const RooflineCost &cost;
    const std::vector<PlannedGroup> &groups;
    const std::vector<std::string> &notes;
    const SearchResult *search; // none where the groups were given
};

/// Groups, tiles and costs, the runner-up of each group, and what the search has proved.
std::string explain(const Explained &schedule);

/// Two digits below ten, else whole.
std::string short_number(double value);

} // namespace fluorite::autoschedule
