#pragma once
// Stages by hand that tests of costs share.

#include "autoschedule/roofline/roofline_machine.h"
#include "autoschedule/stage_graph.h"

#include <string>

namespace fluorite::autoschedule::testing {

inline StageNode stage_node(const std::string &name, std::vector<LoopExtent> loops, std::vector<Read> reads) {
    StageNode node;
    node.name = name;
    node.loops = std::move(loops);
    node.reads = std::move(reads);
    return node;
}

/// Three points in x, then three in y.
inline StageGraph two_blurs(int64_t width = 1024, int64_t height = 1024) {
    StageGraph graph;
    graph.inputs.push_back({"image", {width, height}, 4});
    const std::vector<LoopExtent> loops = {{"x", width}, {"y", height}};
    graph.stages.push_back(
        stage_node("first", loops, {{true, 0, {Footprint::affine(0, -1, 1), Footprint::affine(1)}, 3}}));
    graph.stages.push_back(
        stage_node("second", loops, {{false, 0, {Footprint::affine(0), Footprint::affine(1, -1, 1)}, 3}}));
    graph.stages[1].is_output = true;
    return graph;
}

/// scaled(x, y) = b(x, y) * 2; product(x, y) += a(r, y) * scaled(x, r); out(x, y) = product(x, y).
inline StageGraph scaled_product(int64_t size) {
    StageGraph graph;
    graph.inputs = {{"a", {size, size}, 4}, {"b", {size, size}, 4}};
    const std::vector<LoopExtent> loops = {{"x", size}, {"y", size}};
    const Footprint x = Footprint::affine(0), y = Footprint::affine(1), all = Footprint::constant(0, size - 1),
                    one = Footprint::constant(0, 0);
    graph.stages.push_back(stage_node("scaled", loops, {{true, 1, {x, y}}}));
    graph.stages.push_back(
        stage_node("product", loops, {{true, 0, {all, y}, size, {one, y}}, {false, 0, {x, all}, size, {x, one}}}));
    StageNode &product = graph.stages[1];
    product.updates = static_cast<double>(size);
    UpdateWork update;
    update.parts = {{0b11, 2, 0}, {0b01, 0, 1}, {0b10, 0, 1, 1}};
    update.reduction = {size};
    update.bits = {32};
    product.sums = {update};
    graph.stages.push_back(stage_node("out", loops, {{false, 1, {x, y}}}));
    graph.stages[2].is_output = true;
    return graph;
}

/// Vectors of eight lanes of 32 bits, four threads, and the caches of the defaults.
inline RooflineMachine eight_lanes() {
    RooflineMachine machine;
    machine.model.vector_bits = 256;
    machine.threads = 4;
    return machine;
}

} // namespace fluorite::autoschedule::testing
