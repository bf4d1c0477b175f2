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
                          {"runs", 10, 1, 100000, "each on the result of the one before", true}};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        Jacobi app(request.schedule, {2, request.integer("reach")}, request.integer("sweeps"));
        Halide::Buffer<> state = picture;
        for (int run = 0; run < request.integer("runs"); run++) {
            app.input.set(state);
            state = app.output.realize({picture.width(), picture.height()});
            show_progress("run", run + 1, request.integer("runs"));
        }
        return state;
    };
    program.print_loop_nest = [](const Request &request) {
        Jacobi(request.schedule, {2, request.integer("reach")}, 2).output.print_loop_nest();
    };
    return run_program(program, argc, argv);
}
