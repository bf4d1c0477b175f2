// What the steps of a tile touch and read again.
//
// What: a tile runs in steps of its outermost loop, as single rows. Between two uses of a row, a step touches windows:
// of each stage that slides, the rows that its consumers still read; of what comes from outside, the rows that one step
// reads. If all windows of a group are beyond the first cache, each row of a window is loaded again at every step, as
// often as there are rows in the window: a chain of sixteen 5 x 5 stencils hands on 6 rows for each row.
//
// Method: spans of one step, from the last stage back, but each stage that slides reads for its new rows alone, those
// at the upper end. So windows do not accumulate along a chain, as boxes do. Storage is folded by a power of two, all
// of whose rows take turns.
//
// Relies on: may_slide(), by which all members move along the loop at whole steps. Cost: linear in the group's reads.
#include "autoschedule/roofline/group_planner.h"

#include <algorithm>
#include <bit>

namespace fluorite::autoschedule {

std::vector<GroupPlanner::Follows> GroupPlanner::rows_of_step(size_t loop, int64_t rows) const {
    std::vector<Follows> follows(members_.size());
    follows[place_[last_]] = {loop, rows};
    for (size_t member = members_.size(); member-- > 0;) {
        for (const Read &read : graph_.stages[members_[member]].reads) {
            if (read.is_input || !group_.contains(read.source) || !follows[member].loop) {
                continue;
            }
            Follows &source = follows[place_[read.source]];
            for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
                const Footprint &footprint = read.footprint[dim];
                if (footprint.kind == Footprint::Kind::Affine && footprint.loop == *follows[member].loop) {
                    source.loop = dim;
                    source.rows = std::max(source.rows, follows[member].rows * footprint.scale.numerator);
                }
            }
        }
    }
    return follows;
}

double GroupPlanner::box_bytes(const std::vector<Span> &spans, bool is_input, size_t index) const {
    double bytes = static_cast<double>(is_input ? graph_.inputs[index].bytes : graph_.stages[index].bytes);
    for (size_t dim = 0; dim < spans.size(); ++dim) {
        const int64_t extent = is_input ? graph_.inputs[index].extents[dim] : graph_.stages[index].loops[dim].extent;
        const Span &span = spans[dim];
        bytes *= static_cast<double>(span.is_whole || !span.is_known() ? extent
                                                                       : std::min(extent, span.high - span.low + 1));
    }
    return bytes;
}

double GroupPlanner::most_bytes(const Read &read, size_t stage, const std::vector<Span> &spans) const {
    const StageNode &node = graph_.stages[stage];
    double points = std::max(1.0, node.updates);
    for (size_t loop = 0; loop < node.loops.size(); ++loop) {
        const bool is_whole = loop >= spans.size() || !spans[loop].is_known() || spans[loop].is_whole;
        const int64_t extent = node.loops[loop].extent;
        points *= static_cast<double>(is_whole ? extent : std::min(extent, spans[loop].high - spans[loop].low + 1));
    }
    const int64_t bytes = read.is_input ? graph_.inputs[read.source].bytes : graph_.stages[read.source].bytes;
    return points * static_cast<double>(read.loads * bytes) * machine_.caches.gathered_lines;
}

double GroupPlanner::window_bytes(size_t member, const std::optional<size_t> &sliding) const {
    std::vector<Span> kept = spans_[member];
    if (sliding && members_[member] != last_ && kept[*sliding].is_known() && !kept[*sliding].is_whole) {
        Span &rows = kept[*sliding];
        const auto live = static_cast<uint64_t>(rows.high - rows.low + 1);
        rows.high = rows.low + static_cast<int64_t>(std::bit_ceil(live)) - 1;
    }
    return box_bytes(kept, false, members_[member]);
}

GroupPlanner::StepTouches GroupPlanner::touches_of_step(const TilePlan &plan, const std::vector<int64_t> &row,
                                                        size_t loop) {
    const std::vector<Follows> follows =
        plan.sliding ? rows_of_step(loop, row[loop]) : std::vector<Follows>(members_.size());
    StepTouches step;
    for (std::vector<Span> &spans : spans_) {
        spans.clear();
    }
    std::vector<Span> &last = spans_[place_[last_]];
    for (const int64_t extent : row) {
        last.push_back({0, extent - 1, false});
    }
    for (size_t member = members_.size(); member-- > 0;) {
        const StageNode &stage = graph_.stages[members_[member]];
        spans_[member].resize(stage.loops.size());
        std::vector<Span> rows = spans_[member];
        step.held += plan.in_registers.contains(members_[member]) ? 0 : window_bytes(member, follows[member].loop);
        if (follows[member].loop) {
            Span &moved = rows[*follows[member].loop];
            moved.low = moved.is_whole ? moved.low : std::max(moved.low, moved.high - follows[member].rows + 1);
        }
        struct Box { // of what the stage reads
            std::pair<bool, size_t> key;
            std::vector<Span> spans;
            bool is_gathered = false, moves = false; // with the loop that runs in steps
            double most = 0;
        };
        std::vector<Box> boxes;
        for (const Read &read : stage.reads) {
            const std::pair<bool, size_t> key{read.is_input, read.source};
            auto known = std::find_if(boxes.begin(), boxes.end(), [&](const Box &box) { return box.key == key; });
            known = known == boxes.end() ? boxes.insert(known, Box{key, {}}) : known;
            widen(known->spans, read.footprint, rows, false);
            known->is_gathered = known->is_gathered || read.is_gathered();
            known->moves = known->moves || read.follows(follows[member].loop.value_or(loop));
            known->most += most_bytes(read, members_[member], rows);
            if (!read.is_input && group_.contains(read.source)) {
                widen(spans_[place_[read.source]], read.footprint, rows, false);
            }
        }
        for (const Box &box : boxes) {
            const auto &[is_input, index] = box.key;
            const bool is_member = !is_input && group_.contains(index);
            const double all = box_bytes(box.spans, is_input, index);
            const double bytes = box.is_gathered ? std::min(all, box.most) : all;
            // What steps read again of a table, data decides; a gather counts as from a cache near by.
            const bool is_table = box.is_gathered && !box.moves;
            step.loaded += is_table || (is_member && plan.in_registers.contains(index)) ? 0 : bytes;
            step.held += is_member ? 0 : bytes;
        }
    }
    return step;
}

} // namespace fluorite::autoschedule
