// What one rank does in a distributed program.
//
// Method: domains of inner arrays and what this rank needs are found backwards, from the outputs: a segment that
// computes slices, or all, or what this rank needs of its arrays, says what it reads for that. Both are the same
// question, once asked for whole domains and once for the rank's part. Receives follow from the rank's needs by
// division; what others need of this rank they say, in one request for each peer. (Needs are boxes that a segment
// computes, not formulas that could be inverted.) An array is exchanged once, before the first segment that reads it,
// with all that any of its readers needs; arrays that are there at the same time travel together, before the first
// segment that reads any of them.
//
// Cost: one question to each segment for the domain and one for the rank; requests proportional to the boxes received;
// one collective operation with a number for each pair of ranks.

#include "ranks/plan/plan_rank.h"

#include "fluorite/errors.h"
#include "ranks/plan/grid.h"
#include "ranks/plan/pieces.h"
#include "support/check.h"
#include "support/numeric.h"

#include <cstdlib>
#include <cstring>
#include <map>

namespace fluorite::distribute {

namespace {

/// Equal for equal layouts, on all machines.
uint64_t layout_hash(const Array &array) {
    const Placement &placement = array.placement;
    uint64_t hash = combine_hash(array.dimensions, static_cast<uint64_t>(placement.kind));
    hash = combine_hash(hash, placement.dimensions.size());
    for (const size_t dimension : placement.dimensions) {
        hash = combine_hash(hash, dimension);
    }
    for (const std::vector<int64_t> *numbers : {&placement.grid, &placement.tiles}) {
        hash = combine_hash(hash, numbers->size());
        for (const int64_t number : *numbers) {
            hash = combine_hash(hash, static_cast<uint64_t>(number));
        }
    }
    for (const bool is_periodic : array.periodic) {
        hash = combine_hash(hash, is_periodic ? 1 : 2);
    }
    return combine_hash(hash, static_cast<uint64_t>(placement.most_ranks));
}

/// The product of a grid's extents, or more than any number of ranks.
int64_t product_of(const std::vector<int64_t> &parts) {
    int64_t product = 1;
    for (const int64_t part : parts) {
        product = part < 1 ? 0 : product > max_ranks / part ? max_ranks + 1 : product * part;
    }
    return product;
}

constexpr Span endless{-(int64_t{1} << 60), int64_t{1} << 60};

class RankPlanner {
  public:
    RankPlanner(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks)
        : program_(program) {
        const size_t count = program.arrays.size();
        plan_.rank = rank;
        plan_.ranks = ranks;
        for (size_t a = 0; a < count; a++) {
            const Array &array = program.arrays[a];
            const Box nothing(array.dimensions);
            plan_.domains.push_back(array.role == Array::Role::Inner ? nothing : domains[a]);
            for (std::vector<Box> *boxes : {&plan_.owned, &plan_.computed, &plan_.needs, &plan_.memory}) {
                boxes->push_back(nothing);
            }
        }
        plan_.exchanges.resize(program.segments.size());
    }

    RankPlan plan(Transport &transport) {
        check_agreement(transport);
        find_regions();
        find_exchanges();
        send(find_receives(), transport);
        return std::move(plan_);
    }

    RankPlan plan_receives(const std::vector<Box> &all_domains) {
        plan_.domains = all_domains;
        find_own_regions();
        find_exchanges();
        (void)find_receives();
        return std::move(plan_);
    }

    RankPlan plan_without_exchanges() {
        find_regions();
        return std::move(plan_);
    }

    std::vector<Box> find_all_domains() {
        check_all_periodic();
        find_domains();
        return std::move(plan_.domains);
    }

  private:
    const Array &array(size_t a) const { return program_.arrays[a]; }

    void find_regions() {
        check_all_periodic();
        find_domains();
        find_own_regions();
    }

    void find_own_regions() {
        find_layouts();
        find_needs();
        find_memory();
    }

    // ---- Ranks agree.

