#pragma once
// What replays say: how long ranks take on a network, and how that scales. replay_ranks.h makes them.

#include "ranks/transport/log_gp.h"

#include <functional>
#include <vector>

namespace fluorite::distribute {

/// Where the time of the rank that ends last went, along the chain of messages and computations that it waited for. The
/// parts add up to the whole time.
struct CriticalPath {
    double computing = 0, overhead = 0, latency = 0, bytes = 0; // bytes: at ports, for the messages of the path
    double queueing = 0;                                        // behind other messages at a port
    int64_t messages = 0;

    double seconds() const { return computing + overhead + latency + bytes + queueing; }
};

struct ReplayResult {
    double seconds = 0; // when the last rank ends
    CriticalPath path;  // to that
    int64_t messages = 0, bytes = 0;
    int64_t most_messages = 0, most_bytes = 0; // sent by one rank at one exchange point
    int64_t points = 0;                        // computed by all ranks
    double computing = 0;                      // seconds of all ranks
    double waited = 0;                         // for messages, by all ranks together

    /// Share of the ranks' time that is computing.
    double efficiency(int64_t ranks) const {
        return seconds > 0 ? computing / (seconds * static_cast<double>(ranks)) : 1;
    }
};

/// One line for each number of ranks.
struct ScalingRow {
    int64_t ranks = 1;
    ReplayResult result;
    double efficiency = 1; // against the first row: times equal (weak) or falling with the ranks (strong)
};
enum class Scaling : uint8_t { Weak, Strong };
/// The rows of these numbers of ranks; `replayed` gives the result of one number.
std::vector<ScalingRow> scaling_of(const std::function<ReplayResult(int64_t ranks)> &replayed,
                                   const std::vector<int64_t> &ranks, Scaling kind);

struct ScalingLine {
    std::string name;
    std::vector<ScalingRow> rows;
};
/// Efficiency over ranks, an SVG file without external references.
std::string draw(const std::vector<ScalingLine> &lines, const std::string &title);

std::string to_string(const ReplayResult &result, int64_t ranks);
std::string to_string(const std::vector<ScalingRow> &rows);

} // namespace fluorite::distribute
