#include "apps/common/bench.h"
#include "apps/wavelet/reference.h"
#include "apps/wavelet/wavelet.h"

int main(int argc, char **argv) {
    using namespace apps;
    const Options options(argc, argv);
    const auto input = random_image<float>(4096, 4096);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<WaveletForward>(options.schedule);
        app->input.set(over(input, 2));
        return app;
    };
    const Tolerance tolerance = {3e-6}; // details are sums of 16 products that cancel
    return measure("wavelet", options, {8 * pixels, 0, tolerance},
                   Halide::Buffer<float>(input.width / 2, input.height / 2, 4), make,
                   [&] { return reference::wavelet(input); });
}
