// Checks, text and precedence of stage graphs; all linear in the number of reads.
#include "autoschedule/stage_graph.h"

#include "support/check.h"

#include <algorithm>
#include <ostream>

namespace fluorite::autoschedule {

namespace {

void check_read(const StageGraph &graph, size_t index, const Read &read) {
    const StageNode &stage = graph.stages[index];
    const size_t dimensions = read.is_input
                                  ? (read.source < graph.inputs.size() ? graph.inputs[read.source].extents.size() : 0)
                                  : (read.source < index ? graph.stages[read.source].loops.size() : 0);
    check(read.is_input ? read.source < graph.inputs.size() : read.source < index,
          concat("stage ", stage.name, " reads an input of the graph or an earlier stage"));
    check(read.footprint.size() == dimensions,
          concat("stage ", stage.name, " says of each dimension of a source what it reads"));
    for (const Footprint &footprint : read.footprint) {
        check(footprint.min <= footprint.max, concat("stage ", stage.name, " reads a range that is not empty"));
        check(footprint.kind != Footprint::Kind::Affine ||
                  (footprint.loop < stage.loops.size() && footprint.scale.numerator > 0),
              concat("stage ", stage.name, " reads along one of its loops at a scale above zero"));
    }
}

void print_footprint(std::ostream &stream, const StageNode &stage, const Footprint &footprint) {
    if (footprint.kind == Footprint::Kind::Unbounded) {
        stream << "?";
        return;
    }
    if (footprint.kind == Footprint::Kind::Affine) {
        const Rational scale = footprint.scale;
        stream << (scale.numerator == 1 ? "" : std::to_string(scale.numerator)) << stage.loops[footprint.loop].name
               << (scale.denominator == 1 ? "" : "/" + std::to_string(scale.denominator));
    }
    if (footprint.min != 0 || footprint.max != 0 || footprint.kind == Footprint::Kind::Constant) {
        stream << "[" << footprint.min << ".." << footprint.max << "]";
    }
}

} // namespace

Rational Rational::of(int64_t numerator, int64_t denominator) {
    check(denominator != 0, "a rational number has a denominator");
    const int64_t divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
    return {numerator / divisor, denominator / divisor};
}

int64_t BlockWork::points() const {
    int64_t points = 1;
    for (const int64_t size : sizes) {
        points *= size;
    }
    return points;
}

double BlockWork::work() const {
    double sum = operations;
    for (const Loads &load : loads) {
        sum += load.cost;
    }
    return sum;
}

double UpdateWork::steps() const {
    double steps = 1;
    for (const int64_t extent : reduction) {
        steps *= static_cast<double>(extent);
    }
    return steps;
}

bool Read::is_gathered() const {
    return std::any_of(footprint.begin(), footprint.end(),
                       [](const Footprint &one) { return one.kind == Footprint::Kind::Unbounded; });
}

bool Read::follows(size_t loop) const {
    return std::any_of(footprint.begin(), footprint.end(),
                       [&](const Footprint &one) { return one.kind == Footprint::Kind::Affine && one.loop == loop; });
}

bool StageNode::is_exact() const {
    return std::any_of(loops.begin(), loops.end(), [](const LoopExtent &loop) { return loop.is_exact; });
}

int64_t StageNode::points() const {
    int64_t points = 1;
    for (const LoopExtent &loop : loops) {
        points *= loop.extent;
    }
    return points;
}

void set_unknown_extents(StageGraph &graph) {
    std::vector<std::vector<int64_t>> asked;
    for (const InputImage &input : graph.inputs) {
        asked.emplace_back(input.extents.size(), 1);
    }
    for (const StageNode &stage : graph.stages) {
        for (const Read &read : stage.reads) {
            for (size_t d = 0; read.is_input && d < read.footprint.size(); ++d) {
                const Footprint &footprint = read.footprint[d];
                int64_t extent = footprint.max - footprint.min + 1;
                if (footprint.kind == Footprint::Kind::Affine) {
                    const Rational scale = footprint.scale;
                    extent += (stage.loops[footprint.loop].extent - 1) * scale.numerator / scale.denominator;
                }
                int64_t &most = asked[read.source][d];
                most = footprint.kind == Footprint::Kind::Unbounded ? most : std::max(most, extent);
            }
        }
    }
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
        for (size_t d = 0; d < asked[i].size(); ++d) {
            int64_t &extent = graph.inputs[i].extents[d];
            extent = extent > 0 ? extent : asked[i][d];
        }
    }
}

