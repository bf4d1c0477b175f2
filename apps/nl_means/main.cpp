#include "apps/common/program.h"
#include "apps/nl_means/nl_means.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"nl_means", "Takes the noise out of a colour picture.", Channels::Color, Halide::Float(32), 1, 64};
    program.parameters = {{"patch", 7, 1, 21, "side of the patches that are compared, odd", true},
                          {"window", 7, 1, 41, "side of the window that is searched, odd", true},
                          {"sigma", 0.12, 0.001, 2, "difference of patches that still counts as alike"}};
    const auto make = [](const Request &request) {
        for (const char *name : {"patch", "window"}) {
            if (request.integer(name) % 2 == 0) {
                throw BadInput("--" + std::string(name) + " " + std::to_string(request.integer(name)) + ": it is odd");
            }
        }
        auto app = std::make_unique<NlMeans>(request.schedule, request.integer("patch"), request.integer("window"));
        app->sigma.set(static_cast<float>(request.number("sigma")));
        return app;
    };
    return run_program(with_one_input(program, make), argc, argv);
}
