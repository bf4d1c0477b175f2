// The run time of the 3x3 blur of a 31-megapixel picture into a buffer that exists already.
#include "pipelines.h"
#include "serve.h"

int main() {
    const int width = 6400, height = 4800;
    Halide::Buffer<uint16_t> input(width + 2, height + 2), output(width, height);
    bench::fill(input.data(), input.number_of_elements(), 65536);
    Halide::Func blur = bench::blur(input);
    bench::report_bytes("blur3x3", 2.0 * (width + 2) * (height + 2) + 2.0 * width * height);
    return bench::serve([&](int) {
        bench::report("blur3x3", bench::seconds([&] { blur.realize(output); }));
        bench::report_buffer("blur3x3", output);
    });
}
