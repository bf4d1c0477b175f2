// Runs one rank's part of a distributed program.
//
// The order of exchanges and computations is decided once (actions.h), so that messages travel while segments compute.
// MPI libraries may move messages only inside of their calls, hence one call after each computation
// (Transport::progress).
//
// A rank that computes waits for what it receives only. What it sends is in packed messages of its own, so the peer may
// take it as late as the end of the run: whoever is ahead goes on.
//
// All boxes for one peer are packed into one message. The memory of messages and arrays is kept for the next run.
//
// Long messages between ranks of one machine are not sent. The sender passes the address of the values, which is in the
// array itself if its peers can read that. The receiver copies the values, or reads them in place if its computation
// reads nothing else of the array. They must not change before they have been read, not even after the run, when the
// caller may write to the array. So at the end of a run, both ranks of such a message wait for each other. If one of
// them fails before that, the other fails there as well: no rank returns values that it has read too late. Arrays that
// share memory change within a run, so their messages are sent.

#include "ranks/run/run_rank.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>
#include <atomic>
#include <set>

namespace fluorite::distribute {

namespace {

bool has_room(const ArrayView &view, const Box &box) {
    return view.data && (empty(box) || intersect(view.box, box) == box);
}

constexpr int64_t parting_tag = 16382; // above those of exchanges

/// Numbers that say where a message's boxes are.
size_t numbers_of(const Message &message) {
    size_t count = 0;
    for (const Transfer &transfer : message.transfers) {
        count += 1 + transfer.source.size();
    }
    return count;
}

/// Compiled segments rely on which dimension is dense.
bool has_same_dense_dimensions(const ArrayView &a, const ArrayView &b) {
    for (size_t d = 0; d < a.strides.size(); d++) {
        if ((a.strides[d] == 1) != (b.strides[d] == 1)) {
            return false;
        }
    }
    return true;
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
      messages_(program.segments.size()) {
    for (const Segment &segment : program_.segments) {
        for (const std::vector<size_t> *arrays : {&segment.reads, &segment.writes}) {
            for (const size_t a : *arrays) {
                is_used_[a] = true;
            }
        }
    }
    for (size_t s = 0; s < messages_.size(); s++) {
        const HaloPlan &exchange = plan_.exchanges[s].plan;
        messages_[s].sent = MemoryBlock(static_cast<size_t>(exchange.bytes_sent()), Readers::Peers);
        messages_[s].received = MemoryBlock(static_cast<size_t>(exchange.bytes_received()), Readers::Own);
        messages_[s].sent_addresses.resize(exchange.sends.size());
        messages_[s].received_addresses.resize(exchange.receives.size());
        messages_[s].in_place.resize(exchange.receives.size());
    }
}

/// Whether a peer may read the memory of an array.
Readers RankRun::readers_of(size_t array, const Transport &transport) const {
    for (const RankPlan::Exchange &exchange : plan_.exchanges) {
        for (const Message &message : exchange.plan.sends) {
            const auto is_of_it = [&](const Transfer &transfer) {
                return slot(exchange.flows[transfer.flow]) == slot(array);
            };
            if (is_read_in_place(message, transport) &&
                std::any_of(message.transfers.begin(), message.transfers.end(), is_of_it)) {
                return Readers::Peers;
            }
        }
    }
    return Readers::Own;
}

/// Allocates the memory of an array and of all that share it.
void RankRun::allocate(size_t array, const std::vector<ArrayView> &bound, const Transport &transport) {
    Box box = plan_.memory[array];
    for (size_t a = 0; a < views_.size(); a++) {
        if (is_used_[a] && slot(a) == slot(array) && !has_room(bound[a], plan_.memory[a])) {
            box = hull(box, plan_.memory[a]);
        }
    }
    own_[slot(array)] =
        OwnedArray(box, program_.arrays[array].bytes, program_.arrays[array].order, readers_of(array, transport));
}

void RankRun::bind(const std::vector<ArrayView> &bound, const Transport &transport) {
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
            if (poisons_ && array.role == Array::Role::Input && !plan_.memory[a].empty()) {
                poison_around(bound[a].cropped(plan_.memory[a]), plan_.owned[a]);
            }
            continue;
        }
        if (own_[slot(a)].view().data == nullptr) {
            allocate(a, bound, transport);
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

bool RankRun::is_read_in_place(const Message &message, const Transport &transport) const {
    return options_.mode != ExchangeMode::Basic && options_.slots.empty() &&
           static_cast<size_t>(message.bytes) >= transport.least_read_in_place(message.peer);
}

/// Says where the boxes of a message are: in their arrays, or packed, where peers cannot read an array's memory.
void RankRun::write_addresses(const Action &action, size_t message, char *packed, const Transport &transport) {
    const RankPlan::Exchange &exchange = plan_.exchanges[action.segment];
    std::vector<uint64_t> &sent_addresses = messages_[action.segment].sent_addresses[message];
    sent_addresses.clear();
    for (const Transfer &transfer : exchange.plan.sends[message].transfers) {
        const ArrayView &array = views_[exchange.flows[transfer.flow]];
        ArrayView box = array.cropped(transfer.source);
        std::optional<uint64_t> address = transport.shared_address_of(box.data);
        if (!address) {
            pack(array, transfer.source, packed + transfer.offset);
            box = {transfer.source, packed + transfer.offset, dense_strides(transfer.source), array.bytes};
            address = transport.shared_address_of(box.data);
        }
        if (!address) { // of long messages, the memory is shared
            throw std::bad_alloc();
        }
        sent_addresses.push_back(*address);
        sent_addresses.insert(sent_addresses.end(), box.strides.begin(), box.strides.end());
    }
}

/// Copies the boxes of a message from the sender's memory, or notes where they are.
void RankRun::read_addresses(const Action &action, size_t message, const Transport &transport) {
    if (!reads_in_place_) {
        reads_in_place_ = find_reads_in_place(program_, plan_, actions_);
    }
    const RankPlan::Exchange &exchange = plan_.exchanges[action.segment];
    const Message &plan = exchange.plan.receives[message];
    Messages &messages = messages_[action.segment];
    std::vector<ArrayView> &in_place = messages.in_place[message];
    in_place.assign(plan.transfers.size(), {});
    auto next = messages.received_addresses[message].begin();
    for (size_t t = 0; t < plan.transfers.size(); t++) {
        const Transfer &transfer = plan.transfers[t];
        const ArrayView &array = views_[exchange.flows[transfer.flow]];
        // The values are only read.
        ArrayView box{transfer.destination,
                      const_cast<char *>(transport.peer_memory_at(plan.peer, *next++)),
                      {}, // NOLINT
                      array.bytes};
        for (size_t d = 0; d < transfer.source.size(); d++) {
            box.strides.push_back(static_cast<int64_t>(*next++));
        }
        if (reads_in_place_->is_copied[action.segment][message][t] || !has_same_dense_dimensions(box, array)) {
            copy_box(box, transfer.destination, array, transfer.destination);
        } else {
            in_place[t] = box;
        }
    }
}

/// Waits until all that read values of this rank have done so, and tells those that it has read from.
void RankRun::wait_for_readers(Transport &transport) {
    std::set<int64_t> peers;
    for (const RankPlan::Exchange &exchange : plan_.exchanges) {
        for (const std::vector<Message> *messages : {&exchange.plan.sends, &exchange.plan.receives}) {
            for (const Message &message : *messages) {
                if (is_read_in_place(message, transport)) {
                    peers.insert(message.peer);
                }
            }
        }
    }
    if (peers.empty()) {
        return;
    }
    const char sent = 0;
    std::vector<char> received(peers.size());
    std::vector<Outgoing> sends;
    std::vector<Incoming> receives;
    for (const int64_t peer : peers) {
        receives.push_back({peer, &received[receives.size()], 1});
        sends.push_back({peer, &sent, 1});
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    transport.start(parting_tag, sends, receives);
    transport.finish(parting_tag);
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
    Messages &messages = messages_[action.segment];
    char *at = messages.sent.data();
    for (size_t m = 0; m < plan.sends.size(); m++) {
        const Message &message = plan.sends[m];
        if (is_read_in_place(message, transport)) {
            write_addresses(action, m, at, transport);
            sends.push_back({message.peer, reinterpret_cast<const char *>(messages.sent_addresses[m].data()), // NOLINT
                             messages.sent_addresses[m].size() * sizeof(uint64_t)});
            at += message.bytes;
            continue;
        }
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
    at = messages.received.data();
    for (size_t m = 0; m < plan.receives.size(); m++) {
        const Message &message = plan.receives[m];
        if (is_read_in_place(message, transport)) {
            messages.received_addresses[m].resize(numbers_of(message));
            receives.push_back({message.peer, reinterpret_cast<char *>(messages.received_addresses[m].data()), // NOLINT
                                messages.received_addresses[m].size() * sizeof(uint64_t)});
            at += message.bytes;
            continue;
        }
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
    std::atomic_thread_fence(std::memory_order_seq_cst); // others may read this rank's memory
    transport.start(plan.tag, sends, receives);
}

void RankRun::finish(const Action &action, Transport &transport) {
    const RankPlan::Exchange &exchange = plan_.exchanges[action.segment];
    if (options_.mode == ExchangeMode::Basic) { // the next array has the same tag
        transport.finish(exchange.plan.tag);
    } else {
        transport.receive(exchange.plan.tag);
    }
    const char *at = messages_[action.segment].received.data();
    for (size_t m = 0; m < exchange.plan.receives.size(); m++) {
        const Message &message = exchange.plan.receives[m];
        if (is_read_in_place(message, transport)) {
            read_addresses(action, m, transport);
            at += message.bytes;
            continue;
        }
        messages_[action.segment].in_place[m].clear();
        for (const Transfer &transfer : message.transfers) {
            if (travels(action, transfer)) {
                unpack(at + transfer.offset, views_[exchange.flows[transfer.flow]], transfer.destination);
            }
        }
        at += message.bytes;
    }
}

void RankRun::compute(size_t number) {
    const Action &action = actions_[number];
    const Segment &segment = program_.segments[action.segment];
    std::vector<ArrayView> reads, writes;
    for (size_t r = 0; r < segment.reads.size(); r++) {
        reads.push_back(views_[segment.reads[r]]);
        const std::optional<ReceivedBox> box =
            reads_in_place_ ? reads_in_place_->reads[number][r] : std::optional<ReceivedBox>();
        if (box) {
            const std::vector<ArrayView> &in_place = messages_[box->segment].in_place[box->message];
            if (box->transfer < in_place.size() && in_place[box->transfer].data) {
                reads.back() = in_place[box->transfer];
            }
        }
    }
    for (size_t i = 0; i < segment.writes.size(); i++) {
        writes.push_back(views_[segment.writes[i]].cropped(action.writes[i]));
    }
    segment.compute(reads, writes);
}

void RankRun::run(const std::vector<ArrayView> &bound, Transport &transport) {
    bind(bound, transport);
    for (size_t i = 0; i < actions_.size(); i++) {
        const Action &action = actions_[i];
        switch (action.kind) {
        case Action::Kind::Start:
            start(action, transport);
            break;
        case Action::Kind::Finish:
            finish(action, transport);
            break;
        case Action::Kind::Compute:
            compute(i);
            transport.progress();
            break;
        }
    }
    for (size_t a = 0; a < views_.size(); a++) {
        if (program_.arrays[a].role == Array::Role::Output && views_[a].data != bound[a].data) {
            copy_box(views_[a], plan_.owned[a], bound[a], plan_.owned[a]);
        }
    }
    wait_for_readers(transport);
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
