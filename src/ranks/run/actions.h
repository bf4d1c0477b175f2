#pragma once
// In which order a rank exchanges and computes.

#include "ranks/plan/plan_rank.h"

namespace fluorite::distribute {

enum class ExchangeMode : uint8_t {
    /// Exchanges start as soon as their arrays are there. While messages travel, other segments are computed, and of
    /// those that wait for them what needs available values only. One message for each peer and exchange.
    Overlapped,
    /// The same, but segments that wait for messages are computed as a whole.
    Merged,
    /// For comparison: each array by itself, one after the other, right before the segment that reads it.
    Basic
};

struct RunOptions {
    ExchangeMode mode = ExchangeMode::Overlapped;
    /// By array: arrays of equal numbers share memory, where that changes no values; empty: none do. They have equal
    /// dimensions and elements.
    std::vector<size_t> slots;
    /// Interiors are computed in parts of about so many points, so that messages can progress in between. A call takes
    /// 2 to 4 us, so many points of blur 0.15 ms.
    int64_t points_between_progress = int64_t{1} << 19;
    int64_t most_parts = 8; // of an interior
};

/// One thing that a rank does.
struct Action {
    enum class Kind : uint8_t { Start, Finish, Compute };
    Kind kind = Kind::Compute;
    size_t segment = 0;      // that is computed, or before which is exchanged
    size_t flow = 0;         // of the exchange, in the basic mode; then only this array travels
    std::vector<Box> writes; // of Compute: by written array
    bool is_ahead = false;   // of Compute: before messages that the segment waits for
};

/// What a rank does in a run, in this order. Throws InternalError where arrays cannot share memory as demanded
/// (can_share says so).
std::vector<Action> plan_actions(const DistributedProgram &program, const RankPlan &plan, const RunOptions &options);

/// Whether no value is overwritten before it is read, if segments are computed as wholes.
bool can_share(const DistributedProgram &program, const RankPlan &plan, const std::vector<size_t> &slots);

} // namespace fluorite::distribute
