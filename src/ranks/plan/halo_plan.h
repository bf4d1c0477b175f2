#pragma once
// What one rank sends and receives at one exchange, as a value.
//
// A rank's plan agrees with its peers' plans: the same boxes in the same order. All boxes for one peer travel in one
// message, of however many arrays. plan_rank (execute/plan_rank.h) makes the plans of programs.

#include "ranks/plan/layout.h"

namespace fluorite::distribute {

/// A box that moves. Destinations are the coordinates of the need, which leave the domain of a periodic array; the
/// source is the same box inside the domain.
struct Transfer {
    size_t flow = 0; // the array, by its place among those that are exchanged
    Box source, destination;
    int64_t offset = 0; // in the packed message, in bytes
    int64_t bytes = 0;
};

struct Message {
    int64_t peer = 0;
    int64_t bytes = 0;
    std::vector<Transfer> transfers;
};

struct HaloPlan {
    int64_t rank = 0, ranks = 1, tag = 0;
    std::string name;
    std::vector<Box> has, needs; // by flow; needs in destination coordinates, not cut at the domain
    /// To the ranks after and before this one first, then to those two away and so on, so that ranks that send at the
    /// same time send to different ones.
    std::vector<Message> sends, receives;
    /// What the rank needs of its own where source and destination differ: a periodic array wraps around on one rank.
    std::vector<Transfer> local;

    int64_t bytes_sent() const;
    int64_t bytes_received() const;
};

} // namespace fluorite::distribute
