#include "apps/common/program.h"
#include "apps/transpose/transpose.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"transpose", "Swaps rows and columns of a picture.", Channels::Gray, Halide::UInt(16), 1, 32};
    const auto make = [](const Request &request) { return std::make_unique<Transpose>(request.schedule); };
    program = with_one_input(program, make);
    program.run = [make](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        auto app = make(request);
        app->input.set(picture);
        return app->output.realize({picture.height(), picture.width()});
    };
    return run_program(program, argc, argv);
}
