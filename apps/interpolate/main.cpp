#include "apps/common/image.h"
#include "apps/common/program.h"
#include "apps/interpolate/interpolate.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"interpolate",
                    "Forgets most pixels of a colour picture and fills the holes from the rest.",
                    Channels::Color,
                    Halide::Float(32),
                    1,
                    32};
    program.parameters = {{"levels", 8, 2, 14, "of the pyramid", true},
                          {"keep", 8, 0.1, 100, "percent of the pixels that are not forgotten"}};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        const Halide::Buffer<float> color = picture;
        const double kept = request.number("keep") / 100;
        const auto chance = random_image<float>(color.width(), color.height());
        Halide::Buffer<float> holes(color.width(), color.height(), 4);
        holes.for_each_element([&](int x, int y, int c) {
            const float alpha = chance(x, y) < kept ? 1 : 0;
            holes(x, y, c) = c < 3 ? color(x, y, c) * alpha : alpha;
        });
        Interpolate app(request.schedule, request.integer("levels"));
        app.input.set(holes);
        return request.scheduled(app.output, {color.width(), color.height(), 3})
            .realize({color.width(), color.height(), 3});
    };
    program.print_loop_nest = [](const Request &request) {
        Interpolate(request.schedule, request.integer("levels")).output.print_loop_nest();
    };
    return run_program(with_pyramid(program), argc, argv);
}
