#pragma once
// Sliding windows and folded storage: which values a Func that is stored outside of loops and computed inside them need
// not compute again, and how few of them must be kept.

#include "analysis/interval.h"
#include "loopnest/regions/stage_nest.h"

#include <optional>
#include <vector>

namespace fluorite::loopnest {

/// In which directions a window may slide along a dimension.
struct SlideDirections {
    bool up = true, down = true;
};

/// The region of a Func as a function of the loops between its store and compute sites.
struct WindowLoops {
    const StageNest *nest = nullptr;         // the nest that contains the compute site
    int site = 0;                            // the loop of the compute site
    int end = 0;                             // the first loop that encloses the store site
    analysis::Box region;                    // per dimension, in terms of the nest's loop variables and of invariants
    std::vector<Expr> begins;                // the first iterations of the loops from `site` to `end`, likewise
    std::vector<Expr> conditions;            // under which iterations of these loops come to the compute site, likewise
    std::vector<SlideDirections> directions; // per dimension
};

/// Along `dimension`, each iteration of loop `loop` computes only what is beyond the end of the previous window;
/// `down`: only what is below its beginning.
struct Slide {
    size_t dimension = 0;
    int loop = 0;
    bool down = false;
};

/// The maximum number of coordinates that the windows of `iterations` successive iterations of the innermost loop that
/// moves the dimension cover, if a constant bound is known.
std::optional<int64_t> most_covered(const WindowLoops &loops, size_t dimension, int iterations);

/// Whether the condition holds in earlier iterations of a loop if it holds in a later one.
bool holds_before(const Expr &condition, const ir::Symbol &loop);

/// Makes later iterations compute only what is new; returns the slides, innermost loop first.
std::vector<Slide> slide(const WindowLoops &loops, analysis::Box &region);

/// Which values later iterations find in memory.
struct KeptValues {
    std::vector<Slide> slides;
    std::vector<bool> keeps; // by dimension: all of its positions, for loops along which the region is invariant

    /// Whether a circular buffer along the dimension keeps every value until its last use, provided that it holds
    /// everything that one iteration of the compute site accesses.
    bool may_fold(size_t dimension) const;
    /// Null if no window slides along the dimension.
    const Slide *slide_along(size_t dimension) const;
};

} // namespace fluorite::loopnest
