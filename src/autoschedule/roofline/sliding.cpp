// Steps of a tile.
//
// A tile runs in steps of its outermost loop, as single rows. Between two uses of a row, a step touches windows: of
// each stage that slides, the rows that its consumers still read; of what comes from outside, the rows that one step
// reads. If all windows of a group are beyond the L1 cache, each row of a window is loaded again at every step, as
// often as there are rows in the window: a chain of sixteen 5 x 5 stencils hands on 6 rows for each row.
//
// Method: boxes of one step, from the last stage back, but each stage that slides reads for its new rows alone, those
// at the upper end. So windows do not accumulate along a chain, as boxes of tiles do. Storage is folded by a power of
// two, all of whose rows are in use one after the other.
//
// Relies on: may_slide(), by which all members move along the loop at whole steps. Cost: linear in the group's reads.
#include "autoschedule/roofline/sliding.h"

#include <algorithm>
#include <bit>

namespace fluorite::autoschedule {

namespace {

/// The loop of a member that moves with the one that slides, and its new rows in one step.
struct Moves {
    std::optional<size_t> loop;
    int64_t rows = 1;
};

std::vector<Moves> moves_of_members(const Group &group, size_t loop, int64_t rows) {
    std::vector<Moves> moves(group.members.size());
    moves[group.place[group.last]] = {loop, rows};
    for (size_t member = group.members.size(); member-- > 0;) {
        for (const Read &read : group.node(group.members[member]).reads) {
            if (!group.is_inside(read) || !moves[member].loop) {
                continue;
            }
            Moves &source = moves[group.place[read.source]];
            for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
                const Footprint &footprint = read.footprint[dim];
                if (footprint.kind == Footprint::Kind::Affine && footprint.loop == *moves[member].loop) {
                    source.loop = dim;
                    source.rows = std::max(source.rows, moves[member].rows * footprint.scale.numerator);
                }
            }
        }
    }
    return moves;
}

/// Bytes of a stage's window. Along the loop that slides, storage has as many rows as it is folded by.
double window_bytes(const StageNode &node, std::span<const Span> box, const std::optional<size_t> &sliding) {
    double bytes = static_cast<double>(node.bytes);
    for (size_t loop = 0; loop < box.size(); ++loop) {
        Span kept = box[loop];
        if (sliding == loop && kept.is_known() && !kept.is_whole) {
            const auto live = static_cast<uint64_t>(kept.high - kept.low + 1);
            kept.high = kept.low + static_cast<int64_t>(std::bit_ceil(live)) - 1;
        }
        bytes *= static_cast<double>(kept.width(node.loops[loop].extent));
    }
    return bytes;
}

/// What all reads of one stage together ask for of one Func or input.
struct ReadBox {
    bool is_input = false;
    size_t source = 0;
    std::vector<Span> box = {};
    bool is_gathered = false, moves = false; // with the loop that runs in steps
    double gathered_bytes = 0;
};

double bytes_of(const StageGraph &graph, const ReadBox &read, double gathered_lines) {
    double bytes =
        static_cast<double>(read.is_input ? graph.inputs[read.source].bytes : graph.stages[read.source].bytes);
    for (size_t dim = 0; dim < read.box.size(); ++dim) {
        const int64_t extent =
            read.is_input ? graph.inputs[read.source].extents[dim] : graph.stages[read.source].loops[dim].extent;
        bytes *= static_cast<double>(read.box[dim].width(extent));
    }
    return read.is_gathered ? std::min(bytes, read.gathered_bytes * gathered_lines) : bytes;
}

/// What a stage reads for the rows of `box`; `loop` is the one of the stage that runs in steps.
std::vector<ReadBox> boxes_of_reads(const StageGraph &graph, size_t stage, std::span<const Span> box, size_t loop) {
    std::vector<ReadBox> boxes;
    boxes.reserve(graph.stages[stage].reads.size());
    for (const Read &read : graph.stages[stage].reads) {
        auto known = std::find_if(boxes.begin(), boxes.end(), [&](const ReadBox &other) {
            return other.is_input == read.is_input && other.source == read.source;
        });
        if (known == boxes.end()) {
            known = boxes.insert(known, {read.is_input, read.source, std::vector<Span>(read.footprint.size())});
        }
        widen(known->box, read.footprint, box);
        known->is_gathered = known->is_gathered || read.is_gathered();
        known->moves = known->moves || read.follows(loop);
        known->gathered_bytes += loaded_bytes(graph, read, stage, box);
    }
    return boxes;
}

} // namespace

bool may_slide(const Group &group, size_t loop) {
    std::vector<std::optional<size_t>> moves(group.members.size());
    moves[group.place[group.last]] = loop;
    for (size_t member = group.members.size(); member-- > 0;) {
        const StageNode &stage = group.node(group.members[member]);
        if (!moves[member] || *moves[member] == 0 || stage.updates > 0) {
            return false;
        }
        for (const Read &read : stage.reads) {
            for (size_t dim = 0; group.is_inside(read) && dim < read.footprint.size(); ++dim) {
                const Footprint &footprint = read.footprint[dim];
                if (footprint.kind != Footprint::Kind::Affine || footprint.loop != *moves[member]) {
                    continue;
                }
                std::optional<size_t> &moved = moves[group.place[read.source]];
                if (footprint.scale.denominator != 1 || (moved && *moved != dim)) {
                    return false;
                }
                moved = dim;
            }
        }
    }
    return group.members.size() > 1;
}

StepFootprint footprint_of_step(const Group &group, const Steps &steps, const StageSet &in_registers,
                                double gathered_lines) {
    const std::vector<Moves> moves = steps.slides ? moves_of_members(group, steps.loop, steps.tile[steps.loop])
                                                  : std::vector<Moves>(group.members.size());
    std::vector<Span> spans(group.loops);
    const auto box_of = [&](size_t stage) {
        return std::span(spans).subspan(group.first_loop[group.place[stage]], group.node(stage).loops.size());
    };
    for (size_t loop = 0; loop < steps.tile.size(); ++loop) {
        box_of(group.last)[loop] = {0, steps.tile[loop] - 1, false};
    }
    StepFootprint step;
    for (size_t member = group.members.size(); member-- > 0;) {
        const size_t stage = group.members[member];
        const std::span<const Span> box = box_of(stage);
        const std::optional<size_t> sliding = moves[member].loop;
        if (!in_registers.contains(stage)) {
            step.held += window_bytes(group.node(stage), box, stage == group.last ? std::nullopt : sliding);
        }
        std::vector<Span> rows(box.begin(), box.end());
        if (sliding) {
            Span &moved = rows[*sliding];
            moved.low = moved.is_whole ? moved.low : std::max(moved.low, moved.high - moves[member].rows + 1);
        }
        for (const ReadBox &read : boxes_of_reads(group.graph, stage, rows, sliding.value_or(steps.loop))) {
            const bool is_member = !read.is_input && group.stages.contains(read.source);
            const double bytes = bytes_of(group.graph, read, gathered_lines);
            // Data decides what steps read again of a table; a gather counts as from the first-level cache.
            const bool is_table = read.is_gathered && !read.moves;
            step.loaded += is_table || (is_member && in_registers.contains(read.source)) ? 0 : bytes;
            step.held += is_member ? 0 : bytes;
        }
        for (const Read &read : group.node(stage).reads) {
            if (group.is_inside(read)) {
                widen(box_of(read.source), read.footprint, rows);
            }
        }
    }
    return step;
}

} // namespace fluorite::autoschedule
