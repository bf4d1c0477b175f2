// The time from the definition of a pipeline to its first realized pixels, with Funcs that are new each time.
#include "pipelines.h"
#include "serve.h"

int main() {
    const int stages = 30;
    Halide::Buffer<uint16_t> pixels(256 + 2, 32 + 2), blurred(256, 32);
    Halide::Buffer<float> samples(64 + stages, 64 + stages), smooth(64, 64);
    bench::fill(pixels.data(), pixels.number_of_elements(), 65536);
    bench::fill(samples.data(), samples.number_of_elements(), 256);
    return bench::serve([&](int repetition) {
        bench::report("first_pixel_blur", bench::seconds([&] { bench::blur(pixels, repetition).realize(blurred); }));
        bench::report_buffer("first_pixel_blur", blurred);
        bench::report("first_pixel_chain30",
                      bench::seconds([&] { bench::stencil_chain(samples, stages, repetition).realize(smooth); }));
        bench::report_buffer("first_pixel_chain30", smooth);
    });
}
