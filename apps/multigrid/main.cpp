#include "apps/common/program.h"
#include "apps/multigrid/multigrid.h"

#include <cmath>
#include <numbers>

namespace {

using Halide::Buffer;

/// The picture as a plane, or as a block that fades towards the front and the back.
Buffer<double> block_of(const Buffer<float> &picture, int depth) {
    std::vector<int> extents = {picture.width(), picture.height()};
    if (depth > 1) {
        extents.push_back(depth);
    }
    Buffer<double> block(extents);
    block.for_each_element([&](const int *at) {
        const double fading = depth > 1 ? std::sin(std::numbers::pi * (at[2] + 1) / (depth + 1)) : 1;
        block(at) = fading * static_cast<double>(picture(at[0], at[1]));
    });
    return block;
}

/// What multigrid is to solve for the block. Outside the block is 0.
Buffer<double> laplace_of(const Buffer<double> &block) {
    Buffer<double> result = Buffer<double>::make_with_shape_of(block);
    std::vector<int> beside(static_cast<size_t>(block.dimensions()));
    result.for_each_element([&](const int *at) {
        double sum = 0;
        beside.assign(at, at + block.dimensions());
        for (int d = 0; d < block.dimensions(); d++) {
            int &coordinate = beside[static_cast<size_t>(d)];
            for (const int by : {-1, 1}) {
                coordinate = at[d] + by;
                sum += coordinate >= 0 && coordinate < block.extent(d) ? block(beside.data()) : 0;
                sum -= block(at);
            }
            coordinate = at[d];
        }
        result(at) = sum;
    });
    return result;
}

apps::MultigridOptions options_of(const apps::Request &request) {
    const apps::Cycle cycle = request.integer("visits") == 1 ? apps::Cycle::V : apps::Cycle::W;
    return {request.integer("depth") > 1 ? 3 : 2,
            cycle,
            {request.integer("before"), request.integer("coarsest"), request.integer("after")},
            request.integer("levels")};
}

Buffer<> solve(const Buffer<float> &picture, const apps::Request &request) {
    apps::Multigrid app(request.schedule, options_of(request));
    const int depth = request.integer("depth");
    const Buffer<double> right = laplace_of(block_of(picture, depth));
    std::vector<int> extents;
    for (int d = 0; d < right.dimensions(); d++) {
        extents.push_back(right.extent(d));
    }
    Buffer<double> values = Buffer<double>::make_with_shape_of(right);
    values.fill(0);
    app.right.set(right);
    app.guess.set(values);
    request.scheduled(app.output, extents);
    apps::repeat_runs(request, [&] {
        app.guess.set(values);
        values = app.output.realize(extents);
    });
    Buffer<float> slice(picture.width(), picture.height());
    std::vector<int> at(extents.size());
    at.back() = depth / 2;
    slice.for_each_element([&](int x, int y) {
        at[0] = x, at[1] = y;
        slice(x, y) = static_cast<float>(values(at.data()));
    });
    return slice;
}

} // namespace

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"multigrid",
                    "Solves Poisson's equation for the Laplacian of a picture, which gives the picture back.",
                    Channels::Gray,
                    Halide::Float(32),
                    1,
                    1};
    program.parameters = {{"levels", 7, 1, 12, "grids, each of half the points along each axis", true},
                          {"visits", 1, 1, 2, "of each coarser grid: 1 for V cycles, 2 for W cycles", true},
                          {"before", 4, 1, 32, "steps of smoothing before a coarser grid", true},
                          {"coarsest", 4, 0, 32, "on the coarsest grid", true},
                          {"after", 4, 0, 32, "after a coarser grid", true},
                          {"depth", 1, 1, 512, "of a block that fades in front and behind; 1: a plane", true},
                          runs_parameter(4)};
    program.run = [](const Buffer<> &picture, const Request &request) { return solve(picture, request); };
    program.print_loop_nest = [](const Request &request) {
        Multigrid(request.schedule, options_of(request)).output.print_loop_nest();
    };
    return run_program(with_pyramid(program), argc, argv);
}
