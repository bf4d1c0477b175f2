#include "apps/common/bench.h"
#include "apps/pyramid_blend/pyramid_blend.h"
#include "apps/pyramid_blend/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const Options options(argc, argv);
    const auto input = random_image<float>(2048, 1536, 3);
    const auto second = random_image<float>(2048, 1536, 3, 2u);
    const auto mask = random_image<float>(2048, 1536, 1, 3u);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<PyramidBlend>(options.schedule);
        app->first.set(over(input, 3));
        app->second.set(over(second, 3));
        app->mask.set(over(mask, 2));
        return app;
    };
    const Tolerance tolerance = {2e-6}; // each value is summed up from all levels
    return measure("pyramid_blend", options, {40 * pixels, 0, tolerance},
                   Halide::Buffer<float>(input.width, input.height, 3), make,
                   [&] { return reference::pyramid_blend(input, second, mask); });
}
