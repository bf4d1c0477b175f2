#pragma once
// Coordinates of images that are continued beyond their edges by mirroring or repeating them.

#include "analysis/interval.h"

#include <optional>

namespace fluorite::analysis {

/// A coordinate as BoundaryConditions::mirror_image, mirror_interior and repeat_image make it: `inner` where that lies
/// in [min, max], else the point of [min, max] that the rule names. Where max < min, it is min.
struct PeriodicCoordinate {
    enum class Rule : uint8_t { MirrorImage, MirrorInterior, RepeatImage };

    Expr inner, min, max;
    Rule rule = Rule::MirrorImage;

    bool is_mirrored() const { return rule != Rule::RepeatImage; }

    /// While `inner` ranges over `range`, the coordinate lies in
    ///   [max(min, min(range.min, reflected_min, max)), max(min, min(max, max(range.max, reflected_max)))].
    /// What lies beyond max is reflected to reflected_min or above, and what lies below min to reflected_max or below.
    /// Both hold for every part of `range` as well. Precondition: the range is bounded.
    Expr reflected_min(const Interval &range) const;
    Expr reflected_max(const Interval &range) const;
    Interval hull(const Interval &range, const Expr &reflected_min, const Expr &reflected_max) const;
};

/// How far beyond a loop's variable, at most, a read wraps for which the stage that is read is computed beyond the
/// edges instead: its region grows by as much, which has to cost less than the wrapping. A guess.
inline constexpr int64_t most_wrapped_offset = 64;

/// Whether the caller ensures that min <= max.
enum class Image : uint8_t { MayBeEmpty, HasPoints };

/// Nothing where the coordinate, which is simplified, has no such form. It may be a vector, and something may be added
/// to it, as the min of a buffer is subtracted for an index: then `inner`, min and max contain that as well.
std::optional<PeriodicCoordinate> find_periodic(const Expr &coordinate, Image image = Image::MayBeEmpty);

} // namespace fluorite::analysis
