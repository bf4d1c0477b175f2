#pragma once
// Sliding windows and folded storage: what a Func that is stored outside of loops and computed inside of them need not
// compute again, and how little of it must be kept.

#include "analysis/interval.h"
#include "loopnest/regions/stage_nest.h"

#include <optional>
#include <vector>

namespace fluorite::loopnest {

/// What the loops between the store and the compute site of a Func do to its region.
struct WindowLoops {
    const StageNest *nest = nullptr; // that holds the compute site
    int site = 0;                    // the compute site's loop
    int end = 0;                     // the first loop that encloses the store site
    analysis::Box region;     // per dimension, over loop variables of the nest and what stands still outside of it
    std::vector<Expr> begins; // of the loops from `site` to `end`, likewise
};

/// Dimension `dimension` is computed from where the previous iteration of loop `loop` ended; `down`: up to where it
/// began.
struct Slide {
    size_t dimension = 0;
    int loop = 0;
    bool down = false;
};

/// The most coordinates of the dimension that the windows of `iterations` successive iterations of the innermost loop
/// that moves it cover, where a constant is known.
std::optional<int64_t> most_covered(const WindowLoops &loops, size_t dimension, int iterations);

/// Makes later iterations compute only what is new; gives the slides, innermost loop first.
std::vector<Slide> slide(const WindowLoops &loops, analysis::Box &region);

/// Whether a circular buffer along the dimension keeps every value until its last use, if it holds all that one
/// iteration of the compute site touches.
bool may_fold(const std::vector<Slide> &slides, size_t dimension);

} // namespace fluorite::loopnest
