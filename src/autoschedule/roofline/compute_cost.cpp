// Operations of a tile.
//
// Stages run row by row in whole vectors; the last one in blocks that are unrolled, with the members that stay in
// registers computed for each block. Values of a block that several of its points use wait in registers; what exceeds
// the registers is stored and loaded again.
//
// Cost: linear in the members and the loads of a block.
#include "autoschedule/roofline/compute_cost.h"

#include "autoschedule/costs.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

double store_work(const StageNode &node) { return costs::store_operations * static_cast<double>(node.bytes) / 4; }

/// Loads of members in registers cost nothing, except of those that are transposed there through memory.
bool is_free(const StageGraph &graph, const BlockWork::Loads &loads, const StageSet &in_registers) {
    return !loads.is_input && in_registers.contains(loads.source) && !graph.stages[loads.source].innermost;
}

const BlockWork &block_of(const StageNode &last, const std::vector<int64_t> &sizes) {
    const BlockWork *found = &last.blocks[last.constant_block];
    for (const BlockWork &block : last.blocks) {
        found = block.sizes == sizes ? &block : found;
    }
    return *found;
}

/// What members in registers take for one block of the last stage.
struct InRegisters {
    double cycles = 0, registers = 0;
    bool has_sums = false;
};

void add_sums(const GroupModel &model, size_t stage, const std::vector<int64_t> &widths, double vectors,
              InRegisters &all) {
    const StageNode &node = model.group.node(stage);
    const RooflineCost &cost = model.cost;
    const size_t along = cost.vector_loop(stage, widths);
    std::vector<int64_t> block = widths;
    block[along] = ceiling(widths[along], cost.lanes(stage));
    double stored = 0;
    SumsOfBlock place = SumsOfBlock::InRegisters;
    if (node.innermost) { // transposed, through memory
        block = cost.sum_plan(stage, widths, false).block;
        stored = store_work(node);
        place = SumsOfBlock::InMemory;
    }
    all.cycles += sum_cycles(cost.sum_shape(stage, widths), widths, block, ReductionLoops::Inside, place) +
                  model.machine().cycles_of(vectors * static_cast<double>(cost.lanes(stage)) * (node.initial + stored));
    all.has_sums = true;
}

void add_member(const GroupModel &model, const TilePlan &plan, size_t stage, const std::vector<int64_t> &widths,
                InRegisters &all) {
    const StageNode &node = model.group.node(stage);
    const int64_t lanes = model.cost.lanes(stage);
    const size_t along = model.cost.vector_loop(stage, widths);
    const double vectors =
        product_of(widths) / static_cast<double>(widths[along]) * static_cast<double>(ceiling(widths[along], lanes));
    if (!node.sums.empty()) {
        add_sums(model, stage, widths, vectors, all);
        return;
    }
    all.cycles +=
        model.machine().cycles_of(vectors * static_cast<double>(lanes) * point_work(node, plan.in_registers, false));
    all.registers +=
        vectors * std::max(1.0, static_cast<double>(lanes * node.bytes * 8) / model.machine().model.vector_bits);
}

/// How often the last stage's block runs in a tile, and what its rows and values are.
struct BlockCounts {
    double rows = 1, blocks = 1; // of the tile
    double points = 1;           // of the block, vectors for points
    double rows_of_block = 1;    // with addresses of their own
    double values = 1;           // in registers at once
};

BlockCounts count_blocks(const GroupModel &model, const TilePlan &plan) {
    const StageNode &last = model.group.last_node();
    const std::vector<int64_t> sizes = model.cost.block_sizes(plan), unit = model.block_points(plan);
    const size_t vector = model.vector_loop(plan.tile);
    BlockCounts counts;
    counts.points = product_of(sizes);
    counts.values = counts.points;
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
        counts.rows *= loop == vector ? 1 : static_cast<double>(ceiling(plan.tile[loop], sizes[loop]));
        const bool is_whole = last.loops[loop].is_constant && sizes[loop] == last.loops[loop].extent;
        counts.rows_of_block *= loop == vector || is_whole ? 1 : static_cast<double>(sizes[loop]);
    }
    counts.blocks = sizes.empty() ? 1 : counts.rows * static_cast<double>(ceiling(plan.tile[vector], unit[vector]));
    for (const BlockWork &block : last.blocks) {
        counts.values = block.sizes == sizes ? counts.points * block.widest + block.shared : counts.values;
    }
    return counts;
}

} // namespace

VectorRows vector_rows(std::span<const int64_t> widths, size_t vector, int64_t lanes) {
    VectorRows result;
    result.points = product_of(widths);
    if (!widths.empty()) {
        result.rows = result.points / static_cast<double>(widths[vector]);
        result.vectors = result.rows * static_cast<double>(ceiling(widths[vector], lanes));
    }
    return result;
}

double row_cycles(const VectorRows &rows, int64_t lanes, const RowWork &work, const RooflineMachine &machine) {
    return machine.cycles_of(rows.vectors * static_cast<double>(lanes) * work.additions) +
           rows.vectors * costs::iteration_cycles + rows.rows * machine.caches.row_cycles +
           (work.sums > 0 ? work.sums : rows.points * work.serial / machine.caches.vector_operations);
}

double point_work(const StageNode &node, const StageSet &in_registers, bool reads_columns) {
    if (node.blocks.empty()) {
        return node.arithmetic;
    }
    const BlockWork &block = node.blocks[reads_columns ? *node.column_block : node.constant_block];
    double work = block.operations;
    for (const BlockWork::Loads &loads : block.loads) {
        work += !loads.is_input && in_registers.contains(loads.source) ? 0 : loads.cost;
    }
    return work / static_cast<double>(block.points());
}

