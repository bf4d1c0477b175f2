// Sums of stages with updates.
//
// A block of points, some vectors wide and some points along another loop, stays in registers while RVars run; what
// follows one of its loops only is loaded once for all points along the others. A step of the RVars takes what is
// slowest: the operations, the loads, or the additions that wait for the ones before. Beyond the registers, sums are
// spilled. Where RVars run around the pure loops instead, sums are loaded and stored at each step, and what only they
// read is computed at each step, for all points of a tile.
//
// Cost: blocks times the parts of the updates.
#include "autoschedule/roofline/reduction_cost.h"

#include "autoschedule/costs.h"
#include "autoschedule/from_graph/stage_work.h"
#include "autoschedule/roofline/cache_lines.h"
#include "autoschedule/roofline/read_traffic.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

bool follows(uint64_t loops, size_t loop) { return loop >= 64 || (loops >> loop & 1) != 0; }

/// How often values are computed that follow these loops only, in a block.
double times_in(const std::vector<int64_t> &block, uint64_t loops) {
    double times = 1;
    for (size_t loop = 0; loop < block.size(); ++loop) {
        times *= follows(loops, loop) ? static_cast<double>(block[loop]) : 1;
    }
    return times;
}

/// Vectors of registers for the sums of one vector of points, of all values of a tuple.
double registers_of_sums(const UpdateWork &update, int64_t lanes, int vector_bits, double vectors) {
    double registers = 0;
    for (const int64_t bits : update.bits) {
        registers += std::max(1.0, static_cast<double>(lanes * bits) / vector_bits);
    }
    return std::max({vectors, registers, 1.0});
}

/// What is the same for all updates of a stage.
struct BlockShape {
    double blocks = 1;   // of all points
    double vectors = 1;  // of 32-bit lanes, in one vector of the stage
    double sums = 1;     // vectors in a block
    double at_edges = 0; // the part of the blocks at the first or last vector of a row
    StepRows rows;
};

BlockShape shape_of(const SumShape &shape, std::span<const int64_t> widths, const std::vector<int64_t> &block) {
    BlockShape result;
    std::vector<int64_t> points = block;
    if (!points.empty()) {
        points[shape.vector] *= shape.lanes;
    }
    for (size_t loop = 0; loop < widths.size(); ++loop) {
        result.blocks *= static_cast<double>(ceiling(widths[loop], points[loop]));
    }
    result.vectors = static_cast<double>(shape.lanes) * 32 / shape.machine.model.vector_bits;
    result.sums = product_of(block);
    result.rows = rows_of_step(shape.graph, shape.machine.caches, shape.stage, points);
    if (!widths.empty()) {
        const auto extent = static_cast<double>(shape.node().loops[shape.vector].extent);
        result.at_edges = std::min(1.0, 2.0 * static_cast<double>(points[shape.vector]) / extent);
    }
    return result;
}

double step_cycles(const SumShape &shape, const UpdateWork &update, const BlockShape &block, StepWork work,
                   ReductionLoops loops) {
    const machine::CacheModel &caches = shape.machine.caches;
    const bool is_around = loops == ReductionLoops::Around;
    const double registers =
        block.sums * registers_of_sums(update, shape.lanes, shape.machine.model.vector_bits, block.vectors) +
        work.registers;
    const double spilled = std::max(0.0, registers - static_cast<double>(caches.vector_registers));
    const double reloaded = std::max(0.0, block.rows.all - costs::address_registers);
    const double chain = is_around ? 0 : update.chain * caches.sum_cycles;
    double step = std::max({work.operations / caches.vector_operations, (work.loads + reloaded) / caches.loads,
                            work.addresses / caches.scalar_operations, chain});
    step += block.rows.displaced * static_cast<double>(caches.line_bytes) / caches.l2_rate;
    step += block.at_edges * work.edges * costs::clamped_edge_cycles;
    step += reloaded * costs::address_reload_cycles +
            (is_around ? costs::iteration_cycles + block.sums * costs::spill_cycles : spilled * costs::spill_cycles);
    return step;
}

/// The blocks that are tried.
std::vector<std::vector<int64_t>> candidate_blocks(const SumShape &shape, const std::vector<int64_t> &widths,
                                                   ReductionLoops loops) {
    std::vector<std::vector<int64_t>> starts{std::vector<int64_t>(widths.size(), 1)}, blocks;
    std::vector<int64_t> constants = StageWork::constant_sizes(shape.node().loops);
    constants[shape.vector] = 1;
    if (constants != starts[0]) {
        starts.push_back(constants);
    }
    for (const std::vector<int64_t> &start : starts) {
        blocks.push_back(start);
        for (const int64_t vectors : costs::sum_vectors) {
            if (loops == ReductionLoops::Around || (vectors > 1 && vectors * shape.lanes > widths[shape.vector])) {
                continue;
            }
            for (size_t loop = 0; loop < widths.size(); ++loop) {
                for (const int64_t rows : costs::sum_rows) {
                    if (rows > widths[loop] || (loop == shape.vector ? rows > 1 : start[loop] > 1)) {
                        continue;
                    }
                    std::vector<int64_t> block = start;
                    block[shape.vector] = vectors;
                    block[loop] = loop == shape.vector ? vectors : rows;
                    blocks.push_back(std::move(block));
                }
            }
        }
    }
    return blocks;
}

