#pragma once
// What a case exercises, for the counts at the end of a run.

#include "genome.h"
#include "schedule/schedule.h"

#include <bitset>
#include <string>
#include <vector>

namespace fluorite::fuzz {

/// One bit for each row of `feature_groups`, in order.
using Features = std::bitset<128>;

struct FeatureGroup {
    const char *title;
    std::vector<std::string> names;
};
/// Directives, steps of walks, then what the frozen schedules of accepted cases hold.
const std::vector<FeatureGroup> &feature_groups();

void add_feature(Features &features, Directive::Op op);
void add_feature(Features &features, WalkStep::Op op);
/// What a whole frozen schedule holds: tails, kinds of loops and memory, and the like.
void add_features(Features &features, const schedule::ScheduledGraph &pipeline);

} // namespace fluorite::fuzz
