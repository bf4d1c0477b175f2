// Blocks of the last stage, and stages whose values stay in registers.
//
// The last stage may compute a block of points around each vector, by unrolled loops, which share operands and loads
// (StageNode::blocks): channels and rows. Members that only the last stage and its likes read may be computed for each
// block: they are neither stored nor loaded, but what several blocks need of them is computed for each.
// A block and its stages in registers are chosen for given tiles, one stage after the other from the last one back.
//
// Cost: some evaluations of the group for each block that may be unrolled.
#include "autoschedule/roofline/group_planner.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

/// How many values can be kept in registers beside those that one operation needs: half of 32 registers where vectors
/// have 512 bits, and of 16 where they are shorter. A guess.
constexpr double most_registers = 16;
/// To store a register and load it again.
constexpr double spilled_cycles = 1.5;

} // namespace

double product_of(const std::vector<int64_t> &widths) {
    double product = 1;
    for (const int64_t width : widths) {
        product *= static_cast<double>(width);
    }
    return product;
}

void GroupPlanner::round_to_blocks(TilePlan &plan) const {
    const StageNode &last = graph_.stages[last_];
    const std::vector<int64_t> sizes = cost_.block_sizes(plan);
    for (size_t loop = 0; loop < plan.tile.size(); ++loop) {
        const int64_t extent = last.loops[loop].extent;
        const bool is_whole = sizes[loop] > 1 && last.loops[loop].is_constant;
        plan.tile[loop] = is_whole ? extent : std::min(extent, ceiling(plan.tile[loop], sizes[loop]) * sizes[loop]);
    }
}

double GroupPlanner::cycles_of(double work) const {
    return work / (machine_.model.vector_bits / 32.0) / machine_.caches.vector_operations;
}

double GroupPlanner::work_of(size_t stage, const TilePlan &plan) const {
    const StageNode &node = graph_.stages[stage];
    if (node.blocks.empty()) {
        return node.arithmetic;
    }
    const BlockWork &block = node.blocks[node.constant_block];
    double work = block.operations;
    for (const BlockWork::Loads &loads : block.loads) {
        work += !loads.is_input && plan.in_registers.contains(loads.source) ? 0 : loads.cost;
    }
    return work / static_cast<double>(block.points());
}

double GroupPlanner::block_cycles(const TilePlan &plan) {
    const StageNode &last = graph_.stages[last_];
    const std::vector<int64_t> sizes = cost_.block_sizes(plan);
    const size_t vector = cost_.vector_loop(last_, plan.tile);
    const auto lanes = static_cast<double>(cost_.lanes(last_));
    double rows = 1, points = 1;
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
        rows *= loop == vector ? 1 : static_cast<double>(ceiling(plan.tile[loop], sizes[loop]));
        points *= static_cast<double>(sizes[loop]);
    }
    const double blocks =
        sizes.empty() ? 1 : rows * static_cast<double>(ceiling(plan.tile[vector], cost_.lanes(last_)));
    double work = 0, values = points;
    if (plan.block < last.blocks.size()) {
        const BlockWork &block = last.blocks[plan.block];
        values = points * block.widest + block.shared;
        work = block.operations;
        for (const BlockWork::Loads &loads : block.loads) {
            work += !loads.is_input && plan.in_registers.contains(loads.source) ? 0 : loads.cost;
        }
    } else {
        work = points * (last.arithmetic - last.serial);
    }
    work += points * store_work * static_cast<double>(last.bytes) / 4;
    double cycles = cycles_of(work * lanes) + iteration_cycles;
    cycles += points * lanes * last.serial / machine_.caches.vector_operations;
    double registers = values * lanes * 32 / machine_.model.vector_bits;
    if (!plan.in_registers.empty() && !sizes.empty()) {
        std::vector<int64_t> tile = sizes;
        tile[vector] = cost_.lanes(last_);
        spread(tile);
    }
    for (const size_t stage : plan.in_registers) {
        const std::vector<int64_t> widths = measured(spans_[place_[stage]], stage);
        const size_t along = cost_.vector_loop(stage, widths);
        const int64_t own = cost_.lanes(stage);
        const double vectors =
            product_of(widths) / static_cast<double>(widths[along]) * static_cast<double>(ceiling(widths[along], own));
        cycles += cycles_of(vectors * static_cast<double>(own) * work_of(stage, plan));
        registers += vectors * std::max(1.0, static_cast<double>(own * graph_.stages[stage].bytes * 8) /
                                                 machine_.model.vector_bits);
    }
    const double available = machine_.model.vector_bits >= 512 ? most_registers : most_registers / 2;
    cycles += points > 1 ? std::max(0.0, registers - available) * spilled_cycles : 0;
    return blocks * cycles + rows * machine_.caches.row_cycles;
}

bool GroupPlanner::may_stay_in_registers(size_t stage, const StageSet &others) const {
    const StageNode &node = graph_.stages[stage];
    if (stage == last_ || node.updates > 0 || node.loops.empty() || node.blocks.empty()) {
        return false;
    }
    StageSet readers = readers_[place_[stage]];
    readers.erase(last_);
    if (!readers.is_subset_of(others)) {
        return false;
    }
    // Lanes have to stay lanes: a value that is read in another lane goes through memory, and waits for its store.
    return std::all_of(members_.begin(), members_.end(), [&](size_t reader) {
        const std::vector<Read> &reads = graph_.stages[reader].reads;
        return std::all_of(reads.begin(), reads.end(), [&](const Read &read) {
            const bool is_other = read.is_input || read.source != stage;
            return is_other || (!read.footprint.empty() && read.footprint[0] == Footprint::affine(0));
        });
    });
}

bool GroupPlanner::is_whole_block(const std::vector<int64_t> &sizes) const {
    const StageNode &last = graph_.stages[last_];
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
        if (sizes[loop] > 1 && !last.loops[loop].is_constant && last.is_exact) {
            return false;
        }
    }
    return true;
}

void GroupPlanner::choose_block(TilePlan &plan) {
    const size_t count = std::max<size_t>(graph_.stages[last_].blocks.size(), 1);
    TilePlan best = plan;
    bool is_first = true;
    for (size_t block = 0; block < count; ++block) {
        TilePlan other = plan;
        other.block = block;
        other.in_registers = {};

        settle(other);
        for (size_t member = members_.size(); member-- > 0;) {
            if (is_whole_block(cost_.block_sizes(other)) &&
                may_stay_in_registers(members_[member], other.in_registers)) {
                TilePlan with = other;
                with.in_registers.insert(members_[member]);
                settle(with);
                other = with.cycles < other.cycles ? with : other;
            }
        }
        best = is_first || other.cycles < best.cycles ? other : best;
        is_first = false;
    }
    plan = best;
}

} // namespace fluorite::autoschedule
