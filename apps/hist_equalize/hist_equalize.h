#pragma once
// Histogram equalization of a colour picture: the luminance of YCbCr is mapped by its own cumulative histogram, the
// chrominance stays. 8 bits, fixed-point conversion (the weights of JPEG). Reads no pixel outside the picture.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct HistEqualize {
    Halide::ImageParam input{Halide::UInt(8), 3, "input"};
    Halide::Func output{"hist_equalize"};

    explicit HistEqualize(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), c("c"), i("i"), band("band"), yi("yi");
        const Expr r = cast<int>(input(x, y, 0)), g = cast<int>(input(x, y, 1)), b = cast<int>(input(x, y, 2));
        const auto scaled = [](Expr sum) { return (sum + 32768) >> 16; };
        Func luma("luma"), blue("blue"), red("red");
        luma(x, y) = cast<uint8_t>(scaled(19595 * r + 38470 * g + 7471 * b));
        blue(x, y) = cast<uint8_t>(clamp(scaled(-11059 * r - 21709 * g + 32768 * b) + 128, 0, 255));
        red(x, y) = cast<uint8_t>(clamp(scaled(32768 * r - 27439 * g - 5329 * b) + 128, 0, 255));

        Func histogram("histogram"), below("below"), equal("equal");
        RDom pixels(0, input.width(), 0, input.height(), "pixels"), bins(1, 255, "bins");
        histogram(i) = 0;
        histogram(cast<int>(luma(pixels.x, pixels.y))) += 1;
        below(i) = histogram(0);
        below(bins) = below(bins - 1) + histogram(bins);
        const Expr all = cast<float>(input.width()) * cast<float>(input.height());
        equal(i) = cast<uint8_t>(clamp(cast<int>(cast<float>(below(i)) / all * 255.0f + 0.5f), 0, 255));

        const Expr to = cast<int>(equal(cast<int>(luma(x, y))));
        const Expr cb = cast<int>(blue(x, y)) - 128, cr = cast<int>(red(x, y)) - 128;
        output(x, y, c) = cast<uint8_t>(
            clamp(to + mux(c, {scaled(91881 * cr), scaled(-22554 * cb - 46802 * cr), scaled(116130 * cb)}), 0, 255));
        luma.compute_root();
        histogram.compute_root();
        below.compute_root();
        equal.compute_root();
        if (is_by_hand(schedule)) {
            luma.parallel(y, 32).vectorize(x, 16);
            RVar rows("rows"), row("row");
            Func part = histogram.update().split(pixels.y, rows, row, 64).rfactor(rows, band);
            part.compute_root().vectorize(i, 16).update().parallel(band);
            histogram.vectorize(i, 16).update().reorder(i, rows).vectorize(i, 16);
            equal.vectorize(i, 16);
            output.bound(c, 0, 3).reorder(c, x, y).unroll(c).parallel(y, 32).vectorize(x, 16);
        }
        if (is_on_gpu(schedule)) {
            // Each of a block's 32 threads counts some of its 8 rows in a histogram of its own, in the block's memory,
            // where those of one brightness lie side by side: no two threads meet in a bank.
            luma.compute_inline();
            RVar rows("rows"), row("row"), columns("columns"), place("place");
            Var thread("thread"), ii("ii");
            Func part = histogram.update().split(pixels.y, rows, row, 8).rfactor(rows, band);
            Func own = part.update().split(pixels.x, columns, place, 32).rfactor(place, thread);
            own.compute_at(part, band).reorder_storage(thread, i, band);
            own.split(i, i, ii, 8).reorder(i, thread, ii, band).gpu_threads(thread, ii);
            own.update().reorder(columns, row, thread, band).gpu_threads(thread);
            part.compute_root().split(i, ii, i, 32).gpu_blocks(band).gpu_threads(i, ii);
            part.update().split(i, ii, i, 32).reorder(place, i, ii, band).gpu_blocks(band).gpu_threads(i, ii);
            gpu_row_of(histogram, i, 32);
            auto total = histogram.update();
            gpu_row_of(total.reorder(rows, i), i, 32);
            gpu_row_of(equal, i, 256);
            below.compute_at(equal, i).gpu_threads(i);
            output.bound(c, 0, 3).reorder(c, x, y).unroll(c);
            gpu_tiles(output, x, y);
        }
    }
};

} // namespace apps
