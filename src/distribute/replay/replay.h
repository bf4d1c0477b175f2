#pragma once
// How long a distributed program takes on a network, by replaying its plans in a discrete-event model.

#include "distribute/replay/log_gp.h"
#include "distribute/replay/program.h"

#include <functional>

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
    double waited = 0;                         // for messages, by all ranks together; by replay_ranks only

    /// Share of the ranks' time that is computing.
    double efficiency(int64_t ranks) const {
        return seconds > 0 ? computing / (seconds * static_cast<double>(ranks)) : 1;
    }
};

/// Replays all ranks. Each computes what its phases say, sends its messages one after the other (overhead each), and
/// goes on when those that it waits for are there. Ports have one message at a time in each direction. The result
/// depends on the input alone: simultaneous events are ordered by rank. Throws RuntimeError [bad-replay] beyond
/// 50 million messages of one round. Cost: a plan for each rank and phase, then the messages times their logarithm.
ReplayResult replay(const Program &program, const LogGP &model);

/// One line for each number of ranks.
struct ScalingRow {
    int64_t ranks = 1;
    ReplayResult result;
    double efficiency = 1; // against the first row: times equal (weak) or falling with the ranks (strong)
};
enum class Scaling : uint8_t { Weak, Strong };
std::vector<ScalingRow> scaling(const std::function<Program(int64_t ranks)> &program, const std::vector<int64_t> &ranks,
                                const LogGP &model, Scaling kind);

/// The same for any replay of so many ranks.
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

/// How many sweeps for each exchange are fastest per sweep, up to `most` and as long as the halo comes from neighbours.
int64_t choose_sweeps(const Layout &layout, const std::vector<int64_t> &radius, int64_t bytes, double cost,
                      const LogGP &model, int64_t most);

} // namespace fluorite::distribute
