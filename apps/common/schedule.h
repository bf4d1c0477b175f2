#pragma once

namespace apps {

/// Every application comes with two schedules of one algorithm.
enum class Schedule {
    Default, ///< no directive, except where inlining everything would recompute without bound
    Hand,    ///< tiles, vectors, threads, sliding windows
};

} // namespace apps
