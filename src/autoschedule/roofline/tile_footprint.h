#pragma once
// What a tile of a group's last stage needs: of each other member, and of what the group reads from outside.

#include "autoschedule/roofline/group.h"

#include <algorithm>
#include <span>

namespace fluorite::autoschedule {

/// Coordinates of a loop, relative to those of the last stage's tile.
struct Span {
    int64_t low = 0, high = -1;
    bool is_whole = false;
    bool is_known() const { return is_whole || low <= high; }
    /// Of a loop or dimension of this extent; all of it if nothing is known.
    int64_t width(int64_t extent) const { return is_whole || !is_known() ? extent : std::min(extent, high - low + 1); }
    void include(int64_t least, int64_t greatest);
};

/// Boxes of all members and sources, in one array as Group says.
struct TileFootprint {
    std::vector<Span> spans;
    /// By source: the bytes of the elements that its reads load, at most, if some read is gathered.
    std::vector<double> gathered_bytes;

    std::span<const Span> of_member(const Group &group, size_t stage) const {
        return std::span(spans).subspan(group.first_loop[group.place[stage]], group.node(stage).loops.size());
    }
    std::span<const Span> of_source(const Group::Source &source) const {
        return std::span(spans).subspan(source.first_dim, source.extents.size());
    }
};

/// Widens a box of a producer by what one read asks for, from all points of a box of the consumer. In one step of a
/// reduction, coordinates that follow no pure loop are known.
void widen(std::span<Span> box, const std::vector<Footprint> &read, std::span<const Span> consumer,
           bool is_step = false);

/// The tile is of the last stage, by its loops. Members that are computed for each step of a reduction of `by_steps`
/// have the box of one step, and what they read that of all steps.
TileFootprint footprint_of(const Group &group, const std::vector<int64_t> &tile, const StageSet &by_steps);

/// Points of each member's loops, in one array as Group::first_loop says.
struct MemberWidths {
    std::vector<int64_t> all;

    std::span<const int64_t> of(const Group &group, size_t stage) const {
        return std::span(all).subspan(group.first_loop[group.place[stage]], group.node(stage).loops.size());
    }
    std::vector<int64_t> copy(const Group &group, size_t stage) const;
};
MemberWidths widths_of(const Group &group, const TileFootprint &footprint);
std::vector<int64_t> widths_of(const Group &group, const TileFootprint &footprint, size_t stage);
std::vector<int64_t> widths_of(const Group::Source &source, const TileFootprint &footprint);

/// What a tile reads from outside of its group.
struct LiveIn {
    struct Box {
        double bytes = 0;
        double pieces = 1; // of memory: rows that are whole continue each other
    };
    std::vector<Box> sources;
    double bytes = 0, rows = 0;
};
/// An element that is loaded at an address that data gives brings `gathered_lines` times its bytes.
LiveIn live_in_of(const Group &group, const TileFootprint &footprint, double gathered_lines);

/// Bytes of the elements that a read loads for all points of a box of its stage, at most.
double loaded_bytes(const StageGraph &graph, const Read &read, size_t stage, std::span<const Span> box);

/// How many pieces of memory a box of an array has.
double pieces_of(std::span<const int64_t> widths, std::span<const int64_t> extents);
double product_of(std::span<const int64_t> widths);
inline int64_t ceiling(int64_t a, int64_t b) { return (a + b - 1) / b; }

} // namespace fluorite::autoschedule
