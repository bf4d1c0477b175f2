// The time to compile a chain of 200 Funcs that are all computed at root; the result is computed once to be compared.
#include "serve.h"

#include <Halide.h>

namespace {

Halide::Func chain(const Halide::Buffer<int> &input, int length, int salt) {
    Halide::Var x("x"), y("y");
    Halide::Func before("source");
    before(x, y) = input(x, y) + salt;
    for (int i = 1; i <= length; ++i) {
        Halide::Func stage("stage" + std::to_string(i));
        stage(x, y) = before(x, y) * 3 + before(x, y + i % 2) + i;
        stage.compute_root();
        before = stage;
    }
    return before;
}

} // namespace

int main() {
    const int length = 200;
    Halide::Buffer<int> input(32, 32 + length), output(32, 32);
    bench::fill(input.data(), input.number_of_elements(), 256);
    return bench::serve([&](int repetition) {
        Halide::Func last = chain(input, length, repetition);
        bench::report("chain200_compile", bench::seconds([&] { last.compile_jit(); }));
        last.realize(output);
        bench::report_buffer("chain200_compile", output);
    });
}
