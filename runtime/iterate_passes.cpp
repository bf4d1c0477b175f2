// The passes of an iteration.
//
// The longest passes that are made for rows of this length come first; what remains are shorter ones. Of equally long
// ones, that is taken which streams if the fields are large (which does not, if they are not), then that which is made
// for longer rows.
//
// Buffers are assigned in advance: a pass writes the first that nobody still reads. So there are two in all, three for
// two past steps, four for passes of several steps that read two past ones. Cost: linear in the number of passes.

#include "runtime/iterate_passes.h"

#include <algorithm>

namespace fluorite_runtime::iterate {

namespace {

void assign_buffers(const Iteration &iteration, std::vector<Pass> &passes) {
    size_t state = 0, before = iteration.has_before ? 1 : 0;
    const auto first_free = [&](size_t taken) {
        size_t buffer = 0;
        while (buffer == state || buffer == before || buffer == taken) {
            buffer++;
        }
        return buffer;
    };
    for (Pass &pass : passes) {
        pass.state = state;
        pass.before = before;
        if (pass.tile->shape != BlockShape::None) {
            for (int32_t step = 0; step < pass.steps; step++) {
                const size_t next = first_free(state);
                pass.steps_in.push_back(next);
                before = iteration.has_before ? state : next;
                state = next;
            }
            pass.next = pass.next_before = state;
            continue;
        }
        const bool writes_before = iteration.has_before && pass.steps > 1;
        pass.next = first_free(state);
        pass.next_before = writes_before ? first_free(pass.next) : pass.next;
        before = !iteration.has_before ? pass.next : writes_before ? pass.next_before : state;
        state = pass.next;
    }
}

} // namespace

std::vector<Pass> passes_of(const Iteration &iteration, int32_t steps, int32_t row, int64_t bytes) {
    const bool streams = bytes >= iteration.streaming_bytes;
    const auto rank = [&](const Tile &tile) { return std::pair(tile.streams == streams, tile.least_row); };
    std::vector<Pass> passes;
    for (const Tile &tile : iteration.passes) {
        const bool is_best = std::none_of(iteration.passes.begin(), iteration.passes.end(), [&](const Tile &other) {
            return other.steps == tile.steps && other.least_row <= row && rank(other) > rank(tile);
        });
        const int32_t least = tile.shape == BlockShape::None ? tile.steps : 2; // blocks have any number of steps
        while (is_best && tile.least_row <= row && steps >= least) {
            Pass &pass = passes.emplace_back();
            pass.tile = &tile;
            pass.steps = std::min(steps, tile.steps);
            steps -= pass.steps;
        }
    }
    assign_buffers(iteration, passes);
    return passes;
}

} // namespace fluorite_runtime::iterate
