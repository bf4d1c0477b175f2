#include "ranks/plan/plan_alone.h"

#include <algorithm>

namespace fluorite::distribute {

std::vector<Request> requests_for(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank,
                                  int64_t ranks) {
    LoneTransport own(rank, ranks);
    (void)plan_rank(program, domains, own);
    std::vector<Request> requests;
    for (const Request &asked : own.sent_requests()) {
        LoneTransport peer(asked.peer, ranks);
        (void)plan_rank(program, domains, peer);
        for (const Request &request : peer.sent_requests()) {
            if (request.peer == rank) {
                requests.push_back({asked.peer, request.bytes});
            }
        }
    }
    std::sort(requests.begin(), requests.end(), [](const Request &a, const Request &b) { return a.peer < b.peer; });
    return requests;
}

RankPlan plan_alone(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks) {
    LoneTransport transport(rank, ranks, requests_for(program, domains, rank, ranks));
    return plan_rank(program, domains, transport);
}

} // namespace fluorite::distribute
