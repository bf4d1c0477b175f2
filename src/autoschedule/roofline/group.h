#pragma once
// A group of stages that are computed in the tiles of its last one: what does not depend on the tiles.

#include "autoschedule/stage_graph.h"

#include <optional>
#include <vector>

namespace fluorite::autoschedule {

struct Group {
    /// What members read from outside of the group.
    struct Source {
        bool is_input = false;
        size_t index = 0;
        std::vector<int64_t> extents = {}; // of all of it
        double point_bytes = 0;
        bool is_gathered = false; // by some read
        StageSet readers = {};    // in the group
        size_t first_dim = 0;     // in an array of the loops of all members and the dimensions of all sources
    };
    const StageGraph &graph;
    StageSet stages;
    size_t last = 0;
    std::vector<size_t> members = {};    // in the graph's order
    std::vector<size_t> place = {};      // by stage: in members
    std::vector<size_t> first_loop = {}; // by member, in the same array
    std::vector<StageSet> readers = {};  // by member: those in the group
    std::vector<Source> sources = {};
    std::vector<size_t> source_of = {}; // by read of all members, in order; of reads from outside
    /// By member: the reduction for each of whose steps it may be computed, because nothing else reads it.
    std::vector<std::optional<size_t>> step_readers = {};
    StageSet step_reductions = {}; // all of these
    size_t loops = 0, dims = 0;    // of all members, of all sources
    bool has_gathers = false;      // of a source
    double points = 0;             // of all members
    std::vector<int64_t> last_extents = {};

    const StageNode &node(size_t stage) const { return graph.stages[stage]; }
    const StageNode &last_node() const { return graph.stages[last]; }
    bool is_inside(const Read &read) const { return !read.is_input && stages.contains(read.source); }
};

/// The group has one last stage; the graph lives longer than the result.
Group describe_group(const StageGraph &graph, const StageSet &stages, size_t last);

/// The reduction for whose steps a member is computed, if the pure loops of the reductions `by_steps` run inside of
/// their RVars.
std::optional<size_t> step_reader(const Group &group, size_t stage, const StageSet &by_steps);

std::vector<int64_t> extents_of(const StageNode &stage);

} // namespace fluorite::autoschedule
