// Ranks that are threads of one process.
//
// A message is copied into a mailbox when it is started and out of it when the receiver finishes, as an eager MPI
// library does with small messages: senders never wait for receivers. Collective operations are messages as well, with
// tags of their own. A rank that ends by an exception closes all mailboxes, and nobody waits for a message of a
// rank that has ended.

#include "ranks/transport/thread_transport.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <tuple>

namespace fluorite::distribute {

namespace {

constexpr int64_t counts_tag = -1, requests_tag = -2, gather_tag = -3;

using Address = std::pair<int64_t, int64_t>; // of a message in a mailbox: from, tag

/// What one rank receives. Each has a mutex of its own, so that ranks that exchange with others do not wait for each
/// other.
struct Mailbox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::map<Address, std::deque<std::vector<char>>> mail; // messages with one address arrive in order
    bool is_closed = false;                                // a rank has ended by an exception
    std::vector<bool> has_ended;                           // by rank
    bool has_lost_peer = false;                            // the receiver, which has been told so
};

} // namespace

struct ThreadRanks::Shared {
    int64_t ranks = 1;
    std::chrono::milliseconds limit{};
    std::deque<Mailbox> mailboxes; // by receiver
    std::atomic<int64_t> messages = 0, bytes = 0;
    size_t least_read_in_place = std::numeric_limits<size_t>::max();

    Mailbox &mailbox(int64_t rank) { return mailboxes[static_cast<size_t>(rank)]; }

    void put(int64_t from, int64_t to, int64_t tag, std::vector<char> message) {
        if (tag >= 0) {
            messages++;
            bytes += static_cast<int64_t>(message.size());
        }
        Mailbox &box = mailbox(to);
        {
            const std::lock_guard lock(box.mutex);
            box.mail[{from, tag}].push_back(std::move(message));
        }
        box.arrived.notify_all(); // who waits finds the mutex free
    }

    std::vector<char> take(int64_t from, int64_t to, int64_t tag) {
        Mailbox &box = mailbox(to);
        std::unique_lock lock(box.mutex);
        std::deque<std::vector<char>> &mail = box.mail[{from, tag}];
        const auto is_there = [&] {
            return box.is_closed || box.has_ended[static_cast<size_t>(from)] || !mail.empty();
        };
        const bool in_time = box.arrived.wait_for(lock, limit, is_there);
        if (!in_time || mail.empty()) {
            box.has_lost_peer = true;
            throw RuntimeError("lost-rank", concat("on rank ", to, ": no message from rank ", from, " ",
                                                   in_time ? "will come, because a rank has ended early"
                                                           : concat("within ", limit.count() / 1000.0, " s"),
                                                   "; all ranks of a distributed pipeline run to its end; look at the "
                                                   "first error of the other ranks"));
        }
        std::vector<char> message = std::move(mail.front());
        mail.pop_front();
        return message;
    }

    void end(int64_t rank, bool by_exception) {
        for (Mailbox &box : mailboxes) {
            {
                const std::lock_guard lock(box.mutex);
                box.is_closed = box.is_closed || by_exception;
                box.has_ended[static_cast<size_t>(rank)] = true;
            }
            box.arrived.notify_all();
        }
    }
};

namespace {

class ThreadTransport : public Transport {
  public:
    ThreadTransport(ThreadRanks::Shared &shared, int64_t rank) : shared_(shared), rank_(rank) {}
    int64_t rank() const override { return rank_; }
    int64_t ranks() const override { return shared_.ranks; }
    bool has_lost_peer() const override {
        Mailbox &box = shared_.mailbox(rank_);
        const std::lock_guard lock(box.mutex);
        return box.has_lost_peer;
    }

    void start(int64_t tag, const std::vector<Outgoing> &sends, const std::vector<Incoming> &receives) override {
        check(!open_.contains(tag), "an exchange is finished before the next with its tag starts");
        for (const Outgoing &message : sends) {
            shared_.put(rank_, message.peer, tag, {message.data, message.data + message.bytes});
        }
        open_[tag] = receives;
    }

    void receive(int64_t tag) override {
        const auto found = open_.find(tag);
        if (found == open_.end()) {
            return;
        }
        for (const Incoming &message : found->second) {
            const std::vector<char> bytes = shared_.take(message.peer, rank_, tag);
            check(bytes.size() == message.bytes, "both sides of a message agree on its size");
            std::memcpy(message.data, bytes.data(), bytes.size());
        }
        found->second.clear();
    }

    void finish(int64_t tag) override { // what is sent has been copied
        receive(tag);
        open_.erase(tag);
    }

