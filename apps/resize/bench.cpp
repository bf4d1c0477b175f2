#include "apps/common/bench.h"
#include "apps/resize/reference.h"
#include "apps/resize/resize.h"

int main(int argc, char **argv) {
    using namespace apps;
    const Options options(argc, argv);
    const auto input = random_image<float>(4096, 3072, 3);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<Resize>(options.schedule);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("resize", options, {15 * pixels}, Halide::Buffer<float>(input.width / 2, input.height / 2, 3), make,
                   [&] { return reference::resize(input, input.width / 2, input.height / 2, 2, 0.5f); });
}
