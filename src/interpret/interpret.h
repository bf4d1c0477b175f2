#pragma once
// The reference interpreter: the meaning of every pipeline, straight from the definitions, whatever the schedule.

#include "ir/graph.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fluorite::interpret {

/// A box of coordinates to evaluate: one (min, extent) per dimension.
struct Region {
    std::vector<int32_t> min, extent;
};

/// Evaluates output `output` (index into graph.outputs) over the region and writes each tuple element k into
/// `destination[k]` (its dims must cover the region; element type as in the graph). Inputs and parameters are taken from the
/// graph's Parameter objects. Throws RuntimeError for reads outside an input, a failed require, an unset parameter.
void evaluate(const ir::Graph &graph, size_t output, const Region &region,
              const std::vector<fluorite_buffer_t *> &destination);

/// One point, as bits of each tuple element (for tests and tools).
std::vector<uint64_t> evaluate_point(const ir::Graph &graph, size_t output, const std::vector<int32_t> &point);

} // namespace fluorite::interpret
