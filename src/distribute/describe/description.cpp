#include "distribute/describe/description.h"

#include "fluorite/errors.h"
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

Layout layout_of(const Description &description) {
    Layout layout = Layout::blocks(domain_of(description.size), description.ranks, description.grid);
    for (size_t d = 0; d < description.periodic.size() && d < layout.axes.size(); d++) {
        layout.axes[d].periodic = description.periodic[d];
    }
    layout.validate("the array");
    return layout;
}

Program stencil(const Description &description, const LogGP &model) {
    const Layout layout = layout_of(description);
    const std::vector<int64_t> radius(layout.dimensions(), description.radius);
    int64_t sweeps = description.sweeps;
    if (sweeps == 0) {
        sweeps = choose_sweeps(layout, radius, description.bytes, description.cost, model, description.steps);
    }
    sweeps = std::min(sweeps, description.steps);
    const auto phase = [&](int64_t count) {
        Phase result = deep_halo_phase("sweeps", layout, radius, count, description.bytes, description.cost);
        result.exchange.flows[0].name = "array";
        result.overlaps = description.overlaps;
        return result;
    };
    Program program{"stencil", description.ranks, {phase(sweeps)}, description.steps / sweeps, {}};
    if (description.steps % sweeps != 0) {
        program.epilogue.push_back(phase(description.steps % sweeps));
    }
    return program;
}

Program transpose(const Description &description) {
    if (description.size.size() < 2) {
        throw RuntimeError("bad-replay", "a transposition of one dimension; two dimensions change places; give a size "
                                         "such as 1000x1000");
    }
    // By default both arrays are cut along their last dimension, so that every rank needs some of every other.
    std::vector<int64_t> grid = description.grid;
    if (grid.empty()) {
        grid.assign(description.size.size(), 1);
        grid.back() = description.ranks;
    }
    std::vector<int64_t> size = description.size;
    const Layout in = Layout::blocks(domain_of(size), description.ranks, grid);
    std::swap(size.front(), size.back());
    const Layout out = Layout::blocks(domain_of(size), description.ranks, grid);
    Flow flow{"in", in, out, {}, description.bytes};
    for (size_t d = 0; d < size.size(); d++) {
        flow.need.push_back(AxisNeed::same(d == 0 ? size.size() - 1 : d + 1 == size.size() ? 0 : d));
    }
    return {"transpose",
            description.ranks,
            {{"transpose", {"transpose", 0, {flow}}, {{out, {}, description.cost}}, false}},
            1,
            {}};
}

/// The layouts of a pyramid's levels, finest first.
std::vector<Layout> levels_of(const Description &description) {
    std::vector<Layout> levels = {layout_of(description)};
    std::vector<int64_t> size = description.size;
    for (int64_t level = 1; level < description.levels; level++) {
        for (int64_t &extent : size) {
            extent = (extent + 1) / 2;
        }
        Layout layout = Layout::blocks(domain_of(size), description.ranks, levels.front().grid);
        for (size_t d = 0; d < size.size(); d++) {
            layout.axes[d].periodic = levels.front().axes[d].periodic;
        }
        if (description.coarse_from && level >= *description.coarse_from) {
            layout = description.coarse_ranks == 0 ? Layout::everywhere(domain_of(size), description.ranks)
                                                   : agglomerated(layout, description.coarse_ranks);
        }
        levels.push_back(std::move(layout));
    }
    return levels;
}

Program pyramid(const Description &description) {
    const std::vector<Layout> levels = levels_of(description);
    Program program{"pyramid", description.ranks, {}, description.steps, {}};
    const auto add = [&](const std::string &name, const std::string &array, const Layout &from, const Layout &to,
                         const std::vector<Step> &steps) {
        Flow flow{array, from, to, {}, description.bytes};
        for (size_t d = 0; d < from.dimensions(); d++) {
            AxisNeed need{d, {}, steps};
            flow.need.push_back(from.axes[d].periodic ? need : need.then(Clamp{from.axes[d].domain}));
        }
        const auto tag = static_cast<int64_t>(program.phases.size());
        program.phases.push_back({name, {name, tag, {flow}}, {{to, {}, description.cost}}, description.overlaps});
    };
    for (size_t level = 1; level < levels.size(); level++) {
        add(concat("down", level), concat("level", level - 1), levels[level - 1], levels[level],
            {Scale{2, 1}, Grow{-1, 2}});
    }
    for (size_t level = levels.size() - 1; level-- > 0;) {
        add(concat("up", level), concat("sum", level + 1), levels[level + 1], levels[level],
            {Scale{1, 2}, Grow{-1, 1}});
    }
    return program;
}

} // namespace

Program describe(const Description &description, const LogGP &model) {
    switch (description.kind) {
    case Description::Kind::Stencil:
        return stencil(description, model);
    case Description::Kind::Pyramid:
        return pyramid(description);
    case Description::Kind::Transpose:
        break;
    }
    return transpose(description);
}

} // namespace fluorite::distribute
