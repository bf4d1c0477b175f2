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
// Where the ends meet, the domain is periodic. Then the first and the last diamond shrink at the ends, too, and there
// is a gap between them. Wavefronts leave such a gap out, and it is the last block.
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

static std::vector<Phase> wavefronts(const Span &domain, int64_t extent, int32_t steps, int64_t reach,
                                     DomainEnds ends) {
    std::vector<Phase> phases;
    const auto shrinks_by = [&](int32_t s) { return ends == DomainEnds::Meet ? s * reach : 0; };
    for (int64_t begin = domain.begin; begin < domain.end; begin += extent) {
        const bool is_first = begin == domain.begin, is_last = domain.end - begin <= extent;
        Trapezoid block;
        for (int32_t s = 0; s < steps; s++) {
            const int64_t back = s * reach, least = domain.begin + shrinks_by(s);
            block.push_back({is_first ? least : std::max(begin - back, least),
                             is_last ? domain.end - shrinks_by(s) : std::max(begin + extent - back, least)});
        }
        phases.push_back({std::move(block)});
    }
    if (ends == DomainEnds::Meet) {
        Trapezoid gap;
        for (int32_t s = 0; s < steps; s++) {
            gap.push_back({domain.end - s * reach, domain.end + s * reach});
        }
        phases.push_back({std::move(gap)});
    }
    return phases;
}

static std::vector<Phase> diamonds(const Span &domain, int64_t extent, int32_t steps, int64_t reach, DomainEnds ends) {
    const int64_t length = domain.end - domain.begin;
    const int64_t count = std::max<int64_t>(1, length / std::max(extent, 2 * steps * reach));
    const bool meet = ends == DomainEnds::Meet;
    const auto border = [&](int64_t i) { return domain.begin + i * (length / count) + std::min(i, length % count); };
    std::vector<Phase> phases(count > 1 || meet ? 2 : 1);
    for (int64_t i = 0; i < count; i++) {
        Trapezoid shrinking, gap;
        for (int32_t s = 0; s < steps; s++) {
            const int64_t by = s * reach;
            shrinking.push_back(
                {border(i) + (i > 0 || meet ? by : 0), border(i + 1) - (i + 1 < count || meet ? by : 0)});
            gap.push_back({border(i) - by, border(i) + by});
        }
        phases[0].push_back(std::move(shrinking));
        if (i > 0 || meet) {
            phases[1].push_back(std::move(gap));
        }
    }
    return phases;
}

std::vector<Phase> phases_of(BlockShape shape, const Span &domain, int64_t extent, int32_t steps, int64_t reach,
                             DomainEnds ends) {
    if (ends == DomainEnds::Meet && domain.end - domain.begin < 2 * steps * reach) {
        return {};
    }
    return shape == BlockShape::Wavefront ? wavefronts(domain, extent, steps, reach, ends)
                                          : diamonds(domain, extent, steps, reach, ends);
}

std::vector<Span> parts_in(const Span &span, const Span &domain) {
    const int64_t length = domain.end - domain.begin;
    std::vector<Span> parts;
    for (const int64_t by : {-length, int64_t{0}, length}) {
        const Span part{std::max(span.begin + by, domain.begin), std::min(span.end + by, domain.end)};
        if (!part.is_empty()) {
            parts.push_back(part);
        }
    }
    return parts;
}

} // namespace fluorite_runtime::iterate
