// The roofline model: which groups have a cost, and what it is.
//
// A group is computed in the tiles of one stage, so only this stage may be read from outside, and it has no updates, as
// each of those would be a nest of loops of its own. A stage with updates is computed in the tiles of another or alone.
#include "autoschedule/roofline/roofline_cost.h"

#include "autoschedule/costs.h"
#include "autoschedule/roofline/reduction_traffic.h"
#include "autoschedule/roofline/tile_cost.h"
#include "autoschedule/roofline/tile_search.h"

#include <algorithm>
#include <cmath>

namespace fluorite::autoschedule {

namespace {

constexpr double cycles_per_cost = 1000;

Cost cost_of(double cycles) {
    return static_cast<Cost>(
        std::min(cycles / cycles_per_cost * static_cast<double>(cost_unit), static_cast<double>(greatest_group_cost)));
}

} // namespace

RooflineCost::RooflineCost(const StageGraph &graph, const RooflineMachine &machine)
    : graph_(graph), machine_(machine), consumers_(precedence_of(graph).consumers) {
    for (const InputImage &input : graph.inputs) {
        double bytes = static_cast<double>(input.bytes);
        for (const int64_t extent : input.extents) {
            bytes *= static_cast<double>(extent);
        }
        input_bytes_.push_back(bytes);
    }
    for (const StageNode &stage : graph.stages) {
        stage_bytes_.push_back(static_cast<double>(stage.points()) * static_cast<double>(stage.bytes));
    }
}

bool RooflineCost::may_stream(size_t stage) const {
    return graph_.stages[stage].is_output && stage_bytes_[stage] > static_cast<double>(machine_.caches.llc_bytes);
}

int64_t RooflineCost::lanes(size_t stage) const {
    const StageNode &node = graph_.stages[stage];
    // Vectors of what is stored past the caches fill lines, although wider values are cut in two for them.
    const bool fills_lines = may_stream(stage) && machine_.caches.streamed_rows > 1;
    const int64_t smallest = fills_lines ? 1 : 2;
    const int64_t vector_bytes = machine_.model.vector_bits / 8;
    const int64_t bytes = node.lane_bytes > 0 && !fills_lines ? node.lane_bytes : std::max(node.bytes, smallest);
    return std::max<int64_t>({1, vector_bytes / bytes, std::min(vector_bytes, costs::least_result_bytes) / node.bytes});
}

size_t RooflineCost::vector_loop(size_t stage, std::span<const int64_t> widths) const {
    for (size_t loop = 0; loop < widths.size(); ++loop) {
        if (graph_.stages[stage].loops[loop].is_lanes) {
            return loop;
        }
    }
    size_t widest = 0;
    for (size_t loop = 0; loop < widths.size(); ++loop) {
        if (widths[loop] >= lanes(stage)) {
            return loop;
        }
        widest = widths[loop] > widths[widest] ? loop : widest;
    }
    return widest;
}

std::optional<size_t> RooflineCost::last_stage(const StageSet &group) const {
    std::optional<size_t> last;
    for (const size_t stage : group) {
        if (graph_.stages[stage].is_by_hand && group.size() > 1) {
            return {};
        }
        if (graph_.stages[stage].is_output || consumers_[stage].empty() || !consumers_[stage].is_subset_of(group)) {
            if (last) {
                return {};
            }
            last = stage;
        }
    }
    if (!last || (group.size() > 1 && graph_.stages[*last].updates > 0)) {
        return {};
    }
    return last;
}

std::optional<TilePlan> RooflineCost::plan(const StageSet &group) const {
    const std::optional<size_t> last = last_stage(group);
    if (!last) {
        return {};
    }
    const GroupModel model(*this, group, *last);
    return TileSearch(model, slides(group)).run();
}

Slides RooflineCost::slides(const StageSet &group) const {
    Slides most = Slides::Blocks;
    for (const auto &[part, slides] : limited_) {
        most = part.is_subset_of(group) ? std::min(most, slides) : most;
    }
    return most;
}

int64_t RooflineCost::update_tasks(size_t stage) const {
    const StageNode &node = graph_.stages[stage];
    std::vector<int64_t> whole;
    for (const LoopExtent &loop : node.loops) {
        whole.push_back(loop.extent);
    }
    for (size_t loop = node.loops.size(); loop-- > 0;) {
        if (node.loops[loop].is_whole) {
            continue;
        }
        const bool has_lanes = std::any_of(node.update_lanes.begin(), node.update_lanes.end(),
                                           [&](const std::optional<size_t> &own) { return own == loop; });
        const bool is_vector = has_lanes || loop == vector_loop(stage, whole);
        const bool is_scattered =
            std::any_of(node.loops.begin(), node.loops.end(), [](const LoopExtent &other) { return other.is_whole; });
        return is_vector && (has_lanes || !is_scattered) ? ceiling(whole[loop], lanes(stage)) : whole[loop];
    }
    return 1;
}

void RooflineCost::limit_slides(const StageSet &group) {
    limited_.emplace_back(group, slides(group) == Slides::Blocks ? Slides::Rows : Slides::None);
    std::erase_if(costs_, [&](const auto &known) { return group.is_subset_of(known.first); });
}

TilePlan RooflineCost::plain_plan(const StageSet &group, size_t last, const std::vector<int64_t> &tile) const {
    TilePlan plan;
    plan.last = last;
    plan.tile = tile;
    evaluate(GroupModel(*this, group, last), plan);
    plan.streams = false;
    return plan;
}

RooflineCost::TileAccesses RooflineCost::accesses_of(const StageSet &group, size_t last,
                                                     const std::vector<int64_t> &tile) const {
    const GroupModel model(*this, group, last);
    const TileFootprint footprint = model.footprint(tile, {});
    TileAccesses touches;
    for (const size_t stage : group) {
        const double points = product_of(widths_of(model.group, footprint, stage));
        touches.points.emplace_back(stage, points);
        touches.bytes += points * static_cast<double>(graph_.stages[stage].bytes);
    }
    touches.loaded_bytes = model.live_in(footprint).bytes;
    touches.bytes += touches.loaded_bytes;
    return touches;
}

std::vector<std::vector<int64_t>> RooflineCost::widths(const StageSet &group, const TilePlan &plan) const {
    const Group members = describe_group(graph_, group, plan.last);
    const TileFootprint footprint = footprint_of(members, plan.tile, plan.by_steps);
    std::vector<std::vector<int64_t>> result(graph_.stages.size());
    for (const size_t stage : group) {
        result[stage] = widths_of(members, footprint, stage);
    }
    return result;
}

std::vector<size_t> RooflineCost::sum_loops(const StageSet &group, const TilePlan &plan, size_t stage,
                                            const std::vector<int64_t> &widths) const {
    return reduction_loops(GroupModel(*this, group, plan.last), stage, widths);
}

const SumLoops &RooflineCost::sum_loops(size_t stage, const std::vector<int64_t> &widths,
                                        const std::vector<bool> &from_memory,
                                        const std::function<SumLoops()> &find) const {
    std::vector<int64_t> key = widths;
    key.push_back(static_cast<int64_t>(stage));
    key.insert(key.end(), from_memory.begin(), from_memory.end());
    const auto [known, is_new] = sum_loops_.try_emplace(std::move(key));
    if (is_new) {
        known->second = find();
    }
    return known->second;
}

const SumPlan &RooflineCost::sum_plan(size_t stage, const std::vector<int64_t> &widths, bool by_steps,
                                      bool at_root) const {
    std::vector<int64_t> key = widths;
    key.push_back(static_cast<int64_t>(stage) * 4 + (by_steps ? 2 : 0) + (at_root ? 1 : 0));
    const auto [known, is_new] = sum_plans_.try_emplace(std::move(key));
    if (is_new) {
        known->second = find_sum_plan(sum_shape(stage, widths), widths,
                                      by_steps ? ReductionLoops::Around : ReductionLoops::Inside, at_root);
    }
    return known->second;
}

int64_t RooflineCost::tasks_around(size_t stage, const std::vector<int64_t> &widths,
                                   const std::vector<int64_t> &block) const {
    return autoschedule::tasks_around(sum_shape(stage, widths), widths, block);
}

std::optional<size_t> RooflineCost::step_owner(const StageSet &group, const TilePlan &plan, size_t stage) const {
    return step_reader(describe_group(graph_, group, plan.last), stage, plan.by_steps);
}

bool RooflineCost::reads_columns(size_t stage, std::span<const int64_t> widths) const {
    const StageNode &node = graph_.stages[stage];
    if (!node.column_block || widths[vector_loop(stage, widths)] < lanes(stage)) {
        return false;
    }
    const std::vector<int64_t> &sizes = node.blocks[*node.column_block].sizes;
    return std::equal(sizes.begin(), sizes.end(), widths.begin(), std::less_equal<>());
}

bool RooflineCost::has_window(const StageSet &group, const TilePlan &plan, size_t stage) const {
    TilePlan row = plan, rows = plan;
    const int64_t step = block_sizes(plan)[*plan.sliding];
    row.tile[*plan.sliding] = step;
    rows.tile[*plan.sliding] = 2 * step;
    const std::vector<int64_t> one = widths(group, row)[stage], two = widths(group, rows)[stage];
    for (size_t loop = 0; loop < one.size(); ++loop) {
        if (two[loop] != one[loop]) {
            return two[loop] < 2 * one[loop];
        }
    }
    return true;
}

std::vector<int64_t> RooflineCost::block_sizes(const TilePlan &plan) const {
    return plan.block.empty() ? std::vector<int64_t>(graph_.stages[plan.last].loops.size(), 1) : plan.block;
}

std::optional<Cost> RooflineCost::of(const StageSet &group) const {
    const auto [known, is_new] = costs_.try_emplace(group);
    if (is_new) {
        const std::optional<TilePlan> best = plan(group);
        known->second = best ? std::optional(cost_of(best->cycles)) : std::nullopt;
    }
    return known->second;
}

Cost RooflineCost::share(size_t stage) const {
    // Boxes of tiles cover what is needed, except for what rounding takes from scaled ones.
    const StageNode &node = graph_.stages[stage];
    double work = node.arithmetic;
    if (!node.sums.empty()) { // what all points of a block share costs each of them nothing
        const uint64_t all = node.loops.size() >= 64 ? ~uint64_t(0) : (uint64_t(1) << node.loops.size()) - 1;
        work = 0;
        for (const UpdateWork &update : node.sums) {
            for (const UpdateWork::Part &part : update.parts) {
                work += (part.loops & all) == all ? part.operations * update.steps() : 0;
            }
        }
    }
    for (const BlockWork &block : node.blocks) { // its loads may be from registers
        work = std::min(work, block.operations / static_cast<double>(block.points()));
    }
    const double cycles = static_cast<double>(node.points()) * work / (machine_.model.vector_bits / 32.0) /
                          machine_.caches.vector_operations / machine_.threads;
    return cost_of(cycles / 2);
}

} // namespace fluorite::autoschedule
