#include "apps/common/bench.h"
#include "apps/unsharp/reference.h"
#include "apps/unsharp/unsharp.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<float>(4096, 3072, 3);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<Unsharp>(Schedule::Hand);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("unsharp", {argc, argv}, {24 * pixels}, Halide::Buffer<float>(input.width, input.height, 3), make,
                   [&] { return reference::unsharp(input); });
}
