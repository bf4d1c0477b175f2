#include "ranks/plan/plan_alone.h"

#include <algorithm>

namespace fluorite::distribute {

std::vector<Parcel> parcels_for(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank,
                                int64_t ranks) {
    LoneTransport own(rank, ranks);
    (void)plan_rank(program, domains, own);
    std::vector<Parcel> parcels;
    for (const Parcel &asked : own.delivered()) {
        LoneTransport peer(asked.peer, ranks);
        (void)plan_rank(program, domains, peer);
        for (const Parcel &parcel : peer.delivered()) {
            if (parcel.peer == rank) {
                parcels.push_back({asked.peer, parcel.bytes});
            }
        }
    }
    std::sort(parcels.begin(), parcels.end(), [](const Parcel &a, const Parcel &b) { return a.peer < b.peer; });
    return parcels;
}

RankPlan plan_alone(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks) {
    LoneTransport transport(rank, ranks, parcels_for(program, domains, rank, ranks));
    return plan_rank(program, domains, transport);
}

} // namespace fluorite::distribute
