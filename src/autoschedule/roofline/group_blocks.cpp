// Blocks of the last stage, and stages whose values stay in registers.
//
// The last stage may compute a block of points around each vector, by unrolled loops, which share operands and loads
// (StageNode::blocks): channels and rows. Members that only the last stage and its likes read may be computed for each
// block: they are neither stored nor loaded, but what several blocks need of them is computed for each.
// A block and its stages in registers are chosen for given tiles, one stage after the other from the last one back.
//
// Cost: some evaluations of the group for each block that may be unrolled.
#include "autoschedule/costs.h"
#include "autoschedule/from_graph/stage_work.h"
#include "autoschedule/roofline/group_planner.h"

#include <algorithm>
#include <functional>

namespace fluorite::autoschedule {

double product_of(const std::vector<int64_t> &widths) {
    double product = 1;
    for (const int64_t width : widths) {
        product *= static_cast<double>(width);
    }
    return product;
}

std::vector<int64_t> GroupPlanner::block_points(const TilePlan &plan) const {
    std::vector<int64_t> points = cost_.block_sizes(plan);
    if (!points.empty()) {
        points[cost_.vector_loop(last_, plan.tile)] *= cost_.lanes(last_);
    }
    return points;
}

void GroupPlanner::round_to_blocks(TilePlan &plan) const {
    const StageNode &last = graph_.stages[last_];
    const std::vector<int64_t> sizes = cost_.block_sizes(plan), points = block_points(plan);
    for (size_t loop = 0; loop < plan.tile.size(); ++loop) {
        const int64_t extent = last.loops[loop].extent;
        const bool is_whole = last.loops[loop].is_constant && sizes[loop] == extent;
        const int64_t unit = sizes[loop] > 1 ? points[loop] : 1;
        plan.tile[loop] = is_whole ? extent : std::min(extent, ceiling(plan.tile[loop], unit) * unit);
    }
}

double GroupPlanner::cycles_of(double work) const {
    return work / (machine_.model.vector_bits / 32.0) / machine_.caches.vector_operations;
}

bool RooflineCost::reads_columns(size_t stage, const std::vector<int64_t> &widths) const {
    const StageNode &node = graph_.stages[stage];
    if (!node.column_block || widths[vector_loop(stage, widths)] < lanes(stage)) {
        return false;
    }
    const std::vector<int64_t> &sizes = node.blocks[*node.column_block].sizes;
    return std::equal(sizes.begin(), sizes.end(), widths.begin(), std::less_equal<>());
}

double GroupPlanner::work_of(size_t stage, const TilePlan &plan, const std::vector<int64_t> *widths) const {
    const StageNode &node = graph_.stages[stage];
    if (node.blocks.empty()) {
        return node.arithmetic;
    }
    const bool is_column = widths && cost_.reads_columns(stage, *widths);
    const BlockWork &block = node.blocks[is_column ? *node.column_block : node.constant_block];
    double work = block.operations;
    for (const BlockWork::Loads &loads : block.loads) {
        work += !loads.is_input && plan.in_registers.contains(loads.source) ? 0 : loads.cost;
    }
    return work / static_cast<double>(block.points());
}

double GroupPlanner::last_work(const TilePlan &plan) const {
    const StageNode &last = graph_.stages[last_];
    const std::vector<int64_t> sizes = cost_.block_sizes(plan);
    const double points = product_of(sizes);
    if (last.blocks.empty()) {
        return points * (last.arithmetic - last.serial);
    }
    const BlockWork *block = &last.blocks[last.constant_block];
    for (const BlockWork &other : last.blocks) {
        block = other.sizes == sizes ? &other : block;
    }
    double work = block->operations;
    for (const BlockWork::Loads &loads : block->loads) {
        const bool is_register = !loads.is_input && plan.in_registers.contains(loads.source);
        work += is_register && !graph_.stages[loads.source].innermost ? 0 : loads.cost;
    }
    return work * points / static_cast<double>(block->points());
}

double GroupPlanner::stored_apart(const std::vector<int64_t> &widths, const std::vector<int64_t> &block) const {
    const StageNode &last = graph_.stages[last_];
    if (!last.is_output || widths.empty()) {
        return 0;
    }
    // A block that holds all points beside each other stores whole vectors of them.
    for (size_t loop = 0; loop < cost_.vector_loop(last_, widths); ++loop) {
        if (block[loop] < last.loops[loop].extent) {
            return machine_.caches.gathered_cycles;
        }
    }
    return 0;
}

double GroupPlanner::block_cycles(const TilePlan &plan) {
    const StageNode &last = graph_.stages[last_];
    const std::vector<int64_t> sizes = cost_.block_sizes(plan), unit = block_points(plan);
    const size_t vector = cost_.vector_loop(last_, plan.tile);
    const auto lanes = static_cast<double>(cost_.lanes(last_));
    double rows = 1, values = product_of(sizes), rows_of_block = 1;
    const double points = values;
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
        rows *= loop == vector ? 1 : static_cast<double>(ceiling(plan.tile[loop], sizes[loop]));
        const bool is_whole = last.loops[loop].is_constant && sizes[loop] == last.loops[loop].extent;
        rows_of_block *= loop == vector || is_whole ? 1 : static_cast<double>(sizes[loop]);
    }
    const double blocks = sizes.empty() ? 1 : rows * static_cast<double>(ceiling(plan.tile[vector], unit[vector]));
    for (const BlockWork &block : last.blocks) {
        values = block.sizes == sizes ? points * block.widest + block.shared : values;
    }
    const double work = last_work(plan) + points * costs::store_operations * static_cast<double>(last.bytes) / 4;
    // Each row has addresses of its own, which the loop moves.
    double cycles = cycles_of(work * lanes) + rows_of_block * costs::iteration_cycles;
    cycles += points * lanes * last.serial / machine_.caches.vector_operations;
    cycles += points * lanes * stored_apart(plan.tile, sizes);
    double registers = values * lanes * 32 / machine_.model.vector_bits;
    if (!plan.in_registers.empty() && !sizes.empty()) {
        spread(unit);
    }
    bool has_sums = false;
    for (const size_t stage : plan.in_registers) {
        const StageNode &node = graph_.stages[stage];
        const std::vector<int64_t> widths = measured(spans_[place_[stage]], stage);
        const size_t along = cost_.vector_loop(stage, widths);
        const int64_t own = cost_.lanes(stage);
        const double vectors =
            product_of(widths) / static_cast<double>(widths[along]) * static_cast<double>(ceiling(widths[along], own));
        if (!node.sums.empty()) {
            std::vector<int64_t> whole = widths;
            whole[along] = ceiling(widths[along], own);
            whole = node.innermost ? cost_.sum_plan(stage, widths, false).block : whole;
            const double stored = node.innermost ? costs::store_operations * static_cast<double>(node.bytes) / 4 : 0;
            cycles += cost_.sum_cycles(stage, widths, whole, false) +
                      cycles_of(vectors * static_cast<double>(own) * (node.initial + stored));
            has_sums = true;
            continue;
        }
        cycles += cycles_of(vectors * static_cast<double>(own) * work_of(stage, plan));
        registers += vectors * std::max(1.0, static_cast<double>(own * node.bytes * 8) / machine_.model.vector_bits);
    }
    const double available = costs::free_register_part * static_cast<double>(machine_.caches.vector_registers);
    cycles += points > 1 && !has_sums ? std::max(0.0, registers - available) * costs::spill_cycles : 0;
    return blocks * cycles + rows * machine_.caches.row_cycles;
}