    /// Throws on every rank if the ranks' values differ.
    void agree_on(uint64_t value, const std::string &what, Transport &transport) {
        const std::vector<uint64_t> values = transport.gather(value);
        for (size_t rank = 0; rank < values.size(); rank++) {
            if (values[rank] != values[0]) {
                throw RuntimeError("ranks-disagree",
                                   concat("in ", program_.name, ": ", what, " of rank ", rank,
                                          " are not those of rank 0",
                                          "; all ranks run one program with one schedule over the same domains; look "
                                          "for what depends on the rank"));
            }
        }
    }

    void check_agreement(Transport &transport) {
        uint64_t sizes = program_.arrays.size(), layouts = 0;
        for (size_t a = 0; a < program_.arrays.size(); a++) {
            layouts = combine_hash(layouts, layout_hash(array(a)));
            for (const Span &span : plan_.domains[a]) {
                sizes = combine_hash(combine_hash(sizes, static_cast<uint64_t>(span.begin)),
                                     static_cast<uint64_t>(span.end));
            }
        }
        agree_on(combine_hash(program_.hash, program_.schedule_hash), "definitions or schedules", transport);
        if (program_.values_hash != 0) { // on all ranks, for the programs are equal
            agree_on(program_.values_hash, "Params or sizes of buffers, on which halos depend,", transport);
        }
        agree_on(layouts, "layouts", transport);
        agree_on(sizes, "domains", transport);
    }

    // ---- Regions, backwards.

    /// Gives all values of a function one box, which contains theirs.
    static std::vector<Box> with_bounding_box(const std::vector<size_t> &arrays, std::vector<Box> &boxes) {
        Box all = boxes[arrays[0]];
        for (const size_t a : arrays) {
            all = hull(all, boxes[a]);
        }
        for (const size_t a : arrays) {
            boxes[a] = all;
        }
        return std::vector<Box>(arrays.size(), all);
    }

    /// The boxes of a segment's arrays. Where some functions of it have nothing to compute and others do, the segment
    /// runs, and what it reads for those without points is near the begin of their boxes: these are in their domains.
    std::vector<Box> written_boxes(const Segment &segment, const std::vector<Box> &boxes) const {
        std::vector<Box> written;
        bool all_empty = true;
        for (const size_t a : segment.writes) {
            written.push_back(boxes[a]);
            all_empty = all_empty && empty(boxes[a]);
        }
        for (size_t i = 0; i < written.size() && !all_empty; i++) {
            const Box &domain = plan_.domains[segment.writes[i]];
            for (size_t d = 0; d < domain.size() && empty(boxes[segment.writes[i]]); d++) {
                written[i][d] = {domain[d].begin, domain[d].begin};
            }
        }
        return written;
    }

    /// What all segments together read, if the arrays that they write are computed on `writes`.
    void find_domains() {
        for (size_t s = program_.segments.size(); s-- > 0;) {
            const Segment &segment = program_.segments[s];
            for (const std::vector<size_t> &arrays : written_functions(segment)) {
                (void)with_bounding_box(arrays, plan_.domains);
            }
            const std::vector<Box> writes = written_boxes(segment, plan_.domains);
            const SegmentBoxes boxes = segment.boxes(writes);
            for (size_t i = 0; i < segment.reads.size(); i++) {
                const size_t a = segment.reads[i];
                if (array(a).role == Array::Role::Inner) {
                    plan_.domains[a] = hull(plan_.domains[a], between_edges(a, boxes.reads[i], segment));
                } else {
                    const bool stays_inside = !segment.stays_inside.empty() && segment.stays_inside[i];
                    check_read(a, boxes.reads[i], stays_inside ? plan_.domains[a] : readable(a), segment);
                }
            }
        }
    }

