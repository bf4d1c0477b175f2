// The run time of a pipeline that carries no schedule at all: the sum of both Sobel responses of a float picture.
#include "serve.h"

#include <Halide.h>

int main() {
    using namespace Halide;
    const int width = 2048, height = 2048;
    Buffer<float> input(width + 2, height + 2), output(width, height);
    bench::fill(input.data(), input.number_of_elements(), 256);
    Var x("x"), y("y");
    Func across("across"), down("down"), sobel("sobel");
    across(x, y) = input(x + 2, y) - input(x, y) + 2.0f * (input(x + 2, y + 1) - input(x, y + 1)) +
                   (input(x + 2, y + 2) - input(x, y + 2));
    down(x, y) = input(x, y + 2) - input(x, y) + 2.0f * (input(x + 1, y + 2) - input(x + 1, y)) +
                 (input(x + 2, y + 2) - input(x + 2, y));
    sobel(x, y) = abs(across(x, y)) + abs(down(x, y));
    bench::report_bytes("sobel_default", 4.0 * (width + 2) * (height + 2) + 4.0 * width * height);
    return bench::serve([&](int) {
        bench::report("sobel_default", bench::seconds([&] { sobel.realize(output); }));
        bench::report_buffer("sobel_default", output);
    });
}
