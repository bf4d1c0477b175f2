#pragma once
// Passes in blocks: wavefronts and diamonds.

#include "runtime/iterate_calls.h"
#include "runtime/iterate_passes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite_runtime::iterate {

using States = std::vector<std::vector<Header>>; // by number of the buffer; empty: nobody writes it

/// Runs passes in blocks, for one domain of each iteration.
class BlockPasses {
  public:
    /// The calls outlive the passes.
    explicit BlockPasses(Calls &calls) : calls_(calls) {}

    /// Runs a pass in blocks, or as whole steps where these read too far. Returns 0 or the code of an error.
    int run(const Iteration &iteration, const Pass &pass, const Dims &domain, States &states, const Bound &bound);

  private:
    struct PhaseContext {
        BlockPasses *passes;
        const Pass *pass;
        const Dims *domain;
        States *states;
        std::vector<Header> *state, *before;
        int32_t step;
        const Phase *phase;
    };

    Calls &calls_;
    std::map<std::pair<const Iteration *, int32_t>, std::vector<Phase>> phases_; // by number of steps

    std::optional<int64_t> reach_of(const Tile &tile, const Iteration &iteration, const Dims &domain, const Span &span,
                                    int32_t step, int64_t most);
    std::optional<Span> needed_of(const Call &call, const Tile &tile, const Iteration &iteration, const Dims &domain,
                                  const Span &span, int32_t step, size_t field);
    std::vector<Phase> phases_of_pass(const Pass &pass, const Iteration &iteration, const Dims &domain,
                                      int32_t first_step);
    static int run_block(void *, int index, uint8_t *closure);
    int compute(const PhaseContext &phase_context, const Trapezoid &block);
};

} // namespace fluorite_runtime::iterate
