#pragma once
// Groups and tiles by one of the models.

#include "autoschedule/auto_schedule.h"
#include "autoschedule/grouping/group_search.h"
#include "autoschedule/roofline/roofline_cost.h"

#include <memory>

namespace fluorite::autoschedule {

/// Finds the groups of a graph and the tiles of each. The published schedulers decide about both; vectors, blocks of
/// sums, tails and storage are then those of the own one, so that all share one back end.
class GroupingModel {
  public:
    /// The graph and its costs live longer than this.
    GroupingModel(Model model, const StageGraph &graph, const RooflineCost &cost, const RooflineMachine &machine);
    ~GroupingModel();

    SearchResult search() const;
    TilePlan plan(const StageSet &group) const;

  private:
    struct Published;

    const Model model_;
    const StageGraph &graph_;
    const RooflineCost &cost_;
    std::unique_ptr<const Published> published_;
};

} // namespace fluorite::autoschedule