    /// The part of the domain that is needed for a read: all between the edges where the array is periodic.
    Box between_edges(size_t a, Box read, const Segment &segment) const {
        for (size_t d = 0; d < array(a).edges.size() && !empty(read); d++) {
            if (!array(a).periodic[d]) {
                continue;
            }
            if (array(a).edges[d].empty()) {
                throw RuntimeError("distributed-read", concat("in ", segment.name, ": it reads ", array(a).name,
                                                              " over ", to_string(read), ", and dimension ", d,
                                                              " of what is repeated has no points; an image that is ",
                                                              "repeated has some; repeat an image that is not empty"));
            }
            read[d] = array(a).edges[d];
        }
        return read;
    }

    /// What is read of an input lies in this box.
    void check_read(size_t a, const Box &read, const Box &readable, const Segment &segment) const {
        const bool repeats_nothing = readable != plan_.domains[a] && empty(plan_.domains[a]) && !empty(read);
        if (!contains(readable, read) || repeats_nothing) {
            throw RuntimeError("distributed-read",
                               concat("in ", segment.name, ": it reads ", array(a).name, " over ", to_string(read),
                                      ", whose domain is ", to_string(plan_.domains[a]),
                                      "; no rank has what is outside of the domain; give the image a larger "
                                      "domain, or read it through a boundary condition"));
        }
    }

    /// The domain, endless where the array is periodic. (Before layouts are known.)
    Box readable(size_t a) const {
        Box box = plan_.domains[a];
        for (size_t d = 0; d < array(a).periodic.size(); d++) {
            if (array(a).periodic[d]) {
                box[d] = endless;
            }
        }
        return box;
    }

    void check_all_periodic() const {
        for (size_t a = 0; a < program_.arrays.size(); a++) {
            check_periodic(a);
        }
    }

    void check_periodic(size_t a) const {
        const std::vector<bool> &periodic = array(a).periodic;
        const bool has_edges = array(a).role == Array::Role::Input || array(a).edges.size() == array(a).dimensions;
        if (!periodic.empty() && (!has_edges || periodic.size() != array(a).dimensions)) {
            throw RuntimeError(
                "bad-distribution",
                concat("in ", array(a).name, ": it is periodic in some of ", periodic.size(), " dimensions, and is ",
                       array(a).role == Array::Role::Input ? concat("an input of ", array(a).dimensions)
                                                           : std::string("computed"),
                       "; inputs and arrays with edges wrap around, other computed arrays have values where "
                       "they are computed; say it of an input, or with edges, for each dimension"));
        }
    }

    /// `values` are the arrays of one function, of which `a` is one.
    Layout layout_of(size_t a, const std::vector<size_t> &values) const {
        Layout layout = distribute::layout_of(array(a).placement, plan_.domains[a], plan_.ranks, array(a).name);
        const bool are_inner = std::all_of(values.begin(), values.end(),
                                           [&](size_t value) { return array(value).role == Array::Role::Inner; });
        if (are_inner && array(a).placement.kind == Placement::Kind::Blocks) {
            cut_as_reader(values, layout);
            layout.validate(array(a).name);
        }
        for (size_t d = 0; d < array(a).periodic.size(); d++) {
            layout.axes[d].periodic = array(a).periodic[d];
        }
        return layout;
    }

    /// Cuts the inner arrays of a function where the array that is computed from one of them first is cut, if their
    /// domains differ by less than a part and a quarter. The halo around a domain would otherwise move all cuts, and
    /// ranks would exchange more than halos; but a level of a pyramid is half as large as the one above, which is less
    /// than one of two parts. All values of a function have one partition, for they are computed together, whoever
    /// reads which.
    void cut_as_reader(const std::vector<size_t> &values, Layout &layout) const {
        const size_t a = values[0];
        if (empty(plan_.domains[a])) {
            return;
        }
        for (const Segment &segment : program_.segments) {
            if (std::find_first_of(segment.reads.begin(), segment.reads.end(), values.begin(), values.end()) ==
                segment.reads.end()) {
                continue;
            }
            const auto found = std::find_if(segment.writes.begin(), segment.writes.end(), [&](size_t written) {
                return array(written).placement == array(a).placement &&
                       array(written).dimensions == array(a).dimensions;
            });
            if (found == segment.writes.end()) {
                return;
            }
            const size_t reader = *found;
            for (size_t d = 0; d < layout.axes.size(); d++) {
                const Span cut = plan_.layouts[reader].axes[d].partitioned(), domain = layout.axes[d].domain;
                const int64_t beyond = std::abs(cut.begin - domain.begin) + std::abs(cut.end - domain.end);
                if (beyond * std::max<int64_t>(layout.axes[d].parts, 4) < cut.extent()) {
                    layout.axes[d].core = cut;
                }
            }
            return;
        }
    }