    void progress() override {}

    std::vector<Request> exchange_requests(const std::vector<Request> &requests) override {
        std::vector<char> sends(static_cast<size_t>(ranks()), 0);
        for (const Request &request : requests) {
            sends[static_cast<size_t>(request.peer)] = 1;
            shared_.put(rank_, request.peer, requests_tag, request.bytes);
        }
        for (int64_t peer = 0; peer < ranks(); peer++) {
            shared_.put(rank_, peer, counts_tag, {sends[static_cast<size_t>(peer)]});
        }
        std::vector<Request> result;
        for (int64_t peer = 0; peer < ranks(); peer++) {
            if (shared_.take(peer, rank_, counts_tag)[0] != 0) {
                result.push_back({peer, shared_.take(peer, rank_, requests_tag)});
            }
        }
        return result;
    }

    std::vector<uint64_t> gather(uint64_t value) override {
        std::vector<char> bytes(sizeof value);
        std::memcpy(bytes.data(), &value, sizeof value);
        for (int64_t peer = 0; peer < ranks(); peer++) {
            shared_.put(rank_, peer, gather_tag, bytes);
        }
        std::vector<uint64_t> values;
        for (int64_t peer = 0; peer < ranks(); peer++) {
            std::memcpy(&values.emplace_back(), shared_.take(peer, rank_, gather_tag).data(), sizeof value);
        }
        return values;
    }

    size_t least_read_in_place(int64_t) const override { return shared_.least_read_in_place; }
    std::optional<uint64_t> shared_address_of(const char *memory) const override {
        return reinterpret_cast<uint64_t>(memory); // NOLINT: threads have one address space
    }
    const char *peer_memory_at(int64_t, uint64_t address) const override {
        return reinterpret_cast<const char *>(address); // NOLINT
    }

  private:
    ThreadRanks::Shared &shared_;
    int64_t rank_;
    std::map<int64_t, std::vector<Incoming>> open_; // by tag
};

/// An error that another rank has caused.
bool is_consequence(const std::exception_ptr &error) {
    try {
        std::rethrow_exception(error);
    } catch (const RuntimeError &found) {
        return std::string(found.slug()) == "lost-rank";
    } catch (...) {
        return false;
    }
}

} // namespace

ThreadRanks::ThreadRanks(int64_t ranks, std::chrono::milliseconds limit) : shared_(std::make_shared<Shared>()) {
    if (ranks > most_ranks) {
        throw RuntimeError("bad-distribution",
                           concat("in a distributed pipeline: ", ranks, " ranks are to be threads of this process; ",
                                  most_ranks, " at most run; use fewer, or processes of an MPI library"));
    }
    shared_->ranks = ranks;
    shared_->mailboxes.resize(static_cast<size_t>(std::max<int64_t>(ranks, 0)));
    shared_->limit = limit;
}

ThreadRanks::~ThreadRanks() = default;

void ThreadRanks::run(const std::function<void(Transport &)> &work) {
    std::vector<std::exception_ptr> errors(static_cast<size_t>(shared_->ranks));
    for (Mailbox &box : shared_->mailboxes) {
        box.has_ended.assign(errors.size(), false);
    }
    std::vector<std::thread> threads;
    const auto run_rank = [&](int64_t rank) {
        try {
            ThreadTransport transport(*shared_, rank);
            work(transport);
            shared_->end(rank, false);
        } catch (...) {
            errors[static_cast<size_t>(rank)] = std::current_exception();
            shared_->end(rank, true);
        }
    };
    for (int64_t rank = 0; rank < shared_->ranks; rank++) {
        try {
            threads.emplace_back(run_rank, rank);
        } catch (const std::system_error &error) {
            errors[static_cast<size_t>(rank)] = std::make_exception_ptr(
                RuntimeError("bad-distribution",
                             concat("in a distributed pipeline: the system starts no thread for rank ", rank, " of ",
                                    shared_->ranks, " (", error.what(), "); each rank is a thread; use fewer ranks")));
            shared_->end(rank, true);
            break;
        }
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::exception_ptr first;
    for (const std::exception_ptr &error : errors) {
        if (error && (!first || (is_consequence(first) && !is_consequence(error)))) {
            first = error;
        }
    }
    if (first) {
        std::rethrow_exception(first);
    }
}

void ThreadRanks::read_in_place(size_t least_bytes) { shared_->least_read_in_place = least_bytes; }

int64_t ThreadRanks::messages() const { return shared_->messages; }
int64_t ThreadRanks::bytes() const { return shared_->bytes; }

} // namespace fluorite::distribute
