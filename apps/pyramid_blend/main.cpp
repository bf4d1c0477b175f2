#include "apps/common/program.h"
#include "apps/pyramid_blend/pyramid_blend.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"pyramid_blend",
                    "Blends the left half of a colour picture with the right half of its negative.",
                    Channels::Color,
                    Halide::Float(32),
                    1,
                    32};
    program.parameters = {{"levels", 6, 1, 14, "of the pyramids", true}};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        const Halide::Buffer<float> color = picture;
        const int width = color.width(), height = color.height();
        Halide::Buffer<float> negative(width, height, 3), mask(width, height);
        negative.for_each_element([&](int x, int y, int c) { negative(x, y, c) = 1 - color(x, y, c); });
        mask.for_each_element([&](int x, int y) { mask(x, y) = x < width / 2 ? 1.0f : 0.0f; });
        PyramidBlend app(request.schedule, request.integer("levels"));
        app.first.set(color);
        app.second.set(negative);
        app.mask.set(mask);
        return request.scheduled(app.output, {width, height, 3}).realize({width, height, 3});
    };
    program.print_loop_nest = [](const Request &request) {
        PyramidBlend(request.schedule, request.integer("levels")).output.print_loop_nest();
    };
    return run_program(with_pyramid(program), argc, argv);
}