    /// Readers before what they read.
    void find_layouts() {
        plan_.layouts.resize(program_.arrays.size());
        const auto find = [&](const std::vector<size_t> &values) {
            for (const size_t a : values) {
                plan_.layouts[a] = layout_of(a, values);
                plan_.owned[a] = plan_.layouts[a].slice(plan_.rank);
            }
        };
        for (size_t s = program_.segments.size(); s-- > 0;) {
            for (const std::vector<size_t> &values : written_functions(program_.segments[s])) {
                find(values);
            }
        }
        for (size_t a = 0; a < program_.arrays.size(); a++) {
            if (array(a).role == Array::Role::Input) {
                find({a});
            }
        }
    }

    void find_needs() {
        for (size_t s = program_.segments.size(); s-- > 0;) {
            const Segment &segment = program_.segments[s];
            for (const std::vector<size_t> &arrays : written_functions(segment)) {
                if (array(arrays[0]).placement.kind == Placement::Kind::Rank) {
                    const std::vector<Box> needed = with_bounding_box(arrays, plan_.needs);
                    for (size_t i = 0; i < needed.size(); i++) {
                        plan_.owned[arrays[i]] = needed[i];
                    }
                }
            }
            const std::vector<Box> writes = written_boxes(segment, plan_.owned);
            if (std::all_of(writes.begin(), writes.end(), [](const Box &box) { return empty(box); })) {
                continue;
            }
            const SegmentBoxes boxes = segment.boxes(writes);
            for (size_t i = 0; i < segment.writes.size(); i++) {
                plan_.computed[segment.writes[i]] = boxes.writes[i];
            }
            for (size_t i = 0; i < segment.reads.size(); i++) {
                Box &need = plan_.needs[segment.reads[i]];
                need = hull(need, boxes.reads[i]);
            }
        }
    }

    void find_memory() {
        for (size_t a = 0; a < program_.arrays.size(); a++) {
            Box &memory = plan_.memory[a];
            memory = hull(plan_.needs[a], plan_.computed[a]);
            const bool is_ours = array(a).placement.kind != Placement::Kind::Everywhere;
            const bool wraps = !contains(plan_.domains[a], plan_.needs[a]) && !array(a).periodic.empty();
            if (array(a).role != Array::Role::Inner && (is_ours || wraps)) {
                memory = hull(memory, plan_.owned[a]);
            }
        }
    }

    // ---- Exchanges.

    /// The number of segments that have run when the array is there.
    size_t ready(size_t a) const {
        for (size_t s = 0; s < program_.segments.size(); s++) {
            const std::vector<size_t> &writes = program_.segments[s].writes;
            if (std::find(writes.begin(), writes.end(), a) != writes.end()) {
                return s + 1;
            }
        }
        return 0;
    }

    /// The segment before which an array that is there at `ready` is exchanged, if segment `reader` needs it first.
    size_t exchange_of(size_t reader, size_t ready) const {
        for (size_t s = 0; s < reader; s++) {
            if (!plan_.exchanges[s].flows.empty() && plan_.exchanges[s].ready == ready) {
                return s;
            }
        }
        return reader;
    }

