#include "apps/common/bench.h"
#include "apps/sobel/reference.h"
#include "apps/sobel/sobel.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<uint8_t>(8192, 8192);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<Sobel>(Schedule::Hand);
        app->input.set(over(input, 2));
        return app;
    };
    return measure("sobel", {argc, argv}, {2 * pixels}, Halide::Buffer<uint8_t>(input.width, input.height), make,
                   [&] { return reference::sobel(input); });
}
