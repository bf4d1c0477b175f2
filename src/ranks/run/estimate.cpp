#include "ranks/run/estimate.h"

#include <algorithm>
#include <map>

namespace fluorite::distribute {

double seconds_of(const Segment &segment, const Action &action, const LogGP &model) {
    double points = 0, rows = 0;
    for (const Box &box : action.writes) { // one region for all, or loops that range over all regions
        const auto all = static_cast<double>(volume(box));
        points = std::max(points, all);
        rows = std::max(rows, box.empty() || all == 0 ? all : all / static_cast<double>(box[0].extent()));
    }
    return segment.cost * (points * model.seconds_per_point + rows * model.seconds_per_row) +
           (points > 0 ? segment.call_cost * model.seconds_per_point : 0);
}

double estimated_seconds(const DistributedProgram &program, const RankPlan &plan, const std::vector<Action> &actions,
                         const LogGP &model) {
    double time = 0, port_free = 0;
    std::map<size_t, double> there; // by segment before which is exchanged: when all messages are
    for (const Action &action : actions) {
        if (action.kind == Action::Kind::Compute) {
            time += seconds_of(program.segments[action.segment], action, model);
            continue;
        }
        const HaloPlan &halo = plan.exchanges[action.segment].plan;
        const auto ports = [&](const std::vector<Message> &messages) {
            double seconds = 0;
            for (const Message &message : messages) {
                seconds += model.port_time(message.bytes) + model.gap;
            }
            return seconds;
        };
        if (action.kind == Action::Kind::Start) {
            time += static_cast<double>(halo.sends.size()) * model.overhead +
                    static_cast<double>(halo.bytes_sent()) * model.seconds_per_packed_byte;
            const double begin = std::max(time, port_free);
            port_free = begin + std::max(ports(halo.sends), ports(halo.receives));
            there[action.segment] = halo.receives.empty() ? time : port_free + model.latency;
        } else {
            time = std::max(time, there[action.segment]) + static_cast<double>(halo.receives.size()) * model.overhead +
                   static_cast<double>(halo.bytes_received()) * model.seconds_per_packed_byte;
        }
    }
    return time;
}

} // namespace fluorite::distribute
