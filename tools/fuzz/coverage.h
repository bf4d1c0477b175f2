#pragma once
// The features that a case exercises, for the counts at the end of a run.

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
/// Directives, steps of walks, then features of the frozen schedules of accepted cases.
const std::vector<FeatureGroup> &feature_groups();

void add_feature(Features &features, Directive::Op op);
void add_feature(Features &features, WalkStep::Op op);
/// Adds the features of a whole frozen schedule: tails, kinds of loops and memory, and so on.
void add_features(Features &features, const schedule::ScheduledGraph &pipeline);

} // namespace fluorite::fuzz
