#include "apps/common/bench.h"
#include "apps/iir_blur/iir_blur.h"
#include "apps/iir_blur/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<float>(2048, 1536, 3);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<IirBlur>(Schedule::Hand);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("iir_blur", {argc, argv}, {24 * pixels}, Halide::Buffer<float>(input.width, input.height, 3), make,
                   [&] { return reference::iir_blur(input); });
}
