// Runs one rank's part of a distributed program.
//
// An exchange starts as soon as the segments that compute its arrays have run, and is waited for right before the first
// segment that reads them, so that messages travel while other segments compute. MPI libraries may move messages only
// inside of their calls, hence one call after each segment (Transport::poke).
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

} // namespace

RankRun::RankRun(const DistributedProgram &program, RankPlan plan)
    : program_(program), plan_(std::move(plan)), own_(program.arrays.size()), views_(program.arrays.size()),
      is_used_(program.arrays.size(), false), mail_(program.segments.size()) {
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

void RankRun::bind(const std::vector<ArrayView> &bound) {
    for (size_t a = 0; a < views_.size(); a++) {
        if (!is_used_[a]) {
            continue;
        }
        const Array &array = program_.arrays[a];
        const bool is_inner = array.role == Array::Role::Inner;
        if (!is_inner && !has_room(bound[a], plan_.owned[a])) {
            throw RuntimeError("bad-distribution",
                               concat("on rank ", plan_.rank, ": the memory of ", array.name, " has ",
                                      to_string(bound[a].box), ", and the rank owns ", to_string(plan_.owned[a]),
                                      "; memory holds at least what the rank owns; allocate it for this pipeline"));
        }
        if (!is_inner && has_room(bound[a], plan_.memory[a])) {
            views_[a] = bound[a];
            continue;
        }
        if (own_[a].view().data == nullptr) {
            own_[a] = OwnedArray(plan_.memory[a], array.bytes);
        }
        views_[a] = own_[a].view();
        if (poisons_) {
            poison(views_[a]);
        }
        if (array.role == Array::Role::Input) {
            const Box used =
                intersect(plan_.owned[a], plan_.memory[a]); // of what all ranks have, the part that is read
            copy_box(bound[a], used, views_[a], used);
        }
    }
}

void RankRun::start(size_t segment, Transport &transport) {
    const RankPlan::Exchange &exchange = plan_.exchanges[segment];
    const HaloPlan &plan = exchange.plan;
    std::vector<Outgoing> sends;
    std::vector<Incoming> receives;
    char *at = mail_[segment].sent.data();
    for (const Message &message : plan.sends) {
        for (const Transfer &transfer : message.transfers) {
            pack(views_[exchange.flows[transfer.flow]], transfer.source, at + transfer.offset);
        }
        sends.push_back({message.peer, at, static_cast<size_t>(message.bytes)});
        at += message.bytes;
    }
    at = mail_[segment].received.data();
    for (const Message &message : plan.receives) {
        receives.push_back({message.peer, at, static_cast<size_t>(message.bytes)});
        at += message.bytes;
    }
    transport.start(plan.tag, sends, receives);
}

void RankRun::finish(size_t segment, Transport &transport) {
    const RankPlan::Exchange &exchange = plan_.exchanges[segment];
    transport.finish(exchange.plan.tag);
    const char *at = mail_[segment].received.data();
    for (const Message &message : exchange.plan.receives) {
        for (const Transfer &transfer : message.transfers) {
            unpack(at + transfer.offset, views_[exchange.flows[transfer.flow]], transfer.destination);
        }
        at += message.bytes;
    }
}

void RankRun::compute(size_t segment) {
    const Segment &one = program_.segments[segment];
    std::vector<ArrayView> reads, writes;
    bool computes = false;
    for (const size_t a : one.reads) {
        reads.push_back(views_[a]);
    }
    for (const size_t a : one.writes) {
        computes = computes || !empty(plan_.computed[a]);
        writes.push_back(views_[a].cropped(plan_.computed[a]));
    }
    if (computes) {
        one.compute(reads, writes);
    }
}

void RankRun::run(const std::vector<ArrayView> &bound, Transport &transport) {
    bind(bound);
    const size_t count = program_.segments.size();
    for (size_t done = 0; done <= count; done++) {
        for (size_t s = done; s < count; s++) {
            const RankPlan::Exchange &exchange = plan_.exchanges[s];
            if (exchange.ready == done && !exchange.flows.empty()) {
                start(s, transport);
            }
        }
        if (done < count) {
            if (!plan_.exchanges[done].flows.empty()) {
                finish(done, transport);
            }
            compute(done);
            transport.poke();
        }
    }
    for (size_t a = 0; a < views_.size(); a++) {
        if (program_.arrays[a].role == Array::Role::Output && views_[a].data != bound[a].data) {
            copy_box(views_[a], plan_.owned[a], bound[a], plan_.owned[a]);
        }
    }
}

} // namespace fluorite::distribute
