#pragma once
// Solvers on grids, beside the applications of auto_cases.h. Extents of multigrid cycles stay one less than a power of
// two.

#include "apps/minifluxdiv/minifluxdiv.h"
#include "apps/multigrid/multigrid.h"
#include "benchmarks/auto_cases.h"

namespace auto_cases {

/// The step of a finite-volume solver over a box in the plane or in space.
inline Case flux_divergence(const std::string &name, std::vector<int> extents) {
    std::vector<int> with_ghosts = extents, mins(extents.size(), -apps::MiniFluxDiv::ghosts);
    for (int &extent : with_ghosts) {
        extent += 2 * apps::MiniFluxDiv::ghosts;
    }
    const int dimensions = static_cast<int>(extents.size());
    for (std::vector<int> *all : {&extents, &with_ghosts}) {
        all->push_back(apps::MiniFluxDiv::components);
    }
    mins.push_back(0);
    Buffer<double> input = random_buffer<double>(with_ghosts, -1, 1, 1);
    input.set_min(mins);
    return {name, extents, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::MiniFluxDiv>(schedule, dimensions);
                app->input.set(input);
                return Made{app, app->output, {app->input}};
            }};
}

/// A cycle over four grids: in the plane of 8191 points along each side, in space of 255, or a part of that.
inline Case multigrid(const std::string &name, int dimensions, apps::Cycle cycle, apps::Smoothing smoothing,
                      int shrink) {
    const std::vector<int> extents(static_cast<size_t>(dimensions), (dimensions == 2 ? 8192 : 256) / shrink - 1);
    const Buffer<double> guess = random_buffer<double>(extents, -1, 1, 1),
                         right = random_buffer<double>(extents, -1, 1, 2);
    return {name, extents, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::Multigrid>(schedule,
                                                             apps::MultigridOptions{dimensions, cycle, smoothing, 4});
                app->guess.set(guess);
                app->right.set(right);
                return Made{app, app->output, {app->guess, app->right}};
            }};
}

/// All applications, with the extents of their outputs divided by `shrink`.
inline std::vector<Named> all_cases(int shrink = 1) {
    using namespace apps;
    const int cube = std::max(1, 128 / shrink), square = std::max(1, 2048 / shrink);
    std::vector<Named> all = cases(shrink);
    all.push_back({"minifluxdiv", [=] { return flux_divergence("minifluxdiv", {cube, cube, cube}); }});
    all.push_back({"minifluxdiv_plane", [=] { return flux_divergence("minifluxdiv_plane", {square, square}); }});
    for (const int dimensions : {2, 3}) {
        for (const Cycle cycle : {Cycle::V, Cycle::W}) {
            for (const Smoothing &smoothing : {Smoothing{4, 4, 4}, Smoothing{10, 0, 0}}) {
                const std::string name = std::string("multigrid_") + (dimensions == 2 ? "plane" : "space") +
                                         (cycle == Cycle::V ? "_v" : "_w") + (smoothing.before == 10 ? "_10" : "");
                all.push_back({name, [=] { return multigrid(name, dimensions, cycle, smoothing, shrink); }});
            }
        }
    }
    return all;
}

} // namespace auto_cases
