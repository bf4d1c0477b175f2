// Runs one rank's part of a distributed program.
//
// The order of exchanges and computations is decided once (actions.h), so that messages travel while segments compute.
// MPI libraries may move messages only inside of their calls, hence one call after each computation (Transport::poke).
//
// A rank that computes waits for what it receives only. What it sends is in packed messages of its own, so the peer may
// take it as late as the end of the run: whoever is ahead goes on.
//
// All boxes for one peer are packed into one message. The memory of messages and arrays is kept for the next run.

#include "distribute/execute/run_rank.h"

#include "fluorite/errors.h"
#include "support/check.h"

namespace fluorite::distribute {

namespace {

bool has_room(const ArrayView &view, const Box &box) {
    return view.data && (empty(box) || intersect(view.box, box) == box);
}

size_t slot_count(const DistributedProgram &program, const RunOptions &options) {
    size_t count = program.arrays.size();
    for (const size_t slot : options.slots) {
        count = std::max(count, slot + 1);
    }
    return count;
}

} // namespace

RankRun::RankRun(const DistributedProgram &program, RankPlan plan, const RunOptions &options)
    : program_(program), plan_(std::move(plan)), options_(options), actions_(plan_actions(program, plan_, options)),
      own_(slot_count(program, options)), views_(program.arrays.size()), is_used_(program.arrays.size(), false),
      mail_(program.segments.size()) {
    for (const Segment &segment : program_.segments) {
        for (const std::vector<size_t> *arrays : {&segment.reads, &segment.writes}) {
            for (const size_t a : *arrays) {
                is_used_[a] = true;
            }
        }
    }
    for (size_t s = 0; s < mail_.size(); s++) {
        mail_[s].sent.resize(static_cast<size_t>(plan_.exchanges[s].plan.bytes_sent()));
        mail_[s].received.resize(static_cast<size_t>(plan_.exchanges[s].plan.bytes_received()));
    }
}

/// Allocates the memory of an array and of all that share it.
void RankRun::allocate(size_t array, const std::vector<ArrayView> &bound) {
    Box box = plan_.memory[array];
    for (size_t a = 0; a < views_.size(); a++) {
        if (is_used_[a] && slot(a) == slot(array) && !has_room(bound[a], plan_.memory[a])) {
            box = hull(box, plan_.memory[a]);
        }
    }
    own_[slot(array)] = OwnedArray(box, program_.arrays[array].bytes, program_.arrays[array].order);
}

void RankRun::bind(const std::vector<ArrayView> &bound) {
    std::vector<bool> is_poisoned(own_.size(), false);
    for (size_t a = 0; a < views_.size(); a++) {
        if (!is_used_[a]) {
            continue;
        }
        const Array &array = program_.arrays[a];
        if (array.role != Array::Role::Inner && !has_room(bound[a], plan_.owned[a])) {
            throw RuntimeError("bad-distribution",
                               concat("on rank ", plan_.rank, ": the memory of ", array.name, " has ",
                                      to_string(bound[a].box), ", and the rank owns ", to_string(plan_.owned[a]),
                                      "; memory holds at least what the rank owns; allocate it for this pipeline"));
        }
        if (has_room(bound[a], plan_.memory[a])) {
            views_[a] = bound[a];
            continue;
        }
        if (own_[slot(a)].view().data == nullptr) {
            allocate(a, bound);
        }
        views_[a] = own_[slot(a)].view();
        if (poisons_ && !is_poisoned[slot(a)]) {
            poison(views_[a]);
            is_poisoned[slot(a)] = true;
        }
        if (array.role == Array::Role::Input) {
            const Box used =
                intersect(plan_.owned[a], plan_.memory[a]); // of what all ranks have, the part that is read
            copy_box(bound[a], used, views_[a], used);
        }
    }
}

/// In the basic mode, an action is about one array.
bool RankRun::travels(const Action &action, const Transfer &transfer) const {
    return options_.mode != ExchangeMode::Basic || transfer.flow == action.flow;
}

void RankRun::start(const Action &action, Transport &transport) {
    const RankPlan::Exchange &exchange = plan_.exchanges[action.segment];
    const HaloPlan &plan = exchange.plan;
    std::vector<Outgoing> sends;
    std::vector<Incoming> receives;
    for (const Transfer &transfer : plan.local) { // a periodic array wraps around on one rank
        if (travels(action, transfer)) {
            const ArrayView &view = views_[exchange.flows[transfer.flow]];
            copy_box(view, transfer.source, view, transfer.destination);
        }
    }
    // Boxes of one array are neighbours in a message.
    char *at = mail_[action.segment].sent.data();
    for (const Message &message : plan.sends) {
        char *first = nullptr;
        size_t bytes = 0;
        for (const Transfer &transfer : message.transfers) {
            if (travels(action, transfer)) {
                first = first ? first : at + transfer.offset;
                bytes += static_cast<size_t>(transfer.bytes);
                pack(views_[exchange.flows[transfer.flow]], transfer.source, at + transfer.offset);
            }
        }
        if (first) {
            sends.push_back({message.peer, first, bytes});
        }
        at += message.bytes;
    }
    at = mail_[action.segment].received.data();
    for (const Message &message : plan.receives) {
        char *first = nullptr;
        size_t bytes = 0;
        for (const Transfer &transfer : message.transfers) {
            if (travels(action, transfer)) {
                first = first ? first : at + transfer.offset;
                bytes += static_cast<size_t>(transfer.bytes);
            }
        }
        if (first) {
            receives.push_back({message.peer, first, bytes});
        }
        at += message.bytes;
    }
    transport.start(plan.tag, sends, receives);
}

void RankRun::finish(const Action &action, Transport &transport) {
    const RankPlan::Exchange &exchange = plan_.exchanges[action.segment];
    if (options_.mode == ExchangeMode::Basic) { // the next array has the same tag
        transport.finish(exchange.plan.tag);
    } else {
        transport.receive(exchange.plan.tag);
    }
    const char *at = mail_[action.segment].received.data();
    for (const Message &message : exchange.plan.receives) {
        for (const Transfer &transfer : message.transfers) {
            if (travels(action, transfer)) {
                unpack(at + transfer.offset, views_[exchange.flows[transfer.flow]], transfer.destination);
            }
        }
        at += message.bytes;
    }
}

void RankRun::compute(const Action &action) {
    const Segment &segment = program_.segments[action.segment];
    std::vector<ArrayView> reads, writes;
    for (const size_t a : segment.reads) {
        reads.push_back(views_[a]);
    }
    for (size_t i = 0; i < segment.writes.size(); i++) {
        writes.push_back(views_[segment.writes[i]].cropped(action.writes[i]));
    }
    segment.compute(reads, writes);
}

void RankRun::run(const std::vector<ArrayView> &bound, Transport &transport) {
    bind(bound);
    for (const Action &action : actions_) {
        switch (action.kind) {
        case Action::Kind::Start:
            start(action, transport);
            break;
        case Action::Kind::Finish:
            finish(action, transport);
            break;
        case Action::Kind::Compute:
            compute(action);
            transport.poke();
            break;
        }
    }
    for (size_t a = 0; a < views_.size(); a++) {
        if (program_.arrays[a].role == Array::Role::Output && views_[a].data != bound[a].data) {
            copy_box(views_[a], plan_.owned[a], bound[a], plan_.owned[a]);
        }
    }
    for (const Action &action : actions_) {
        if (action.kind == Action::Kind::Start) {
            transport.finish(plan_.exchanges[action.segment].plan.tag);
        }
    }
}

int64_t RankRun::bytes_allocated() const {
    int64_t bytes = 0;
    for (const OwnedArray &array : own_) {
        bytes += array.size();
    }
    return bytes;
}

int64_t RankRun::messages() const {
    int64_t count = 0;
    for (const Action &action : actions_) {
        if (action.kind == Action::Kind::Start) {
            for (const Message &message : plan_.exchanges[action.segment].plan.sends) {
                const auto travels_with = [&](const Transfer &transfer) { return travels(action, transfer); };
                count += std::any_of(message.transfers.begin(), message.transfers.end(), travels_with) ? 1 : 0;
            }
        }
    }
    return count;
}

} // namespace fluorite::distribute
