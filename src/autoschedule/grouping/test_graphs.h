#pragma once
// Graphs and costs that tests of groupings share.

#include "autoschedule/grouping/grouping.h"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace fluorite::autoschedule::testing {

/// A graph under construction: stages in topological order, each with what it reads.
struct Shape {
    size_t count = 0;
    std::vector<ReadEdge> edges;
    size_t stage(const std::vector<size_t> &reads) {
        for (size_t producer : reads) {
            edges.push_back({producer, count});
        }
        return count++;
    }
    Precedence precedence(Link link = Link::Reads) const { return make_precedence(count, edges, link); }
};

inline Shape chain(size_t length) {
    Shape shape;
    shape.stage({});
    while (shape.count < length) {
        shape.stage({shape.count - 1});
    }
    return shape;
}

/// Two derivatives, their three products, a sum of each, and a point by point end: 11 stages.
inline Shape products_of_derivatives() {
    Shape shape;
    const size_t x = shape.stage({}), y = shape.stage({});
    const size_t xx = shape.stage({x}), yy = shape.stage({y}), xy = shape.stage({x, y});
    const size_t sxx = shape.stage({xx}), syy = shape.stage({yy}), sxy = shape.stage({xy});
    const size_t det = shape.stage({sxx, syy, sxy}), trace = shape.stage({sxx, syy});
    shape.stage({det, trace});
    return shape;
}

/// Down `levels` levels, two stages a level, and up again, each level of the way up reading that of the way down.
inline Shape interpolation_pyramid(size_t levels) {
    Shape shape;
    std::vector<size_t> down = {shape.stage({})};
    for (size_t level = 1; level < levels; ++level) {
        const size_t x = shape.stage({down.back()});
        down.push_back(shape.stage({x}));
    }
    size_t up = down.back();
    for (size_t level = levels - 1; level-- > 0;) {
        const size_t x = shape.stage({up});
        up = shape.stage({shape.stage({x}), down[level]});
    }
    shape.stage({up});
    return shape;
}

/// Two images and a mask as pyramids, differences of the images' levels, blended level by level and collapsed.
inline Shape blended_pyramids(size_t levels) {
    Shape shape;
    std::vector<std::vector<size_t>> details;
    std::vector<size_t> mask;
    for (int image = 0; image < 3; ++image) {
        std::vector<size_t> level = {shape.stage({})};
        while (level.size() < levels) {
            const size_t x = shape.stage({level.back()});
            level.push_back(shape.stage({x}));
        }
        if (image == 2) {
            mask = level;
            break;
        }
        std::vector<size_t> detail;
        for (size_t at = 0; at + 1 < levels; ++at) {
            const size_t x = shape.stage({level[at + 1]});
            detail.push_back(shape.stage({shape.stage({x}), level[at]}));
        }
        detail.push_back(level.back());
        details.push_back(detail);
    }
    size_t result = shape.stage({details[0].back(), details[1].back(), mask.back()});
    for (size_t level = levels - 1; level-- > 0;) {
        const size_t blend = shape.stage({details[0][level], details[1][level], mask[level]});
        const size_t x = shape.stage({result});
        result = shape.stage({shape.stage({x}), blend});
    }
    return shape;
}

/// One image in four phases, each interpolated at the places of the others, interleaved and graded: 32 stages, some of
/// which are read by five others.
inline Shape interleaved_phases() {
    Shape shape;
    const size_t image = shape.stage({shape.stage({})});
    const size_t phases = shape.stage({image});
    std::vector<size_t> phase;
    for (int at = 0; at < 4; ++at) {
        phase.push_back(shape.stage({phases}));
    }
    const size_t a = shape.stage({phase[0], phase[1], phase[3]}), b = shape.stage({phase[0], phase[2], phase[3]});
    std::vector<size_t> between;
    for (size_t at = 0; at < 6; ++at) {
        between.push_back(shape.stage({phase[at % 4], phase[(at + 1) % 4], at % 2 == 0 ? a : b}));
    }
    std::vector<size_t> rows;
    for (size_t at = 0; at < 6; ++at) {
        rows.push_back(shape.stage({between[at], at < 2 ? phase[1] : (at < 4 ? a : b)}));
    }
    std::vector<size_t> colours;
    for (size_t at = 0; at < 3; ++at) {
        colours.push_back(shape.stage({rows[2 * at], rows[2 * at + 1]}));
    }
    const size_t corrected = shape.stage({colours[0], colours[1], colours[2]});
    size_t last = shape.stage({corrected});
    while (shape.count < 32) {
        last = shape.stage({last});
    }
    return shape;
}

