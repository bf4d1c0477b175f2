// The replay of ranks' actions, and plans of all ranks that are made in one place.
//
// What a rank sends is what others receive of it, so it is enough that each rank finds what it receives: nothing is
// said by one rank to another, and ranks are planned in any order.

#include "ranks/replay/replay_actions.h"

#include "ranks/plan/pieces.h"
#include "ranks/run/estimate.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <exception>
#include <mutex>
#include <thread>

namespace fluorite::distribute {

namespace {

std::vector<ReplayMessage> sizes_of(const std::vector<Message> &messages) {
    std::vector<ReplayMessage> sizes;
    for (const Message &message : messages) {
        sizes.push_back({message.peer, message.bytes});
    }
    return sizes;
}

ReplayRank timed(const DistributedProgram &program, const RankPlan &plan, const std::vector<Action> &actions,
                 const LogGP &model) {
    ReplayRank rank;
    for (const Action &action : actions) {
        if (action.kind == Action::Kind::Compute) {
            int64_t points = 0;
            for (const Box &box : action.writes) {
                points = std::max(points, volume(box));
            }
            rank.steps.push_back(
                {ReplayStep::Kind::Compute, 0, seconds_of(program.segments[action.segment], action, model), points});
        } else {
            const bool is_start = action.kind == Action::Kind::Start;
            rank.steps.push_back({is_start ? ReplayStep::Kind::Send : ReplayStep::Kind::Receive, action.segment});
        }
    }
    for (const RankPlan::Exchange &exchange : plan.exchanges) {
        rank.sends.push_back(sizes_of(exchange.plan.sends));
        rank.receives.push_back(sizes_of(exchange.plan.receives));
    }
    return rank;
}

double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Calls visit with each number below the count, on all processors. The first exception is thrown again.
void on_all_processors(int64_t count, const std::function<void(int64_t)> &visit) {
    std::atomic<int64_t> next = 0;
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto work = [&] {
        try {
            for (int64_t i = next++; i < count; i = next++) {
                visit(i);
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            thrown = thrown ? thrown : std::current_exception();
            next = count;
        }
    };
    std::vector<std::thread> threads;
    const int64_t most = std::max<int64_t>(1, std::thread::hardware_concurrency());
    for (int64_t i = 1; i < std::min(most, count); i++) {
        threads.emplace_back(work);
    }
    work();
    for (std::thread &thread : threads) {
        thread.join();
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

/// The plan of one rank while all are planned: what it sends is what others receive of it.
class AskedPlan {
  public:
    explicit AskedPlan(int64_t rank) : rank_(rank) {}

    /// Takes what a rank's plan says of it; from any thread, once for each rank.
    void add(const RankPlan &plan) {
        const std::lock_guard lock(mutex_);
        if (plan.rank == rank_) {
            plan_ = plan;
        }
        sends_.resize(plan.exchanges.size());
        for (size_t e = 0; e < plan.exchanges.size(); e++) {
            for (const Message &message : plan.exchanges[e].plan.receives) {
                if (message.peer == rank_) {
                    sends_[e].push_back({plan.rank, message.bytes, message.transfers});
                }
            }
        }
    }

    RankPlan take() {
        const auto place = [&](const Message &message) { return place_among_peers(message.peer, rank_, plan_.ranks); };
        for (size_t e = 0; e < sends_.size(); e++) {
            std::sort(sends_[e].begin(), sends_[e].end(),
                      [&](const Message &a, const Message &b) { return place(a) < place(b); });
            plan_.exchanges[e].plan.sends = std::move(sends_[e]);
        }
        return std::move(plan_);
    }

  private:
    int64_t rank_;
    std::mutex mutex_;
    RankPlan plan_;
    std::vector<std::vector<Message>> sends_; // by exchange
};

/// The greatest time, where the greatest ones are measured twice and the smaller time counts: what the machine takes
/// from a thread for others looks like its own time, and does not come again.
double slowest_of(std::vector<double> &seconds, const std::function<double(int64_t)> &measure) {
    std::vector<bool> is_certain(seconds.size(), false);
    while (true) {
        const auto slowest = std::max_element(seconds.begin(), seconds.end());
        const auto at = static_cast<size_t>(slowest - seconds.begin());
        if (is_certain[at]) {
            return *slowest;
        }
        *slowest = std::min(*slowest, measure(static_cast<int64_t>(at)));
        is_certain[at] = true;
    }
}

} // namespace

ReplayResult replay_actions(const DistributedProgram &program, const std::vector<RankActions> &ranks, int64_t runs,
                            const LogGP &model) {
    std::vector<ReplayRank> all;
    for (const RankActions &rank : ranks) {
        all.push_back(timed(program, rank.plan, rank.actions, model));
    }
    return replay_ranks(all, runs, model);
}

PlannedRanks plan_all_ranks(const DistributedProgram &program, const std::vector<Box> &domains, int64_t ranks,
                            const LogGP &model, const RunOptions &options, int64_t asked) {
    const std::vector<Box> all = domains_of(program, domains);
    PlannedRanks planned;
    planned.ranks.resize(static_cast<size_t>(ranks));
    std::vector<double> seconds(planned.ranks.size());
    const auto plan_one = [&](int64_t rank, RankPlan &plan) {
        const double begin = thread_seconds();
        plan = plan_receives(program, all, rank, ranks);
        planned.ranks[static_cast<size_t>(rank)] = timed(program, plan, plan_actions(program, plan, options), model);
        return thread_seconds() - begin;
    };
    AskedPlan asked_plan(asked);
    on_all_processors(ranks, [&](int64_t rank) {
        RankPlan plan;
        seconds[static_cast<size_t>(rank)] = plan_one(rank, plan);
        asked_plan.add(plan);
    });
    planned.plan = asked_plan.take();
    planned.slowest_plan = slowest_of(seconds, [&](int64_t rank) {
        RankPlan unused;
        return plan_one(rank, unused);
    });
    for (const double each : seconds) {
        planned.seconds_to_plan += each / static_cast<double>(ranks);
    }
    add_sends(planned.ranks);
    return planned;
}

} // namespace fluorite::distribute
