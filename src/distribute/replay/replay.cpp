// The replay of distributed programs.
//
// What: each rank runs its phases: send, compute the interior where phases overlap, wait, receive, compute. A rank's
// time advances by its own work; what it waits for are events, ordered by time: the first byte of a message at the
// receiver's port.
//
// Model: a message of k bytes costs its sender the overhead o, then waits for the sender's port, which it occupies
// for (k - 1) G and keeps from the next message for the gap g. Its first byte is at the receiver's port L later, waits
// there behind the messages that came before, and occupies it in the same way. Having all messages of an exchange, the
// rank spends o on each. The processor does not help a message along (no rendezvous, no progress to be made).
//
// Each time is carried with the parts that it consists of, so the critical path of the last rank is known at the end
// without a trace: a rank that waited takes over the path of the message that it waited for last.
//
// Cost: a plan for each rank and phase, kept for all rounds; a heap operation for each message.

#include "distribute/replay/replay.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <cmath>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace fluorite::distribute {

namespace {

constexpr int64_t max_messages = 50'000'000; // some gigabytes of events if all are under way at once

/// What the plan of one rank for one phase means for time.
struct Work {
    struct Send {
        int64_t peer, bytes;
    };
    std::vector<Send> sends;
    int64_t receives = 0, received_bytes = 0;
    double before = 0, after = 0; // seconds of computing while messages travel, and once they are there
};

Work work_of(const Phase &phase, int64_t rank, const LogGP &model, ReplayResult &result) {
    Work work;
    if (!phase.exchange.flows.empty()) {
        const HaloPlan plan = plan_exchange(phase.exchange, rank);
        for (const Message &message : plan.sends) {
            work.sends.push_back({message.peer, message.bytes});
        }
        work.receives = static_cast<int64_t>(plan.receives.size());
        work.received_bytes = plan.bytes_received();
        result.most_messages = std::max(result.most_messages, static_cast<int64_t>(plan.sends.size()));
        result.most_bytes = std::max(result.most_bytes, plan.bytes_sent());
        result.messages += static_cast<int64_t>(plan.sends.size());
        result.bytes += plan.bytes_sent();
    }
    for (const Computation &computation : phase.computations) {
        const int64_t points = computation.points(rank);
        result.points += points;
        work.after += static_cast<double>(points) * computation.cost * model.seconds_per_point;
    }
    if (phase.overlaps) {
        const double cost = phase.computations.empty() ? 0 : phase.computations.front().cost;
        work.before = static_cast<double>(interior_points(phase, rank)) * cost * model.seconds_per_point;
        work.after -= work.before;
    }
    return work;
}

struct FirstByte {
    double time;
    int64_t to, from, step, bytes;
    CriticalPath path;

    bool operator>(const FirstByte &other) const {
        return std::tie(time, to, from, step) > std::tie(other.time, other.to, other.from, other.step);
    }
};

/// What has come for a rank and step.
struct Arrivals {
    int64_t count = 0;
    double last = 0;
    CriticalPath path; // of the last
};

struct Rank {
    double time = 0, sending_free = 0, receiving_free = 0;
    CriticalPath path;
    int64_t step = 0;
    bool waits = false;
    std::unordered_map<int64_t, Arrivals> arrivals; // by step, of those that have not been taken
};

class Replay {
  public:
    Replay(const Program &program, const LogGP &model) : program_(program), model_(model) {
        const ReplayResult once = add_work(program.phases), last = add_work(program.epilogue);
        limit_messages(once.messages * std::min(program.rounds, max_messages + 1) + last.messages);
        result_.messages = once.messages * program.rounds + last.messages;
        result_.bytes = once.bytes * program.rounds + last.bytes;
        result_.points = once.points * program.rounds + last.points;
        result_.most_messages = std::max(once.most_messages, last.most_messages);
        result_.most_bytes = std::max(once.most_bytes, last.most_bytes);
        steps_ = static_cast<int64_t>(program.phases.size()) * program.rounds +
                 static_cast<int64_t>(program.epilogue.size());
        ranks_.resize(static_cast<size_t>(program.ranks));
    }

    ReplayResult run() {
        for (int64_t rank = 0; rank < program_.ranks; rank++) {
            advance(rank);
        }
        while (!events_.empty()) {
            const FirstByte event = events_.top();
            events_.pop();
            arrive(event);
        }
        for (const Rank &rank : ranks_) {
            check(!rank.waits, "every message that a rank waits for is sent");
            if (rank.time > result_.seconds) {
                result_.seconds = rank.time;
                result_.path = rank.path;
            }
        }
        return result_;
    }

  private:
    void limit_messages(int64_t messages) const {
        if (messages > max_messages) {
            throw RuntimeError("bad-replay",
                               concat("in the program ", program_.name, ": more than ", max_messages,
                                      " messages; the replay holds each in memory; use fewer ranks or ", "rounds"));
        }
    }

    /// Plans the phases for all ranks; counts one run of them.
    ReplayResult add_work(const std::vector<Phase> &phases) {
        ReplayResult counts;
        for (const Phase &phase : phases) {
            work_.emplace_back();
            for (int64_t rank = 0; rank < program_.ranks; rank++) {
                work_.back().push_back(work_of(phase, rank, model_, counts));
                limit_messages(counts.messages);
            }
        }
        return counts;
    }

