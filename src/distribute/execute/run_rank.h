#pragma once
// Runs one rank's part of a distributed program.

#include "distribute/execute/actions.h"

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
    struct Mail {
        std::vector<char> sent, received;
    };
    std::vector<Mail> mail_; // by segment
    bool poisons_ = false;

    void bind(const std::vector<ArrayView> &bound);
    size_t slot(size_t array) const { return options_.slots.empty() ? array : options_.slots[array]; }
    void allocate(size_t array, const std::vector<ArrayView> &bound);
    bool travels(const Action &action, const Transfer &transfer) const;
    void start(const Action &action, Transport &transport);
    void finish(const Action &action, Transport &transport);
    void compute(const Action &action);
};

} // namespace fluorite::distribute