std::vector<std::vector<int64_t>> GroupPlanner::blocks_for_sums(const TilePlan &plan) const {
    std::vector<std::vector<int64_t>> blocks;
    const StageNode &last = graph_.stages[last_];
    const bool has_sums = std::any_of(members_.begin(), members_.end(), [&](size_t stage) {
        return stage != last_ && !graph_.stages[stage].sums.empty() && may_stay_in_registers(stage, {});
    });
    if (!has_sums || last.updates > 0) {
        return blocks;
    }
    const size_t vector = cost_.vector_loop(last_, plan.tile);
    std::vector<std::vector<int64_t>> starts{std::vector<int64_t>(plan.tile.size(), 1)};
    std::vector<int64_t> constants = StageWork::constant_sizes(last.loops);
    constants[vector] = 1;
    if (constants != starts[0]) {
        starts.push_back(constants);
    }
    for (const size_t stage : members_) {
        if (const std::optional<size_t> rows = turned_rows(stage); rows && stage != last_) {
            std::vector<int64_t> block(plan.tile.size(), 1);
            block[*rows] = cost_.lanes(stage);
            if (block[*rows] <= last.loops[*rows].extent) {
                blocks.push_back(std::move(block));
            }
        }
    }
    for (const std::vector<int64_t> &start : starts) {
        for (const int64_t vectors : costs::sum_vectors) {
            for (size_t loop = 0; loop < start.size(); ++loop) {
                for (const int64_t rows : costs::sum_rows) {
                    std::vector<int64_t> block = start;
                    block[vector] = vectors;
                    const bool is_new = loop == vector ? rows == 1 : rows > 1 && start[loop] == 1;
                    block[loop] = loop == vector ? vectors : rows;
                    const bool fits =
                        rows <= last.loops[loop].extent &&
                        vectors * cost_.lanes(last_) <= std::max(last.loops[vector].extent, cost_.lanes(last_));
                    if (is_new && fits && product_of(block) <= static_cast<double>(machine_.caches.vector_registers)) {
                        blocks.push_back(std::move(block));
                    }
                }
            }
        }
    }
    return blocks;
}

