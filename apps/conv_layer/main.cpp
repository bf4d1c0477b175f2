#include "apps/common/image.h"
#include "apps/common/program.h"
#include "apps/conv_layer/conv_layer.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"conv_layer",
                    "Shows what random 3x3 filters of a network's first layer see in a colour picture.",
                    Channels::Color,
                    Halide::Float(32),
                    3,
                    16};
    program.parameters = {{"seed", 1, 0, 1e6, "of the filters", true}};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        constexpr int channels = 32, sheet_columns = 4, shown = 16;
        const Halide::Buffer<float> color = picture;
        const int width = color.width() - 2, height = color.height() - 2;
        Halide::Buffer<float> input(3, width + 2, height + 2, 1), filter(channels, 3, 3, 3), bias(channels);
        input.for_each_element([&](int c, int x, int y, int n) { input(c, x, y, n) = color(x, y, c); });
        // Filters without a mean answer to edges.
        const auto weights =
            random_image<float>(channels, 27, 1, -0.5f, 0.5f, static_cast<unsigned>(request.integer("seed")));
        for (int k = 0; k < channels; k++) {
            float mean = 0;
            for (int i = 0; i < 27; i++) {
                mean += weights(k, i) / 27;
            }
            filter.for_each_element([&](int c, int x, int y, int from) {
                if (c == k) {
                    filter(c, x, y, from) = weights(k, x + 3 * y + 9 * from) - mean;
                }
            });
        }
        bias.fill(0.05f);
        ConvLayer app(request.schedule);
        app.input.set(input);
        app.filter.set(filter);
        app.bias.set(bias);
        const Halide::Buffer<float> layer =
            request.scheduled(app.output, {channels, width, height, 1}).realize({channels, width, height, 1});
        Halide::Buffer<float> sheet(sheet_columns * width, shown / sheet_columns * height);
        sheet.for_each_element([&](int x, int y) {
            sheet(x, y) = std::fmin(layer(x / width + sheet_columns * (y / height), x % width, y % height, 0), 1.0f);
        });
        return sheet;
    };
    program.print_loop_nest = [](const Request &request) { ConvLayer(request.schedule).output.print_loop_nest(); };
    return run_program(program, argc, argv);
}
