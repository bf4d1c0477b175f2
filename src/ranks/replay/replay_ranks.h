#pragma once
// How long what all ranks do takes on a network: the discrete-event model below the replays of programs.

#include "ranks/replay/replay.h"
#include "ranks/transport/log_gp.h"

#include <vector>

namespace fluorite::distribute {

/// One thing that a rank does, as far as time goes.
struct ReplayStep {
    enum class Kind : uint8_t { Send, Receive, Compute };
    Kind kind = Kind::Compute;
    size_t exchange = 0; // of Send and Receive
    double seconds = 0;  // of Compute
    int64_t points = 0;  // of Compute
};

struct ReplayMessage {
    int64_t peer = 0, bytes = 0;
};

/// What one rank does in each run. Messages are by exchange, at most one for each peer, and ordered from the own rank
/// on; they are sent in this order.
struct ReplayRank {
    std::vector<ReplayStep> steps;
    std::vector<std::vector<ReplayMessage>> sends, receives;
};

/// Adds what ranks send, which is what others receive of them: to the ranks from the own one on. Precondition: no rank
/// has sends.
void add_sends(std::vector<ReplayRank> &ranks);

/// Replays so many runs, one after the other without a barrier, of all ranks, by rank. Messages and ports are those of
/// EmulatedTransport. The result depends on the arguments alone. Cost: proportional to the steps and messages of all
/// ranks and runs. Throws RuntimeError [bad-replay] where the model's times are none, and beyond 10^9 messages.
ReplayResult replay_ranks(const std::vector<ReplayRank> &ranks, int64_t runs, const LogGP &model);

/// The same for several programs, one after the other without a barrier: so many runs of each, on the same ranks.
struct ReplayPart {
    std::vector<ReplayRank> ranks;
    int64_t runs = 1;
};
ReplayResult replay_parts(const std::vector<ReplayPart> &parts, const LogGP &model);

} // namespace fluorite::distribute
