// The replay of ranks' actions.
//
// A rank's clock depends on its own actions and on the messages that it waits for, and messages from one rank to
// another with one tag arrive in the order in which they are sent. So it does not matter in which order ranks are
// advanced: each runs until it waits for a message that is not there yet, until all have ended.

#include "distribute/replay/replay_actions.h"

#include "distribute/execute/estimate.h"
#include "support/check.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

namespace fluorite::distribute {

namespace {

struct Clock {
    double time = 0, sending_free = 0, receiving_free = 0;
    size_t action = 0;
    int64_t run = 0;
};

class ActionReplayer {
  public:
    ActionReplayer(const DistributedProgram &program, const std::vector<RankActions> &ranks, int64_t runs,
                   const LogGP &model)
        : program_(program), ranks_(ranks), runs_(runs), model_(model), clocks_(ranks.size()) {}

    ActionsReplay run() {
        bool has_advanced = true;
        while (has_advanced) {
            has_advanced = false;
            for (size_t rank = 0; rank < ranks_.size(); rank++) {
                while (step(rank)) {
                    has_advanced = true;
                }
            }
        }
        for (const Clock &clock : clocks_) {
            check(clock.run == runs_, "every message that a rank waits for is sent");
            result_.seconds = std::max(result_.seconds, clock.time);
        }
        return result_;
    }

  private:
    const DistributedProgram &program_;
    const std::vector<RankActions> &ranks_;
    int64_t runs_;
    const LogGP &model_;
    std::vector<Clock> clocks_;
    std::map<std::tuple<int64_t, int64_t, int64_t>, std::deque<double>> mail_; // from, to, tag: times of first bytes
    ActionsReplay result_;

    /// One action; false where the rank has to wait, or has ended.
    bool step(size_t rank) {
        Clock &clock = clocks_[rank];
        const RankActions &own = ranks_[rank];
        if (clock.run == runs_) {
            return false;
        }
        if (clock.action == own.actions.size()) {
            clock.action = 0;
            clock.run++;
            return true;
        }
        const Action &action = own.actions[clock.action];
        if (action.kind == Action::Kind::Compute) {
            clock.time += seconds_of(program_.segments[action.segment], action, model_);
        } else {
            const HaloPlan &plan = own.plan.exchanges[action.segment].plan;
            if (action.kind == Action::Kind::Start) {
                send(clock, plan);
            } else if (!receive(clock, plan)) {
                return false;
            }
        }
        clock.action++;
        return true;
    }

    double packing(int64_t bytes) const { return static_cast<double>(bytes) * model_.seconds_per_packed_byte; }

    void send(Clock &clock, const HaloPlan &plan) {
        clock.time += packing(plan.bytes_sent());
        for (const Message &message : plan.sends) {
            clock.time += model_.overhead;
            const double first = std::max(clock.time, clock.sending_free);
            clock.sending_free = first + model_.port_time(message.bytes) + model_.gap;
            mail_[{plan.rank, message.peer, plan.tag}].push_back(first);
            result_.messages++;
            result_.bytes += message.bytes;
        }
    }

    bool receive(Clock &clock, const HaloPlan &plan) {
        for (const Message &message : plan.receives) {
            if (mail_[{message.peer, plan.rank, plan.tag}].empty()) {
                return false;
            }
        }
        std::vector<std::pair<double, int64_t>> arrivals; // first byte, bytes
        for (const Message &message : plan.receives) {
            std::deque<double> &mail = mail_[{message.peer, plan.rank, plan.tag}];
            arrivals.emplace_back(mail.front(), message.bytes);
            mail.pop_front();
        }
        std::stable_sort(arrivals.begin(), arrivals.end(),
                         [](const auto &a, const auto &b) { return a.first < b.first; });
        const double began = clock.time;
        for (const auto &[first, bytes] : arrivals) {
            const double there = std::max(first + model_.latency, clock.receiving_free) + model_.port_time(bytes);
            clock.receiving_free = there + model_.gap;
            clock.time = std::max(clock.time, there);
        }
        result_.waited += clock.time - began;
        clock.time += static_cast<double>(arrivals.size()) * model_.overhead + packing(plan.bytes_received());
        return true;
    }
};

} // namespace

ActionsReplay replay_actions(const DistributedProgram &program, const std::vector<RankActions> &ranks, int64_t runs,
                             const LogGP &model) {
    model.validate();
    return ActionReplayer(program, ranks, runs, model).run();
}

} // namespace fluorite::distribute
