#pragma once
// Who reads whom: all that a search for groupings needs to know of a graph.

#include "autoschedule/grouping/stage_set.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::autoschedule {

/// Which stages may bring each other into a group.
enum class Link : uint8_t {
    Reads,         // one reads the other
    SharesSources, // or both read the same stage or input
};

/// Stages are numbered in topological order: each reads stages of lower numbers only.
struct Precedence {
    std::vector<StageSet> producers, consumers; // direct ones
    std::vector<StageSet> ancestors, descendants;
    std::vector<StageSet> linked; // by the rule that the graph was made with

    size_t size() const { return producers.size(); }
    StageSet all() const { return StageSet::first(size()); }

    /// The stages outside of a group that it reads.
    StageSet sources_of(const StageSet &group) const;
    /// With all stages on paths between members.
    StageSet convex_hull(const StageSet &group) const;
    bool is_linked(const StageSet &group) const;
};

struct ReadEdge {
    size_t producer, consumer;
};
/// `readers` holds, for each input image, the stages that read it; it matters to Link::SharesSources alone.
Precedence make_precedence(size_t count, std::span<const ReadEdge> edges, Link link = Link::Reads,
                           std::span<const StageSet> readers = {});

/// Every group as one stage. The groups are in an order in which each reads earlier ones only.
Precedence contract(const Precedence &graph, std::span<const StageSet> groups);

} // namespace fluorite::autoschedule
