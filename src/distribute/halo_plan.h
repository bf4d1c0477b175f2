#pragma once
// Plans of exchanges: what each rank sends and receives at one point of a program, as a value.
//
// At an exchange point, arrays that ranks own by one layout are needed by ranks that compute slices of another. What a
// rank receives is its need without what it has; what it sends is what it has of the others' needs. Halo exchange,
// redistribution (transposes, other grids), whole-image needs, and agglomeration to fewer ranks are the same question.
//
// A rank plans for itself alone, and its plan agrees with its peers' plans: the same boxes in the same order. All boxes
// for one peer travel in one message per exchange point, of however many arrays.

#include "distribute/layout.h"
#include "distribute/need.h"

namespace fluorite::distribute {

/// One array at an exchange point.
struct Flow {
    std::string name;
    Layout have;       // who owns the array
    Layout consumer;   // whose slices are computed from it
    Need need;         // by dimension of the array
    int64_t bytes = 4; // of one element
};

/// Where all ranks exchange. Two exchanges that can be in flight at once have different tags.
struct ExchangePoint {
    std::string name;
    int64_t tag = 0;
    std::vector<Flow> flows;

    int64_t ranks() const;
    /// Throws RuntimeError [bad-distribution] where layouts or needs are none or do not fit together.
    void validate() const;
};

/// A box that moves. Destinations are the coordinates of the need, which leave the domain of a periodic array; the
/// source is the same box inside the domain.
struct Transfer {
    size_t flow = 0;
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
    /// What the rank needs of its own; where source and destination differ, a periodic array wraps around on one rank.
    std::vector<Transfer> local;
    /// Parts of layouts that were looked at: the cost of planning.
    int64_t visited = 0;

    int64_t bytes_sent() const;
    int64_t bytes_received() const;
};

/// The plan of one rank. Cost: proportional to the boxes of the plan, whatever the number of ranks.
HaloPlan plan_exchange(const ExchangePoint &point, int64_t rank);

/// No rank has more peers than this for stencils that read up to `radius[d]` away in dimension d of their own layout:
/// 3^d - 1, where no radius is wider than the smallest part and every dimension is cut.
int64_t most_stencil_peers(const Layout &layout, const std::vector<int64_t> &radius);

/// What the rank has, needs, receives and sends, a line for each box.
std::string to_string(const ExchangePoint &point, const HaloPlan &plan);

/// The same as a picture, an SVG file without external references: for each array what comes from whom and what goes to
/// whom, in the first two dimensions.
std::string draw(const ExchangePoint &point, const HaloPlan &plan);

} // namespace fluorite::distribute
