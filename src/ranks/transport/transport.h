#pragma once
// How ranks communicate: an interface of seven operations, so that the same plans run over MPI, over threads of one
// process (in tests, for any number of ranks), or alone. Ranks of one machine may read each other's memory besides.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace fluorite::distribute {

/// A message whose peer and size both sides know.
struct Outgoing {
    int64_t peer;
    const char *data;
    size_t bytes;
};
struct Incoming {
    int64_t peer;
    char *data;
    size_t bytes;
};

/// What one rank asks of another, which does not expect it.
struct Request {
    int64_t peer;
    std::vector<char> bytes;
};

/// One rank's end. All operations throw RuntimeError [lost-rank] if a peer has not answered within the time limit,
/// and [transport-failed] if the library below reports an error; the transport cannot be used afterwards.
class Transport {
  public:
    virtual ~Transport() = default;
    virtual int64_t rank() const = 0;
    virtual int64_t ranks() const = 0;

    /// Starts sending and receiving; at most one message per peer, direction and tag. The memory stays valid, and
    /// the contents of what is sent unchanged, until `finish` has returned for the tag.
    virtual void start(int64_t tag, const std::vector<Outgoing> &sends, const std::vector<Incoming> &receives) = 0;
    /// Waits for what arrives by the tag; what is sent may be on its way until `finish`, which follows.
    virtual void receive(int64_t tag) = 0;
    /// Waits for all messages of the tag.
    virtual void finish(int64_t tag) = 0;
    /// Lets messages progress while this rank computes; never waits.
    virtual void progress() = 0;

    /// Collective: sends requests to peers that do not know how many will arrive, and returns what peers ask of this
    /// rank, ordered by peer. At most one request per peer.
    virtual std::vector<Request> exchange_requests(const std::vector<Request> &requests) = 0;
    /// Collective: the values of all ranks, by rank.
    virtual std::vector<uint64_t> gather(uint64_t value) = 0;

    /// Whether an operation of this rank has thrown [lost-rank].
    virtual bool has_lost_peer() const { return false; }

    /// The receiver reads messages of so many bytes or more from the sender's memory. Both ranks return the same
    /// number, once `exchange_requests` has been called.
    virtual size_t least_read_in_place(int64_t) const { return std::numeric_limits<size_t>::max(); }
    /// The number that stands for an address of this rank in messages to such peers; none if they cannot read the
    /// memory.
    virtual std::optional<uint64_t> shared_address_of(const char *) const { return std::nullopt; }
    /// The address at which this rank reads the memory for which a peer has sent this number.
    virtual const char *peer_memory_at(int64_t, uint64_t) const { return nullptr; }
};

/// The transport of a program on one rank.
class NoTransport : public Transport {
  public:
    int64_t rank() const override { return 0; }
    int64_t ranks() const override { return 1; }
    void start(int64_t, const std::vector<Outgoing> &, const std::vector<Incoming> &) override {}
    void receive(int64_t) override {}
    void finish(int64_t) override {}
    void progress() override {}
    std::vector<Request> exchange_requests(const std::vector<Request> &requests) override { return requests; }
    std::vector<uint64_t> gather(uint64_t value) override { return {value}; }
};

} // namespace fluorite::distribute
