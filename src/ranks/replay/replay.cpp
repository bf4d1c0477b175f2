#include "ranks/replay/replay.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <cmath>

namespace fluorite::distribute {

void LogGP::validate() const {
    for (const auto &[name, value] : {std::pair("latency", latency),
                                      {"overhead", overhead},
                                      {"gap", gap},
                                      {"seconds_per_byte", seconds_per_byte},
                                      {"seconds_per_point", seconds_per_point},
                                      {"seconds_per_packed_byte", seconds_per_packed_byte},
                                      {"seconds_per_row", seconds_per_row}}) {
        if (!(value >= 0) || !std::isfinite(value)) {
            throw RuntimeError("bad-replay", concat("the network's ", name, " is ", value,
                                                    "; a time is a finite number of seconds from 0 on; measure it"));
        }
    }
}

std::vector<ScalingRow> scaling_of(const std::function<ReplayResult(int64_t ranks)> &replayed,
                                   const std::vector<int64_t> &ranks, Scaling kind) {
    std::vector<ScalingRow> rows;
    for (int64_t count : ranks) {
        ScalingRow row{count, replayed(count), 1};
        if (!rows.empty() && row.result.seconds > 0) {
            const double grown = static_cast<double>(count) / static_cast<double>(rows.front().ranks);
            row.efficiency = rows.front().result.seconds / row.result.seconds / (kind == Scaling::Strong ? grown : 1);
        }
        rows.push_back(row);
    }
    return rows;
}

} // namespace fluorite::distribute