    void find_exchanges() {
        std::vector<bool> is_known(program_.arrays.size(), false);
        for (size_t s = 0; s < program_.segments.size(); s++) {
            for (const size_t a : program_.segments[s].reads) {
                if (!is_known[a] &&
                    (array(a).placement.kind == Placement::Kind::Blocks || !array(a).periodic.empty())) {
                    RankPlan::Exchange &exchange = plan_.exchanges[exchange_of(s, ready(a))];
                    exchange.flows.push_back(a);
                    exchange.ready = std::max(exchange.ready, ready(a));
                }
                is_known[a] = true;
            }
        }
    }

    /// What this rank asks of its peers, by peer.
    std::map<int64_t, std::vector<int64_t>> find_receives() {
        std::map<int64_t, std::vector<int64_t>> requests;
        for (size_t s = 0; s < plan_.exchanges.size(); s++) {
            receive(s, requests);
        }
        return requests;
    }

    void receive(size_t s, std::map<int64_t, std::vector<int64_t>> &requests) {
        const RankPlan::Exchange &exchange = plan_.exchanges[s];
        HaloPlan &plan = plan_.exchanges[s].plan;
        plan.rank = plan_.rank, plan.ranks = plan_.ranks, plan.tag = static_cast<int64_t>(s);
        plan.name = program_.segments[s].name;
        std::vector<Routed> received;
        for (size_t f = 0; f < exchange.flows.size(); f++) {
            const size_t a = exchange.flows[f];
            plan.has.push_back(plan_.owned[a]);
            plan.needs.push_back(plan_.needs[a]);
            // Outside of the domain are values that nobody uses.
            const Box need = intersect(plan_.needs[a], readable(a));
            for (const Routed &each : pieces_of(f, plan_.layouts[a], need, array(a).bytes, plan_.rank)) {
                if (each.peer == plan_.rank) {
                    if (each.transfer.source != each.transfer.destination) { // else it is in place
                        plan.local.push_back(each.transfer);
                    }
                    continue;
                }
                received.push_back(each);
                std::vector<int64_t> &request = requests[each.peer];
                request.insert(request.end(), {static_cast<int64_t>(s), static_cast<int64_t>(f)});
                for (size_t d = 0; d < each.transfer.source.size(); d++) {
                    const Span source = each.transfer.source[d];
                    request.insert(request.end(), {source.begin, source.end, each.transfer.destination[d].begin});
                }
            }
        }
        plan.receives = merge_messages(std::move(received), plan_.rank, plan_.ranks);
    }

    void send(const std::map<int64_t, std::vector<int64_t>> &requests, Transport &transport) {
        std::vector<Request> sent_requests;
        for (const auto &[peer, request] : requests) {
            Request packed{peer, std::vector<char>(request.size() * sizeof(int64_t))};
            std::memcpy(packed.bytes.data(), request.data(), packed.bytes.size());
            sent_requests.push_back(std::move(packed));
        }
        std::vector<std::vector<Routed>> sent(plan_.exchanges.size());
        for (const Request &received : transport.exchange_requests(sent_requests)) {
            std::vector<int64_t> request(received.bytes.size() / sizeof(int64_t));
            std::memcpy(request.data(), received.bytes.data(), received.bytes.size());
            for (size_t at = 0; at < request.size();) {
                const size_t s = static_cast<size_t>(request[at]), f = static_cast<size_t>(request[at + 1]);
                at += 2;
                const size_t a = plan_.exchanges[s].flows[f];
                Box source(array(a).dimensions), destination = source;
                std::vector<int64_t> shift(source.size());
                for (size_t d = 0; d < source.size(); d++) {
                    source[d] = {request[at], request[at + 1]};
                    shift[d] = request[at + 2] - request[at];
                    destination[d] = shifted(source[d], shift[d]);
                    at += 3;
                }
                check(contains(plan_.owned[a], source), "ranks ask for what the owner has");
                sent[s].push_back({received.peer, transfer_of(f, destination, shift, array(a).bytes)});
            }
        }
        for (size_t s = 0; s < sent.size(); s++) {
            plan_.exchanges[s].plan.sends = merge_messages(std::move(sent[s]), plan_.rank, plan_.ranks);
        }
    }

