#pragma once
// Blocks of a domain in which several steps of an iteration are computed: wavefronts and diamonds.

#include <cstdint>
#include <vector>

namespace fluorite_runtime::iterate {

/// Coordinates from `begin` up to, but without, `end`, along the dimension that is cut.
struct Span {
    int64_t begin = 0, end = 0;
    bool is_empty() const { return begin >= end; }
    friend bool operator==(const Span &, const Span &) = default;
};

enum class BlockShape : int32_t { None, Wavefront, Diamond };

/// What a block computes in each step.
using Trapezoid = std::vector<Span>;
/// Blocks that may be computed at once.
using Phase = std::vector<Trapezoid>;

/// Whether a step reads beyond an end of the domain what is at the other end.
enum class DomainEnds : uint8_t { Apart, Meet };

/// The phases of a pass of so many steps, in order. `extent` is that of a block, at least 1; `reach` is how far a step
/// reads beyond the span that it computes. Where the ends meet, spans may exceed the domain, modulo whose length they
/// are; there are no phases if the domain is shorter than what the steps of a pass reach to both sides. See
/// iterate_blocks.cpp.
std::vector<Phase> phases_of(BlockShape shape, const Span &domain, int64_t extent, int32_t steps, int64_t reach,
                             DomainEnds ends);

/// The parts of a domain that a span is, modulo the domain's length; empty for an empty span. Precondition: the span
/// is not longer than the domain.
std::vector<Span> parts_in(const Span &span, const Span &domain);

} // namespace fluorite_runtime::iterate
