#include "apps/common/bench.h"
#include "apps/local_laplacian/local_laplacian.h"
#include "apps/local_laplacian/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<uint16_t>(1536, 2560, 3);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<LocalLaplacian>(Schedule::Hand);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("local_laplacian", {argc, argv}, {12 * pixels},
                   Halide::Buffer<uint16_t>(input.width, input.height, 3), make,
                   [&] { return reference::local_laplacian(input); });
}
