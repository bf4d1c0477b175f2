#pragma once
// Networks, signals and statistics, as users write them.

#include "benchmarks/held_out/pipeline.h"

namespace held_out {

/// Exponentials of each row over their sum.
inline Made softmax() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", elements<float>({1000, 512}, -8, 8, 1));
    Func most("most"), power("power"), total("total"), output("output");
    RDom k(0, input.width(), "k");
    most(y) = Halide::maximum(input(k, y));
    power(x, y) = Halide::exp(input(x, y) - most(y));
    total(y) += power(k, y);
    output(x, y) = power(x, y) / total(y);
    return {output, {input}, {1000, 512}, false, 1e-4};
}

/// Rows less their mean over their deviation, scaled and shifted.
inline Made layer_norm() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", elements<float>({768, 1024}, -1, 1, 1)),
               scale = input_of("scale", floats({768}, 2)), shift = input_of("shift", floats({768}, 3));
    Func sum("sum"), squares("squares"), output("output");
    RDom k(0, input.width(), "k");
    const Expr count = cast<float>(input.width());
    sum(y) += input(k, y);
    const Expr mean = sum(y) / count, apart = input(k, y) - mean;
    squares(y) += apart * apart;
    output(x, y) = (input(x, y) - mean) / Halide::sqrt(squares(y) / count + 1e-5f) * scale(x) + shift(x);
    return {output, {input, scale, shift}, {768, 1024}, false, 1e-3};
}

/// The greatest of 2 x 2 values.
inline Made max_pool() {
    Var x("x"), y("y"), c("c");
    ImageParam input = input_of("input", elements<float>({224, 224, 64}, -1, 1, 1));
    Func output("output");
    RDom r(0, 2, 0, 2, "r");
    output(x, y, c) = Halide::maximum(input(2 * x + r.x, 2 * y + r.y, c));
    return {output, {input}, {112, 112, 64}};
}

/// 3 x 3 weights for each of 64 channels, which are innermost, a bias, and a limit of 0 to 6.
inline Made depthwise() {
    Var c("c"), x("x"), y("y");
    ImageParam input = input_of("input", elements<float>({64, 114, 114}, -1, 1, 1)),
               filter = input_of("filter", elements<float>({64, 3, 3}, -1, 1, 2)),
               bias = input_of("bias", floats({64}, 3));
    Func sum("sum"), output("output");
    RDom r(0, 3, 0, 3, "r");
    sum(c, x, y) = bias(c);
    sum(c, x, y) += filter(c, r.x, r.y) * input(c, x + r.x, y + r.y);
    output(c, x, y) = Halide::clamp(sum(c, x, y), 0.0f, 6.0f);
    return {output, {input, filter, bias}, {64, 112, 112}, false, 1e-4};
}

/// Products of 512 pairs of matrices of 32 x 32.
inline Made batched_matmul() {
    Var i("i"), j("j"), n("n");
    ImageParam a = input_of("a", elements<float>({32, 32, 512}, -1, 1, 1)),
               b = input_of("b", elements<float>({32, 32, 512}, -1, 1, 2));
    Func output("output");
    RDom k(0, 32, "k");
    output(i, j, n) += a(k, j, n) * b(i, k, n);
    return {output, {a, b}, {32, 32, 512}, false, 1e-3};
}

/// A filter of 64 taps over eight signals.
inline Made fir_64() {
    Var x("x"), c("c");
    ImageParam input = input_of("input", elements<float>({65536 + 63, 8}, -1, 1, 1)),
               taps = input_of("taps", elements<float>({64}, -1, 1, 2));
    Func output("output");
    RDom k(0, 64, "k");
    output(x, c) += taps(k) * input(x + k, c);
    return {output, {input, taps}, {65536, 8}, false, 1e-3};
}

/// Sum, mean and variance of each channel of a picture.
inline Made statistics() {
    Var c("c"), k("k");
    ImageParam input = input_of("input", bytes({1536, 1024, 3}, 1));
    Func sum("sum"), squares("squares"), output("output");
    RDom r(0, input.width(), 0, input.height(), "r");
    sum(c) += cast<uint64_t>(input(r.x, r.y, c));
    squares(c) += cast<uint64_t>(cast<uint32_t>(input(r.x, r.y, c)) * cast<uint32_t>(input(r.x, r.y, c)));
    const Expr count = cast<float>(input.width() * input.height()), mean = cast<float>(sum(c)) / count;
    output(c, k) = Halide::mux(k, {cast<float>(sum(c)), mean, cast<float>(squares(c)) / count - mean * mean});
    output.bound(k, 0, 3);
    return {output, {input}, {3, 3}, false, 1e-3};
}

/// A volume whose last dimension becomes the first.
inline Made transposed_copy() {
    Var x("x"), y("y"), z("z");
    ImageParam input = input_of("input", floats({160, 192, 128}, 1));
    Func output("output");
    output(x, y, z) = input(y, z, x);
    return {output, {input}, {128, 160, 192}};
}

inline std::vector<Named> arrays() {
    return {{"softmax", softmax},       {"layer_norm", layer_norm},          {"max_pool", max_pool},
            {"depthwise", depthwise},   {"batched_matmul", batched_matmul},  {"fir_64", fir_64},
            {"statistics", statistics}, {"transposed_copy", transposed_copy}};
}

} // namespace held_out
