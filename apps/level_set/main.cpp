#include "apps/common/program.h"
#include "apps/level_set/level_set.h"

#include "fluorite/image_io.h"

namespace {

using Halide::Buffer;

/// The picture with the contour in red.
Buffer<float> drawn(const Buffer<float> &gray, const Buffer<float> &phi) {
    Buffer<float> frame(gray.width(), gray.height(), 3);
    frame.for_each_element([&](int x, int y, int c) {
        const bool inside = phi(x, y) > 0;
        const bool contour = (x + 1 < gray.width() && inside != (phi(x + 1, y) > 0)) ||
                             (y + 1 < gray.height() && inside != (phi(x, y + 1) > 0));
        frame(x, y, c) = contour ? (c == 0 ? 1.0f : 0.0f) : gray(x, y);
    });
    return frame;
}

} // namespace

int main(int argc, char **argv) {
    using namespace apps;
    Program program{
        "level_set", "Parts a picture in two by a moving contour, drawn in red.", Channels::Gray, Halide::Float(32), 3,
        32};
    program.parameters = {{"steps", 400, 1, 1000000, "of the contour", true},
                          {"frame", 0, 0, 1000000, "also write level_set_<step>.png each so many steps; 0: none", true},
                          {"step", 2, 0.001, 10, "of time"},
                          {"length", 0.05, 0, 10, "weight of the contour's length"}};
    program.run = [](const Buffer<> &picture, const Request &request) -> Buffer<> {
        const Buffer<float> gray = picture;
        const int width = gray.width(), height = gray.height(), steps = request.integer("steps");
        // From a lattice of circles, which finds several parts at once.
        Buffer<float> phi(width, height);
        phi.for_each_element([&](int x, int y) {
            phi(x, y) = std::sin(0.4f * static_cast<float>(x)) * std::sin(0.4f * static_cast<float>(y));
        });
        LevelSet app(request.schedule);
        app.step.set(static_cast<float>(request.number("step")));
        app.length.set(static_cast<float>(request.number("length")));
        app.input.set(gray);
        request.scheduled(app.output, {width, height});
        for (int i = 1; i <= steps; i++) {
            app.phi.set(phi);
            phi = app.output.realize({width, height});
            show_progress("step", i, steps);
            if (const int every = request.integer("frame"); every > 0 && i % every == 0) {
                Halide::Tools::convert_and_save_image(drawn(gray, phi), "level_set_" + std::to_string(i) + ".png");
            }
        }
        return drawn(gray, phi);
    };
    program.print_loop_nest = [](const Request &request) { LevelSet(request.schedule).output.print_loop_nest(); };
    return run_program(program, argc, argv);
}
