#include "ranks/replay/replay.h"

#include "support/check.h"
#include "support/printed.h"

namespace fluorite::distribute {

namespace {

/// `1.25 ms`, with the unit that leaves one to three digits before the point.
std::string time_text(double seconds) {
    constexpr std::pair<double, const char *> units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
    for (const auto &[unit, name] : units) {
        if (seconds >= unit * 0.9995) {
            return printed("%.4g %s", seconds / unit, name);
        }
    }
    return printed("%.4g ns", seconds / 1e-9);
}

} // namespace

std::string to_string(const LogGP &model) {
    return concat("latency ", time_text(model.latency), ", overhead ", time_text(model.overhead), ", gap ",
                  time_text(model.gap), ", ", time_text(model.seconds_per_byte), " a byte, ",
                  time_text(model.seconds_per_point), " a point, ", time_text(model.seconds_per_packed_byte),
                  " a packed byte");
}

std::string to_string(const ReplayResult &result, int64_t ranks) {
    const CriticalPath &path = result.path;
    std::string text = concat("time           ", time_text(result.seconds), ", of which all ranks compute ",
                              printed("%.1f", 100 * result.efficiency(ranks)), " %\n");
    text += concat("messages       ", result.messages, ", at most ", result.most_messages, " of a rank at one point\n");
    text += concat("bytes          ", result.bytes, ", at most ", result.most_bytes, " of a rank at one point\n");
    text += concat("points         ", result.points, "\n");
    text += concat("critical path  ", time_text(path.computing), " computing, ", time_text(path.overhead),
                   " overhead, ", time_text(path.latency), " latency, ", time_text(path.bytes), " bytes, ",
                   time_text(path.queueing), " queueing; ", path.messages, " messages\n");
    return text;
}

std::string to_string(const std::vector<ScalingRow> &rows) {
    std::string text = printed("%8s %12s %12s %14s %14s %11s\n", "ranks", "time", "efficiency", "messages/rank",
                               "bytes/rank", "computing");
    for (const ScalingRow &row : rows) {
        const auto ranks = static_cast<double>(row.ranks);
        text += printed("%8lld %12s %10.1f %% %14.1f %14.0f %9.1f %%\n", static_cast<long long>(row.ranks),
                        time_text(row.result.seconds).c_str(), 100 * row.efficiency,
                        static_cast<double>(row.result.messages) / ranks, static_cast<double>(row.result.bytes) / ranks,
                        100 * row.result.efficiency(row.ranks));
    }
    return text;
}

} // namespace fluorite::distribute