/// A cycle of a multigrid solver: `before` smoothing steps, a defect, its restriction, `visits` cycles of the next
/// level, interpolation with correction, `after` steps.
inline size_t multigrid_cycle(Shape &shape, size_t guess, size_t right, size_t level, size_t visits, size_t before,
                              size_t coarse, size_t after) {
    const auto smooth = [&](size_t steps) {
        for (size_t step = 0; step < steps; ++step) {
            guess = shape.stage({guess, right});
        }
    };
    if (level == 0) {
        smooth(coarse);
        return guess;
    }
    smooth(before);
    const size_t defect = shape.stage({guess, right});
    const size_t restricted = shape.stage({defect});
    size_t correction = restricted;
    for (size_t visit = 0; visit < visits; ++visit) {
        correction = multigrid_cycle(shape, correction, restricted, level - 1, visits, before, coarse, after);
    }
    guess = shape.stage({guess, correction});
    smooth(after);
    return guess;
}
inline Shape multigrid(size_t levels, size_t visits, size_t before, size_t coarse, size_t after) {
    Shape shape;
    const size_t right = shape.stage({});
    multigrid_cycle(shape, right, right, levels - 1, visits, before, coarse, after);
    return shape;
}

/// A random graph: each stage but the first few reads one to three of those shortly before it.
inline Shape random_shape(std::mt19937 &random, size_t count) {
    Shape shape;
    const size_t sources = 1 + random() % 2, reach = 2 + random() % 4;
    const size_t fan_in = 1 + random() % 3;
    for (size_t stage = 0; stage < count; ++stage) {
        std::vector<size_t> reads;
        for (size_t at = 0; stage >= sources && at < 1 + random() % fan_in; ++at) {
            const size_t producer = stage - 1 - random() % std::min(stage, reach);
            if (std::find(reads.begin(), reads.end(), producer) == reads.end()) {
                reads.push_back(producer);
            }
        }
        shape.stage(reads);
    }
    return shape;
}

/// A cost from functions.
struct TestCost : GroupCost {
    std::function<std::optional<Cost>(const StageSet &)> cost;
    std::function<bool(const StageSet &)> hopeless = [](const StageSet &) { return false; };
    std::function<Cost(size_t)> least = [](size_t) { return Cost(-1'000'000); };
    std::optional<Cost> of(const StageSet &group) const override { return cost(group); }
    bool is_hopeless(const StageSet &group) const override { return hopeless(group); }
    Cost share(size_t stage) const override { return least(stage); }
};

/// Like a machine: work of each stage, traffic for what crosses the group, redundant work that grows with its depth.
inline TestCost tiled_cost(const Precedence &graph, uint32_t seed, Cost halo = 9) {
    TestCost cost;
    const auto work = [seed](size_t stage) { return Cost(20 + (stage * 2654435761u + seed) % 60); };
    cost.cost = [&graph, work, halo](const StageSet &group) -> std::optional<Cost> {
        Cost sum = 150;
        Cost depth = 0;
        for (size_t stage : group) {
            const Cost height = static_cast<Cost>((graph.descendants[stage] & group).size());
            sum += work(stage) + work(stage) * height * halo / 100;
            sum += !(graph.consumers[stage] - group).empty() || graph.consumers[stage].empty() ? 100 : 0;
            depth = std::max(depth, height);
        }
        return sum + 80 * static_cast<Cost>(graph.sources_of(group).size()) + depth * depth;
    };
    cost.least = [work](size_t stage) { return work(stage); };
    return cost;
}

/// Any number for any group, some of them below zero.
inline TestCost random_cost(uint32_t seed, Cost most = 1000) {
    TestCost cost;
    cost.cost = [seed, most](const StageSet &group) -> std::optional<Cost> {
        const uint64_t value = (group.hash() ^ seed) * 0x9e3779b97f4a7c15;
        return static_cast<Cost>((value >> 20) % static_cast<uint64_t>(most)) - most / 5;
    };
    return cost;
}

/// Two together cost more than apart, three less, and so on: what greedy merging never finds.
inline TestCost saw_cost(uint32_t seed) {
    TestCost cost;
    cost.cost = [seed](const StageSet &group) -> std::optional<Cost> {
        const Cost size = static_cast<Cost>(group.size());
        return size % 3 == 0 ? 25 * size : 100 * size + 30 * (size % 2) + static_cast<Cost>((group.hash() + seed) % 5);
    };
    return cost;
}

/// Random, and some stages cannot be together with others, which is known for all groups that hold them.
inline TestCost forbidding_cost(uint32_t seed, size_t stages) {
    TestCost cost = random_cost(seed);
    const size_t a = seed % stages, b = (seed / 7) % stages, c = (seed / 31) % stages;
    cost.hopeless = [=](const StageSet &group) { return a != b && group.contains(a) && group.contains(b); };
    cost.cost = [=, value = cost.cost](const StageSet &group) -> std::optional<Cost> {
        const bool none = group.size() > 1 && (group.contains(c) || (a != b && group.contains(a) && group.contains(b)));
        return none ? std::nullopt : value(group);
    };
    return cost;
}

inline TestCost equal_cost() {
    TestCost cost;
    cost.cost = [](const StageSet &group) -> std::optional<Cost> { return static_cast<Cost>(group.size()); };
    return cost;
}

} // namespace fluorite::autoschedule::testing
