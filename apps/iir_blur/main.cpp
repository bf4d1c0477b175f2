#include "apps/common/program.h"
#include "apps/iir_blur/iir_blur.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"iir_blur",
                    "Blurs a picture recursively, as widely as wished for the same work.",
                    Channels::Any,
                    Halide::Float(32),
                    2,
                    64};
    program.parameters = {{"alpha", 0.1, 0.001, 1, "the input's share of each pixel; small ones blur widely"}};
    const auto make = [](const Request &request) {
        auto app = std::make_unique<IirBlur>(request.schedule);
        app->alpha.set(static_cast<float>(request.number("alpha")));
        return app;
    };
    return run_program(with_one_input(program, make), argc, argv);
}
