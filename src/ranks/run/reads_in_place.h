#pragma once
// Which computations may read received values where the sender has them.

#include "ranks/run/actions.h"

#include <optional>

namespace fluorite::distribute {

/// One box of a message that is received before a segment.
struct ReceivedBox {
    size_t segment = 0, message = 0, transfer = 0;
};

struct ReadsInPlace {
    /// By action, and by read of its segment: the box that it reads there, and nothing beyond it.
    std::vector<std::vector<std::optional<ReceivedBox>>> reads;
    /// By segment, message and transfer: some computation reads the box together with other values of the array.
    std::vector<std::vector<std::vector<bool>>> is_copied;
};

/// A box is either copied to its place in the rank's memory, or all that read it read nothing else of its array. Cost:
/// one answer of its segment for each computation.
ReadsInPlace find_reads_in_place(const DistributedProgram &program, const RankPlan &plan,
                                 const std::vector<Action> &actions);

} // namespace fluorite::distribute
