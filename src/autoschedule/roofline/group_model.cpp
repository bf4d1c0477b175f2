#include "autoschedule/roofline/group_model.h"

#include <algorithm>

namespace fluorite::autoschedule {

std::vector<size_t> vector_loop_first(size_t vector, size_t loops) {
    std::vector<size_t> order{vector};
    for (size_t loop = 0; loop < loops; ++loop) {
        if (loop != vector) {
            order.push_back(loop);
        }
    }
    return order;
}

std::vector<int64_t> GroupModel::block_points(const TilePlan &plan) const {
    std::vector<int64_t> points = cost.block_sizes(plan);
    if (!points.empty()) {
        points[vector_loop(plan.tile)] *= cost.lanes(group.last);
    }
    return points;
}

std::vector<size_t> GroupModel::loops_of_tile(const TilePlan &plan) const {
    std::vector<size_t> loops = vector_loop_first(vector_loop(plan.tile), plan.tile.size());
    if (plan.along) {
        loops.erase(std::find(loops.begin(), loops.end(), *plan.along));
        loops.insert(loops.begin(), *plan.along);
    }
    return loops;
}

LoopBoxes GroupModel::loops_around_blocks(const TilePlan &plan) const {
    const std::vector<int64_t> block = block_points(plan);
    std::vector<int64_t> whole = plan.tile;
    for (size_t loop = 0; loop < whole.size(); ++loop) {
        whole[loop] = std::max(whole[loop], block[loop]);
    }
    return loops_around(block, whole, loops_of_tile(plan));
}

std::optional<size_t> GroupModel::outermost_step(const TilePlan &plan) const {
    const size_t vector = vector_loop(plan.tile);
    for (size_t loop = plan.tile.size(); loop-- > 0;) {
        if (loop != vector && plan.tile[loop] > block_size(plan, loop)) {
            return loop;
        }
    }
    return {};
}

bool GroupModel::has_reductions() const {
    return std::any_of(group.members.begin(), group.members.end(),
                       [&](size_t stage) { return !group.node(stage).sums.empty(); });
}

} // namespace fluorite::autoschedule
