#include "apps/common/bench.h"
#include "apps/conv_layer/conv_layer.h"
#include "apps/conv_layer/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const Options options(argc, argv);
    const reference::ConvShape s{128, 128, 100, 80, 5};
    const auto input = random_image<float>(s.in * (s.width + 2), s.height + 2, s.batch, -0.5f, 0.5f),
               filter = random_image<float>(s.out * 9, s.in, 1, -0.5f, 0.5f, 2),
               bias = random_image<float>(s.out, 1, 1, 3u);
    const auto make = [&] {
        auto app = std::make_unique<ConvLayer>(options.schedule);
        app->input.set(Halide::Buffer<float>(const_cast<float *>(input.values.data()),
                                             {s.in, s.width + 2, s.height + 2, s.batch}));
        app->filter.set(Halide::Buffer<float>(const_cast<float *>(filter.values.data()), {s.out, 3, 3, s.in}));
        app->bias.set(over(bias, 1));
        return app;
    };
    const double outputs = 1.0 * s.out * s.width * s.height * s.batch;
    const double values = outputs + static_cast<double>(input.values.size() + filter.values.size());
    // Sums of 1152 products are around 3 before those below 0 become 0, so what is left of one may stand among zeros:
    // the absolute error is that of the sums.
    const Tolerance tolerance = {1e-6, 1e-5};
    return measure("conv_layer", options, {4 * values, outputs * 2 * 9 * s.in, tolerance},
                   Halide::Buffer<float>(s.out, s.width, s.height, s.batch), make,
                   [&] { return reference::conv_layer(s, input.values, filter.values, bias.values); });
}
