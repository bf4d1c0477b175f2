#pragma once
// Plans of one rank of many, made without the others: for machines that are not there.

#include "ranks/plan/plan_rank.h"

namespace fluorite::distribute {

/// What plan_rank gives on rank `rank` of `ranks`, if only ranks that this one needs values of need values of it, as is
/// so for stencils of any kind. Cost: a plan for each of these ranks, whatever their number.
RankPlan plan_alone(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks);

/// The transport of a rank whose peers are not there: they agree with it, and tell it what they would.
class LoneTransport : public Transport {
  public:
    LoneTransport(int64_t rank, int64_t ranks, std::vector<Parcel> parcels = {})
        : rank_(rank), ranks_(ranks), parcels_(std::move(parcels)) {}
    int64_t rank() const override { return rank_; }
    int64_t ranks() const override { return ranks_; }
    void start(int64_t, const std::vector<Outgoing> &, const std::vector<Incoming> &) override {}
    void receive(int64_t) override {}
    void finish(int64_t) override {}
    void poke() override {}
    std::vector<Parcel> deliver(const std::vector<Parcel> &parcels) override {
        delivered_ = parcels;
        return parcels_;
    }
    std::vector<uint64_t> gather(uint64_t value) override {
        return std::vector<uint64_t>(static_cast<size_t>(ranks_), value);
    }
    /// What this rank would have told its peers.
    const std::vector<Parcel> &delivered() const { return delivered_; }

  private:
    int64_t rank_, ranks_;
    std::vector<Parcel> parcels_, delivered_;
};

/// What the peers of a rank would tell it, for LoneTransport.
std::vector<Parcel> parcels_for(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank,
                                int64_t ranks);

} // namespace fluorite::distribute
