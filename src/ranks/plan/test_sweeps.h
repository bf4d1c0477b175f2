#pragma once
// Distributed programs for tests: sweeps of a stencil, each array with a placement of its own, and the same as plain
// loops.

#include "ranks/plan/program.h"
#include "ranks/plan/test_points.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::distribute {

inline int32_t get(const ArrayView &view, const std::vector<int64_t> &at) {
    int32_t value = 0;
    std::memcpy(&value, view.at(at), sizeof value);
    return value;
}
inline void set(const ArrayView &view, const std::vector<int64_t> &at, int32_t value) {
    std::memcpy(view.at(at), &value, sizeof value);
}

inline int64_t clamped(int64_t value, Span range) { return std::max(range.begin, std::min(value, range.end - 1)); }

/// Adds what is `radius` away in each dimension, with the edges of the domain repeated. Computes multiples of `step`
/// points along dimension 0, as a stage that is vectorized does.
inline Segment stencil(const std::string &name, size_t from, size_t to, const Box &domain, int64_t radius,
                       int64_t step = 1) {
    Segment segment{name, {from}, {to}, {}, {}};
    segment.boxes = [=](const std::vector<Box> &writes) {
        SegmentBoxes boxes{{Box(domain.size())}, writes};
        if (empty(writes[0])) {
            return boxes;
        }
        Span &first = boxes.writes[0][0];
        first.end = first.begin + (first.extent() + step - 1) / step * step;
        for (size_t d = 0; d < domain.size(); d++) {
            const Span write = boxes.writes[0][d];
            boxes.reads[0][d] = {clamped(write.begin - radius, domain[d]),
                                 clamped(write.last() + radius, domain[d]) + 1};
        }
        return boxes;
    };
    segment.compute = [=](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        for_each_point(writes[0].box, [&](const std::vector<int64_t> &at) {
            int32_t sum = 1;
            for (size_t d = 0; d < at.size(); d++) {
                for (const int64_t offset : {-radius, int64_t{0}, radius}) {
                    std::vector<int64_t> where = at;
                    for (size_t e = 0; e < at.size(); e++) {
                        where[e] = clamped(where[e] + (e == d ? offset : 0), domain[e]);
                    }
                    sum += get(reads[0], where) * static_cast<int32_t>(2 + offset + static_cast<int64_t>(d));
                }
            }
            set(writes[0], at, sum);
        });
    };
    return segment;
}

/// A square array turned: element (x, y) is three times that at (y, x), plus x.
inline Segment turned(size_t from, size_t to) {
    Segment segment{"turned", {from}, {to}, {}, {}};
    segment.boxes = [](const std::vector<Box> &writes) { return SegmentBoxes{{{writes[0][1], writes[0][0]}}, writes}; };
    segment.compute = [](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        for_each_point(writes[0].box, [&](const std::vector<int64_t> &at) {
            set(writes[0], at, 3 * get(reads[0], {at[1], at[0]}) + static_cast<int32_t>(at[0]));
        });
    };
    return segment;
}

inline Array array(const std::string &name, Array::Role role, size_t dimensions, const Placement &placement) {
    return {name, role, dimensions, 4, placement};
}
inline Placement blocks(std::vector<size_t> dimensions, std::vector<int64_t> grid = {},
                        std::vector<int64_t> tiles = {}) {
    return {Placement::Kind::Blocks, std::move(dimensions), std::move(grid), std::move(tiles)};
}
inline const Placement everywhere = {Placement::Kind::Everywhere, {}, {}, {}};
inline const Placement as_needed = {Placement::Kind::Rank, {}, {}, {}};

inline int32_t input_at(const std::vector<int64_t> &at) {
    int64_t value = 7;
    for (const int64_t coordinate : at) {
        value = value * 131 + coordinate * coordinate + 3 * coordinate;
    }
    return static_cast<int32_t>(value % 100003);
}

inline Box box_of(const std::vector<int64_t> &extents) {
    Box box;
    int64_t begin = 0; // domains need not begin at 0
    for (const int64_t extent : extents) {
        box.push_back({begin, begin + extent});
        begin += 5;
    }
    return box;
}

/// Turns an array, both images with this placement.
inline DistributedProgram turning(const Placement &placement) {
    DistributedProgram program;
    program.name = "turning";
    program.arrays = {array("in", Array::Role::Input, 2, placement), array("out", Array::Role::Output, 2, placement)};
    program.segments = {turned(0, 1)};
    return program;
}

/// Three sweeps over arrays with these placements, the input's first.
inline DistributedProgram sweeps(const Box &domain, const std::vector<Placement> &placements, int64_t radius = 1,
                                 int64_t step = 1) {
    DistributedProgram program;
    program.name = "sweeps";
    for (size_t a = 0; a < placements.size(); a++) {
        const Array::Role role = a == 0                       ? Array::Role::Input
                                 : a + 1 == placements.size() ? Array::Role::Output
                                                              : Array::Role::Inner;
        program.arrays.push_back(array("a" + std::to_string(a), role, domain.size(), placements[a]));
        if (a > 0) {
            program.segments.push_back(stencil("s" + std::to_string(a), a - 1, a, domain, radius, step));
        }
    }
    return program;
}

/// The sweeps as plain loops.
inline std::vector<int32_t> plain_sweeps(const Box &domain, int count, int64_t radius) {
    OwnedArray now(domain, 4), next(domain, 4);
    for_each_point(domain, [&](const std::vector<int64_t> &at) { set(now.view(), at, input_at(at)); });
    const Segment sweep = stencil("sweep", 0, 1, domain, radius);
    for (int i = 0; i < count; i++) {
        sweep.compute({now.view()}, {next.view()});
        std::swap(now, next);
    }
    std::vector<int32_t> values(static_cast<size_t>(volume(domain)));
    std::memcpy(values.data(), now.view().data, values.size() * sizeof(int32_t));
    return values;
}

} // namespace fluorite::distribute
