#include "apps/common/program.h"
#include "apps/local_laplacian/local_laplacian.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"local_laplacian",
                    "Brings out the detail of a colour picture without halos.",
                    Channels::Color,
                    Halide::UInt(16),
                    1,
                    32};
    program.parameters = {{"levels", 8, 2, 12, "of the pyramid", true},
                          {"steps", 8, 2, 64, "of brightness", true},
                          {"alpha", 1, -1, 10, "how much detail is added"},
                          {"beta", 1, 0, 4, "how much contrast stays"}};
    const auto make = [](const Request &request) {
        auto app =
            std::make_unique<LocalLaplacian>(request.schedule, request.integer("levels"), request.integer("steps"));
        app->alpha.set(static_cast<float>(request.number("alpha")) / static_cast<float>(request.integer("steps") - 1));
        app->beta.set(static_cast<float>(request.number("beta")));
        return app;
    };
    return run_program(with_pyramid(with_one_input(program, make)), argc, argv);
}
