#include "apps/common/bench.h"
#include "apps/transpose/reference.h"
#include "apps/transpose/transpose.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<uint16_t>(8192, 8192);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<Transpose>(Schedule::Hand);
        app->input.set(over(input, 2));
        return app;
    };
    return measure("transpose", {argc, argv}, {4 * pixels}, Halide::Buffer<uint16_t>(input.width, input.height), make,
                   [&] { return reference::transpose(input); });
}
