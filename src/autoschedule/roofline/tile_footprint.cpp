// Boxes of a tile, from the last stage back.
//
// Offsets add up along paths, so boxes are as wide as those of the loop nest. A loop of which data or several loops say
// what is read is whole. Cost: linear in the reads of the group.
#include "autoschedule/roofline/tile_footprint.h"

#include "rewrite/fold.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

int64_t floor_of(int64_t value, const Rational &scale) {
    return rewrite::euclidean_div(value * scale.numerator, scale.denominator);
}

/// The boxes of members, while they grow. If some members are computed for each step of a reduction, what others need
/// of all steps is kept beside them.
class FootprintBuilder {
  public:
    FootprintBuilder(const Group &group, const StageSet &by_steps)
        : group_(group), by_steps_(by_steps), has_steps_(!by_steps.empty()) {
        result_.spans.resize(group.loops + group.dims);
        result_.gathered_bytes.resize(group.has_gathers ? group.sources.size() : 0);
        all_steps_.resize(has_steps_ ? group.loops : 0);
    }

    TileFootprint run(const std::vector<int64_t> &tile) {
        const size_t first = group_.first_loop[group_.place[group_.last]];
        for (size_t loop = 0; loop < tile.size(); ++loop) {
            result_.spans[first + loop] = {0, tile[loop] - 1, false};
            if (has_steps_) {
                all_steps_[first + loop] = result_.spans[first + loop];
            }
        }
        size_t read = group_.source_of.size();
        for (size_t member = group_.members.size(); member-- > 0;) {
            const size_t stage = group_.members[member];
            read -= group_.node(stage).reads.size();
            complete(stage);
            add_reads(stage, read);
        }
        return std::move(result_);
    }

  private:
    const Group &group_;
    const StageSet &by_steps_;
    const bool has_steps_;
    TileFootprint result_;
    std::vector<Span> all_steps_;

    std::span<Span> box(std::vector<Span> &spans, size_t stage) const {
        return std::span(spans).subspan(group_.first_loop[group_.place[stage]], group_.node(stage).loops.size());
    }
    std::vector<Span> &spans_of_all_steps() { return has_steps_ ? all_steps_ : result_.spans; }

    void complete(size_t stage) {
        const std::vector<LoopExtent> &loops = group_.node(stage).loops;
        const std::span<Span> own = box(result_.spans, stage), all = box(spans_of_all_steps(), stage);
        if (has_steps_ && !step_reader(group_, stage, by_steps_)) {
            std::copy(all.begin(), all.end(), own.begin());
        }
        for (size_t loop = 0; loop < loops.size(); ++loop) {
            own[loop].is_whole = own[loop].is_whole || loops[loop].is_whole;
            all[loop].is_whole = all[loop].is_whole || loops[loop].is_whole;
        }
    }

    void add_reads(size_t stage, size_t first_read) {
        const std::vector<Read> &reads = group_.node(stage).reads;
        const std::span<const Span> own = box(result_.spans, stage), all = box(spans_of_all_steps(), stage);
        for (size_t i = 0; i < reads.size(); ++i) {
            const Read &read = reads[i];
            if (group_.is_inside(read)) {
                const bool is_step = step_reader(group_, read.source, by_steps_) == stage && !read.step.empty();
                widen(box(result_.spans, read.source), is_step ? read.step : read.footprint, own, is_step);
                if (has_steps_) {
                    widen(box(all_steps_, read.source), read.footprint, all);
                }
                continue;
            }
            const size_t index = group_.source_of[first_read + i];
            const Group::Source &source = group_.sources[index];
            widen(std::span(result_.spans).subspan(source.first_dim, source.extents.size()), read.footprint, all);
            if (source.is_gathered) {
                result_.gathered_bytes[index] += loaded_bytes(group_.graph, read, stage, all);
            }
        }
    }
};

} // namespace

void Span::include(int64_t least, int64_t greatest) {
    const bool is_first = low > high;
    low = is_first ? least : std::min(low, least);
    high = is_first ? greatest : std::max(high, greatest);
}

