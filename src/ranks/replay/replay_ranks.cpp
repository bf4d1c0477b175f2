// The replay of all ranks.
//
// A rank's clock depends on its own steps and on the messages that it waits for, and messages from one rank to another
// in one exchange arrive in the order in which they are sent. So it does not matter in which order ranks are advanced:
// each runs until it waits for a message that is not there yet, until all have ended.
//
// Each time is carried with the parts that it consists of, so the critical path of the last rank is known at the end
// without a trace: a rank that waited takes over the path of the message that it waited for last.

#include "ranks/replay/replay_ranks.h"

#include "fluorite/errors.h"
#include "ranks/plan/pieces.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::distribute {

namespace {

constexpr int64_t max_messages = 1'000'000'000; // some minutes of replay

/// A message under way: when its first byte leaves, and how that time came about.
struct Sent {
    double first;
    CriticalPath path;
};

/// The messages of one sender to one rank in one exchange, in their order.
struct Mail {
    std::vector<Sent> sent;
    size_t taken = 0;

    bool is_empty() const { return taken == sent.size(); }
    Sent take() {
        const Sent next = sent[taken++];
        if (is_empty()) {
            sent.clear();
            taken = 0;
        }
        return next;
    }
};

struct Clock {
    double time = 0, sending_free = 0, receiving_free = 0;
    CriticalPath path; // to `time`
    size_t step = 0;
    int64_t run = 0;
};

struct Distance {
    int64_t rank, count;
    int64_t operator()(int64_t peer) const { return place_among_peers(peer, rank, count); }
};

class RankReplayer {
  public:
    RankReplayer(size_t ranks, const LogGP &model) : model_(model), clocks_(ranks) {}

    /// Replays runs that begin when each rank has ended those before.
    void play(const std::vector<ReplayRank> &ranks, int64_t runs) {
        ranks_ = &ranks;
        runs_ = runs;
        mail_.assign(ranks.size(), {});
        for (size_t rank = 0; rank < ranks.size(); rank++) {
            clocks_[rank].run = 0;
            for (const std::vector<ReplayMessage> &messages : ranks[rank].receives) {
                mail_[rank].emplace_back(messages.size());
            }
        }
        bool has_advanced = true;
        while (has_advanced) {
            has_advanced = false;
            for (size_t rank = 0; rank < ranks.size(); rank++) {
                while (step(rank)) {
                    has_advanced = true;
                }
            }
        }
        for (const Clock &clock : clocks_) {
            check(clock.run == runs_, "every message that a rank waits for is sent");
        }
    }

    ReplayResult result() {
        for (const Clock &clock : clocks_) {
            if (clock.time > result_.seconds) {
                result_.seconds = clock.time;
                result_.path = clock.path;
            }
        }
        return result_;
    }

  private:
    const std::vector<ReplayRank> *ranks_ = nullptr; // of the runs that are replayed
    int64_t runs_ = 0;
    const LogGP &model_;
    std::vector<Clock> clocks_;
    std::vector<std::vector<std::vector<Mail>>> mail_; // by receiver, exchange and place among what it receives
    ReplayResult result_;

    /// One step; false where the rank has to wait, or has ended.
    bool step(size_t rank) {
        Clock &clock = clocks_[rank];
        const ReplayRank &own = (*ranks_)[rank];
        if (clock.run == runs_) {
            return false;
        }
        if (clock.step == own.steps.size()) {
            clock.step = 0;
            clock.run++;
            return true;
        }
        const ReplayStep &step = own.steps[clock.step];
        switch (step.kind) {
        case ReplayStep::Kind::Compute:
            clock.time += step.seconds;
            clock.path.computing += step.seconds;
            result_.computing += step.seconds;
            result_.points += step.points;
            break;
        case ReplayStep::Kind::Send:
            send(rank, own.sends[step.exchange], step.exchange);
            break;
        case ReplayStep::Kind::Receive:
            if (!receive(rank, own.receives[step.exchange], mail_[rank][step.exchange])) {
                return false;
            }
            break;
        }
        clock.step++;
        return true;
    }

    /// Time of the processor for messages.
    void spend(Clock &clock, double seconds) const {
        clock.time += seconds;
        clock.path.overhead += seconds;
    }

    double packing(int64_t bytes) const { return static_cast<double>(bytes) * model_.seconds_per_packed_byte; }

    Mail &mail_to(size_t receiver, size_t exchange, int64_t sender) {
        const std::vector<ReplayMessage> &expected = (*ranks_)[receiver].receives[exchange];
        const Distance distance{static_cast<int64_t>(receiver), static_cast<int64_t>(ranks_->size())};
        const auto at = std::lower_bound(
            expected.begin(), expected.end(), distance(sender),
            [&](const ReplayMessage &message, int64_t least) { return distance(message.peer) < least; });
        check(at != expected.end() && at->peer == sender, "every message that is sent is waited for");
        return mail_[receiver][exchange][static_cast<size_t>(at - expected.begin())];
    }

