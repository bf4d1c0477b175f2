#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/common/program.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{
        "bilateral_grid", "Smooths a picture but not across its edges.", Channels::Gray, Halide::Float(32), 1, 128};
    program.parameters = {{"range", 0.1, 0.01, 1, "steps of brightness that count as edges"}};
    const auto make = [](const Request &request) {
        auto app = std::make_unique<BilateralGrid>(request.schedule);
        app->range.set(static_cast<float>(request.number("range")));
        return app;
    };
    return run_program(with_one_input(program, make), argc, argv);
}
