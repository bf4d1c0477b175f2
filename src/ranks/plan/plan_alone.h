#pragma once
// Plans of one rank of many, made without the others: for machines that are not there.

#include "ranks/plan/plan_rank.h"

namespace fluorite::distribute {

/// What plan_rank gives on rank `rank` of `ranks`, if only ranks that this one needs values of need values of it, as is
/// so for stencils of any kind. Cost: a plan for each of these ranks, whatever their number.
RankPlan plan_alone(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks);

/// The transport of a rank whose peers are not there: they agree with it, and ask of it what they would.
class LoneTransport : public Transport {
  public:
    LoneTransport(int64_t rank, int64_t ranks, std::vector<Request> requests = {})
        : rank_(rank), ranks_(ranks), requests_(std::move(requests)) {}
    int64_t rank() const override { return rank_; }
    int64_t ranks() const override { return ranks_; }
    void start(int64_t, const std::vector<Outgoing> &, const std::vector<Incoming> &) override {}
    void receive(int64_t) override {}
    void finish(int64_t) override {}
    void progress() override {}
    std::vector<Request> exchange_requests(const std::vector<Request> &requests) override {
        sent_ = requests;
        return requests_;
    }
    std::vector<uint64_t> gather(uint64_t value) override {
        return std::vector<uint64_t>(static_cast<size_t>(ranks_), value);
    }
    /// What this rank would have asked of its peers.
    const std::vector<Request> &sent_requests() const { return sent_; }

  private:
    int64_t rank_, ranks_;
    std::vector<Request> requests_, sent_;
};

/// What the peers of a rank would ask of it, for LoneTransport.
std::vector<Request> requests_for(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank,
                                  int64_t ranks);

} // namespace fluorite::distribute
