#include "apps/common/program.h"
#include "apps/jacobi/jacobi.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"jacobi",
                    "Lets the brightness of a picture flow by sweeps of Jacobi's iteration.",
                    Channels::Gray,
                    Halide::Float(32),
                    1,
                    64};
    program.parameters = {{"reach", 1, 1, 2, "1: star of 5 points, 2: star of 9", true},
                          {"sweeps", 8, 1, 64, "in one run", true},
                          runs_parameter(10)};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        Jacobi app(request.schedule, {2, request.integer("reach")}, request.integer("sweeps"));
        Halide::Buffer<> state = picture;
        app.input.set(state);
        request.scheduled(app.output, {picture.width(), picture.height()});
        repeat_runs(request, [&] {
            app.input.set(state);
            state = app.output.realize({picture.width(), picture.height()});
        });
        return state;
    };
    program.print_loop_nest = [](const Request &request) {
        Jacobi(request.schedule, {2, request.integer("reach")}, 2).output.print_loop_nest();
    };
    return run_program(program, argc, argv);
}
