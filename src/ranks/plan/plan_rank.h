#pragma once
// What one rank does in a distributed program: the regions that it computes, its memory, and its exchanges.

#include "ranks/plan/halo_plan.h"
#include "ranks/plan/program.h"
#include "ranks/transport/transport.h"

namespace fluorite::distribute {

/// All members are by array, except `exchanges`.
struct RankPlan {
    int64_t rank = 0, ranks = 1;
    std::vector<Box> domains; // all that any rank needs or computes
    std::vector<Layout> layouts;
    std::vector<Box> owned;    // what other ranks may receive from this one
    std::vector<Box> computed; // what the segments of this rank write
    std::vector<Box> needs;    // what they read
    std::vector<Box> memory;   // contains all of these
    /// By segment: what is exchanged before it runs. Flow f of the plan is array flows[f].
    struct Exchange {
        std::vector<size_t> flows;
        HaloPlan plan;
        size_t ready = 0; // the exchange can start when so many segments have run
    };
    std::vector<Exchange> exchanges;

    /// The coordinates of an array that have values: the domain, endless in dimensions that are periodic.
    Box readable(size_t array) const;

    /// The memory of the rank and the least that its part would take, in bytes, without inputs that all ranks have.
    int64_t bytes_allocated(const DistributedProgram &program) const;
    int64_t bytes_owned(const DistributedProgram &program) const;
};

/// How a placement cuts a domain. Throws RuntimeError [bad-distribution] where it cannot; `name` says of what.
Layout layout_of(const Placement &placement, const Box &domain, int64_t ranks, const std::string &name);

/// Collective: every rank calls it with the same program and domains. `domains` are by array; those of inner arrays are
/// not read. Throws RuntimeError on every rank: [ranks-disagree] where programs or domains differ between ranks,
/// [bad-distribution] where a placement is none, [distributed-read] where an input is read outside of its domain.
RankPlan plan_rank(const DistributedProgram &program, const std::vector<Box> &domains, Transport &transport);

/// The domains of all arrays: what segments write and read so that the outputs' domains are computed. Not collective.
/// Throws like plan_rank, [ranks-disagree] excepted.
std::vector<Box> domains_of(const DistributedProgram &program, const std::vector<Box> &domains);

/// The plan without the messages that the rank sends, and without a check that the ranks agree. A caller that plans all
/// ranks in one place derives the sends from the receives. `domains` are of all arrays (domains_of).
RankPlan plan_receives(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks);

/// The same without exchanges, and without a check that the ranks agree: not collective.
RankPlan plan_regions(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks);

} // namespace fluorite::distribute
