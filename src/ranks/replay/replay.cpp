#include "ranks/replay/replay.h"

namespace fluorite::distribute {

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
