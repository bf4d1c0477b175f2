// Arrays that are read beyond their edges, where they repeat themselves.
//
// A view is an inner array with edges, beyond which the exchange fills it from the other end, and a segment that copies
// the array. In general, both hold different values at the same coordinates: what is repeated may be less than the
// domain. Mostly it is the domain, and then one memory serves for both, so that nothing is copied and the memory of an
// image with room for halos is used in place. Which of both it is, is known when domains are; those of Funcs follow
// from what all segments read.
//
// The view of a buffer that all ranks have needs no exchange: each rank copies what it reads.

#include "ranks/compiled/periodic_views.h"

#include "fluorite/errors.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/compiled/segment_call.h"
#include "ranks/plan/pieces.h"
#include "ranks/plan/plan_rank.h"
#include "support/check.h"

#include <algorithm>
#include <map>

namespace fluorite::distribute {

namespace {

SegmentBoxes same_boxes(const std::vector<Box> &writes) { return {writes, writes}; }

void copy_array(const std::vector<ArrayView> &from, const std::vector<ArrayView> &to) {
    copy_box(from[0], to[0].box, to[0], to[0].box);
}

/// Copies what a view repeats of a buffer.
void copy_repeated(const ArrayView &from, const std::vector<bool> &periodic, const Box &edges, const ArrayView &to,
                   const std::string &name) {
    if (empty(to.box)) {
        return;
    }
    Layout layout = Layout::everywhere(to.box, 1);
    Box repeated = to.box; // the points of the buffer that the view may stand for
    for (size_t d = 0; d < periodic.size(); d++) {
        if (periodic[d]) {
            repeated[d] = layout.axes[d].domain = edges[d];
            layout.axes[d].periodic = true;
        }
    }
    if (empty(repeated) || intersect(from.box, repeated) != repeated) {
        throw RuntimeError("distributed-read",
                           concat("in ", name, ": it is read over ", to_string(repeated), ", and the buffer has ",
                                  to_string(from.box),
                                  "; what is repeated lies inside of the buffer; repeat less, or pass a larger one"));
    }
    for (const Routed &piece : pieces_of(0, layout, to.box, from.bytes, 0)) {
        copy_box(from, piece.transfer.source, to, piece.transfer.destination);
    }
}

const Array &base_of(const DistributedProgram &program, const Segment &copy) { return program.arrays[copy.reads[0]]; }

/// Whether the array is nothing but what the view repeats.
bool is_repeated_whole(const Array &base, const Array &view, const Box &domain) {
    if (!base.periodic.empty() && base.periodic != view.periodic) {
        return false; // another view has taken it
    }
    for (size_t d = 0; d < view.periodic.size(); d++) {
        if (view.periodic[d] && domain[d] != view.edges[d]) {
            return false;
        }
    }
    return true;
}

void read_directly(DistributedProgram &program, size_t view, size_t base) {
    for (Segment &segment : program.segments) {
        segment.stays_inside.resize(segment.reads.size(), false);
        for (size_t i = 0; i < segment.reads.size(); i++) {
            segment.stays_inside[i] = segment.stays_inside[i] || segment.reads[i] == base;
            segment.reads[i] = segment.reads[i] == view ? base : segment.reads[i];
        }
    }
}

/// Removes an array that no segment has to do with.
void remove_array(DistributedProgram &program, size_t array) {
    program.arrays.erase(program.arrays.begin() + static_cast<std::ptrdiff_t>(array));
    for (Segment &segment : program.segments) {
        for (std::vector<size_t> *arrays : {&segment.reads, &segment.writes}) {
            for (size_t &a : *arrays) {
                a -= a > array ? 1 : 0;
            }
        }
    }
}

/// Values that are computed beyond edges are those inside only if all arrays repeat themselves at the same distance.
void compare_periods(DistributedProgram &program, const std::vector<Box> &domains) {
    std::map<size_t, int64_t> periods; // by dimension
    bool are_equal = true;
    for (size_t a = 0; a < program.arrays.size(); a++) {
        const Array &array = program.arrays[a];
        for (size_t d = 0; d < array.periodic.size(); d++) {
            if (array.periodic[d]) {
                const int64_t period = array.edges.empty() ? domains[a][d].extent() : array.edges[d].extent();
                are_equal = are_equal && periods.try_emplace(d, period).first->second == period;
            }
        }
    }
    for (Segment &segment : program.segments) {
        segment.ignores_coordinates = segment.ignores_coordinates && are_equal;
    }
}

} // namespace

std::vector<Box> edges_of_views(const SegmentsDescription &description, const std::vector<int64_t> &numbers) {
    const auto value_of = [&](const LayoutNumber &number) {
        return number.computed < 0 ? number.value : numbers.at(static_cast<size_t>(number.computed));
    };
    std::vector<Box> edges;
    for (const DescribedView &view : description.views) {
        edges.emplace_back(description.arrays[view.array].dimensions);
        for (const DescribedView::Edges &each : view.edges) {
            edges.back()[each.dimension] = {value_of(each.min), value_of(each.max) + 1};
        }
    }
    return edges;
}

void add_view_arrays(const ViewedArrays &viewed, DistributedProgram &program) {
    for (size_t v = 0; v < viewed.description.views.size(); v++) {
        const DescribedView &view = viewed.description.views[v];
        const Array &base = program.arrays[view.array];
        Array array = base;
        array.name += " (repeated)";
        array.role = Array::Role::Inner;
        if (base.role == Array::Role::Input && !viewed.has_part[view.array]) {
            array.placement = {Placement::Kind::Rank, {}, {}, {}};
        } else {
            array.edges = viewed.edges[v];
            array.periodic.assign(array.dimensions, false);
            for (const DescribedView::Edges &each : view.edges) {
                array.periodic[each.dimension] = true;
            }
        }
        program.arrays.push_back(std::move(array));
    }
}

void add_view_copies(const ViewedArrays &viewed, size_t array, DistributedProgram &program) {
    const SegmentsDescription &description = viewed.description;
    for (size_t v = 0; v < description.views.size(); v++) {
        if (description.views[v].array != array) {
            continue;
        }
        const size_t view = description.arrays.size() + v;
        const Array &made = program.arrays[view];
        if (!made.periodic.empty()) {
            program.segments.push_back({made.name, {array}, {view}, same_boxes, copy_array});
            continue;
        }
        std::vector<bool> periodic(made.dimensions, false);
        for (const DescribedView::Edges &each : description.views[v].edges) {
            periodic[each.dimension] = true;
        }
        const auto copy = [array, periodic, slot = viewed.slot, edges = viewed.edges[v],
                           name = made.name](const std::vector<ArrayView> &, const std::vector<ArrayView> &to) {
            copy_repeated(view_of(*slot->values->buffers[array]), periodic, edges, to[0], name);
        };
        const auto boxes = [](const std::vector<Box> &writes) { return SegmentBoxes{{}, writes}; };
        program.segments.push_back({made.name, {}, {view}, boxes, copy});
    }
}

void leave_out_views(const SegmentsDescription &description, DistributedProgram &program, std::vector<Box> &domains,
                     std::vector<size_t> &outputs) {
    if (description.views.empty()) {
        return;
    }
    const std::vector<Box> all = domains_of(program, domains);
    for (size_t v = description.views.size(); v-- > 0;) { // the numbers of those before do not change
        const size_t view = description.arrays.size() + v;
        const auto copy = std::find_if(program.segments.begin(), program.segments.end(), [&](const Segment &segment) {
            return segment.writes == std::vector<size_t>{view};
        });
        check(copy != program.segments.end(), "a view is copied");
        if (program.arrays[view].periodic.empty() ||
            !is_repeated_whole(base_of(program, *copy), program.arrays[view], all[copy->reads[0]])) {
            continue;
        }
        const size_t base = copy->reads[0];
        program.arrays[base].periodic = program.arrays[view].periodic;
        program.arrays[base].edges =
            program.arrays[base].role == Array::Role::Input ? Box() : program.arrays[view].edges;
        program.segments.erase(copy);
        read_directly(program, view, base);
        remove_array(program, view);
        domains.erase(domains.begin() + static_cast<std::ptrdiff_t>(view));
        for (size_t &output : outputs) {
            output -= output > view ? 1 : 0;
        }
    }
    compare_periods(program, domains);
}

} // namespace fluorite::distribute
