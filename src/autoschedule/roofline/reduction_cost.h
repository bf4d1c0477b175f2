#pragma once
// What sums take whose blocks stay in registers while RVars run.

#include "autoschedule/roofline/roofline_machine.h"
#include "autoschedule/stage_graph.h"

#include <span>

namespace fluorite::autoschedule {

/// How the sums of a stage with updates are computed: the block that stays in registers while RVars run, by loop in
/// vectors along that of the vector, else in points.
struct SumPlan {
    std::vector<int64_t> block;
    double cycles = 0; // of all updates
};

/// A stage of sums in vectors of a processor.
struct SumShape {
    const StageGraph &graph;
    const RooflineMachine &machine;
    size_t stage = 0;
    int64_t lanes = 1;
    size_t vector = 0; // the loop of the lanes

    const StageNode &node() const { return graph.stages[stage]; }
};

/// Where the RVars run: inside of the loops of blocks, with the sums in registers, or around the pure loops, with sums
/// that are loaded and stored in each step.
enum class ReductionLoops : uint8_t { Inside, Around };

/// Where the sums of a block are before and after its steps: in memory, or in registers, from which another stage takes
/// them in the same block.
enum class SumsOfBlock : uint8_t { InMemory, InRegisters };

/// What one step of the RVars takes of a block, in vectors of 32-bit lanes.
struct StepWork {
    double operations = 0, loads = 0;
    double addresses = 0; // of scalars
    double edges = 0;     // loads that are clamped along the vector
    double registers = 0; // of operands that several sums share
};
/// A value that follows some loops only is computed, or loaded, once for all points of the block along the others.
/// `vectors` is how many of 32-bit lanes one vector of the stage has.
StepWork work_of_step(const UpdateWork &update, const std::vector<int64_t> &block, size_t vector, double vectors);

/// Rows of memory that one step of the RVars reads for a block of points, and those of them whose lines do not stay in
/// the L1 cache until the next step, because too many fall into one set.
struct StepRows {
    double all = 0, displaced = 0;
};
StepRows rows_of_step(const StageGraph &graph, const machine::CacheModel &caches, size_t stage,
                      const std::vector<int64_t> &points);

/// Cycles of all updates of a stage that runs over these widths.
double sum_cycles(const SumShape &shape, std::span<const int64_t> widths, const std::vector<int64_t> &block,
                  ReductionLoops loops, SumsOfBlock sums = SumsOfBlock::InMemory);

/// Nodes of the code of a block, with the parts of the loops around it.
double code_of_block(const StageNode &node, const std::vector<int64_t> &points);

/// The iterations around blocks at root that may be tasks: those of the outermost loop that is not one block.
int64_t tasks_around(const SumShape &shape, std::span<const int64_t> widths, const std::vector<int64_t> &block);

/// The block of the least cost. At root, blocks leave iterations of the outermost loop for all threads.
SumPlan find_sum_plan(const SumShape &shape, const std::vector<int64_t> &widths, ReductionLoops loops, bool at_root);

} // namespace fluorite::autoschedule
