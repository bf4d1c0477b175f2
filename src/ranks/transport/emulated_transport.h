#pragma once
// A network between the ranks of one machine: each message takes as long as it would take on the network of a LogGP
// model, so that distributed programs can be measured without a cluster.

#include "ranks/transport/log_gp.h"
#include "ranks/transport/transport.h"

#include <map>

namespace fluorite::distribute {

/// What the clock of an emulated rank is.
enum class EmulatedClock : uint8_t {
    /// Time as it passes: operations return when their messages would be there. Ranks that share a core disturb each
    /// other.
    Real,
    /// Each rank's own: it advances by the processor time of the rank's thread between two operations and by what the
    /// model says of messages. Nobody waits, and ranks that share a core do not disturb each other's clocks. What a
    /// rank computes on further threads is not counted.
    Processor,
    /// Each rank's own: it advances by the model's times of messages and by spend() alone, so that it is the same in
    /// every run.
    Counted
};

/// One rank's end of an emulated network over another transport. All ranks use one model and one kind of clock.
///
/// A rank's port sends and receives one message at a time in each direction, (bytes - 1) * seconds_per_byte each, with
/// `gap` between two; messages of one exchange arrive in the order of their first bytes, and exchanges in the order in
/// which they are finished. Collective operations take a latency and two overheads for each doubling of the ranks.
/// The model's times of points and of packed bytes are not used: the processor takes its own.
class EmulatedTransport : public Transport {
  public:
    /// `below` outlives it. Collective, for a common begin of the clocks.
    EmulatedTransport(Transport &below, const LogGP &model, EmulatedClock clock);

    int64_t rank() const override { return below_.rank(); }
    int64_t ranks() const override { return below_.ranks(); }
    void start(int64_t tag, const std::vector<Outgoing> &sends, const std::vector<Incoming> &receives) override;
    void receive(int64_t tag) override;
    void finish(int64_t tag) override;
    void progress() override { below_.progress(); }
    std::vector<Request> exchange_requests(const std::vector<Request> &requests) override;
    std::vector<uint64_t> gather(uint64_t value) override;

    /// Lets time pass on this rank: on a clock of its own at once, in real time by waiting.
    void spend(double seconds);
    /// Seconds since the begin.
    double now();
    /// Since the begin: messages and bytes that were sent, and seconds in which this rank did nothing but wait.
    int64_t messages() const { return messages_; }
    int64_t bytes() const { return bytes_; }
    double waited() const { return waited_; }

  private:
    struct Open {
        std::vector<std::vector<char>> sent, received; // with the time of the first byte behind the contents
        std::vector<Incoming> receives;
        bool has_received = false;
    };
    Transport &below_;
    LogGP model_;
    EmulatedClock clock_;
    double time_ = 0;      // of clocks of its own, at the end of the last operation
    double processor_ = 0; // at the end of the last operation
    double begin_ = 0;     // of real time
    double sending_free_ = 0, receiving_free_ = 0;
    std::map<int64_t, Open> open_; // by tag
    int64_t messages_ = 0, bytes_ = 0;
    double waited_ = 0;

    void enter();
    void leave();
    void wait_until(double time);
    void synchronize(double added);
};

} // namespace fluorite::distribute
