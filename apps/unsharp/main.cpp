#include "apps/common/program.h"
#include "apps/unsharp/unsharp.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"unsharp", "Sharpens a colour picture with an unsharp mask.", Channels::Color, Halide::Float(32), 1,
                    32};
    program.parameters = {{"sigma", 1.5, 0.1, 3, "width of the blur in pixels"},
                          {"strength", 1, 0, 10, "how much of the difference is added"}};
    const auto make = [](const Request &request) {
        auto app = std::make_unique<Unsharp>(request.schedule);
        app->sigma.set(static_cast<float>(request.number("sigma")));
        app->strength.set(static_cast<float>(request.number("strength")));
        return app;
    };
    return run_program(with_one_input(program, make), argc, argv);
}
