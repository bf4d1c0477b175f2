#pragma once

namespace apps {

/// Every application comes with several schedules of one algorithm.
enum class Schedule {
    Default,  ///< no directive, except where inlining everything would recompute without bound
    Hand,     ///< the fastest that we know for Fluorite: tiles, vectors, threads, sliding windows
    HandPeer, ///< the fastest that we know for the peer; where an application has none of its own, that is Hand
    Gpu,      ///< by hand for the blocks and threads of a GPU
};

inline bool is_by_hand(Schedule schedule) { return schedule == Schedule::Hand || schedule == Schedule::HandPeer; }
inline bool is_on_gpu(Schedule schedule) { return schedule == Schedule::Gpu; }

} // namespace apps
