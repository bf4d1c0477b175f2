#pragma once
// Distributed programs: a pipeline cut at the stages that ranks exchange values of.
//
// Each segment computes one or several arrays from arrays of earlier segments and from inputs. All ranks run all
// segments, each on its own regions. What a segment reads for a region that it computes is a question to it, so plans
// hold whatever it contains: stencils, pyramids that every rank recomputes, reductions.

#include "ranks/plan/array_view.h"
#include "ranks/plan/layout.h"

#include <functional>
#include <string>
#include <vector>

namespace fluorite::distribute {

/// Which ranks compute, or at first have, what of an array.
struct Placement {
    enum class Kind : uint8_t {
        Blocks,     // each rank its slice, of a grid over the distributed dimensions
        Everywhere, // every rank all of it
        Rank        // each rank whatever it needs, without communication
    };
    Kind kind = Kind::Everywhere;
    /// Of Blocks. Dimensions that are cut, in the order of the grid; no grid stands for one that is chosen.
    std::vector<size_t> dimensions;
    std::vector<int64_t> grid;
    /// By dimension of the array; empty: 1 each. Slices begin at multiples, from the begin of the domain.
    std::vector<int64_t> tiles;
    /// Of Blocks: at most so many of the grid's ranks have parts, as coarse levels of pyramids do; 0: all.
    int64_t most_ranks = 0;
    bool operator==(const Placement &) const = default;
};

struct Array {
    enum class Role : uint8_t { Input, Inner, Output };
    std::string name;
    Role role = Role::Inner;
    size_t dimensions = 0;
    int64_t bytes = 4; // of one element
    Placement placement;
    /// By dimension: coordinates outside of the domain wrap around. Empty: in none.
    std::vector<bool> periodic = {};
    /// Of computed arrays that are periodic, by dimension: the domain, where it wraps around. (That of inputs is known,
    /// that of other inner arrays is what segments read.) Empty otherwise.
    Box edges = {};
    /// Of inner arrays: the dimensions in memory, innermost first. Empty: their own order.
    std::vector<size_t> order = {};
};

/// The boxes of a segment's arrays, in the order of Segment::reads and Segment::writes.
struct SegmentBoxes {
    std::vector<Box> reads, writes;
};

struct Segment {
    std::string name;
    /// Indices of arrays. Each Inner or Output array is written by one segment. An array may be read several times.
    std::vector<size_t> reads, writes;
    /// For boxes of the written arrays: the boxes that are really written, which contain them, and those that are read.
    std::function<SegmentBoxes(const std::vector<Box> &writes)> boxes;
    /// Computes. Views of reads contain the boxes that `boxes` gave; those of writes are what it gave.
    std::function<void(const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes)> compute;
    /// The region may be computed in several boxes. Each call computes all values of its box, whatever other calls have
    /// computed; those beyond the box that was asked for may be anything.
    bool may_be_cut = true;
    /// Values depend on coordinates of periodic dimensions only through what is read there. So they may be computed
    /// outside of the domain in place of those inside.
    bool ignores_coordinates = false;
    /// By read: it does not leave the domain, although the array is periodic. Empty: none of them.
    std::vector<bool> stays_inside = {};
    /// Of segments that compute several functions in shared loops: how many of the written arrays are values of each,
    /// in order. Empty: all are values of one. Those of one function have one placement, and are computed over one
    /// region.
    std::vector<size_t> functions = {};
    double cost = 1;      // of one point of the region, relative to LogGP::seconds_per_point
    double call_cost = 0; // of each computation, beside its points, in the same unit
};

/// The arrays that a segment writes, by function.
std::vector<std::vector<size_t>> written_functions(const Segment &segment);

struct DistributedProgram {
    std::string name;
    std::vector<Array> arrays;
    std::vector<Segment> segments; // in an order in which they can run
    uint64_t hash = 0;             // of the algorithm, which checkpoints are of
    uint64_t schedule_hash = 0;    // like hash, the same on all ranks
    uint64_t values_hash = 0;      // of the values that boxes of segments depend on: the same, too; 0: there are none
};

} // namespace fluorite::distribute