double block_work(const StageGraph &graph, const StageNode &last, const std::vector<int64_t> &sizes,
                  const StageSet &in_registers) {
    const double points = product_of(sizes);
    if (last.blocks.empty()) {
        return points * (last.arithmetic - last.serial);
    }
    const BlockWork &block = block_of(last, sizes);
    double work = block.operations;
    for (const BlockWork::Loads &loads : block.loads) {
        work += is_free(graph, loads, in_registers) ? 0 : loads.cost;
    }
    return work * points / static_cast<double>(block.points());
}

double scattered_store_cycles(const StageNode &last, size_t vector, const std::vector<int64_t> &block,
                              const machine::CacheModel &caches) {
    if (!last.is_output || last.loops.empty()) {
        return 0;
    }
    for (size_t loop = 0; loop < vector; ++loop) {
        if (block[loop] < last.loops[loop].extent) {
            return caches.gathered_cycles;
        }
    }
    return 0;
}

TileCompute compute_of_members(const GroupModel &model, const TilePlan &plan, const MemberWidths &tile,
                               const MemberWidths &rows, double live_in_rows) {
    const Group &group = model.group;
    TileCompute all;
    all.cycles = live_in_rows * model.caches().row_cycles;
    for (const size_t stage : group.members) {
        const StageNode &node = group.node(stage);
        const std::span<const int64_t> widths = tile.of(group, stage);
        const double points = product_of(widths);
        all.points += points;
        if (stage == group.last || plan.in_registers.contains(stage)) {
            continue;
        }
        const std::optional<size_t> owner = step_reader(group, stage, plan.by_steps);
        const double times = owner ? group.node(*owner).sums[0].steps() : 1;
        const size_t vector = model.cost.vector_loop(stage, plan.sliding ? rows.of(group, stage) : widths);
        const int64_t lanes = model.cost.lanes(stage);
        const bool is_by_steps = plan.by_steps.contains(stage);
        RowWork work;
        if (node.sums.empty()) {
            const bool is_column = !node.blocks.empty() && model.cost.reads_columns(stage, widths);
            work.additions = point_work(node, plan.in_registers, is_column) - node.serial;
            work.serial = node.serial;
        } else {
            work.additions = node.initial;
            work.sums = model.cost.sum_plan(stage, tile.copy(group, stage), is_by_steps).cycles;
        }
        work.additions += store_work(node);
        work.additions += node.turning;
        all.cycles += row_cycles(vector_rows(widths, vector, lanes), lanes, work, model.machine()) * times;
        all.points += points * (times - 1);
        all.handed += 2 * points * static_cast<double>(node.bytes) * (is_by_steps ? node.sums[0].steps() : times);
        all.cycles += plan.tiles > 1 ? model.caches().allocation_cycles : 0;
    }
    return all;
}

double block_cycles(const GroupModel &model, const TilePlan &plan) {
    const StageNode &last = model.group.last_node();
    const machine::CacheModel &caches = model.caches();
    const std::vector<int64_t> sizes = model.cost.block_sizes(plan);
    const auto lanes = static_cast<double>(model.cost.lanes(model.group.last));
    const BlockCounts counts = count_blocks(model, plan);
    const double work = block_work(model.graph(), last, sizes, plan.in_registers) + counts.points * store_work(last);
    // Each row has addresses of its own, which the loop moves.
    double cycles = model.machine().cycles_of(work * lanes) + counts.rows_of_block * costs::iteration_cycles;
    cycles += counts.points * lanes * last.serial / caches.vector_operations;
    cycles += counts.points * lanes * scattered_store_cycles(last, model.vector_loop(plan.tile), sizes, caches);
    InRegisters members{cycles, counts.values * lanes * 32 / model.machine().model.vector_bits};
    if (!plan.in_registers.empty()) {
        const TileFootprint unit = model.footprint(model.block_points(plan), plan.by_steps);
        for (const size_t stage : plan.in_registers) {
            add_member(model, plan, stage, widths_of(model.group, unit, stage), members);
        }
    }
    const double available = costs::free_register_part * static_cast<double>(caches.vector_registers);
    const bool may_spill = counts.points > 1 && !members.has_sums; // those of sums are counted with their block
    cycles = members.cycles + (may_spill ? std::max(0.0, members.registers - available) * costs::spill_cycles : 0);
    return counts.blocks * cycles + counts.rows * caches.row_cycles;
}

double initial_cycles(const GroupModel &model, const TilePlan &plan) {
    const StageNode &last = model.group.last_node();
    return model.machine().cycles_of(product_of(plan.tile) * (last.initial + store_work(last)));
}

double update_cycles(const GroupModel &model, const TilePlan &plan) {
    const SumPlan &sums = model.cost.sum_plan(model.group.last, plan.tile, false, true);
    return sums.cycles + product_of(plan.tile) * scattered_store_cycles(model.group.last_node(),
                                                                        model.vector_loop(plan.tile), sums.block,
                                                                        model.caches());
}

double code_of_block(const GroupModel &model, const TilePlan &plan) {
    const Group &group = model.group;
    double code = code_of_block(group.last_node(), model.cost.block_sizes(plan));
    if (plan.in_registers.empty()) {
        return code;
    }
    const TileFootprint unit = model.footprint(model.block_points(plan), plan.by_steps);
    for (const size_t stage : plan.in_registers) {
        std::vector<int64_t> points = widths_of(group, unit, stage);
        if (group.node(stage).innermost) {
            code += code_of_block(group.node(stage), model.cost.sum_plan(stage, points, false).block);
            continue;
        }
        const size_t along = model.cost.vector_loop(stage, points);
        points[along] = ceiling(points[along], model.cost.lanes(stage));
        code += code_of_block(group.node(stage), points);
    }
    return code;
}

} // namespace fluorite::autoschedule
