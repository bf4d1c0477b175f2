// An emulated network.
//
// The sender knows when the first byte of a message leaves its port, and sends that time with the message. The receiver
// adds the latency and what its own port takes, and then, in real time, sleeps until then; clocks of their own are set
// to it. So no rank needs to know of others, and the same holds over threads and over processes of one machine, whose
// monotonic clocks are one.

#include "ranks/transport/emulated_transport.h"

#include "support/check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>
#include <numeric>

namespace fluorite::distribute {

namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Operating systems wake a thread some 50 microseconds after the time that it asked for; the rest is spun.
constexpr double wake_up = 60e-6;

void sleep_until(double monotonic) {
    const double early = monotonic - wake_up;
    if (early > seconds_of(CLOCK_MONOTONIC)) {
        timespec time{};
        time.tv_sec = static_cast<time_t>(early);
        time.tv_nsec = static_cast<long>((early - static_cast<double>(time.tv_sec)) * 1e9);
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr); // if interrupted, the rest is spun
    }
    while (seconds_of(CLOCK_MONOTONIC) < monotonic) {
    }
}

/// The stages of a collective operation, each of which doubles who knows.
int doublings(int64_t ranks) { return ranks <= 1 ? 0 : static_cast<int>(std::bit_width(uint64_t(ranks - 1))); }

} // namespace

EmulatedTransport::EmulatedTransport(Transport &below, const LogGP &model, EmulatedClock clock)
    : below_(below), model_(model), clock_(clock) {
    model.validate();
    // The latest rank's begin is everybody's.
    for (const uint64_t each : below_.gather(std::bit_cast<uint64_t>(seconds_of(CLOCK_MONOTONIC)))) {
        begin_ = std::max(begin_, std::bit_cast<double>(each));
    }
    leave();
}

/// Notes what has been computed since the last operation.
void EmulatedTransport::enter() {
    if (clock_ == EmulatedClock::Real) {
        time_ = seconds_of(CLOCK_MONOTONIC) - begin_;
    } else if (clock_ == EmulatedClock::Processor) {
        time_ += seconds_of(CLOCK_THREAD_CPUTIME_ID) - processor_;
    }
}

void EmulatedTransport::leave() {
    processor_ = clock_ == EmulatedClock::Processor ? seconds_of(CLOCK_THREAD_CPUTIME_ID) : 0;
}

void EmulatedTransport::wait_until(double time) {
    if (clock_ == EmulatedClock::Real) {
        sleep_until(begin_ + time);
        time_ = seconds_of(CLOCK_MONOTONIC) - begin_;
    } else {
        time_ = std::max(time_, time);
    }
}

void EmulatedTransport::spend(double seconds) {
    enter();
    wait_until(time_ + seconds);
    leave();
}

double EmulatedTransport::now() {
    enter();
    leave();
    return time_;
}

void EmulatedTransport::start(int64_t tag, const std::vector<Outgoing> &sends, const std::vector<Incoming> &receives) {
    enter();
    Open &open = open_[tag];
    check(open.sent.empty() && open.receives.empty(), "an exchange is finished before the next with its tag starts");
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    for (const Outgoing &message : sends) {
        wait_until(time_ + model_.overhead);
        const double first = std::max(time_, sending_free_);
        const auto bytes = static_cast<int64_t>(message.bytes);
        sending_free_ = first + model_.port_time(bytes) + model_.gap;
        messages_++;
        bytes_ += bytes;
        std::vector<char> &whole = open.sent.emplace_back(message.bytes + sizeof first);
        std::memcpy(whole.data(), message.data, message.bytes);
        std::memcpy(whole.data() + message.bytes, &first, sizeof first);
        outgoing.push_back({message.peer, whole.data(), whole.size()});
    }
    for (const Incoming &message : receives) {
        std::vector<char> &whole = open.received.emplace_back(message.bytes + sizeof(double));
        incoming.push_back({message.peer, whole.data(), whole.size()});
    }
    open.receives = receives;
    below_.start(tag, outgoing, incoming);
    leave();
}

void EmulatedTransport::receive(int64_t tag) {
    enter();
    const double began = time_;
    below_.receive(tag);
    const auto found = open_.find(tag);
    if (found != open_.end() && !found->second.has_received) {
        Open &open = found->second;
        open.has_received = true;
        std::vector<double> firsts(open.receives.size());
        for (size_t i = 0; i < firsts.size(); i++) {
            std::memcpy(&firsts[i], open.received[i].data() + open.receives[i].bytes, sizeof firsts[i]);
        }
        std::vector<size_t> order(firsts.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return firsts[a] < firsts[b]; });
        double done = time_;
        for (const size_t i : order) {
            const double at_port = std::max(firsts[i] + model_.latency, receiving_free_);
            const double there = at_port + model_.port_time(static_cast<int64_t>(open.receives[i].bytes));
            receiving_free_ = there + model_.gap;
            done = std::max(done, there);
            std::memcpy(open.receives[i].data, open.received[i].data(), open.receives[i].bytes);
        }
        wait_until(done);
        waited_ += time_ - began;
        wait_until(time_ + static_cast<double>(order.size()) * model_.overhead);
    }
    leave();
}

/// A sender of the model is free when a message has left its port, so this takes no time of the model.
void EmulatedTransport::finish(int64_t tag) {
    receive(tag);
    enter();
    below_.finish(tag);
    open_.erase(tag);
    leave();
}

/// Sets the clocks of all ranks to that of the latest, and lets some time pass.
void EmulatedTransport::synchronize(double added) {
    enter();
    const double began = time_;
    double latest = time_;
    for (const uint64_t each : below_.gather(std::bit_cast<uint64_t>(time_))) {
        latest = std::max(latest, std::bit_cast<double>(each));
    }
    wait_until(latest + doublings(ranks()) * (model_.latency + 2 * model_.overhead) + added);
    waited_ += time_ - began;
    leave();
}

std::vector<Request> EmulatedTransport::exchange_requests(const std::vector<Request> &requests) {
    std::vector<Request> result = below_.exchange_requests(requests);
    int64_t bytes = 0;
    for (const Request &request : result) {
        bytes += static_cast<int64_t>(request.bytes.size());
    }
    synchronize(model_.port_time(bytes));
    return result;
}

std::vector<uint64_t> EmulatedTransport::gather(uint64_t value) {
    std::vector<uint64_t> result = below_.gather(value);
    synchronize(0);
    return result;
}

} // namespace fluorite::distribute
