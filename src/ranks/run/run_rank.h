#pragma once
// Runs one rank's part of a distributed program.

#include "ranks/run/actions.h"
#include "ranks/run/reads_in_place.h"

#include <optional>

namespace fluorite::distribute {

/// The memory and the messages of one rank, kept from one run to the next.
class RankRun {
  public:
    /// The program outlives the run.
    RankRun(const DistributedProgram &program, RankPlan plan, const RunOptions &options = {});

    /// Collective. `bound` is by array: memory of the inputs and outputs; it contains what the rank owns of them (all
    /// of the domain, if every rank has them). Inputs and outputs whose memory has room for what is received and
    /// computed beyond that are used in place, others are copied. Elements of inputs beyond what the rank owns are
    /// overwritten. Inner arrays may be bound, too, where there is room.
    void run(const std::vector<ArrayView> &bound, Transport &transport);

    const RankPlan &plan() const { return plan_; }
    const std::vector<Action> &actions() const { return actions_; }
    /// Messages that this rank sends in a run.
    int64_t messages() const;
    /// Memory of arrays that is not the caller's, as far as it has been needed.
    int64_t bytes_allocated() const;
    /// Fills memory with a pattern before each run, so that what was neither computed nor received shows.
    void set_poison(bool on) { poisons_ = on; }

  private:
    const DistributedProgram &program_;
    RankPlan plan_;
    RunOptions options_;
    std::vector<Action> actions_;
    std::vector<OwnedArray> own_; // by slot, where memory is not the caller's
    std::vector<ArrayView> views_;
    std::vector<bool> is_used_; // by a segment; other arrays are read where they are bound
    struct Messages {
        MemoryBlock sent, received;
        /// By message, where the receiver reads the sender's memory: for each box its place and its strides.
        std::vector<std::vector<uint64_t>> sent_addresses, received_addresses;
        /// By message and transfer: received boxes in the sender's memory that are not copied. No data: others.
        std::vector<std::vector<ArrayView>> in_place;
    };
    std::vector<Messages> messages_; // by segment
    std::optional<ReadsInPlace> reads_in_place_;
    bool poisons_ = false;

    void bind(const std::vector<ArrayView> &bound, const Transport &transport);
    size_t slot(size_t array) const { return options_.slots.empty() ? array : options_.slots[array]; }
    Readers readers_of(size_t array, const Transport &transport) const;
    void allocate(size_t array, const std::vector<ArrayView> &bound, const Transport &transport);
    bool travels(const Action &action, const Transfer &transfer) const;
    void start(const Action &action, Transport &transport);
    void finish(const Action &action, Transport &transport);
    void compute(size_t action);
    bool is_read_in_place(const Message &message, const Transport &transport) const;
    void write_addresses(const Action &action, size_t message, char *packed, const Transport &transport);
    void read_addresses(const Action &action, size_t message, const Transport &transport);
    void wait_for_readers(Transport &transport);
};

} // namespace fluorite::distribute
