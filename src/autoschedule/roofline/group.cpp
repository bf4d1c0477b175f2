// What a group reads from outside, who reads its members, and which of them may be computed for each step of a
// reduction.
//
// A member may be computed for each step of one reduction if only this reduction's update reads it, directly or through
// other such members. It is worth it if a step needs less than all steps together do.
//
// Cost: linear in the reads of the group.
#include "autoschedule/roofline/group.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

size_t source_index(Group &group, const Read &read) {
    const auto known = std::find_if(group.sources.begin(), group.sources.end(), [&](const Group::Source &source) {
        return source.is_input == read.is_input && source.index == read.source;
    });
    if (known != group.sources.end()) {
        return position_in(group.sources, known);
    }
    const StageGraph &graph = group.graph;
    Group::Source source{read.is_input, read.source};
    source.extents = read.is_input ? graph.inputs[read.source].extents : extents_of(graph.stages[read.source]);
    source.point_bytes =
        static_cast<double>(read.is_input ? graph.inputs[read.source].bytes : graph.stages[read.source].bytes);
    source.first_dim = group.dims;
    group.dims += source.extents.size();
    group.sources.push_back(std::move(source));
    return group.sources.size() - 1;
}

void add_member(Group &group, size_t stage) {
    const StageNode &node = group.node(stage);
    group.place[stage] = group.members.size();
    group.members.push_back(stage);
    group.first_loop.push_back(group.loops);
    group.loops += node.loops.size();
    group.points += static_cast<double>(node.points());
    for (const Read &read : node.reads) {
        group.source_of.push_back(group.is_inside(read) ? 0 : source_index(group, read));
        if (!group.is_inside(read)) {
            Group::Source &source = group.sources[group.source_of.back()];
            source.is_gathered = source.is_gathered || read.is_gathered();
            source.readers.insert(stage);
        }
    }
}

void find_readers(Group &group) {
    group.readers.resize(group.members.size());
    for (const size_t stage : group.members) {
        for (const Read &read : group.node(stage).reads) {
            if (group.is_inside(read)) {
                group.readers[group.place[read.source]].insert(stage);
            }
        }
    }
}

std::optional<size_t> find_step_reader(const Group &group, size_t stage) {
    std::optional<size_t> owner;
    bool needs_less = false;
    for (const size_t reader : group.readers[group.place[stage]]) {
        const StageNode &node = group.node(reader);
        const bool is_sum = node.sums.size() == 1 && node.sums[0].steps() > 1;
        const std::optional<size_t> found = is_sum ? std::optional(reader) : group.step_readers[group.place[reader]];
        if (!found || (owner && *owner != *found)) {
            return {};
        }
        owner = found;
        for (const Read &read : node.reads) {
            if (read.is_input || read.source != stage) {
                continue;
            }
            if (is_sum && read.is_initial) {
                return {};
            }
            needs_less = needs_less || !is_sum || read.step != read.footprint;
        }
    }
    return needs_less ? owner : std::nullopt;
}

void find_step_readers(Group &group) {
    group.step_readers.resize(group.members.size());
    for (size_t member = group.members.size(); member-- > 0;) {
        const size_t stage = group.members[member];
        const StageNode &node = group.node(stage);
        if (stage == group.last || node.updates > 0 || node.loops.empty()) {
            continue;
        }
        group.step_readers[member] = find_step_reader(group, stage);
        if (group.step_readers[member]) {
            group.step_reductions.insert(*group.step_readers[member]);
        }
    }
}

} // namespace

std::vector<int64_t> extents_of(const StageNode &stage) {
    std::vector<int64_t> extents;
    for (const LoopExtent &loop : stage.loops) {
        extents.push_back(loop.extent);
    }
    return extents;
}

Group describe_group(const StageGraph &graph, const StageSet &stages, size_t last) {
    Group group{graph, stages, last};
    group.place.resize(graph.stages.size());
    group.last_extents = extents_of(group.last_node());
    for (const size_t stage : stages) {
        add_member(group, stage);
    }
    for (Group::Source &source : group.sources) {
        source.first_dim += group.loops;
        group.has_gathers = group.has_gathers || source.is_gathered;
    }
    find_readers(group);
    find_step_readers(group);
    return group;
}

std::optional<size_t> step_reader(const Group &group, size_t stage, const StageSet &by_steps) {
    const std::optional<size_t> &reader = group.step_readers[group.place[stage]];
    return reader && by_steps.contains(*reader) ? reader : std::nullopt;
}

} // namespace fluorite::autoschedule
