// Precedence relations from lists of edges, and their quotients. Transitive closures are unions along the topological
// order, so making one costs a union of sets for each edge.
#include "autoschedule/grouping/precedence.h"

#include "support/check.h"

namespace fluorite::autoschedule {

namespace {

void close_transitively(Precedence &graph) {
    const size_t count = graph.size();
    graph.ancestors.assign(count, {});
    graph.descendants.assign(count, {});
    for (size_t stage = 0; stage < count; ++stage) {
        for (size_t producer : graph.producers[stage]) {
            graph.ancestors[stage].insert(producer);
            graph.ancestors[stage] |= graph.ancestors[producer];
        }
    }
    for (size_t stage = count; stage-- > 0;) {
        for (size_t consumer : graph.consumers[stage]) {
            graph.descendants[stage].insert(consumer);
            graph.descendants[stage] |= graph.descendants[consumer];
        }
    }
}

/// Each reader of something is linked to all others.
void link_readers(Precedence &graph, const StageSet &readers) {
    for (size_t stage : readers) {
        graph.linked[stage] |= readers;
        graph.linked[stage].erase(stage);
    }
}

} // namespace

StageSet Precedence::sources_of(const StageSet &group) const {
    StageSet read;
    for (size_t stage : group) {
        read |= producers[stage];
    }
    return read - group;
}

StageSet Precedence::convex_hull(const StageSet &group) const {
    StageSet before, after;
    for (size_t stage : group) {
        before |= ancestors[stage];
        after |= descendants[stage];
    }
    return group | (before & after);
}

bool Precedence::is_linked(const StageSet &group) const {
    if (group.empty()) {
        return false;
    }
    StageSet reached, fresh = {group.lowest()};
    while (!fresh.empty()) {
        reached |= fresh;
        StageSet neighbours;
        for (size_t stage : fresh) {
            neighbours |= linked[stage];
        }
        fresh = (neighbours & group) - reached;
    }
    return reached == group;
}

Precedence make_precedence(size_t count, std::span<const ReadEdge> edges, Link link,
                           std::span<const StageSet> readers) {
    check(count <= StageSet::capacity, "a set of stages holds all stages of the graph");
    Precedence graph;
    graph.producers.assign(count, {});
    graph.consumers.assign(count, {});
    for (const ReadEdge &edge : edges) {
        check(edge.producer < edge.consumer && edge.consumer < count, "stages are numbered in topological order");
        graph.producers[edge.consumer].insert(edge.producer);
        graph.consumers[edge.producer].insert(edge.consumer);
    }
    close_transitively(graph);
    graph.linked.assign(count, {});
    for (size_t stage = 0; stage < count; ++stage) {
        graph.linked[stage] = graph.producers[stage] | graph.consumers[stage];
    }
    if (link == Link::SharesSources) {
        for (size_t stage = 0; stage < count; ++stage) {
            link_readers(graph, graph.consumers[stage]);
        }
        for (const StageSet &of_input : readers) {
            link_readers(graph, of_input);
        }
    }
    return graph;
}

Precedence contract(const Precedence &graph, std::span<const StageSet> groups) {
    std::vector<size_t> group_of(graph.size());
    for (size_t group = 0; group < groups.size(); ++group) {
        for (size_t stage : groups[group]) {
            group_of[stage] = group;
        }
    }
    std::vector<ReadEdge> edges;
    for (size_t stage = 0; stage < graph.size(); ++stage) {
        for (size_t producer : graph.producers[stage]) {
            if (group_of[producer] != group_of[stage]) {
                edges.push_back({group_of[producer], group_of[stage]});
            }
        }
    }
    Precedence quotient = make_precedence(groups.size(), edges);
    for (size_t stage = 0; stage < graph.size(); ++stage) {
        for (size_t neighbour : graph.linked[stage]) {
            if (group_of[neighbour] != group_of[stage]) {
                quotient.linked[group_of[stage]].insert(group_of[neighbour]);
            }
        }
    }
    return quotient;
}

} // namespace fluorite::autoschedule
