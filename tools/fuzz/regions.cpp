// Compares the regions of inputs that bounds inference requires with those that the program reads.
//
// The interpreter knows the points that it reads; the least box around them is the best possible answer for this run.
// Inference answers for all values that inputs may have, in boxes instead of points, and for schedules that compute
// more than is read. So a wider box is no error, but how often boxes are wider, and which features the cases then have,
// is printed at the end of a campaign; the counts are the same on every machine. A box that is too small is a failure
// (run.cpp).

#include "regions.h"

#include <algorithm>
#include <functional>

namespace fluorite::fuzz {

namespace {

template <typename Test> bool any_term(const Genome &genome, const Test &test) {
    Genome copy = genome;
    const std::vector<Term *> terms = all_terms(copy);
    return std::any_of(terms.begin(), terms.end(), [&](const Term *term) { return test(*term); });
}

bool any_coordinate(const Genome &genome, const std::function<bool(const Coordinate &)> &test) {
    return any_term(
        genome, [&](const Term &term) { return std::any_of(term.coordinates.begin(), term.coordinates.end(), test); });
}

} // namespace

const char *precision_text(Precision precision) {
    static const char *texts[] = {"exact", "less than 1.5 times as large", "larger", "asked for, and never read"};
    return texts[static_cast<size_t>(precision)];
}

const char *reason_text(WideReason reason) {
    static const char *texts[] = {"coordinates that are data",
                                  "conditions (select, where)",
                                  "updates",
                                  "coordinates that are not affine",
                                  "boundary conditions",
                                  "a schedule that rounds up or computes more",
                                  "none of these"};
    return texts[static_cast<size_t>(reason)];
}

Precision precision_of(const Box &asked, const Box &touched) {
    if (touched.size() == 0) {
        return asked.size() == 0 ? Precision::Exact : Precision::Unread;
    }
    const int64_t more = asked.size(), least = touched.size();
    return more <= least ? Precision::Exact : 2 * more < 3 * least ? Precision::Close : Precision::Wide;
}

WideReason wide_reason_of(const Genome &genome) {
    using Kind = Coordinate::Kind;
    const auto is_data = [](const Coordinate &c) { return c.kind == Kind::Data; };
    const auto is_bent = [](const Coordinate &c) {
        return c.kind != Kind::Affine && c.kind != Kind::Constant && c.kind != Kind::Reversed;
    };
    bool has_scatter = false, has_condition = false, has_update = false, has_boundary = false;
    for (const FuncGene &func : genome.funcs) {
        has_boundary = has_boundary || func.kind != FuncGene::Kind::Defined;
        for (const Update &update : func.updates) {
            has_update = true;
            has_scatter = has_scatter || update.kind == Update::Kind::Scatter;
            has_condition = has_condition || !update.predicate.empty();
        }
    }
    if (has_scatter || any_coordinate(genome, is_data)) {
        return WideReason::Data;
    }
    if (has_condition || any_term(genome, [](const Term &term) { return term.op == Term::Op::Select; })) {
        return WideReason::Condition;
    }
    if (has_update) {
        return WideReason::Update;
    }
    if (any_coordinate(genome, is_bent)) {
        return WideReason::Coordinate;
    }
    if (has_boundary) {
        return WideReason::Boundary;
    }
    return genome.schedule.empty() && genome.walk.empty() ? WideReason::Other : WideReason::Schedule;
}

void RegionCounts::add(const RegionCounts &other) {
    for (size_t i = 0; i < precisions; i++) {
        inputs[i] += other.inputs[i];
    }
    for (size_t i = 0; i < wide_reasons; i++) {
        wide[i] += other.wide[i];
    }
}

bool holds(const Box &outer, const Box &inner) {
    if (inner.size() == 0) {
        return true;
    }
    for (size_t d = 0; d < inner.min.size(); d++) {
        const int64_t last = int64_t{inner.min[d]} + inner.extent[d], limit = int64_t{outer.min[d]} + outer.extent[d];
        if (inner.min[d] < outer.min[d] || last > limit) {
            return false;
        }
    }
    return true;
}

Box box_of(const fluorite_buffer_t &buffer) {
    Box box;
    for (int32_t d = 0; d < buffer.dimensions; d++) {
        box.min.push_back(buffer.dim[d].min);
        box.extent.push_back(buffer.dim[d].extent);
    }
    return box;
}

Box hull(const Box &a, const Box &b) {
    Box both = a;
    for (size_t d = 0; d < a.min.size(); d++) {
        both.min[d] = std::min(a.min[d], b.min[d]);
        both.extent[d] = std::max(a.min[d] + a.extent[d], b.min[d] + b.extent[d]) - both.min[d];
    }
    return both;
}

Box larger(Box box, int by) {
    for (size_t d = 0; d < box.min.size(); d++) {
        box.min[d] -= by;
        box.extent[d] += 2 * by;
    }
    return box;
}

std::string text_of(const Box &box) {
    std::string text;
    for (size_t d = 0; d < box.min.size(); d++) {
        text += (d > 0 ? " x [" : "[") + std::to_string(box.min[d]) + ", " +
                std::to_string(int64_t{box.min[d]} + box.extent[d]) + ")";
    }
    return text.empty() ? "one element" : text;
}

} // namespace fluorite::fuzz
