#pragma once
// Which passes make the steps of an iteration, and which buffers they read and write.

#include "runtime/iterate_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fluorite_runtime::iterate {

/// A pass with its number of steps, and the buffers that it reads and writes, by number. `before` counts where the body
/// reads two past steps, and `next_before`, the step before `next`, where such a pass has several steps; else that is
/// `next`, too. `steps_in` are the buffers of all steps of a pass in blocks; the last one is `next`.
struct Pass {
    const Tile *tile = nullptr;
    int32_t steps = 1;
    size_t state = 0, before = 0, next = 0, next_before = 0;
    std::vector<size_t> steps_in;
};

/// How many buffers the passes of an iteration use at most.
constexpr size_t most_buffers = 4;

/// The passes of so many steps, in order, for rows of this extent and fields of so many bytes. Initially, the state is
/// in buffer 0, and the one before it in buffer 1. The passes point into the iteration.
std::vector<Pass> passes_of(const Iteration &iteration, int32_t steps, int32_t row, int64_t bytes);

} // namespace fluorite_runtime::iterate
