#pragma once
// Boxes cut into the pieces of one owner each, and pieces merged into messages: what plans are made of.

#include "ranks/plan/halo_plan.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace fluorite::distribute {

/// Calls visit with every combination of indices below `counts`, the first one fastest.
template <typename Visit> void for_each_combination(const std::vector<size_t> &counts, const Visit &visit) {
    if (std::find(counts.begin(), counts.end(), size_t{0}) != counts.end()) {
        return;
    }
    std::vector<size_t> at(counts.size(), 0);
    while (true) {
        visit(at);
        size_t d = 0;
        while (d < at.size() && ++at[d] == counts[d]) {
            at[d++] = 0;
        }
        if (d == at.size()) {
            return;
        }
    }
}

/// The turns of a periodic axis whose coordinates meet `need`, first and last; just turn 0 of one that is not.
std::pair<int64_t, int64_t> turns(const Axis &axis, Span need);

/// What is needed along one axis of one owner in one turn.
struct Piece {
    int64_t part;
    Span destination;
    int64_t shift; // from source to destination
};
std::vector<Piece> pieces_of(const Axis &axis, Span need);

/// A box that moves between this rank and `peer`.
struct Routed {
    int64_t peer;
    Transfer transfer;
};

Transfer transfer_of(size_t flow, const Box &destination, const std::vector<int64_t> &shift, int64_t bytes);

/// The pieces of `need`, each with its owner; of a replicated array this rank is the owner.
std::vector<Routed> pieces_of(size_t flow, const Layout &have, const Box &need, int64_t bytes, int64_t rank);

/// The order of a rank's peers: the nearest in both directions first, 1, -1, 2, -2, ... ranks away. What all ranks send
/// at the same time is then a shift of the ranks, by which each receives from one, also where they form a grid.
inline int64_t place_among_peers(int64_t peer, int64_t rank, int64_t ranks) {
    const int64_t ahead = (peer - rank + ranks) % ranks;
    return 2 * ahead <= ranks ? 2 * ahead - 1 : 2 * (ranks - ahead);
}

/// One message for each peer, in this order; boxes are ordered by array and destination.
std::vector<Message> merge_messages(std::vector<Routed> boxes, int64_t rank, int64_t ranks);

} // namespace fluorite::distribute
