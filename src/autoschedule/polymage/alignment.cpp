// Scaling and aligning the loops of a group.
//
// A read of a coordinate a * c + offsets of a producer's loop p, with c a loop of the consumer, puts both into one
// dimension. For the distance to be constant there, scale(p) * a has to equal scale(c). Scales spread from any loop of
// a dimension to all others by these equations, in exact fractions; a loop that two paths give different scales, or
// two loops of one stage in one dimension (a transposed read), cannot be aligned. A loop of which the group reads
// constant coordinates alone is run whole in each tile. Then halos follow from the last stage back: a producer is
// computed where its consumers are, widened by the offsets that they read.
//
// Cost: linear in the loops and reads of the group.
#include "autoschedule/polymage/alignment.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

class Aligner {
  public:
    Aligner(const StageGraph &graph, const StageSet &group) : graph_(graph), group_(group) {
        for (size_t stage : group) {
            index_.resize(stage + 1);
            index_[stage] = first_.size();
            first_.push_back(loops_.size());
            for (size_t loop = 0; loop < graph.stages[stage].loops.size(); ++loop) {
                loops_.push_back({});
            }
        }
    }

    std::optional<Alignment> run() {
        if (!connect() || !spread()) {
            return {};
        }
        return finish();
    }

  private:
    struct Loop {
        bool has_constant_read = false;
        std::vector<std::pair<size_t, Rational>> tied; // another loop's scale is this one's times the number
        size_t dimension = Alignment::whole;
        Rational scale;
    };
    const StageGraph &graph_;
    const StageSet &group_;
    std::vector<size_t> index_; // by stage: in the group
    std::vector<size_t> first_; // by stage of the group: its first loop
    std::vector<Loop> loops_;
    size_t dimensions_ = 0;

    bool is_inside(const Read &read) const { return !read.is_input && group_.contains(read.source); }
    Loop &loop_of(size_t stage, size_t loop) { return loops_[first_[index_[stage]] + loop]; }

    bool connect() {
        for (size_t stage : group_) {
            for (const Read &read : graph_.stages[stage].reads) {
                for (size_t dim = 0; is_inside(read) && dim < read.footprint.size(); ++dim) {
                    const Footprint &footprint = read.footprint[dim];
                    if (footprint.kind == Footprint::Kind::Unbounded) {
                        return false;
                    }
                    const size_t producer = first_[index_[read.source]] + dim;
                    if (footprint.kind == Footprint::Kind::Constant) {
                        loops_[producer].has_constant_read = true;
                        continue;
                    }
                    const size_t consumer = first_[index_[stage]] + footprint.loop;
                    loops_[consumer].tied.push_back({producer, Rational() / footprint.scale});
                    loops_[producer].tied.push_back({consumer, footprint.scale});
                }
            }
        }
        return std::none_of(loops_.begin(), loops_.end(), [&](const Loop &loop) {
            return loop.has_constant_read && has_affine_read(static_cast<size_t>(&loop - loops_.data()));
        });
    }

    /// A loop that is tied to a consumer's.
    bool has_affine_read(size_t loop) const {
        const size_t stage = stage_of(loop);
        return std::any_of(loops_[loop].tied.begin(), loops_[loop].tied.end(),
                           [&](const auto &tie) { return stage_of(tie.first) > stage; });
    }
    size_t stage_of(size_t loop) const {
        return static_cast<size_t>(std::upper_bound(first_.begin(), first_.end(), loop) - first_.begin()) - 1;
    }

    bool spread() {
        for (size_t start = loops_.size(); start-- > 0;) {
            if (loops_[start].dimension != Alignment::whole || loops_[start].has_constant_read) {
                continue;
            }
            std::vector<size_t> reached = {start};
            loops_[start].dimension = dimensions_;
            for (size_t at = 0; at < reached.size(); ++at) {
                const Loop &loop = loops_[reached[at]];
                for (const auto &[other, factor] : loop.tied) {
                    const Rational scale = loop.scale * factor;
                    if (loops_[other].dimension == Alignment::whole) {
                        loops_[other].dimension = dimensions_;
                        loops_[other].scale = scale;
                        reached.push_back(other);
                    } else if (loops_[other].scale != scale) {
                        return false;
                    }
                }
            }
            std::sort(reached.begin(), reached.end());
            for (size_t at = 0; at + 1 < reached.size(); ++at) {
                if (stage_of(reached[at]) == stage_of(reached[at + 1])) {
                    return false;
                }
            }
            ++dimensions_;
        }
        return true;
    }

    Alignment finish() {
        Alignment result;
        result.extents.assign(dimensions_, 0);
        std::vector<double> finest(dimensions_, 0);
        for (const Loop &loop : loops_) {
            if (loop.dimension != Alignment::whole) {
                double &scale = finest[loop.dimension];
                scale = scale == 0 ? loop.scale.value() : std::min(scale, loop.scale.value());
            }
        }
        for (size_t stage : group_) {
            Alignment::AlignedStage aligned = {
                stage, {}, std::vector<double>(dimensions_), std::vector<double>(dimensions_)};
            for (size_t loop = 0; loop < graph_.stages[stage].loops.size(); ++loop) {
                const Loop &own = loop_of(stage, loop);
                const bool is_whole = own.dimension == Alignment::whole;
                aligned.loops.push_back({own.dimension, is_whole ? 1 : own.scale.value() / finest[own.dimension]});
                if (!is_whole) {
                    double &extent = result.extents[own.dimension];
                    extent = std::max(extent, aligned.loops[loop].scale *
                                                  static_cast<double>(graph_.stages[stage].loops[loop].extent));
                }
            }
            result.innermost = aligned.loops.empty() ? result.innermost : aligned.loops[0].dimension;
            result.stages.push_back(std::move(aligned));
        }
        widen(result);
        return result;
    }

    void widen(Alignment &result) const {
        for (size_t at = result.stages.size(); at-- > 0;) {
            const Alignment::AlignedStage &consumer = result.stages[at];
            for (const Read &read : graph_.stages[consumer.stage].reads) {
                for (size_t dim = 0; is_inside(read) && dim < read.footprint.size(); ++dim) {
                    Alignment::AlignedStage &producer = result.stages[index_[read.source]];
                    const Alignment::AlignedLoop &loop = producer.loops[dim];
                    if (loop.dimension != Alignment::whole) {
                        double &low = producer.low[loop.dimension], &high = producer.high[loop.dimension];
                        low = std::min(low, consumer.low[loop.dimension] +
                                                loop.scale * static_cast<double>(read.footprint[dim].min));
                        high = std::max(high, consumer.high[loop.dimension] +
                                                  loop.scale * static_cast<double>(read.footprint[dim].max));
                    }
                }
            }
        }
    }
};

} // namespace

std::optional<Alignment> align(const StageGraph &graph, const StageSet &group) { return Aligner(graph, group).run(); }

} // namespace fluorite::autoschedule
