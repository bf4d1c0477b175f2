// The run time of a chain of 30 stencils of which two in three are inlined.
#include "pipelines.h"
#include "serve.h"

int main() {
    const int stages = 30, width = 1536, height = 1024;
    Halide::Buffer<float> input(width + stages, height + stages), output(width, height);
    bench::fill(input.data(), input.number_of_elements(), 256);
    Halide::Func last = bench::stencil_chain(input, stages);
    return bench::serve([&](int) {
        bench::report("chain30", bench::seconds([&] { last.realize(output); }));
        bench::report_buffer("chain30", output);
    });
}
