// Plans of exchanges.
//
// What a rank receives: the need of its slice is a box; each axis of the producer cuts its span into the pieces of one
// owner each (and, where the axis is periodic, of one turn around the domain), found by dividing; the product of the
// axes' pieces are the boxes.
//
// What a rank sends: for each axis and turn, the inverse of the need says which parts of the consumer's layout it
// follows need some of what the rank has. These parts form one range for each dimension of the consumer, whose product
// are the peers; what each needs is computed as the peer itself computes it.
//
// Both sides order the boxes of a message by array and destination, so that they agree on the packed order without a
// word. Turns of periodic axes are separate boxes; the values of a domain smaller than its halo travel once for each
// place where they are needed.

#include "distribute/halo_plan.h"

#include "distribute/pieces.h"
#include "fluorite/errors.h"
#include "support/check.h"

namespace fluorite::distribute {

namespace {

Box need_of(const Flow &flow, const Box &slice) {
    Box box(flow.need.size());
    if (empty(slice)) {
        return box;
    }
    for (size_t d = 0; d < box.size(); d++) {
        box[d] = flow.need[d].of(slice[flow.need[d].follows.value_or(0)]);
    }
    return box;
}

class Planner {
  public:
    Planner(const ExchangePoint &point, int64_t rank) : point_(point) {
        plan_.rank = rank;
        plan_.ranks = point.ranks();
        plan_.tag = point.tag;
        plan_.name = point.name;
    }

    HaloPlan plan() {
        for (size_t i = 0; i < point_.flows.size(); i++) {
            const Flow &flow = point_.flows[i];
            plan_.has.push_back(flow.have.slice(plan_.rank));
            plan_.needs.push_back(need_of(flow, flow.consumer.slice(plan_.rank)));
            receive(i, flow);
            send(i, flow);
        }
        plan_.receives = merge_messages(std::move(received_), plan_.rank, plan_.ranks);
        plan_.sends = merge_messages(std::move(sent_), plan_.rank, plan_.ranks);
        for (Routed &own : own_) {
            plan_.local.push_back(std::move(own.transfer));
        }
        return std::move(plan_);
    }

  private:
    void receive(size_t index, const Flow &flow) {
        const std::vector<Routed> all = pieces_of(index, flow.have, plan_.needs.back(), flow.bytes, plan_.rank);
        plan_.visited += static_cast<int64_t>(all.size());
        for (const Routed &each : all) {
            (each.peer == plan_.rank ? own_ : received_).push_back(each);
        }
    }

    void send(size_t index, const Flow &flow) {
        const Box &has = plan_.has.back();
        if (flow.have.replicated || empty(has)) {
            return; // who needs a replicated array has it
        }
        // The turns in which any rank needs some of each axis.
        std::vector<std::pair<int64_t, int64_t>> axis_turns;
        std::vector<size_t> counts;
        const Box all_needed = need_of(flow, flow.consumer.domain());
        for (size_t d = 0; d < has.size(); d++) {
            const auto [first, last] = turns(flow.have.axes[d], all_needed[d]);
            axis_turns.emplace_back(first, last);
            counts.push_back(static_cast<size_t>(last - first + 1));
        }
        std::vector<int64_t> shift(has.size());
        for_each_combination(counts, [&](const std::vector<size_t> &at) {
            for (size_t d = 0; d < at.size(); d++) {
                shift[d] = (axis_turns[d].first + static_cast<int64_t>(at[d])) * flow.have.axes[d].domain.extent();
            }
            send_in_turn(index, flow, has, shift);
        });
    }

    /// Sends what this rank has, seen at `shift`, to all that need it there.
    void send_in_turn(size_t index, const Flow &flow, const Box &has, const std::vector<int64_t> &shift) {
        Box seen = has;
        Box reach = flow.consumer.domain(); // of the slices' begins and lasts, as coordinates of the consumer
        for (size_t d = 0; d < has.size(); d++) {
            seen[d] = shifted(has[d], shift[d]);
            const AxisNeed &need = flow.need[d];
            if (need.follows) {
                const Reach slices = need.reach(seen[d]);
                const Axis &axis = flow.consumer.axes[*need.follows];
                Span &parts = reach[*need.follows];
                if (slices.last_from > axis.domain.last() || slices.begin_to < axis.domain.begin) {
                    return;
                }
                const int64_t from = std::max(slices.last_from, axis.domain.begin);
                const int64_t to = std::min(slices.begin_to, axis.domain.last());
                // From the part that owns the first to that which owns the last: their slices meet [from, to] or,
                // where from > to, hold both.
                parts.begin = std::max(parts.begin, axis.part(axis.owner(from)).begin);
                parts.end = std::min(parts.end, axis.part(axis.owner(to)).end);
            } else if (intersect(need.of({0, 1}), seen[d]).empty()) {
                return;
            }
        }
        visit_consumers(index, flow, seen, shift, reach);
    }

