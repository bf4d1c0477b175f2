#include "apps/common/bench.h"
#include "apps/level_set/level_set.h"
#include "apps/level_set/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const Options options(argc, argv);
    const auto input = random_image<float>(4096, 3072);
    const auto phi = random_image<float>(4096, 3072, 1, -1.0f, 1.0f, 2);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<LevelSet>(options.schedule);
        app->input.set(over(input, 2));
        app->phi.set(over(phi, 2));
        return app;
    };
    const Tolerance tolerance = {2e-6}; // sums of 12 million pixels are behind the means
    return measure("level_set", options, {20 * pixels, 0, tolerance}, Halide::Buffer<float>(input.width, input.height),
                   make, [&] { return reference::level_set(input, phi); });
}
