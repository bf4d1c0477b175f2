#pragma once
// One step of a wavelet transform in both directions of a picture, Haar's or Daubechies' of four taps: the result holds
// the smooth part, the detail along x, along y and along both as its four channels, at half the width and height. The
// second pipeline takes it back. Outside the picture its edge repeats; outside the parts so do theirs.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

#include <array>

namespace apps {

enum class Wavelet { Haar, Daubechies };

/// The low-pass filter. Its high-pass partner has the same weights backwards with alternating signs.
inline std::array<float, 4> low_pass(Wavelet wavelet) {
    // Haar's second and third tap lie on the pair of pixels that Daubechies' span from the left.
    return wavelet == Wavelet::Haar ? std::array<float, 4>{0.70710678f, 0.70710678f, 0, 0}
                                    : std::array<float, 4>{0.48296291f, 0.83651630f, 0.22414387f, -0.12940952f};
}

/// From a picture to its parts.
struct WaveletForward {
    Halide::ImageParam input{Halide::Float(32), 2, "input"};
    Halide::Func output{"wavelet"};

    explicit WaveletForward(Schedule schedule, Wavelet wavelet = Wavelet::Daubechies) {
        using namespace Halide;
        Var x("x"), y("y"), c("c"), yi("yi"), line("line");
        const Func source = BoundaryConditions::repeat_edge(input);
        const std::array<float, 4> h = low_pass(wavelet);
        const auto smooth = [&](auto &&at) { return h[0] * at(0) + h[1] * at(1) + h[2] * at(2) + h[3] * at(3); };
        const auto detail = [&](auto &&at) { return h[3] * at(0) - h[2] * at(1) + h[1] * at(2) - h[0] * at(3); };
        // Haar's high-pass filter lies on its first pair, too.
        const int late = wavelet == Wavelet::Haar ? -2 : 0;
        Func rows("rows");
        const auto along_x = [&](int shift) { return [&, shift](int i) { return source(2 * x + i + shift, y); }; };
        rows(x, y, c) = mux(c, {smooth(along_x(0)), detail(along_x(late))});
        const auto along_y = [&](int part, int shift) {
            return [&, part, shift](int i) { return rows(x, 2 * y + i + shift, part); };
        };
        output(x, y, c) =
            mux(c, {smooth(along_y(0, 0)), smooth(along_y(1, 0)), detail(along_y(0, late)), detail(along_y(1, late))});
        if (is_by_hand(schedule)) {
            const int lanes = get_jit_target_from_environment().natural_vector_size<float>();
            output.reorder(c, x, y).bound(c, 0, 4).unroll(c).split(y, y, yi, 32).parallel(y).vectorize(x, lanes);
            // Two rows at a time need six of `rows`, which stay in registers.
            output.split(yi, yi, line, 2).reorder(c, line, x, yi).unroll(line);
            rows.compute_at(output, x).reorder(c, x, y).bound(c, 0, 2).unroll(c).unroll(y).vectorize(x, lanes);
        }
        if (is_on_gpu(schedule)) {
            output.reorder(c, x, y).bound(c, 0, 4).unroll(c);
            gpu_tiles(output, x, y, shifted({32, 8, 1, 2}));
            rows.compute_at(output, gpu_x()).reorder(c, x, y).bound(c, 0, 2).unroll(c).unroll(y);
        }
    }
};

/// From the parts to the picture.
struct WaveletInverse {
    Halide::ImageParam input{Halide::Float(32), 3, "parts"};
    Halide::Func output{"wavelet_inverse"};

    explicit WaveletInverse(Schedule schedule, Wavelet wavelet = Wavelet::Daubechies) {
        using namespace Halide;
        Var x("x"), y("y"), c("c"), yi("yi");
        const Func parts =
            BoundaryConditions::repeat_edge(input, {{0, input.width()}, {0, input.height()}, {Expr(), Expr()}});
        const std::array<float, 4> h = low_pass(wavelet);
        // Pixel 2i and 2i + 1 from the smooth and the detail parts i - 1 and i.
        const auto merged = [&](const Expr &at, auto &&low, auto &&high) {
            const Expr i = at / 2;
            const Expr even = wavelet == Wavelet::Haar
                                  ? h[0] * low(i) + h[0] * high(i)
                                  : h[2] * low(i - 1) + h[0] * low(i) + h[1] * high(i - 1) + h[3] * high(i);
            const Expr odd = wavelet == Wavelet::Haar
                                 ? h[0] * low(i) - h[0] * high(i)
                                 : h[3] * low(i - 1) + h[1] * low(i) - h[0] * high(i - 1) - h[2] * high(i);
            return select(at % 2 == 0, even, odd);
        };
        Func columns("columns");
        columns(x, y, c) =
            merged(y, [&](const Expr &i) { return parts(x, i, c); }, [&](const Expr &i) { return parts(x, i, c + 2); });
        output(x, y) =
            merged(x, [&](const Expr &i) { return columns(i, y, 0); }, [&](const Expr &i) { return columns(i, y, 1); });
        if (is_by_hand(schedule)) {
            output.split(y, y, yi, 32).parallel(y).unroll(yi, 2).vectorize(x, 16);
            columns.compute_at(output, yi).vectorize(x, 8);
        }
        if (is_on_gpu(schedule)) {
            gpu_tiles(output, x, y);
        }
    }
};

} // namespace apps
