#include "apps/common/bench.h"
#include "apps/max_filter/max_filter.h"
#include "apps/max_filter/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<uint8_t>(4096, 3072);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<MaxFilter>(Schedule::Hand);
        app->input.set(over(input, 2));
        return app;
    };
    return measure("max_filter", {argc, argv}, {2 * pixels}, Halide::Buffer<uint8_t>(input.width, input.height), make,
                   [&] { return reference::max_filter(input); });
}