    void visit_consumers(size_t index, const Flow &flow, const Box &seen, const std::vector<int64_t> &shift,
                         const Box &reach) {
        std::vector<std::vector<Piece>> parts; // of the consumer, none empty
        std::vector<size_t> counts;
        for (size_t d = 0; d < reach.size(); d++) {
            Axis axis = flow.consumer.axes[d];
            axis.periodic = false;
            parts.push_back(pieces_of(axis, reach[d]));
            counts.push_back(parts.back().size());
        }
        std::vector<int64_t> cell(reach.size());
        Box slice(reach.size());
        for_each_combination(counts, [&](const std::vector<size_t> &at) {
            for (size_t d = 0; d < at.size(); d++) {
                cell[d] = parts[d][at[d]].part;
                slice[d] = parts[d][at[d]].destination;
            }
            plan_.visited++;
            const Box destination = intersect(need_of(flow, slice), seen);
            if (empty(destination)) {
                return;
            }
            const Transfer transfer = transfer_of(index, destination, shift, flow.bytes);
            if (!flow.consumer.replicated) {
                send_to(flow.consumer.rank_of(cell), transfer);
                return;
            }
            for (int64_t peer = 0; peer < plan_.ranks; peer++) { // all of them need it
                send_to(peer, transfer);
            }
        });
    }

    void send_to(int64_t peer, const Transfer &transfer) {
        if (peer != plan_.rank) { // else receive() has noted it
            sent_.push_back({peer, transfer});
        }
    }

    const ExchangePoint &point_;
    HaloPlan plan_;
    std::vector<Routed> received_, sent_, own_;
};

int64_t total(const std::vector<Message> &messages) {
    int64_t bytes = 0;
    for (const Message &message : messages) {
        bytes += message.bytes;
    }
    return bytes;
}

} // namespace

int64_t HaloPlan::bytes_sent() const { return total(sends); }
int64_t HaloPlan::bytes_received() const { return total(receives); }

int64_t ExchangePoint::ranks() const { return flows.empty() ? 1 : flows.front().have.ranks; }

void ExchangePoint::validate() const {
    for (const Flow &flow : flows) {
        const auto refuse = [&](const std::string &text) {
            throw RuntimeError("bad-distribution", concat("in the exchange of ", flow.name, ": ", text));
        };
        flow.have.validate(flow.name);
        flow.consumer.validate(concat("the consumer of ", flow.name));
        distribute::validate(flow.need, flow.name, flow.have.dimensions(), flow.consumer.dimensions());
        if (flow.have.ranks != ranks() || flow.consumer.ranks != ranks()) {
            refuse(concat("layouts on ", flow.have.ranks, " and ", flow.consumer.ranks, " ranks at a point of ",
                          ranks(), "; all layouts of an exchange are of the same ranks; use idle ranks, not fewer"));
        }
        if (flow.bytes < 1 || flow.bytes > 4096) {
            refuse(concat("elements of ", flow.bytes, " bytes; an element has from 1 to 4096 bytes; ",
                          "use a dimension for larger ones"));
        }
    }
}

HaloPlan plan_exchange(const ExchangePoint &point, int64_t rank) {
    point.validate();
    if (rank < 0 || rank >= point.ranks()) {
        throw RuntimeError("bad-distribution", concat("in the exchange ", point.name, ": a plan of rank ", rank, " of ",
                                                      point.ranks(), "; ranks are numbered from 0; use one of them"));
    }
    return Planner(point, rank).plan();
}

int64_t most_stencil_peers(const Layout &layout, const std::vector<int64_t> &radius) {
    int64_t parts = 1;
    for (size_t d = 0; d < layout.axes.size(); d++) {
        const Axis &axis = layout.axes[d];
        const int64_t around = 1 + 2 * ((radius.at(d) + axis.smallest_part() - 1) / axis.smallest_part());
        parts *= std::min(around, axis.parts);
    }
    return parts - 1;
}

} // namespace fluorite::distribute
