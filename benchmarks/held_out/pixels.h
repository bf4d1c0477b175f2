#pragma once
// Conversions of colours and of places, as users write them.

#include "benchmarks/held_out/pipeline.h"

namespace held_out {

/// Planes of luminance and of halved colours to interleaved bytes of red, green and blue.
inline Made yuv420_to_rgb() {
    Var x("x"), y("y"), c("c");
    const int w = 1920, h = 1080;
    ImageParam luma = input_of("luma", bytes({w, h}, 1)), u = input_of("u", bytes({w / 2, h / 2}, 2)),
               v = input_of("v", bytes({w / 2, h / 2}, 3));
    const Expr level = 298 * (cast<int>(luma(x, y)) - 16) + 128;
    const Expr blue = cast<int>(u(x / 2, y / 2)) - 128, red = cast<int>(v(x / 2, y / 2)) - 128;
    Func output("output");
    output(x, y, c) = cast<uint8_t>(Halide::clamp(
        Halide::mux(c, {level + 409 * red, level - 100 * blue - 208 * red, level + 516 * blue}) >> 8, 0, 255));
    output.output_buffer().dim(0).set_stride(3);
    output.output_buffer().dim(2).set_stride(1).set_bounds(0, 3);
    output.bound(c, 0, 3);
    return {output, {luma, u, v}, {w, h, 3}, true};
}

/// Interleaved bytes of red, green and blue to planes of luminance and colours.
inline Made rgb_to_yuv() {
    Var x("x"), y("y"), c("c");
    const int w = 1920, h = 1080;
    ImageParam input = interleaved_input("input", w, h, 1);
    const Expr r = cast<int>(input(x, y, 0)), g = cast<int>(input(x, y, 1)), b = cast<int>(input(x, y, 2));
    Func output("output");
    output(x, y, c) = cast<uint8_t>(
        Halide::mux(c, {((66 * r + 129 * g + 25 * b + 128) >> 8) + 16, ((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128,
                        ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128}));
    output.bound(c, 0, 3);
    return {output, {input}, {w, h, 3}};
}

/// Planes of red, green and blue to hue, saturation and value.
inline Made rgb_to_hsv() {
    Var x("x"), y("y"), c("c");
    const int w = 1280, h = 720;
    ImageParam input = input_of("input", floats({w, h, 3}, 1));
    const Expr r = input(x, y, 0), g = input(x, y, 1), b = input(x, y, 2);
    const Expr most = Halide::max(r, Halide::max(g, b)), range = most - Halide::min(r, Halide::min(g, b));
    const Expr some = Halide::max(range, 1e-6f);
    const Expr sector =
        Halide::select(most == r, (g - b) / some, most == g, 2.0f + (b - r) / some, 4.0f + (r - g) / some);
    const Expr hue = Halide::select(sector < 0.0f, sector + 6.0f, sector) / 6.0f;
    Func output("output");
    output(x, y, c) = Halide::mux(c, {hue, range / Halide::max(most, 1e-6f), most});
    output.bound(c, 0, 3);
    return {output, {input}, {w, h, 3}, false, 1e-4};
}

/// One and a half times as many pixels by cubic interpolation, along rows and then along columns.
inline Made bicubic_resize() {
    Var x("x"), y("y"), k("k");
    ImageParam input = input_of("input", floats({1024, 768}, 1));
    const Func source = Halide::BoundaryConditions::repeat_edge(input);
    const auto place = [](const Expr &at) { return (cast<float>(at) + 0.5f) / 1.5f - 0.5f; };
    const auto cubic = [](const Expr &apart) {
        const Expr d = Halide::abs(apart);
        return Halide::select(d < 1.0f, (1.5f * d - 2.5f) * d * d + 1.0f, d < 2.0f,
                              ((-0.5f * d + 2.5f) * d - 4.0f) * d + 2.0f, 0.0f);
    };
    Func weight("weight"), rows("rows"), output("output");
    RDom r(0, 4, "r");
    weight(x, k) = cubic(place(x) - Halide::floor(place(x)) + 1.0f - cast<float>(k));
    const Expr first_x = cast<int>(Halide::floor(place(x))) - 1, first_y = cast<int>(Halide::floor(place(y))) - 1;
    rows(x, y) += weight(x, r) * source(first_x + r, y);
    output(x, y) += weight(y, r) * rows(x, first_y + r);
    return {output, {input}, {1536, 1152}, false, 1e-4};
}

/// A rotated picture of bytes by bilinear interpolation.
inline Made bilinear_warp() {
    Var x("x"), y("y");
    const int w = 1280, h = 1024;
    ImageParam input = input_of("input", bytes({w, h}, 1));
    const Func source = Halide::BoundaryConditions::repeat_edge(input);
    const Expr dx = cast<float>(x - w / 2), dy = cast<float>(y - h / 2);
    const Expr px = 0.9848f * dx - 0.1736f * dy + cast<float>(w / 2),
               py = 0.1736f * dx + 0.9848f * dy + cast<float>(h / 2);
    const Expr ix = cast<int>(Halide::floor(px)), iy = cast<int>(Halide::floor(py));
    const Expr fx = px - cast<float>(ix), fy = py - cast<float>(iy);
    const auto at = [&](int i, int j) { return cast<float>(source(ix + i, iy + j)); };
    Func output("output");
    output(x, y) = cast<uint8_t>(
        Halide::lerp(Halide::lerp(at(0, 0), at(1, 0), fx), Halide::lerp(at(0, 1), at(1, 1), fx), fy) + 0.5f);
    return {output, {input}, {w, h}, false, 0, 1};
}

/// Two levels, the error of each pixel added to the next one of its row.
inline Made dithering() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", bytes({1536, 1024}, 1));
    Func level("level"), output("output");
    RDom r(1, input.width() - 1, "r");
    level(x, y) = cast<int16_t>(input(x, y));
    const Expr before = level(r - 1, y);
    level(r, y) += before - Halide::select(before > 127, cast<int16_t>(255), cast<int16_t>(0));
    output(x, y) = Halide::select(level(x, y) > 127, cast<uint8_t>(255), cast<uint8_t>(0));
    return {output, {input}, {1536, 1024}};
}

/// How far the histogram of each 32 x 32 pixels is from one that is given.
inline Made histogram_distance() {
    Var x("x"), y("y"), i("i");
    ImageParam input = input_of("input", bytes({2048, 1024}, 1)),
               model = input_of("model", elements<int32_t>({64}, 0, 32, 2));
    Func histogram("histogram"), output("output");
    RDom r(0, 32, 0, 32, "r"), bins(0, 64, "bins");
    histogram(i, x, y) = 0;
    histogram(cast<int>(input(32 * x + r.x, 32 * y + r.y) / 4), x, y) += 1;
    output(x, y) = 0;
    output(x, y) += Halide::abs(histogram(bins, x, y) - model(bins));
    return {output, {input, model}, {64, 32}};
}

inline std::vector<Named> pixels() {
    return {{"yuv420_to_rgb", yuv420_to_rgb},          {"rgb_to_yuv", rgb_to_yuv},       {"rgb_to_hsv", rgb_to_hsv},
            {"bicubic_resize", bicubic_resize},        {"bilinear_warp", bilinear_warp}, {"dithering", dithering},
            {"histogram_distance", histogram_distance}};
}

} // namespace held_out