    const DistributedProgram &program_;
    RankPlan plan_;
};

} // namespace

std::vector<std::vector<size_t>> written_functions(const Segment &segment) {
    if (segment.functions.empty()) {
        return {segment.writes};
    }
    std::vector<std::vector<size_t>> functions;
    auto next = segment.writes.begin();
    for (const size_t values : segment.functions) {
        const auto end = next + static_cast<std::ptrdiff_t>(values);
        functions.emplace_back(next, end);
        next = end;
    }
    check(next == segment.writes.end(), "each written array is a value of a function");
    return functions;
}

Layout layout_of(const Placement &placement, const Box &domain, int64_t ranks, const std::string &name) {
    if (placement.kind != Placement::Kind::Blocks || empty(domain)) {
        return Layout::everywhere(domain, ranks);
    }
    std::vector<int64_t> grid(domain.size(), 1), parts = placement.grid;
    if (parts.empty()) {
        std::vector<int64_t> extents;
        for (const size_t d : placement.dimensions) {
            extents.push_back(domain[d].extent());
        }
        parts = choose_grid(ranks, extents);
    }
    const int64_t product = product_of(parts);
    if (product > ranks || product < 1) {
        std::string shape;
        for (const int64_t part : parts) {
            shape += concat(shape.empty() ? "" : " x ", part);
        }
        throw RuntimeError("bad-distribution",
                           concat("in ", name, ": it is distributed over ", shape, " ranks, and there are ", ranks,
                                  "; a grid has at most as many ranks as run; leave the grid out, or start more "
                                  "ranks"));
    }
    for (size_t i = 0; i < placement.dimensions.size(); i++) {
        grid[placement.dimensions[i]] = parts[i];
    }
    Layout layout = Layout::blocks(domain, ranks, grid);
    for (size_t d = 0; d < placement.tiles.size(); d++) {
        layout.axes[d].tile = placement.tiles[d];
    }
    if (placement.most_ranks != 0) {
        layout = agglomerated(layout, placement.most_ranks);
    }
    layout.validate(name);
    return layout;
}

RankPlan plan_rank(const DistributedProgram &program, const std::vector<Box> &domains, Transport &transport) {
    return RankPlanner(program, domains, transport.rank(), transport.ranks()).plan(transport);
}

std::vector<Box> domains_of(const DistributedProgram &program, const std::vector<Box> &domains) {
    return RankPlanner(program, domains, 0, 1).find_all_domains();
}

RankPlan plan_receives(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank,
                       int64_t ranks) {
    return RankPlanner(program, domains, rank, ranks).plan_receives(domains);
}

RankPlan plan_regions(const DistributedProgram &program, const std::vector<Box> &domains, int64_t rank, int64_t ranks) {
    return RankPlanner(program, domains, rank, ranks).plan_without_exchanges();
}

/// The bytes of these boxes, which are by array, without inputs and outputs that every rank has all of.
static int64_t bytes_of(const DistributedProgram &program, const std::vector<Box> &boxes) {
    int64_t bytes = 0;
    for (size_t a = 0; a < program.arrays.size(); a++) {
        const Array &array = program.arrays[a];
        if (array.role == Array::Role::Inner || array.placement.kind != Placement::Kind::Everywhere) {
            bytes += volume(boxes[a]) * array.bytes;
        }
    }
    return bytes;
}

Box RankPlan::readable(size_t array) const {
    Box box = domains[array];
    for (size_t d = 0; d < box.size(); d++) {
        box[d] = layouts[array].axes[d].periodic ? endless : box[d];
    }
    return box;
}

int64_t RankPlan::bytes_allocated(const DistributedProgram &program) const { return bytes_of(program, memory); }

int64_t RankPlan::bytes_owned(const DistributedProgram &program) const { return bytes_of(program, owned); }

} // namespace fluorite::distribute
