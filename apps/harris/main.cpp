#include "apps/common/program.h"
#include "apps/harris/harris.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"harris",
                    "Marks the corners of a colour picture: bright where the response is strong.",
                    Channels::Color,
                    Halide::Float(32),
                    1,
                    32};
    program.parameters = {{"k", 0.04, 0, 0.25, "weight of the squared trace"}};
    const auto make = [](const Request &request) {
        auto app = std::make_unique<Harris>(request.schedule);
        app->k.set(static_cast<float>(request.number("k")));
        return app;
    };
    program = with_one_input(program, make);
    program.run = [run = program.run](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        Halide::Buffer<float> response = run(picture, request);
        response.for_each_value([](float &value) { value = std::sqrt(std::fmax(value, 0.0f)) * 0.5f; });
        return response;
    };
    return run_program(program, argc, argv);
}
