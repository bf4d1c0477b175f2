#include "apps/common/program.h"
#include "apps/wavelet/wavelet.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"wavelet",
                    "Shows the four parts of a picture's wavelet transform, details around gray.",
                    Channels::Gray,
                    Halide::Float(32),
                    4,
                    64};
    program.parameters = {{"haar", 0, 0, 1, "1: Haar's wavelet, 0: Daubechies' of four taps", true}};
    const auto make = [](const Request &request) {
        return std::make_unique<WaveletForward>(request.schedule,
                                                request.integer("haar") == 1 ? Wavelet::Haar : Wavelet::Daubechies);
    };
    program = with_one_input(program, make);
    program.run = [make](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        auto app = make(request);
        app->input.set(picture);
        const int width = (picture.width() + 1) / 2, height = (picture.height() + 1) / 2;
        const Halide::Buffer<float> parts = app->output.realize({width, height, 4});
        Halide::Buffer<float> sheet(2 * width, 2 * height);
        parts.for_each_element([&](int x, int y, int c) {
            sheet(x + c % 2 * width, y + c / 2 * height) = c == 0 ? parts(x, y, c) / 2 : 0.5f + 2 * parts(x, y, c);
        });
        return sheet;
    };
    return run_program(program, argc, argv);
}
