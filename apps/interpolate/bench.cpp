#include "apps/common/bench.h"
#include "apps/interpolate/interpolate.h"
#include "apps/interpolate/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<float>(1536, 2560, 4);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<Interpolate>(Schedule::Hand);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("interpolate", {argc, argv}, {28 * pixels}, Halide::Buffer<float>(input.width, input.height, 3),
                   make, [&] { return reference::interpolate(input); });
}
