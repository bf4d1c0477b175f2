#pragma once
// What the operations of a tile take, with what their loops take beside them.

#include "autoschedule/roofline/group_model.h"

namespace fluorite::autoschedule {

/// Points in rows of vectors.
struct VectorRows {
    double points = 1, rows = 1, vectors = 1;
};
VectorRows vector_rows(std::span<const int64_t> widths, size_t vector, int64_t lanes);

/// What the points of a stage take that is computed row by row, one vector after the other.
struct RowWork {
    double additions = 0; // for each point: operations, loads and stores, in vectors
    double serial = 0;    // for each point: operations of updates that run as no vector
    double sums = 0;      // cycles of all updates whose sums stay in registers
};
double row_cycles(const VectorRows &rows, int64_t lanes, const RowWork &work, const RooflineMachine &machine);

/// Of a pure definition in blocks of constant sizes: operations and loads of one point, but for loads of stages in
/// registers.
double point_work(const StageNode &node, const StageSet &in_registers, bool reads_columns);
/// The same of a block of the last stage, whole.
double block_work(const StageGraph &graph, const StageNode &last, const std::vector<int64_t> &sizes,
                  const StageSet &in_registers);

/// Cycles to store a point beside those of vectors: of an output, whose order in memory is given, and whose lanes lie
/// apart unless a block holds all points beside each other.
double scattered_store_cycles(const StageNode &last, size_t vector, const std::vector<int64_t> &block,
                              const machine::CacheModel &caches);

/// What one tile computes.
struct TileCompute {
    double cycles = 0;
    double points = 0; // of all members, with those of each step
    double handed = 0; // bytes that members store and load again
};
/// Of all members but the last one, and to begin the rows that are read from outside. `rows` are the widths of one
/// step, if the plan slides.
TileCompute compute_of_members(const GroupModel &model, const TilePlan &plan, const MemberWidths &tile,
                               const MemberWidths &rows, double live_in_rows);
/// Of the last stage's blocks and the members in registers.
double block_cycles(const GroupModel &model, const TilePlan &plan);
/// Of a last stage that is a reduction: its pure definition, and its updates.
double initial_cycles(const GroupModel &model, const TilePlan &plan);
double update_cycles(const GroupModel &model, const TilePlan &plan);
/// Nodes of the code of one block with the members in registers.
double code_of_block(const GroupModel &model, const TilePlan &plan);

} // namespace fluorite::autoschedule
