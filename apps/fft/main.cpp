#include "apps/common/program.h"
#include "apps/fft/fft.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"fft",
                    "Shows the spectrum of the middle of a picture, low frequencies in the centre.",
                    Channels::Gray,
                    Halide::Float(32),
                    16,
                    16};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        const Halide::Buffer<float> gray = picture;
        int side = 16;
        while (2 * side <= std::min({gray.width(), gray.height(), 1024})) {
            side *= 2;
        }
        Halide::Buffer<float> square(side, side, 1), shown(side, side);
        const int left = (gray.width() - side) / 2, top = (gray.height() - side) / 2;
        square.for_each_element([&](int x, int y, int c) { square(x, y, c) = gray(left + x, top + y); });
        Fft app(request.schedule, side, Domain::Real);
        app.input.set(square);
        const Halide::Buffer<float> spectrum =
            request.scheduled(app.output, {side, side / 2 + 1, 2}).realize({side, side / 2 + 1, 2});
        shown.for_each_element([&](int x, int y) {
            int u = (x + side / 2) % side, v = (y + side / 2) % side;
            if (v > side / 2) { // the conjugate's place
                u = (side - u) % side;
                v = side - v;
            }
            const float magnitude = std::hypot(spectrum(u, v, 0), spectrum(u, v, 1));
            shown(x, y) = std::log2(1 + magnitude) / (2 * std::log2(static_cast<float>(side)));
        });
        return shown;
    };
    program.print_loop_nest = [](const Request &request) { Fft(request.schedule, 16).output.print_loop_nest(); };
    return run_program(program, argc, argv);
}
