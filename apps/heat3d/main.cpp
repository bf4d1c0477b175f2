#include "apps/common/program.h"
#include "apps/heat3d/heat3d.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"heat3d",
                    "Heats a block of which the picture is the front face, and shows how warm its middle gets.",
                    Channels::Gray,
                    Halide::Float(32),
                    3,
                    32};
    program.parameters = {{"depth", 16, 3, 512, "of the block", true},
                          {"steps", 20, 0, 1000, "in time, each time the program runs", true},
                          runs_parameter(20),
                          {"rate", 0.15, 0, 0.166, "diffusivity times step over squared spacing"}};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        const Halide::Buffer<float> front = picture;
        const int width = front.width(), height = front.height(), depth = request.integer("depth");
        Halide::Buffer<float> block(width, height, depth);
        block.for_each_element([&](int x, int y, int z) { block(x, y, z) = z == 0 ? front(x, y) : 0.0f; });
        Heat3d app(request.schedule);
        app.rate.set(static_cast<float>(request.number("rate")));
        app.steps.set(request.integer("steps"));
        app.input.set(block);
        request.scheduled(app.output, {width, height, depth});
        repeat_runs(request, [&] {
            app.input.set(block);
            block = app.output.realize({width, height, depth});
        });
        Halide::Buffer<float> slice(width, height);
        const int middle = std::min(3, depth / 2);
        slice.for_each_element([&](int x, int y) { slice(x, y) = block(x, y, middle); });
        return slice;
    };
    program.print_loop_nest = [](const Request &request) { Heat3d(request.schedule).output.print_loop_nest(); };
    return run_program(program, argc, argv);
}
