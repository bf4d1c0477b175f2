#include "apps/common/bench.h"
#include "apps/fft/fft.h"
#include "apps/fft/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    constexpr int side = 256;
    const auto input = random_image<float>(side, side, 2);
    const auto make = [&] {
        auto app = std::make_unique<Fft>(Schedule::Hand, side);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("fft", {argc, argv}, {16.0 * side * side, 5.0 * side * side * 16},
                   Halide::Buffer<float>(side, side, 2), make, [&] { return reference::fft(input, false, side); });
}
