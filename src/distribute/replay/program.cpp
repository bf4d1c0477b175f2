#include "distribute/replay/program.h"

#include "fluorite/errors.h"
#include "support/check.h"

namespace fluorite::distribute {

Box Computation::region(int64_t rank) const {
    Box box = layout.slice(rank);
    if (empty(box)) {
        return box;
    }
    for (size_t d = 0; d < grown.size(); d++) {
        box[d] = {box[d].begin - grown[d], box[d].end + grown[d]};
        if (!layout.axes[d].periodic) {
            box[d] = intersect(box[d], layout.axes[d].domain);
        }
    }
    return box;
}

void Program::validate() const {
    const auto refuse = [&](const std::string &text) {
        throw RuntimeError("bad-replay", concat("in the program ", name, ": ", text));
    };
    if (rounds < 1) {
        refuse(concat(rounds, " rounds; a program runs at least once; use 1 or more"));
    }
    const auto validate_phase = [&](const Phase &phase) {
        phase.exchange.validate();
        if (!phase.exchange.flows.empty() && phase.exchange.ranks() != ranks) {
            refuse(concat("phase ", phase.name, " exchanges among ", phase.exchange.ranks(), " of ", ranks,
                          " ranks; all ranks take part in a phase; give its layouts as many ranks"));
        }
        for (const Computation &computation : phase.computations) {
            computation.layout.validate(phase.name);
            if (computation.layout.ranks != ranks) {
                refuse(concat("phase ", phase.name, " computes on ", computation.layout.ranks, " of ", ranks,
                              " ranks; all ranks take part in a phase; give its layouts as many ranks"));
            }
            if (computation.grown.size() > computation.layout.dimensions() || !(computation.cost >= 0)) {
                refuse(
                    concat("phase ", phase.name, " grows ", computation.grown.size(), " dimensions of ",
                           computation.layout.dimensions(), " at a cost of ", computation.cost,
                           " a point; only dimensions that there are can grow, and no cost is below 0; change them"));
            }
        }
    };
    std::for_each(phases.begin(), phases.end(), validate_phase);
    std::for_each(epilogue.begin(), epilogue.end(), validate_phase);
}

int64_t interior_points(const Phase &phase, int64_t rank) {
    if (phase.computations.empty()) {
        return 0;
    }
    const Computation &first = phase.computations.front();
    Box interior = first.layout.slice(rank);
    if (empty(interior)) {
        return 0;
    }
    for (const Flow &flow : phase.exchange.flows) {
        if (flow.consumer.replicated != first.layout.replicated ||
            flow.consumer.slice(rank) != first.layout.slice(rank)) {
            return 0; // it is not known which points need the flow
        }
        const Box has = flow.have.slice(rank);
        for (size_t d = 0; d < flow.need.size(); d++) {
            // A point's need is taken to be the flow's. For deep halos that is more than the first sweep reads, so the
            // interior is found too small there, never too large.
            const AxisNeed &need = flow.need[d];
            const Axis &axis = flow.have.axes[d];
            // Beyond the edges of a domain that is not periodic nothing is needed.
            Span target = has[d];
            if (!axis.periodic && !target.empty()) {
                constexpr int64_t far = int64_t{1} << 50;
                target.begin = target.begin == axis.domain.begin ? -far : target.begin;
                target.end = target.end == axis.domain.end ? far : target.end;
            } else if (axis.periodic && axis.parts == 1) {
                continue; // all turns are here
            }
            const size_t followed = need.follows.value_or(0);
            interior[followed] = need.inside(interior[followed], target);
        }
    }
    return volume(interior);
}

Phase deep_halo_phase(const std::string &name, const Layout &layout, const std::vector<int64_t> &radius, int64_t sweeps,
                      int64_t bytes, double cost) {
    if (sweeps < 1) {
        throw RuntimeError("bad-replay", concat("in ", name, ": ", sweeps, " sweeps for each exchange; an exchange ",
                                                "serves at least one; use 1 or more"));
    }
    check(radius.size() == layout.dimensions(), "a stencil has a radius for each dimension");
    Phase phase{name, {name, 0, {{name, layout, layout, {}, bytes}}}, {}, false};
    for (size_t d = 0; d < radius.size(); d++) {
        phase.exchange.flows[0].need.push_back(AxisNeed::stencil(d, -radius[d] * sweeps, radius[d] * sweeps));
    }
    for (int64_t left = sweeps; left-- > 0;) {
        Computation computation{layout, {}, cost};
        for (int64_t r : radius) {
            computation.grown.push_back(r * left);
        }
        phase.computations.push_back(std::move(computation));
    }
    return phase;
}

int64_t redundant_points(const Phase &phase) {
    int64_t points = 0;
    for (const Computation &computation : phase.computations) {
        for (int64_t rank = 0; rank < computation.layout.ranks; rank++) {
            points += computation.points(rank);
        }
        points -= volume(computation.layout.domain());
    }
    return points;
}

} // namespace fluorite::distribute
