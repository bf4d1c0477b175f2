#pragma once
// From a planned group to directives: what its three parts share.
//
//   group_writer.cpp    where stages are computed; the loops of those that are not tiled
//   write_tiles.cpp     the last stage: vectors, blocks, tiles, tasks
//   write_updates.cpp   sums in registers, scans and other updates
//
// Each part appends lines, and remembers which loops of the last stage the others' stages are placed in.

#include "autoschedule/directive_writer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::autoschedule {

/// The tail of tiles.
constexpr const char *tile_tail = "GuardWithIf";

/// Names for loops that no other loop or dimension of a stage has.
class LoopNames {
  public:
    explicit LoopNames(const std::vector<std::string> &taken) : taken_(taken.begin(), taken.end()) {}
    std::string fresh(std::string name) {
        while (!taken_.insert(name).second) {
            name += "_";
        }
        return name;
    }

  private:
    std::set<std::string> taken_;
};

/// That the exact loops of a stage have at least so many iterations, as a condition on sizes; empty where they always
/// have.
std::string condition_of_sizes(const DescribedPipeline &pipeline, size_t stage, const std::vector<int64_t> &least);

class GroupWriter {
  public:
    GroupWriter(const DescribedPipeline &pipeline, const RooflineCost &cost, const PlannedGroup &group, int threads)
        : pipeline_(pipeline), graph_(pipeline.graph), cost_(cost), group_(group), threads_(threads) {}

    GroupLines run();

  private:
    const DescribedPipeline &pipeline_;
    const StageGraph &graph_;
    const RooflineCost &cost_;
    const PlannedGroup &group_;
    const int threads_;
    GroupLines result_;
    std::string tile_level_, slide_level_, block_level_; // loops of the last stage; empty: none
    std::set<std::pair<size_t, size_t>> promised_;       // extents of loops, by stage, that the lines promise
    std::map<std::pair<size_t, size_t>, double> asked_;  // by stage and loop
    std::vector<int> variant_;                           // of the last stage, whose loops are written

    const ir::FuncDef &func(size_t stage) const { return pipeline_.computed[stage]; }
    static schedule::Directive line(const std::string &func, int stage, const char *name,
                                    std::vector<std::vector<std::string>> args = {});
    void add(size_t stage, const char *name, std::vector<std::vector<std::string>> args = {});
    /// Promises the extent of a loop, unless that is done already.
    void promise_extent(size_t stage, size_t loop, int64_t extent);

    // ---- What the plan says of a stage.

    std::vector<int64_t> block_sizes() const {
        return group_.is_plain ? std::vector<int64_t>(group_.plan.tile.size(), 1) : cost_.block_sizes(group_.plan);
    }
    bool is_in_registers(size_t stage) const {
        return !group_.is_plain && !block_level_.empty() && group_.plan.in_registers.contains(stage);
    }
    const char *tail_of(size_t stage, size_t loop);
    /// How many values of some other stage one more iteration of a loop asks for, through the stages between: along a
    /// chain of three halvings, eight. Blocks that are not whole would compute so many more.
    double asked_of_others(size_t stage, size_t loop);
    int64_t lanes_along(size_t stage, int64_t width) const;
    /// Whether blocks of one size are computed although values beyond the end may not be: only outputs that have the
    /// size of a block are, by blocks that move back inside.
    bool is_specialized() const;

    // ---- Stages that are not tiled (group_writer.cpp).

    void place(size_t stage);
    /// Splits vectors off a loop of this width and returns the loop over their lanes; none if they have too few lanes.
    std::vector<std::string> vectorize_along(size_t stage, size_t loop, int64_t width);
    /// Values that one vector holds lie side by side.
    void store_along(size_t stage, size_t vector);
    /// Loops of constant extent that are unrolled, with promises of their extents.
    std::vector<std::string> unroll_constants(size_t stage, const std::vector<int64_t> &widths);
    /// The loop whose iterations are blocks of rows that are transposed, and how many are; that of the vector: none is.
    std::pair<size_t, int64_t> rows_to_transpose(size_t stage, const std::vector<int64_t> &widths) const;
    void write_loops(size_t stage, const std::vector<int64_t> &widths, bool is_root);

    // ---- The last stage (write_tiles.cpp).

    /// Whether loops are only cut and ordered, or run as vectors and blocks, too.
    enum class Marks : uint8_t { None, All };

    void write_last();
    /// The other Funcs of a last stage of several, in its loops down to those of a block.
    void write_joined();
    /// Iterations of a loop of the last stage in one block.
    int64_t unit_of_block(size_t loop) const;
    /// Whether the loop has the iterations of a block whatever the sizes are.
    bool is_long_enough(size_t loop) const;
    /// That the last stage is as large as a block.
    std::string size_condition() const;
    void write_tiles(size_t stage, Marks marks);
    void write_tasks(size_t stage, const std::vector<size_t> &tiles, const std::vector<std::string> &outer,
                     LoopNames &names);

    // ---- Stages in registers, and updates (write_updates.cpp).

    /// A member that is computed for each block of the last stage.
    void write_in_registers(size_t stage);
    /// An update whose sums stay in registers while its RVars run, in blocks of points; by steps, RVars run outside of
    /// all loops.
    void write_sums(size_t stage, size_t k, const std::vector<int64_t> &widths, std::vector<int64_t> block,
                    bool is_root);
    /// The pure loops of an update as vector and tasks; its reduction runs inside of them. Scans run over bands of
    /// vectors, so that a step does not wait for the one before, and reads what lies together.
    void write_update(size_t stage, size_t k, const std::vector<int64_t> &widths, bool is_root);
    /// RVars of an update that are unrolled, innermost first: those of few steps, always as many.
    std::vector<std::string> few_steps(size_t stage, size_t k, const std::vector<int64_t> &widths,
                                       std::vector<int64_t> block) const;
    /// Rows of a scan along the innermost dimension, in scalars, whose steps run by turns, so that they do not wait for
    /// each other; 1: only this one.
    int64_t rows_of_scan(size_t stage, size_t k, const std::vector<size_t> &loops, int64_t lanes,
                         const std::vector<int64_t> &widths) const;
    /// Vectors of a scan whose steps run together, so that a step does not wait for the one before and reads what lies
    /// together: a row, or, where it is the row that is shared among threads, a part of it. 0: it is no scan.
    int64_t band_of_scan(size_t stage, size_t k, const std::vector<size_t> &loops, size_t vector,
                         const std::vector<int64_t> &widths, bool is_root) const;
};

} // namespace fluorite::autoschedule
