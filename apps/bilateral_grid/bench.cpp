#include "apps/common/bench.h"
#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/bilateral_grid/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<float>(3072, 2048);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<BilateralGrid>(Schedule::Hand);
        app->input.set(over(input, 2));
        return app;
    };
    return measure("bilateral_grid", {argc, argv}, {8 * pixels}, Halide::Buffer<float>(input.width, input.height), make,
                   [&] { return reference::bilateral_grid(input); });
}
