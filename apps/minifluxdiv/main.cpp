#include "apps/common/program.h"
#include "apps/minifluxdiv/minifluxdiv.h"

#include <algorithm>

namespace {

using Halide::Buffer;

/// A block whose layers are the picture, in a wind that turns around the middle: at most one cell per step.
Buffer<double> block_in_the_wind(const Buffer<float> &picture, int depth) {
    constexpr int ghosts = apps::MiniFluxDiv::ghosts;
    const int width = picture.width(), height = picture.height();
    std::vector<int> extents = {width + 2 * ghosts, height + 2 * ghosts}, mins = {-ghosts, -ghosts};
    if (depth > 1) {
        extents.push_back(depth + 2 * ghosts);
        mins.push_back(-ghosts);
    }
    extents.push_back(apps::MiniFluxDiv::components);
    mins.push_back(0);
    Buffer<double> cells(extents);
    cells.set_min(mins);
    const double radius = std::max(width, height) / 2.0;
    cells.for_each_element([&](const int *at) {
        const int component = at[cells.dimensions() - 1];
        const double right = (at[0] + 0.5 - width / 2.0) / radius, down = (at[1] + 0.5 - height / 2.0) / radius;
        // Density and energy are the picture, which its edge continues.
        const double brightness = picture(std::clamp(at[0], 0, width - 1), std::clamp(at[1], 0, height - 1));
        cells(at) = component == 1 ? down : component == 2 ? -right : component == 3 ? 0 : brightness;
    });
    return cells;
}

Buffer<float> change_of_density(const Buffer<double> &before, const Buffer<double> &after, double gain) {
    Buffer<float> change(after.width(), after.height());
    std::vector<int> at(static_cast<size_t>(after.dimensions()));
    if (at.size() == 4) {
        at[2] = after.extent(2) / 2;
    }
    change.for_each_element([&](int x, int y) {
        at[0] = x, at[1] = y;
        change(x, y) = static_cast<float>(0.5 + gain * (after(at.data()) - before(at.data())));
    });
    return change;
}

} // namespace

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"minifluxdiv",
                    "Shows, around gray, how a wind that turns changes a picture: the divergence of what flows.",
                    Channels::Gray,
                    Halide::Float(32),
                    1,
                    1};
    program.parameters = {{"depth", 1, 1, 512, "of a block whose layers are the picture; 1: a plane", true},
                          {"gain", 2, 0, 100, "of what is shown"}};
    const auto dimensions = [](const Request &request) { return request.integer("depth") > 1 ? 3 : 2; };
    program.run = [=](const Buffer<> &picture, const Request &request) -> Buffer<> {
        MiniFluxDiv app(request.schedule, dimensions(request));
        const int depth = request.integer("depth");
        const Buffer<double> cells = block_in_the_wind(picture, depth);
        app.input.set(cells);
        std::vector<int> extents = {picture.width(), picture.height()};
        if (depth > 1) {
            extents.push_back(depth);
        }
        extents.push_back(MiniFluxDiv::components);
        const Buffer<double> after = request.scheduled(app.output, extents).realize(extents);
        return change_of_density(cells, after, request.number("gain"));
    };
    program.print_loop_nest = [=](const Request &request) {
        MiniFluxDiv(request.schedule, dimensions(request)).output.print_loop_nest();
    };
    return run_program(program, argc, argv);
}
