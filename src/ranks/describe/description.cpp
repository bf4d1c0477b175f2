// Programs made of a few words.
//
// Segments say what they read, as compiled ones do by their bounds queries, and compute nothing. Arrays are cut along
// all dimensions, with the grid of the finest one.

#include "ranks/describe/description.h"

#include "fluorite/errors.h"
#include "ranks/plan/grid.h"
#include "support/check.h"

namespace fluorite::distribute {

namespace {

Box domain_of(const std::vector<int64_t> &size) {
    Box box;
    for (int64_t extent : size) {
        box.push_back({0, extent});
    }
    return box;
}

int64_t floor_halved(int64_t a) { return a / 2 - (a % 2 < 0 ? 1 : 0); }

/// What is read in one dimension for a span that is written and has points.
using Footprint = std::function<Span(Span write)>;

class Describer {
  public:
    explicit Describer(const Description &description) : description_(description) {
        result_.ranks = description.ranks;
        result_.steps = description.steps;
        result_.steps_per_exchange = description.sweeps;
        result_.options.mode = description.overlaps ? ExchangeMode::Overlapped : ExchangeMode::Merged;
        for (size_t d = 0; d < description.size.size(); d++) {
            placement_.dimensions.push_back(d);
        }
        placement_.kind = Placement::Kind::Blocks;
        placement_.grid =
            description.grid.empty() ? choose_grid(description.ranks, description.size) : description.grid;
        periodic_ = description.periodic;
        periodic_.resize(description.size.size());
    }

    ProgramOnRanks stencil() {
        name("stencil");
        const Box domain = domain_of(description_.size);
        const int64_t radius = description_.radius;
        const size_t in = add_array("array", Array::Role::Input, domain, placement_);
        const size_t out = add_array("next", Array::Role::Output, domain, placement_);
        add_segment("sweep", in, out, [radius](Span write) { return Span{write.begin - radius, write.end + radius}; });
        result_.fields = {{in, out}};
        return std::move(result_);
    }

    /// Level 0 is the input; each further one has half the samples. Sums go back up, from the last level on.
    ProgramOnRanks pyramid() {
        name("pyramid");
        const auto down = [](Span write) { return Span{2 * write.begin - 1, 2 * write.last() + 3}; };
        const auto up = [](Span write) { return Span{floor_halved(write.begin) - 1, floor_halved(write.last()) + 2}; };
        std::vector<Box> domains = {domain_of(description_.size)};
        size_t array = add_array("level0", Array::Role::Input, domains[0], placement_);
        for (int64_t level = 1; level < description_.levels; level++) {
            Box domain = domains.back();
            for (Span &span : domain) {
                span.end = (span.end + 1) / 2;
            }
            domains.push_back(domain);
            const size_t next = add_array(concat("level", level), Array::Role::Inner, domain, placement_of(level));
            add_segment(concat("down", level), array, next, down);
            array = next;
        }
        for (int64_t level = description_.levels - 1; level-- > 0;) {
            const size_t next = add_array(concat("sum", level), level == 0 ? Array::Role::Output : Array::Role::Inner,
                                          domains[static_cast<size_t>(level)], placement_of(level));
            add_segment(concat("up", level), array, next, up);
            array = next;
        }
        return std::move(result_);
    }

    /// The first and the last dimension change places. By default both arrays are cut along their last dimension, so
    /// that every rank needs some of every other.
    ProgramOnRanks transposition() {
        if (description_.size.size() < 2) {
            throw RuntimeError("bad-replay", "a transposition of one dimension; two dimensions change places; give a "
                                             "size such as 1000x1000");
        }
        name("transposition");
        if (description_.grid.empty()) {
            placement_.grid.assign(description_.size.size(), 1);
            placement_.grid.back() = description_.ranks;
        }
        Box domain = domain_of(description_.size);
        const size_t in = add_array("in", Array::Role::Input, domain, placement_);
        std::swap(domain.front(), domain.back());
        const size_t out = add_array("out", Array::Role::Output, domain, placement_);
        Segment segment = segment_of("transpose", in, out);
        segment.boxes = [](const std::vector<Box> &writes) {
            SegmentBoxes boxes{writes, writes};
            std::swap(boxes.reads[0].front(), boxes.reads[0].back());
            return boxes;
        };
        result_.program.segments.push_back(std::move(segment));
        return std::move(result_);
    }

  private:
    const Description &description_;
    ProgramOnRanks result_;
    Placement placement_; // of arrays at full resolution
    std::vector<bool> periodic_;

    void name(const char *text) { result_.program.name = text; }

    Placement placement_of(int64_t level) const {
        Placement placement = placement_;
        if (!description_.coarse_from || level < *description_.coarse_from) {
            return placement;
        }
        if (description_.coarse_ranks == 0) {
            return {}; // everywhere
        }
        placement.most_ranks = description_.coarse_ranks;
        return placement;
    }

    size_t add_array(const std::string &name, Array::Role role, const Box &domain, const Placement &placement) {
        Array array{name, role, domain.size(), description_.bytes, placement};
        array.periodic = periodic_;
        if (role != Array::Role::Input) {
            array.edges = domain;
        }
        result_.program.arrays.push_back(std::move(array));
        result_.domains.push_back(domain);
        return result_.domains.size() - 1;
    }

    Segment segment_of(const std::string &name, size_t read, size_t write) const {
        Segment segment;
        segment.name = name;
        segment.reads = {read};
        segment.writes = {write};
        segment.ignores_coordinates = true;
        segment.cost = description_.cost;
        return segment;
    }

    /// Reads outside of a domain that does not wrap around are of the nearest values inside.
    void add_segment(const std::string &name, size_t read, size_t write, const Footprint &footprint) {
        Segment segment = segment_of(name, read, write);
        segment.boxes = [footprint, domain = result_.domains[read],
                         periodic = periodic_](const std::vector<Box> &writes) {
            SegmentBoxes boxes{{Box(domain.size())}, writes};
            for (size_t d = 0; d < domain.size() && !empty(writes[0]); d++) {
                const Span span = footprint(writes[0][d]);
                const auto inside = [&](int64_t at) { return std::clamp(at, domain[d].begin, domain[d].last()); };
                boxes.reads[0][d] = periodic[d] ? span : Span{inside(span.begin), inside(span.last()) + 1};
            }
            return boxes;
        };
        result_.program.segments.push_back(std::move(segment));
    }
};

} // namespace

ProgramOnRanks describe(const Description &description) {
    Describer describer(description);
    switch (description.kind) {
    case Description::Kind::Stencil:
        return describer.stencil();
    case Description::Kind::Pyramid:
        return describer.pyramid();
    case Description::Kind::Transpose:
        break;
    }
    return describer.transposition();
}

} // namespace fluorite::distribute