/// Whether registers and code are enough for a block, and most blocks are whole.
bool is_possible(const SumShape &shape, const std::vector<int64_t> &widths, const std::vector<int64_t> &block) {
    const double sums = product_of(block);
    if (sums > static_cast<double>(shape.machine.caches.vector_registers) ||
        (sums > 1 && code_of_block(shape.node(), block) > costs::most_block_nodes)) {
        return false;
    }
    for (size_t loop = 0; loop < block.size(); ++loop) {
        const int64_t size = block[loop] * (loop == shape.vector ? shape.lanes : 1);
        if (block[loop] > 1 && widths[loop] % size != 0 && widths[loop] < costs::least_whole_blocks * size) {
            return false;
        }
    }
    return true;
}

} // namespace

StepWork work_of_step(const UpdateWork &update, const std::vector<int64_t> &block, size_t vector, double vectors) {
    StepWork work;
    work.registers = costs::operand_registers;
    const double sums = product_of(block);
    for (const UpdateWork::Part &part : update.parts) {
        const bool is_vector = follows(part.loops, vector);
        const double times =
            times_in(block, part.loops) * (is_vector ? std::max(vectors, costs::least_vector_part) : 1);
        work.operations += times * part.operations;
        work.loads += times * part.loads;
        work.edges += times * part.edges;
        work.addresses += is_vector ? 0 : times * part.addresses;
        work.registers += is_vector && times < sums ? times * std::min(1.0, part.operations + part.loads) : 0;
    }
    return work;
}

StepRows rows_of_step(const StageGraph &graph, const machine::CacheModel &caches, size_t stage,
                      const std::vector<int64_t> &points) {
    StepRows rows;
    for (const Read &read : graph.stages[stage].reads) {
        if (read.is_initial || read.step.empty()) {
            continue;
        }
        double apart = 1;
        for (size_t dim = 1; dim < read.step.size(); ++dim) {
            const Footprint &step = read.step[dim];
            const bool is_affine = step.kind == Footprint::Kind::Affine;
            apart *= is_affine ? static_cast<double>(
                                     std::min(points[step.loop] + step.width() - 1, source_extent(graph, read, dim)))
                               : 1;
        }
        rows.all += apart;
        const int64_t bytes = element_bytes(graph, read);
        const bool is_again = !(read.step[0] == read.footprint[0]); // the next step reads on in the same lines
        const Footprint &first = read.step[0];
        const auto row_bytes = static_cast<double>(
            bytes * (first.kind == Footprint::Kind::Affine ? points[first.loop] + first.width() - 1 : 1));
        const double held =
            lines_held(caches.l1_bytes, caches.l1_ways, source_extent(graph, read, 0) * bytes, row_bytes, caches);
        rows.displaced += is_again && apart > held ? apart : 0;
    }
    return rows;
}

double sum_cycles(const SumShape &shape, std::span<const int64_t> widths, const std::vector<int64_t> &block,
                  ReductionLoops loops, SumsOfBlock sums) {
    const BlockShape own = shape_of(shape, widths, block);
    const double moved = sums == SumsOfBlock::InMemory ? own.sums * costs::spill_cycles : 0;
    const double besides = loops == ReductionLoops::Around ? 0 : moved + costs::sum_block_cycles;
    double cycles = 0;
    for (const UpdateWork &update : shape.node().sums) {
        const StepWork work = work_of_step(update, block, shape.vector, own.vectors);
        cycles += own.blocks * (update.steps() * step_cycles(shape, update, own, work, loops) + besides);
    }
    return cycles;
}

double code_of_block(const StageNode &node, const std::vector<int64_t> &points) {
    double code = node.code;
    for (const UpdateWork &update : node.sums) {
        code += update.code;
    }
    const bool is_clamped =
        std::any_of(node.loops.begin(), node.loops.end(), [](const LoopExtent &loop) { return !loop.is_exact; });
    return code * product_of(points) * (is_clamped ? costs::clamped_loop_parts : 1);
}

int64_t tasks_around(const SumShape &shape, std::span<const int64_t> widths, const std::vector<int64_t> &block) {
    for (size_t loop = widths.size(); loop-- > 0;) {
        const LoopExtent &extent = shape.node().loops[loop];
        if (loop != shape.vector && !(extent.is_constant && block[loop] == extent.extent)) {
            return ceiling(widths[loop], block[loop]);
        }
    }
    return widths.empty() ? 1 : ceiling(widths[shape.vector], block[shape.vector] * shape.lanes);
}

SumPlan find_sum_plan(const SumShape &shape, const std::vector<int64_t> &widths, ReductionLoops loops, bool at_root) {
    SumPlan best;
    double least = 0; // of one thread
    for (const std::vector<int64_t> &block : candidate_blocks(shape, widths, loops)) {
        if (!is_possible(shape, widths, block)) {
            continue;
        }
        const double cycles = sum_cycles(shape, widths, block, loops);
        const int64_t tasks =
            at_root ? std::min<int64_t>(tasks_around(shape, widths, block), shape.machine.threads) : 1;
        const double shared = cycles / static_cast<double>(tasks);
        if (best.block.empty() || shared < least) {
            best = {block, cycles};
            least = shared;
        }
    }
    return best;
}

} // namespace fluorite::autoschedule
