#include "apps/common/program.h"
#include "apps/resize/resize.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"resize", "Resizes a picture.", Channels::Any, Halide::Float(32), 1, 64};
    program.parameters = {{"filter", 2, 0, 3, "0 box, 1 linear, 2 cubic, 3 Lanczos", true},
                          {"factor", 0.5, 0.02, 20, "size of the result, relative to the picture"}};
    const auto make = [](const Request &request) {
        return std::make_unique<Resize>(request.schedule, static_cast<Filter>(request.integer("filter")),
                                        static_cast<float>(request.number("factor")));
    };
    program = with_one_input(program, make);
    program.run = [make](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        auto app = make(request);
        const auto scaled = [&](int count) {
            return std::max(1, static_cast<int>(std::lround(count * request.number("factor"))));
        };
        app->input.set(picture);
        return app->output.realize({scaled(picture.width()), scaled(picture.height()), picture.channels()});
    };
    return run_program(program, argc, argv);
}
