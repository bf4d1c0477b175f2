#pragma once
// What a rank needs of an array, as a function of its slice of the consumer's domain.
//
// One dimension of a need follows one dimension of the consumer through a chain of monotone maps: scaling by a
// fraction, growing by a footprint, clamping to a range. Each map takes spans to spans and has an exact inverse for the
// question of which slices' needs meet a given span. So the ranks that need what a rank has are found by division,
// whatever the chain: stencils, up- and downsampling, whole pyramids that are recomputed, deep halos, reversed and
// transposed dimensions. A dimension that follows nothing is the same span for every rank, for example all of it.

#include "distribute/box.h"

#include <optional>
#include <variant>

namespace fluorite::distribute {

/// Coordinate x becomes floor(x * numerator / denominator). A negative numerator reverses.
struct Scale {
    int64_t numerator = 1, denominator = 1;
};
/// Coordinate x becomes x + min to x + max.
struct Grow {
    int64_t min = 0, max = 0;
};
/// Coordinates outside of `range` become the nearest inside: edges that are repeated, or growth that ends at a domain.
struct Clamp {
    Span range;
};
using Step = std::variant<Scale, Grow, Clamp>;

/// Slices s with s.last() >= last_from and s.begin <= begin_to.
struct Reach {
    int64_t last_from, begin_to;
};

/// The need in one dimension of the producer.
struct AxisNeed {
    std::optional<size_t> follows; // dimension of the consumer
    Span fixed;                    // the need, where it follows nothing
    std::vector<Step> steps;

    static AxisNeed same(size_t dimension) { return {dimension, {}, {}}; }
    static AxisNeed stencil(size_t dimension, int64_t min, int64_t max) { return {dimension, {}, {Grow{min, max}}}; }
    static AxisNeed all(Span range) { return {std::nullopt, range, {}}; }
    /// This need followed by another step: what is needed for computing what this needs.
    AxisNeed then(Step step) const;

    /// What a slice needs; empty for an empty slice. Values beyond 2^60 are given as that.
    Span of(Span slice) const;
    /// Which slices that are not empty need some of `target`, which is not empty. Only for needs that follow.
    Reach reach(Span target) const;
    /// The coordinates x of `slice` whose own need lies inside `target`.
    Span inside(Span slice, Span target) const;
};

/// For each dimension of the producer.
using Need = std::vector<AxisNeed>;

/// Throws RuntimeError [bad-distribution] where a need is none of a producer and consumer with these dimensions.
void validate(const Need &need, const std::string &name, size_t producer_dimensions, size_t consumer_dimensions);

} // namespace fluorite::distribute
