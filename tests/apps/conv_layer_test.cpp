#include "app_test.h"
#include "apps/conv_layer/conv_layer.h"
#include "apps/conv_layer/reference.h"

namespace apps::conv_layer_test {
namespace {

TEST(ConvLayer, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        ConvLayer app(schedule);
        for (const reference::ConvShape &s :
             {reference::ConvShape{3, 37, 7, 3, 2}, {4, 32, 13, 5, 1}, {1, 5, 1, 1, 1}}) {
            if (schedule == Schedule::Hand && s.out < 32) {
                continue; // the schedule computes a vector of channels for 5 pixels at a time
            }
            const auto input = random_image<float>(s.in * (s.width + 2), s.height + 2, s.batch, -0.5f, 0.5f),
                       filter = random_image<float>(s.out * 9, s.in, 1, -0.5f, 0.5f, 2),
                       bias = random_image<float>(s.out, 1, 1, 3u);
            const auto set = [](Halide::ImageParam &param, const Image<float> &image, std::vector<int> extents) {
                param.set(Halide::Buffer<float>(const_cast<float *>(image.values.data()), extents));
            };
            // The hand schedule needs a multiple of 32 channels: rounding up would read beyond a filter.
            if (schedule == Schedule::Hand && s.out % 32 != 0) {
                continue;
            }
            set(app.input, input, {s.in, s.width + 2, s.height + 2, s.batch});
            set(app.filter, filter, {s.out, 3, 3, s.in});
            set(app.bias, bias, {s.out});
            const Halide::Buffer<float> output = app.output.realize({s.out, s.width, s.height, s.batch});
            expect_near(output, reference::conv_layer(s, input.values, filter.values, bias.values), 1e-5, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::conv_layer_test