void check_stage_graph(const StageGraph &graph) {
    check(graph.stages.size() <= StageSet::capacity, "a set of stages holds all stages of the graph");
    for (size_t index = 0; index < graph.stages.size(); ++index) {
        for (const LoopExtent &loop : graph.stages[index].loops) {
            check(loop.extent >= 1, concat("loop ", loop.name, " of ", graph.stages[index].name, " runs"));
        }
        for (const Read &read : graph.stages[index].reads) {
            check_read(graph, index, read);
        }
    }
}

namespace {

/// How the coordinates of a stage's block move with those of the last stage: with one loop, by whole steps, or not.
struct Motion {
    bool is_known = false, is_fixed = false;
    size_t loop = 0;
    Rational scale;
    bool operator==(const Motion &) const = default;
};

/// By stage of the group and dimension; none: it is not steady.
using Motions = std::vector<std::optional<std::vector<Motion>>>;

Motion through(const Footprint &footprint, const std::vector<Motion> &reader) {
    if (footprint.kind == Footprint::Kind::Constant) {
        return {true, true, 0, {}};
    }
    if (footprint.kind != Footprint::Kind::Affine) {
        return {};
    }
    Motion motion = reader[footprint.loop];
    if (motion.is_known && !motion.is_fixed) {
        motion.scale = motion.scale * footprint.scale;
        motion.is_known = footprint.scale.denominator == 1;
    }
    return motion;
}

} // namespace

bool is_steady(const StageGraph &graph, const StageSet &group, size_t last, size_t stage,
               const std::vector<int64_t> &block) {
    Motions motions(graph.stages.size());
    motions[last].emplace();
    for (size_t loop = 0; loop < graph.stages[last].loops.size(); ++loop) {
        const LoopExtent &extent = graph.stages[last].loops[loop];
        const bool is_whole = extent.is_constant && loop < block.size() && block[loop] == extent.extent;
        motions[last]->push_back(is_whole ? Motion{true, true, 0, {}} : Motion{true, false, loop, {}});
    }
    std::vector<bool> is_read(graph.stages.size());
    is_read[last] = true;
    for (size_t reader = last + 1; reader-- > 0;) { // consumers come later in the order
        if (!group.contains(reader) || !is_read[reader]) {
            continue;
        }
        for (const Read &read : graph.stages[reader].reads) {
            if (read.is_input || !group.contains(read.source)) {
                continue;
            }
            std::optional<std::vector<Motion>> moved;
            if (motions[reader]) {
                moved.emplace();
                for (const Footprint &footprint : read.footprint) {
                    moved->push_back(through(footprint, *motions[reader]));
                }
                const bool is_known =
                    std::all_of(moved->begin(), moved->end(), [](const Motion &motion) { return motion.is_known; });
                moved = is_known ? moved : std::nullopt;
            }
            if (is_read[read.source] && moved != motions[read.source]) {
                moved.reset();
            }
            motions[read.source] = moved;
            is_read[read.source] = true;
        }
    }
    return motions[stage].has_value();
}

Precedence precedence_of(const StageGraph &graph, Link link) {
    std::vector<ReadEdge> edges;
    std::vector<StageSet> readers(graph.inputs.size());
    for (size_t index = 0; index < graph.stages.size(); ++index) {
        for (const Read &read : graph.stages[index].reads) {
            if (read.is_input) {
                readers[read.source].insert(index);
            } else {
                edges.push_back({read.source, index});
            }
        }
    }
    return make_precedence(graph.stages.size(), edges, link, readers);
}

std::ostream &operator<<(std::ostream &stream, const StageGraph &graph) {
    for (const InputImage &input : graph.inputs) {
        stream << "input " << input.name << "(";
        for (size_t dim = 0; dim < input.extents.size(); ++dim) {
            stream << (dim > 0 ? ", " : "") << input.extents[dim];
        }
        stream << ") " << input.bytes << " bytes\n";
    }
    for (const StageNode &stage : graph.stages) {
        stream << (stage.is_output ? "output " : "stage ") << stage.name << "(";
        for (size_t loop = 0; loop < stage.loops.size(); ++loop) {
            stream << (loop > 0 ? ", " : "") << stage.loops[loop].name << " < " << stage.loops[loop].extent;
        }
        stream << ") " << stage.bytes << " bytes, " << stage.arithmetic << " operations";
        if (stage.updates > 0) {
            stream << ", " << stage.updates << " updates";
        }
        stream << "\n";
        for (const Read &read : stage.reads) {
            stream << "  reads " << (read.is_input ? graph.inputs[read.source].name : graph.stages[read.source].name)
                   << "(";
            for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
                stream << (dim > 0 ? ", " : "");
                print_footprint(stream, stage, read.footprint[dim]);
            }
            stream << ") " << read.loads << (read.loads == 1 ? " load\n" : " loads\n");
        }
    }
    return stream;
}

} // namespace fluorite::autoschedule