bool GroupPlanner::may_stay_in_registers(size_t stage, const StageSet &others) const {
    const StageNode &node = graph_.stages[stage];
    // What several outputs need of a stage has an extent that depends on the sizes of both.
    if (stage == last_ || graph_.stages[last_].results > 1 || node.loops.empty() ||
        (node.blocks.empty() && node.sums.empty())) {
        return false;
    }
    StageSet readers = readers_[place_[stage]];
    readers.erase(last_);
    if (!readers.is_subset_of(others)) {
        return false;
    }
    if (node.innermost) {
        return turned_rows(stage).has_value();
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

std::optional<size_t> GroupPlanner::turned_rows(size_t stage) const {
    const StageNode &node = graph_.stages[stage];
    if (!node.innermost || node.sums.empty() || stage == last_ || readers_[place_[stage]].size() != 1 ||
        !readers_[place_[stage]].contains(last_)) {
        return {};
    }
    std::optional<size_t> rows;
    for (const Read &read : graph_.stages[last_].reads) {
        if (read.is_input || read.source != stage) {
            continue;
        }
        for (const Footprint &f : read.footprint) {
            if (f.kind != Footprint::Kind::Affine || !(f.scale == Rational()) || f.width() != 1) {
                return {};
            }
        }
        const size_t loop = read.footprint[*node.innermost].loop;
        if ((rows && *rows != loop) || loop == StageWork::vector_loop(graph_.stages[last_].loops)) {
            return {};
        }
        rows = loop;
    }
    return rows;
}

bool GroupPlanner::is_whole_block(const std::vector<int64_t> &sizes) const {
    const StageNode &last = graph_.stages[last_];
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
        if (sizes[loop] > 1 && !last.loops[loop].is_constant && last.loops[loop].is_exact) {
            return false;
        }
    }
    return true;
}

void GroupPlanner::choose_block(TilePlan &plan) {
    const StageNode &last = graph_.stages[last_];
    std::vector<std::vector<int64_t>> blocks;
    for (const BlockWork &block : last.blocks) {
        blocks.push_back(block.sizes);
    }
    if (blocks.empty()) {
        blocks.emplace_back();
    }
    const size_t own = blocks.size();
    for (std::vector<int64_t> &block : blocks_for_sums(plan)) {
        blocks.push_back(std::move(block));
    }
    const bool has_reductions =
        std::any_of(members_.begin(), members_.end(), [&](size_t stage) { return !graph_.stages[stage].sums.empty(); });
    TilePlan best = plan;
    steps_ = plan.by_steps;
    for (size_t i = 0; i < blocks.size(); ++i) {
        TilePlan other = plan;
        other.block = blocks[i];
        other.in_registers = {};
        bool has_sums = false;
        if (i > 0 && i < own && !has_reductions &&
            code_of_block(other) > costs::most_plain_block_nodes * costs::clamped_loop_parts) {
            continue;
        }
        if (i < own) {
            settle(other);
        }
        for (size_t member = members_.size(); member-- > 0;) {
            const size_t stage = members_[member];
            const bool is_sum = !graph_.stages[stage].sums.empty();
            if ((i >= own && !is_sum) || plan.by_steps.contains(stage) || owner_of(stage) ||
                (is_sum ? !may_keep_sums(other) : !is_whole_block(blocks[i])) ||
                !may_stay_in_registers(stage, other.in_registers)) {
                continue;
            }
            const std::optional<size_t> rows = turned_rows(stage);
            // Blocks of sums have one size in each block.
            if (is_sum && !is_steady(graph_, group_, last_, stage, cost_.block_sizes(other))) {
                continue;
            }
            if (rows && (blocks[i].empty() || blocks[i][*rows] != cost_.lanes(stage))) {
                continue;
            }
            TilePlan with = other;
            with.in_registers.insert(stage);
            if (code_of_block(with) > (has_reductions ? costs::most_block_nodes
                                                      : costs::most_plain_block_nodes * costs::clamped_loop_parts)) {
                continue;
            }
            settle(with);
            const bool is_better = (i >= own && !has_sums) || with.cycles < other.cycles;
            has_sums = has_sums || (is_sum && is_better);
            other = is_better ? with : other;
        }
        if (i < own || has_sums) {
            best = i == 0 || other.cycles < best.cycles ? other : best;
        }
    }
    plan = best;
}

double GroupPlanner::code_of_block(const TilePlan &plan) {
    std::vector<int64_t> unit = block_points(plan), points = cost_.block_sizes(plan);
    double code = cost_.code_of(last_, points);
    spread(unit);
    for (const size_t stage : plan.in_registers) {
        points = measured(spans_[place_[stage]], stage);
        if (graph_.stages[stage].innermost) {
            code += cost_.code_of(stage, cost_.sum_plan(stage, points, false).block);
            continue;
        }
        const size_t along = cost_.vector_loop(stage, points);
        points[along] = ceiling(points[along], cost_.lanes(stage));
        code += cost_.code_of(stage, points);
    }
    return code;
}

bool GroupPlanner::may_keep_sums(const TilePlan &plan) const {
    const StageNode &last = graph_.stages[last_];
    const std::vector<int64_t> points = block_points(plan);
    for (size_t loop = 0; loop < points.size(); ++loop) {
        const LoopExtent &extent = last.loops[loop];
        if (points[loop] > 1 && extent.is_exact && !extent.is_constant && !extent.is_testable && !last.is_output) {
            return false;
        }
    }
    return true;
}

} // namespace fluorite::autoschedule