    void send(size_t rank, const std::vector<ReplayMessage> &messages, size_t exchange) {
        Clock &clock = clocks_[rank];
        int64_t bytes = 0;
        for (const ReplayMessage &message : messages) {
            bytes += message.bytes;
        }
        spend(clock, packing(bytes));
        for (const ReplayMessage &message : messages) {
            spend(clock, model_.overhead);
            Sent sent{std::max(clock.time, clock.sending_free), clock.path};
            sent.path.queueing += sent.first - clock.time;
            clock.sending_free = sent.first + model_.port_time(message.bytes) + model_.gap;
            mail_to(static_cast<size_t>(message.peer), exchange, static_cast<int64_t>(rank)).sent.push_back(sent);
        }
        result_.messages += static_cast<int64_t>(messages.size());
        result_.bytes += bytes;
        result_.most_messages = std::max(result_.most_messages, static_cast<int64_t>(messages.size()));
        result_.most_bytes = std::max(result_.most_bytes, bytes);
    }

    bool receive(size_t rank, const std::vector<ReplayMessage> &messages, std::vector<Mail> &mail) {
        for (const Mail &each : mail) {
            if (each.is_empty()) {
                return false;
            }
        }
        std::vector<std::pair<Sent, int64_t>> arrivals; // and bytes
        int64_t bytes = 0;
        for (size_t i = 0; i < messages.size(); i++) {
            arrivals.emplace_back(mail[i].take(), messages[i].bytes);
            bytes += messages[i].bytes;
        }
        std::stable_sort(arrivals.begin(), arrivals.end(),
                         [](const auto &a, const auto &b) { return a.first.first < b.first.first; });
        Clock &clock = clocks_[rank];
        const double began = clock.time;
        for (const auto &[sent, size] : arrivals) {
            const double at_port = sent.first + model_.latency, begin = std::max(at_port, clock.receiving_free);
            const double there = begin + model_.port_time(size);
            clock.receiving_free = there + model_.gap;
            if (there > clock.time) {
                clock.time = there;
                clock.path = sent.path;
                clock.path.latency += model_.latency;
                clock.path.queueing += begin - at_port;
                clock.path.bytes += model_.port_time(size);
                clock.path.messages++;
            }
        }
        result_.waited += clock.time - began;
        spend(clock, static_cast<double>(arrivals.size()) * model_.overhead + packing(bytes));
        return true;
    }
};

int64_t messages_of(const std::vector<ReplayRank> &ranks) {
    int64_t messages = 0;
    for (const ReplayRank &rank : ranks) {
        for (const std::vector<ReplayMessage> &sends : rank.sends) {
            messages += static_cast<int64_t>(sends.size());
        }
    }
    return messages;
}

void limit_messages(int64_t messages, int64_t runs) {
    if (messages > 0 && runs > max_messages / messages) {
        throw RuntimeError("bad-replay", concat(runs, " runs of ", messages, " messages each are replayed; at most ",
                                                max_messages, " messages are; use fewer ranks or steps"));
    }
}

} // namespace

void add_sends(std::vector<ReplayRank> &ranks) {
    const auto count = static_cast<int64_t>(ranks.size());
    for (int64_t rank = 0; rank < count; rank++) {
        const auto &receives = ranks[static_cast<size_t>(rank)].receives;
        for (size_t exchange = 0; exchange < receives.size(); exchange++) {
            for (const ReplayMessage &message : receives[exchange]) {
                auto &sends = ranks[static_cast<size_t>(message.peer)].sends;
                sends.resize(receives.size());
                sends[exchange].push_back({rank, message.bytes});
            }
        }
    }
    for (int64_t rank = 0; rank < count; rank++) {
        ReplayRank &own = ranks[static_cast<size_t>(rank)];
        own.sends.resize(own.receives.size());
        const Distance distance{rank, count};
        for (std::vector<ReplayMessage> &messages : own.sends) {
            std::sort(messages.begin(), messages.end(), [&](const ReplayMessage &a, const ReplayMessage &b) {
                return distance(a.peer) < distance(b.peer);
            });
        }
    }
}

ReplayResult replay_ranks(const std::vector<ReplayRank> &ranks, int64_t runs, const LogGP &model) {
    model.validate();
    limit_messages(messages_of(ranks), runs);
    RankReplayer replayer(ranks.size(), model);
    replayer.play(ranks, runs);
    return replayer.result();
}

ReplayResult replay_parts(const std::vector<ReplayPart> &parts, const LogGP &model) {
    model.validate();
    RankReplayer replayer(parts.at(0).ranks.size(), model);
    for (const ReplayPart &part : parts) {
        check(part.ranks.size() == parts[0].ranks.size(), "all parts run on the same ranks");
        limit_messages(messages_of(part.ranks), part.runs);
        replayer.play(part.ranks, part.runs);
    }
    return replayer.result();
}

} // namespace fluorite::distribute
