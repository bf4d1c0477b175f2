#include "apps/common/bench.h"
#include "apps/hist_equalize/hist_equalize.h"
#include "apps/hist_equalize/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<uint8_t>(4096, 3072, 3);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<HistEqualize>(Schedule::Hand);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("hist_equalize", {argc, argv}, {6 * pixels}, Halide::Buffer<uint8_t>(input.width, input.height, 3),
                   make, [&] { return reference::hist_equalize(input); });
}
