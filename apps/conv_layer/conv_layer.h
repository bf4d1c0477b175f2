#pragma once
// A layer of a convolutional network: 3x3 filters over all input channels, a bias, and ReLU. Channels are innermost.
// Reads one pixel further than the output on every side: the input comes with that margin.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct ConvLayer {
    Halide::ImageParam input{Halide::Float(32), 4, "input"};   ///< channel, x, y, picture of the batch
    Halide::ImageParam filter{Halide::Float(32), 4, "filter"}; ///< output channel, x, y, input channel
    Halide::ImageParam bias{Halide::Float(32), 1, "bias"};     ///< output channel
    Halide::Func output{"conv_layer"};

    explicit ConvLayer(Schedule schedule) {
        using namespace Halide;
        Var c("c"), x("x"), y("y"), n("n"), co("co"), ci("ci"), xo("xo"), xi("xi");
        Func sum("sum");
        RDom r(0, input.dim(0).extent(), 0, 3, 0, 3, "r");
        sum(c, x, y, n) = bias(c);
        sum(c, x, y, n) += filter(c, r.y, r.z, r.x) * input(r.x, x + r.y, y + r.z, n);
        output(c, x, y, n) = max(sum(c, x, y, n), 0.0f);
        if (is_by_hand(schedule)) {
            // Two vectors of channels of several pixels stay in registers while the filter runs: 20 of 32 registers, 12
            // of 16.
            const int vector = get_jit_target_from_environment().natural_vector_size<float>();
            const int channels = 2, pixels = vector < 16 ? 6 : 10;
            output.split(c, co, ci, vector * channels).split(x, xo, xi, pixels).reorder(ci, xi, xo, y, n, co);
            output.vectorize(ci, vector).unroll(ci).unroll(xi).parallel(y).parallel(n).parallel(co);
            sum.compute_at(output, xo).vectorize(c, vector).unroll(c).unroll(x).unroll(y);
            sum.update().reorder(c, x, y, r.x, r.y, r.z, n).vectorize(c, vector).unroll(c).unroll(x).unroll(y);
        }
        if (is_on_gpu(schedule)) {
            // 8 channels of 8 pixels are a thread's registers; pictures and rows are threads and blocks.
            Var yi("yi"), rest("rest");
            const auto shifts = TailStrategy::ShiftInwards;
            output.split(c, c, ci, 8, shifts).vectorize(ci).split(x, x, xi, 8, shifts).unroll(xi);
            output.split(c, c, co, 8, shifts).split(y, y, yi, 8, shifts).reorder(ci, xi, co, yi, c, x, y, n);
            output.fuse(y, n, rest).gpu_blocks(c, x, rest).gpu_threads(co, yi);
            sum.compute_at(output, co).vectorize(c, 8).unroll(x).unroll(y);
            sum.update().reorder(c, x, y, r.x, r.y, r.z, n).vectorize(c, 8).unroll(x).unroll(y);
        }
    }
};

} // namespace apps
