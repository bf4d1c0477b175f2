// The published cost of a group: Algorithm 2 of the text, with its four terms
//   w1 * live data / computation - w2 * ((tiles + cores - 1) mod cores) + w3 * overlap / footprint of a tile + w4 *
//   differences of extents,
// for tiles of the first cache level, or of the second where the overlap would be more than the tile.
//
// What the published code has otherwise, and this has not: elements of 4 bytes whatever their type (the sizes of a
// stage's values are used); unsigned costs; singletons that cost the greatest integer (they are costed like all
// groups); overlap as slope times height of the group (each stage's own halo is used); sizes and caps by names of
// stages. Where the text is silent:
//   - reuse along a dimension: of each read, the loads that a neighbouring point makes too, and one for the point
//     itself, so that none is 0;
//   - what a dimension that is shorter than its tile leaves over goes to the others;
//   - "the volume of a tile" is in bytes where it is compared with the overlap, in points where live data is divided
//     by it;
//   - differences of extents: the standard deviation of the loops' extents in each dimension, summed.
// Like the text's, this model never fuses a reduction with anything.
//
// Cost: linear in the loops and reads of a group, twice.
#include "autoschedule/polymage/polymage_cost.h"

#include "support/check.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fluorite::autoschedule {

namespace {

constexpr std::array<PolymageWeights, 2> rows = {{
    {"Intel Xeon (Haswell)", 1.0, 100.0, 46'875.0, 1.5, 256},
    {"AMD Opteron", 0.3, 100.0, 46'875.0, 2.0, 128},
}};

/// How many points of a loop a tile has, without its halo or with it.
enum class Halo : uint8_t { Without, With };
double run_of(const StageNode &node, const Alignment::AlignedStage &aligned, size_t loop,
              const std::vector<int64_t> &tile, Halo halo) {
    const Alignment::AlignedLoop &own = aligned.loops[loop];
    const double extent = static_cast<double>(node.loops[loop].extent);
    if (own.dimension == Alignment::whole) {
        return extent;
    }
    const double beyond = halo == Halo::With ? aligned.high[own.dimension] - aligned.low[own.dimension] : 0;
    return std::clamp((static_cast<double>(tile[own.dimension]) + beyond) / own.scale, 1.0, std::max(extent, 1.0));
}

double points_of(const StageNode &node, const Alignment::AlignedStage &aligned, const std::vector<int64_t> &tile,
                 Halo halo) {
    double points = 1;
    for (size_t loop = 0; loop < aligned.loops.size(); ++loop) {
        points *= run_of(node, aligned, loop, tile, halo);
    }
    return points;
}

/// Of the points of a tile, those that no other tile computes: a stage without a loop for a dimension is computed for
/// all tiles along it.
double share_of_tile(const Alignment &alignment, const Alignment::AlignedStage &aligned,
                     const std::vector<int64_t> &tile) {
    double share = 1;
    for (size_t dim = 0; dim < tile.size(); ++dim) {
        const bool has_loop = std::any_of(aligned.loops.begin(), aligned.loops.end(),
                                          [&](const auto &loop) { return loop.dimension == dim; });
        share *= has_loop ? 1 : static_cast<double>(tile[dim]) / std::max(alignment.extents[dim], 1.0);
    }
    return share;
}

/// The standard deviation of the extents in each dimension, summed.
double differences(const StageGraph &graph, const Alignment &alignment) {
    double sum = 0;
    for (size_t dim = 0; dim < alignment.extents.size(); ++dim) {
        double count = 0, total = 0, squares = 0;
        for (const Alignment::AlignedStage &aligned : alignment.stages) {
            for (size_t loop = 0; loop < aligned.loops.size(); ++loop) {
                if (aligned.loops[loop].dimension == dim) {
                    const double extent = static_cast<double>(graph.stages[aligned.stage].loops[loop].extent);
                    count += 1;
                    total += extent;
                    squares += extent * extent;
                }
            }
        }
        const double mean = total / count;
        sum += std::sqrt(std::max(squares / count - mean * mean, 0.0));
    }
    return sum;
}

} // namespace

std::span<const PolymageWeights> polymage_weights() { return rows; }

PolymageCost::PolymageCost(const StageGraph &graph, const PolymageMachine &machine)
    : graph_(graph), machine_(machine), apart_(graph.stages.size()), consumers_(graph.stages.size()) {
    check_stage_graph(graph);
    for (size_t stage = 0; stage < graph.stages.size(); ++stage) {
        if (graph.stages[stage].updates > 0) {
            reductions_.insert(stage);
        }
        for (const Read &read : graph.stages[stage].reads) {
            if (read.is_input) {
                continue;
            }
            consumers_[read.source].insert(stage);
            if (!align(graph, StageSet{read.source, stage})) {
                apart_[read.source].insert(stage);
            }
        }
    }
}

bool PolymageCost::is_hopeless(const StageSet &group) const {
    if (group.intersects(reductions_) && group.size() > 1) {
        return true;
    }
    for (size_t stage : group) {
        if (apart_[stage].intersects(group)) {
            return true;
        }
    }
    return false;
}

Cost PolymageCost::share(size_t) const { // all terms but the second are at least 0
    return -static_cast<Cost>(machine_.weights.cleanup * static_cast<double>((machine_.cores - 1) * cost_unit));
}

std::optional<Cost> PolymageCost::of(const StageSet &group) const {
    const std::optional<PolymageTerms> found = terms(group);
    if (!found) {
        return {};
    }
    const PolymageWeights &weights = machine_.weights;
    const double cost = weights.live * found->live - weights.cleanup * found->cleanup +
                        weights.overlap * found->overlap + weights.extents * found->extents;
    const double most = static_cast<double>(greatest_group_cost);
    return static_cast<Cost>(std::clamp(std::round(cost * static_cast<double>(cost_unit)), -most, most));
}

std::optional<PolymageTerms> PolymageCost::terms(const StageSet &group) const {
    if (is_hopeless(group)) {
        return {};
    }
    const std::optional<Alignment> alignment = align(graph_, group);
    if (!alignment) {
        return {};
    }
    double overlap = 0, tile = 0;
    PolymageTerms terms = terms_for_cache(*alignment, group, machine_.l1_bytes, overlap, tile);
    if (overlap > tile) {
        terms = terms_for_cache(*alignment, group, machine_.l2_bytes, overlap, tile);
        terms.is_for_first_cache = false;
    }
    return terms;
}

std::optional<std::vector<int64_t>> PolymageCost::tile(const StageSet &group, size_t stage) const {
    const std::optional<PolymageTerms> found = terms(group);
    const std::optional<Alignment> alignment = found ? align(graph_, group) : std::nullopt;
    if (!alignment) {
        return {};
    }
    for (const Alignment::AlignedStage &aligned : alignment->stages) {
        if (aligned.stage == stage) {
            std::vector<int64_t> tile;
            for (size_t loop = 0; loop < aligned.loops.size(); ++loop) {
                tile.push_back(
                    static_cast<int64_t>(run_of(graph_.stages[stage], aligned, loop, found->tile, Halo::Without)));
            }
            return tile;
        }
    }
    return {};
}

bool PolymageCost::is_live_out(size_t stage, const StageSet &group) const {
    return graph_.stages[stage].is_output || consumers_[stage].empty() || !consumers_[stage].is_subset_of(group);
}

std::vector<double> PolymageCost::reuse(const Alignment &alignment, const StageSet &group) const {
    std::vector<double> scores(alignment.extents.size(), static_cast<double>(group.size()));
    for (const Alignment::AlignedStage &aligned : alignment.stages) {
        for (const Read &read : graph_.stages[aligned.stage].reads) {
            for (const Footprint &footprint : read.footprint) {
                if (footprint.kind != Footprint::Kind::Affine ||
                    aligned.loops[footprint.loop].dimension == Alignment::whole) {
                    continue;
                }
                const double width = static_cast<double>(footprint.width());
                const double again = std::max(width - footprint.scale.value(), 0.0) / width;
                scores[aligned.loops[footprint.loop].dimension] += again * static_cast<double>(read.loads);
            }
        }
    }
    return scores;
}

std::vector<int64_t> PolymageCost::tile_of(const Alignment &alignment, const StageSet &group,
                                           double footprint_bytes) const {
    double bytes_of_a_point = 0; // of the finest loops
    for (const Alignment::AlignedStage &aligned : alignment.stages) {
        const StageNode &node = graph_.stages[aligned.stage];
        double bytes = static_cast<double>(node.bytes);
        for (size_t loop = 0; loop < aligned.loops.size(); ++loop) {
            const bool is_whole = aligned.loops[loop].dimension == Alignment::whole;
            bytes *= is_whole ? static_cast<double>(node.loops[loop].extent) : 1 / aligned.loops[loop].scale;
        }
        bytes_of_a_point += bytes;
    }
    const std::vector<double> scores = reuse(alignment, group);
    std::vector<double> sizes(alignment.extents.size(), 0);
    double volume = footprint_bytes / bytes_of_a_point;
    if (alignment.innermost != Alignment::whole) {
        const double least = static_cast<double>(machine_.weights.innermost_tile);
        sizes[alignment.innermost] = std::min(alignment.extents[alignment.innermost], least);
        volume /= sizes[alignment.innermost];
    }
    for (
        ;
        ;) { // the sizes of what is left are in the ratio of the reuse; those that are too long are set and leave more to the others
        double product = 1, count = 0;
        for (size_t dim = 0; dim < sizes.size(); ++dim) {
            if (sizes[dim] == 0) {
                product *= scores[dim];
                count += 1;
            }
        }
        if (count == 0) {
            break;
        }
        const double factor = std::pow(std::max(volume, 1.0) / product, 1 / count);
        size_t longest = Alignment::whole;
        for (size_t dim = 0; dim < sizes.size(); ++dim) {
            if (sizes[dim] == 0 && factor * scores[dim] >= alignment.extents[dim]) {
                longest = dim;
            }
        }
        if (longest == Alignment::whole) {
            for (size_t dim = 0; dim < sizes.size(); ++dim) {
                sizes[dim] = sizes[dim] == 0 ? factor * scores[dim] : sizes[dim];
            }
            break;
        }
        sizes[longest] = alignment.extents[longest];
        volume /= sizes[longest];
    }
    std::vector<int64_t> tile;
    for (double size : sizes) { // the rounding of a power does not make 15 of 16
        tile.push_back(std::max<int64_t>(static_cast<int64_t>(std::floor(size * (1 + 1e-12))), 1));
    }
    return tile;
}

double PolymageCost::live_in(const Alignment::AlignedStage &aligned, const std::vector<int64_t> &tile,
                             const StageSet &group) const {
    const StageNode &node = graph_.stages[aligned.stage];
    double bytes = 0;
    for (const Read &read : node.reads) {
        if (!read.is_input && group.contains(read.source)) {
            continue;
        }
        double read_bytes =
            static_cast<double>(read.is_input ? graph_.inputs[read.source].bytes : graph_.stages[read.source].bytes);
        for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
            const Footprint &footprint = read.footprint[dim];
            const double extent = static_cast<double>(read.is_input ? graph_.inputs[read.source].extents[dim]
                                                                    : graph_.stages[read.source].loops[dim].extent);
            double width = extent;
            if (footprint.kind == Footprint::Kind::Constant) {
                width = static_cast<double>(footprint.width());
            } else if (footprint.kind == Footprint::Kind::Affine) {
                const double run = run_of(node, aligned, footprint.loop, tile, Halo::With);
                width = footprint.scale.value() * (run - 1) + static_cast<double>(footprint.width());
            }
            read_bytes *= std::min(width, extent);
        }
        bytes += read_bytes;
    }
    return bytes;
}

PolymageTerms PolymageCost::terms_for_cache(const Alignment &alignment, const StageSet &group, int64_t cache_bytes,
                                            double &overlap_bytes, double &tile_bytes) const {
    double total = 0;
    for (size_t stage : group) {
        total += static_cast<double>(graph_.stages[stage].bytes * graph_.stages[stage].points());
    }
    const double footprint = std::min(total / static_cast<double>(machine_.cores), static_cast<double>(cache_bytes));
    PolymageTerms terms;
    terms.tile = tile_of(alignment, group, footprint);
    terms.tiles = static_cast<int64_t>(std::ceil(total / footprint));
    double live = 0, computed = 0;
    overlap_bytes = tile_bytes = 0;
    for (const Alignment::AlignedStage &aligned : alignment.stages) {
        const StageNode &node = graph_.stages[aligned.stage];
        const double bytes = static_cast<double>(node.bytes);
        const double own =
            points_of(node, aligned, terms.tile, Halo::Without) * share_of_tile(alignment, aligned, terms.tile);
        computed += own;
        tile_bytes += bytes * own;
        overlap_bytes += bytes * (points_of(node, aligned, terms.tile, Halo::With) - own);
        live += live_in(aligned, terms.tile, group) + (is_live_out(aligned.stage, group) ? bytes * own : 0);
    }
    terms.live = live / computed * (machine_.live_term == LiveTerm::AllTiles ? static_cast<double>(terms.tiles) : 1);
    terms.cleanup = static_cast<double>((terms.tiles + machine_.cores - 1) % machine_.cores);
    terms.overlap = overlap_bytes / footprint;
    terms.extents = differences(graph_, alignment);
    return terms;
}

} // namespace fluorite::autoschedule
