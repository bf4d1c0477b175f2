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
    // A product that is added to without rounding can pick the next entry of the table: few values, 2 % of the range at most.
    const Tolerance tolerance = {1310, 0.02};
    return measure("local_laplacian", {argc, argv}, {12 * pixels, 0, tolerance},
                   Halide::Buffer<uint16_t>(input.width, input.height, 3), make,
                   [&] { return reference::local_laplacian(input); });
}
