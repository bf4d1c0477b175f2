// Blocks of a domain in which several steps of an iteration are computed.
//
// What: step s of a pass computes the state s + 1 from state s (and s - 1), and reads up to `reach` points beyond the
// span that it computes, along the dimension that is cut. States take turns in as few buffers as there are without
// blocks: two, or three where two past steps are read. So state s + 1 is stored where s - 1 (s - 2) was.
//
//   wavefront: block i computes [i e - s reach, (i + 1) e - s reach) in step s. Blocks are computed in order, each by
//     all threads. The first begins, and the last ends, with the domain in all steps.
//   diamond:   first, block i computes [i e + s reach, (i + 1) e - s reach), which needs no other block; all of them
//     run at once. Then the gaps between two blocks, [i e - s reach, i e + s reach), which also need no other gap, as
//     e >= 2 steps reach. At the ends of the domain, nothing is missing and blocks do not shrink.
//
// Why no state is overwritten while it is read: the readers of state s - 1 at a point are within `reach` of it in step
// s - 1 (and s, of the state before), and step s computes the point only if step s - 1 has computed all points within
// `reach`. Points of other blocks that a block reads while these run are of states that they do not overwrite:
// iterate_blocks_test.cpp computes every access of small cases.
//
// Cost: linear in blocks times steps.

#include "runtime/iterate_blocks.h"

#include <algorithm>

namespace fluorite_runtime::iterate {

static std::vector<Phase> wavefronts(const Span &domain, int64_t extent, int32_t steps, int64_t reach) {
    std::vector<Phase> phases;
    for (int64_t begin = domain.begin; begin < domain.end; begin += extent) {
        const bool is_first = begin == domain.begin, is_last = domain.end - begin <= extent;
        Trapezoid block;
        for (int32_t s = 0; s < steps; s++) {
            const int64_t back = s * reach;
            block.push_back({is_first ? begin : std::max(begin - back, domain.begin),
                             is_last ? domain.end : std::max(begin + extent - back, domain.begin)});
        }
        phases.push_back({std::move(block)});
    }
    return phases;
}

static std::vector<Phase> diamonds(const Span &domain, int64_t extent, int32_t steps, int64_t reach) {
    const int64_t length = domain.end - domain.begin;
    const int64_t count = std::max<int64_t>(1, length / std::max(extent, 2 * steps * reach));
    const auto border = [&](int64_t i) { return domain.begin + i * (length / count) + std::min(i, length % count); };
    std::vector<Phase> phases(count > 1 ? 2 : 1);
    for (int64_t i = 0; i < count; i++) {
        Trapezoid shrinking, gap;
        for (int32_t s = 0; s < steps; s++) {
            const int64_t by = s * reach;
            shrinking.push_back({border(i) + (i > 0 ? by : 0), border(i + 1) - (i + 1 < count ? by : 0)});
            gap.push_back({border(i) - by, border(i) + by});
        }
        phases[0].push_back(std::move(shrinking));
        if (i > 0) {
            phases[1].push_back(std::move(gap));
        }
    }
    return phases;
}

std::vector<Phase> phases_of(BlockShape shape, const Span &domain, int64_t extent, int32_t steps, int64_t reach) {
    return shape == BlockShape::Wavefront ? wavefronts(domain, extent, steps, reach)
                                          : diamonds(domain, extent, steps, reach);
}

} // namespace fluorite_runtime::iterate
