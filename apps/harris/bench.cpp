#include "apps/common/bench.h"
#include "apps/harris/harris.h"
#include "apps/harris/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<float>(4096, 3072, 3);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<Harris>(Schedule::Hand);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("harris", {argc, argv}, {16 * pixels}, Halide::Buffer<float>(input.width, input.height), make,
                   [&] { return reference::harris(input); });
}