    const Work &work(int64_t rank) const {
        const auto step = static_cast<size_t>(ranks_[static_cast<size_t>(rank)].step);
        const size_t repeated = program_.phases.size(), in_rounds = repeated * static_cast<size_t>(program_.rounds);
        const size_t phase = step < in_rounds ? step % repeated : repeated + step - in_rounds;
        return work_[phase][static_cast<size_t>(rank)];
    }

    /// Runs a rank until it waits or ends.
    void advance(int64_t index) {
        Rank &rank = ranks_[static_cast<size_t>(index)];
        while (rank.step < steps_) {
            if (!rank.waits) {
                send(index);
                compute(rank, work(index).before);
            }
            const Arrivals &arrivals = rank.arrivals[rank.step];
            rank.waits = arrivals.count < work(index).receives;
            if (rank.waits) {
                return;
            }
            if (arrivals.last > rank.time) {
                rank.time = arrivals.last;
                rank.path = arrivals.path;
            }
            rank.arrivals.erase(rank.step);
            spend(rank,
                  static_cast<double>(work(index).receives) * model_.overhead + packing(work(index).received_bytes));
            compute(rank, work(index).after);
            rank.step++;
        }
    }

    double packing(int64_t bytes) const { return static_cast<double>(bytes) * model_.seconds_per_packed_byte; }

    static void spend(Rank &rank, double seconds) {
        rank.time += seconds;
        rank.path.overhead += seconds;
    }

    void compute(Rank &rank, double seconds) {
        rank.time += seconds;
        rank.path.computing += seconds;
        result_.computing += seconds;
    }

    void send(int64_t index) {
        Rank &rank = ranks_[static_cast<size_t>(index)];
        for (const Work::Send &message : work(index).sends) {
            spend(rank, model_.overhead + packing(message.bytes));
            const double start = std::max(rank.time, rank.sending_free);
            FirstByte event{start + model_.latency, message.peer, index, rank.step, message.bytes, rank.path};
            event.path.queueing += start - rank.time;
            event.path.latency += model_.latency;
            event.path.messages++;
            events_.push(event);
            rank.sending_free = start + model_.port_time(message.bytes) + model_.gap;
        }
    }

    void arrive(const FirstByte &event) {
        Rank &rank = ranks_[static_cast<size_t>(event.to)];
        const double start = std::max(event.time, rank.receiving_free), done = start + model_.port_time(event.bytes);
        rank.receiving_free = done + model_.gap;
        Arrivals &arrivals = rank.arrivals[event.step];
        arrivals.count++;
        if (done >= arrivals.last) {
            arrivals.last = done;
            arrivals.path = event.path;
            arrivals.path.queueing += start - event.time;
            arrivals.path.bytes += model_.port_time(event.bytes);
        }
        if (rank.waits && rank.step == event.step) {
            advance(event.to);
        }
    }

    const Program &program_;
    const LogGP &model_;
    std::vector<std::vector<Work>> work_; // by phase, those of the epilogue last, and rank
    int64_t steps_ = 0;
    std::vector<Rank> ranks_;
    std::priority_queue<FirstByte, std::vector<FirstByte>, std::greater<>> events_;
    ReplayResult result_;
};

/// Seconds of a phase on a rank whose peers are in step with it.
double estimated(const Phase &phase, int64_t rank, const LogGP &model) {
    ReplayResult unused;
    const Work work = work_of(phase, rank, model, unused);
    double ports = 0;
    for (const Work::Send &message : work.sends) {
        ports += model.port_time(message.bytes) + model.gap;
    }
    const double overhead =
        static_cast<double>(work.sends.size() + static_cast<size_t>(work.receives)) * model.overhead;
    return work.before + work.after + (work.sends.empty() ? 0 : overhead + ports + model.latency);
}

} // namespace

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

ReplayResult replay(const Program &program, const LogGP &model) {
    program.validate();
    model.validate();
    return Replay(program, model).run();
}

std::vector<ScalingRow> scaling(const std::function<Program(int64_t ranks)> &program, const std::vector<int64_t> &ranks,
                                const LogGP &model, Scaling kind) {
    return scaling_of([&](int64_t count) { return replay(program(count), model); }, ranks, kind);
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

int64_t choose_sweeps(const Layout &layout, const std::vector<int64_t> &radius, int64_t bytes, double cost,
                      const LogGP &model, int64_t most) {
    model.validate();
    layout.validate("the stencil's array");
    std::vector<int64_t> middle; // it has a neighbour on each side where any part has
    for (size_t d = 0; d < layout.dimensions(); d++) {
        const Axis &axis = layout.axes[d];
        middle.push_back(axis.owner(axis.domain.begin + axis.domain.extent() / 2));
        if (axis.parts > 1 && radius.at(d) > 0) {
            most = std::min(most, axis.smallest_part() / radius[d]);
        }
    }
    const int64_t rank = layout.replicated ? 0 : layout.rank_of(middle);
    int64_t best = 1;
    double least = 0;
    for (int64_t sweeps = 1; sweeps <= std::max<int64_t>(1, most); sweeps++) {
        const double seconds = estimated(deep_halo_phase("sweeps", layout, radius, sweeps, bytes, cost), rank, model) /
                               static_cast<double>(sweeps);
        if (sweeps == 1 || seconds < least) {
            best = sweeps;
            least = seconds;
        }
    }
    return best;
}

} // namespace fluorite::distribute