void widen(std::span<Span> box, const std::vector<Footprint> &read, std::span<const Span> consumer, bool is_step) {
    for (size_t dim = 0; dim < read.size(); ++dim) {
        const Footprint &footprint = read[dim];
        if (is_step && footprint.kind == Footprint::Kind::Constant) {
            box[dim].include(footprint.min, footprint.max);
        } else if (footprint.kind != Footprint::Kind::Affine || consumer[footprint.loop].is_whole) {
            box[dim].is_whole = true;
        } else {
            const Span &from = consumer[footprint.loop];
            box[dim].include(floor_of(from.low, footprint.scale) + footprint.min,
                             floor_of(from.high, footprint.scale) + footprint.max);
        }
    }
}

TileFootprint footprint_of(const Group &group, const std::vector<int64_t> &tile, const StageSet &by_steps) {
    return FootprintBuilder(group, by_steps).run(tile);
}

std::vector<int64_t> MemberWidths::copy(const Group &group, size_t stage) const {
    const std::span<const int64_t> own = of(group, stage);
    return {own.begin(), own.end()};
}

MemberWidths widths_of(const Group &group, const TileFootprint &footprint) {
    MemberWidths widths;
    widths.all.reserve(group.loops);
    for (const size_t stage : group.members) {
        const std::span<const Span> box = footprint.of_member(group, stage);
        for (size_t loop = 0; loop < box.size(); ++loop) {
            widths.all.push_back(box[loop].width(group.node(stage).loops[loop].extent));
        }
    }
    return widths;
}

std::vector<int64_t> widths_of(const Group &group, const TileFootprint &footprint, size_t stage) {
    const std::span<const Span> box = footprint.of_member(group, stage);
    std::vector<int64_t> widths(box.size());
    for (size_t loop = 0; loop < box.size(); ++loop) {
        widths[loop] = box[loop].width(group.node(stage).loops[loop].extent);
    }
    return widths;
}

std::vector<int64_t> widths_of(const Group::Source &source, const TileFootprint &footprint) {
    const std::span<const Span> box = footprint.of_source(source);
    std::vector<int64_t> widths(box.size());
    for (size_t dim = 0; dim < box.size(); ++dim) {
        widths[dim] = box[dim].width(source.extents[dim]);
    }
    return widths;
}

LiveIn live_in_of(const Group &group, const TileFootprint &footprint, double gathered_lines) {
    LiveIn live;
    live.sources.resize(group.sources.size());
    for (size_t i = 0; i < group.sources.size(); ++i) {
        const Group::Source &source = group.sources[i];
        const std::span<const Span> box = footprint.of_source(source);
        LiveIn::Box &own = live.sources[i];
        double points = 1;
        bool is_whole = true; // as far as the dimensions before go
        for (size_t dim = 0; dim < box.size(); ++dim) {
            const int64_t width = box[dim].width(source.extents[dim]);
            points *= static_cast<double>(width);
            own.pieces *= is_whole ? 1 : static_cast<double>(width);
            is_whole = is_whole && width >= source.extents[dim];
        }
        own.bytes = points * source.point_bytes;
        if (source.is_gathered) {
            own.bytes = std::min(own.bytes, footprint.gathered_bytes[i] * gathered_lines);
        }
        if (!box.empty()) {
            const Span &row = box[0];
            live.rows += row.is_whole || row.high == row.low ? 1 : points / static_cast<double>(row.high - row.low + 1);
        }
        live.bytes += own.bytes;
    }
    return live;
}

double loaded_bytes(const StageGraph &graph, const Read &read, size_t stage, std::span<const Span> box) {
    const StageNode &node = graph.stages[stage];
    double points = std::max(1.0, node.updates);
    for (size_t loop = 0; loop < node.loops.size(); ++loop) {
        points *= static_cast<double>(box[loop].width(node.loops[loop].extent));
    }
    const int64_t bytes = read.is_input ? graph.inputs[read.source].bytes : graph.stages[read.source].bytes;
    return points * static_cast<double>(read.loads * bytes);
}

double pieces_of(std::span<const int64_t> widths, std::span<const int64_t> extents) {
    double pieces = 1;
    bool is_whole = true;
    for (size_t dim = 0; dim < widths.size(); ++dim) {
        pieces *= is_whole ? 1 : static_cast<double>(widths[dim]);
        is_whole = is_whole && widths[dim] >= extents[dim];
    }
    return pieces;
}

double product_of(std::span<const int64_t> widths) {
    double product = 1;
    for (const int64_t width : widths) {
        product *= static_cast<double>(width);
    }
    return product;
}

} // namespace fluorite::autoschedule
