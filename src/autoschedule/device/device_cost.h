#pragma once
// The cost of groups on a device, for the exact search: that of the best plan of each.

#include "autoschedule/device/device_plan.h"
#include "autoschedule/from_graph/from_graph.h"
#include "autoschedule/grouping/grouping.h"
#include "autoschedule/roofline/tile_footprint.h"

#include <unordered_map>

namespace fluorite::autoschedule {

class DeviceCost : public GroupCost {
  public:
    /// The pipeline and the device live longer than this.
    DeviceCost(const DescribedPipeline &pipeline, const machine::DeviceCosts &device);

    std::optional<Cost> of(const StageSet &group) const override;
    bool is_hopeless(const StageSet &) const override { return false; }
    Cost share(size_t) const override { return 0; }

    /// The best plan; none where the group cannot be one kernel.
    std::optional<DevicePlan> plan(const StageSet &group) const;
    /// From now on, the stage runs on the host, alone.
    void keep_on_host(size_t stage);
    /// From now on, the stage is not in the memory that a block shares: what a block needs of it is not bounded.
    void keep_out_of_blocks(size_t stage);
    /// From now on, no thread computes the stage for itself: what it needs has not as many points in all threads.
    void keep_out_of_threads(size_t stage);
    bool is_on_host(size_t stage) const { return on_host_.contains(stage); }

    /// How far each stage of a group runs in one block, or for one thread, by loop; empty for others.
    std::vector<std::vector<int64_t>> widths(const StageSet &group, const DevicePlan &plan, bool in_thread) const;
    /// Whether what a thread computes of a stage has as many points in all threads.
    bool is_steady(const StageSet &group, const DevicePlan &plan, size_t stage) const;
    const machine::DeviceCosts &device() const { return device_; }

  private:
    const DescribedPipeline &pipeline_;
    const StageGraph &graph_;
    const machine::DeviceCosts &device_;
    std::vector<StageSet> consumers_;
    StageSet on_host_, not_shared_, not_in_threads_;
    mutable std::unordered_map<StageSet, std::optional<Cost>, StageSetHash> costs_;

    std::optional<size_t> last_stage(const StageSet &group) const;
    DevicePlan host_plan(const Group &group) const;
    /// The plans whose blocks and threads have all sizes that are tried.
    std::optional<DevicePlan> search(const Group &group) const;
    void choose_places(const Group &group, DevicePlan &plan, bool in_threads) const;
    bool may_be_in_threads(const Group &group, const DevicePlan &plan, size_t stage) const;
    /// Times a plan; false where the device cannot run it.
    bool evaluate(const Group &group, DevicePlan &plan) const;
    bool add_member(const Group &group, const DevicePlan &plan, size_t stage, const std::vector<int64_t> &in_block,
                    const std::vector<int64_t> &in_thread, KernelWork &work, double &points) const;
    void add_points(size_t stage, const std::vector<int64_t> &together, double threads, KernelWork &work) const;
    void add_memory(const Group &group, const TileFootprint &block, KernelWork &work) const;
    bool add_updates(const Group &group, DevicePlan &plan) const;
};

} // namespace fluorite::autoschedule
