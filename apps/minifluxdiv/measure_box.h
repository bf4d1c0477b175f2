#pragma once
// One step over a box of cells, in the plane or in space.

#include "apps/common/bench.h"
#include "apps/minifluxdiv/minifluxdiv.h"
#include "apps/minifluxdiv/reference.h"

namespace apps {

inline int measure_box(const char *name, const Options &options, std::vector<int> extents) {
    constexpr int components = MiniFluxDiv::components, around = 2 * MiniFluxDiv::ghosts;
    const bool planar = extents.size() == 2;
    std::vector<int> with_ghosts = extents, mins(extents.size(), -MiniFluxDiv::ghosts);
    for (int &extent : with_ghosts) {
        extent += around;
    }
    extents.push_back(components);
    with_ghosts.push_back(components);
    mins.push_back(0);
    const auto input = random_image<double>(with_ghosts[0], with_ghosts[1],
                                            planar ? components : with_ghosts[2] * components, -1.0, 1.0);
    const auto make = [&] {
        Halide::Buffer<double> cells(const_cast<double *>(input.values.data()), with_ghosts); // inputs are only read
        cells.set_min(mins);
        auto app = std::make_unique<MiniFluxDiv>(options.schedule, static_cast<int>(extents.size()) - 1);
        app->input.set(cells);
        return app;
    };
    Halide::Buffer<double> output(extents);
    const double bytes = 8.0 * static_cast<double>(input.values.size() + output.number_of_elements());
    return measure(name, options, {bytes}, output, make, [&] { return reference::minifluxdiv(input, planar); });
}

} // namespace apps
