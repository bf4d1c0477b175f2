// Reads of received boxes where the sender has them.
//
// The boundary of a transposition reads what one peer sends and nothing else; a stencil reads rows of its own beside
// the received ones, which have to lie in one memory. So boxes are compared: of each computation after the messages
// are there, what it reads of an array lies inside of one received box, or beside it, or the box is copied.

#include "ranks/run/reads_in_place.h"

#include <algorithm>

namespace fluorite::distribute {

namespace {

size_t finish_of(size_t segment, const std::vector<Action> &actions) {
    const auto found = std::find_if(actions.begin(), actions.end(), [&](const Action &action) {
        return action.kind == Action::Kind::Finish && action.segment == segment;
    });
    return static_cast<size_t>(found - actions.begin());
}

} // namespace

ReadsInPlace find_reads_in_place(const DistributedProgram &program, const RankPlan &plan,
                                 const std::vector<Action> &actions) {
    ReadsInPlace result;
    std::vector<std::vector<Box>> boxes; // that actions read, by read of the segment
    for (const Action &action : actions) {
        const bool computes = action.kind == Action::Kind::Compute;
        boxes.push_back(computes ? program.segments[action.segment].boxes(action.writes).reads : std::vector<Box>());
        result.reads.emplace_back(boxes.back().size());
    }
    for (size_t s = 0; s < plan.exchanges.size(); s++) {
        const RankPlan::Exchange &exchange = plan.exchanges[s];
        const size_t finish = finish_of(s, actions);
        result.is_copied.emplace_back();
        for (size_t m = 0; m < exchange.plan.receives.size(); m++) {
            const Message &message = exchange.plan.receives[m];
            result.is_copied[s].emplace_back();
            for (size_t t = 0; t < message.transfers.size(); t++) {
                const Box &received = message.transfers[t].destination;
                std::vector<std::optional<ReceivedBox> *> reads;
                bool is_copied = false;
                for (size_t i = finish; i < actions.size(); i++) {
                    for (size_t r = 0; r < boxes[i].size(); r++) {
                        const Box &box = boxes[i][r];
                        if (program.segments[actions[i].segment].reads[r] !=
                                exchange.flows[message.transfers[t].flow] ||
                            empty(intersect(box, received))) {
                            continue;
                        }
                        is_copied = is_copied || intersect(box, received) != box;
                        reads.push_back(&result.reads[i][r]);
                    }
                }
                is_copied = is_copied || reads.empty();
                result.is_copied[s][m].push_back(is_copied);
                for (std::optional<ReceivedBox> *read : reads) {
                    if (!is_copied) {
                        *read = ReceivedBox{s, m, t};
                    }
                }
            }
        }
    }
    return result;
}

} // namespace fluorite::distribute
