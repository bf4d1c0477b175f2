#include "apps/common/bench.h"
#include "apps/heat3d/heat3d.h"
#include "apps/heat3d/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const Options options(argc, argv);
    constexpr int steps = 8;
    const auto input = random_image<float>(256, 256, 128);
    const auto make = [&] {
        auto app = std::make_unique<Heat3d>(options.schedule);
        app->input.set(over(input, 3));
        app->steps.set(steps);
        return app;
    };
    return measure("heat3d", options, {8.0 * steps * static_cast<double>(input.values.size())},
                   Halide::Buffer<float>(input.width, input.height, input.channels), make,
                   [&] { return reference::heat3d(input, steps); });
}
