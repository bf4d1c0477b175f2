#pragma once
// A recursive blur of first order: down and up each column, then along and back each row, every pixel a mix of the
// input and of its predecessor. The first pixel of a pass starts with the input's own value, so nothing outside is
// read.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct IirBlur {
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Param<float> alpha{"alpha", 0.1f}; ///< the input's share; small ones blur widely
    Halide::Func output{"iir_blur"};

    explicit IirBlur(Schedule schedule) {
        using namespace Halide;
        const Expr width = input.width(), height = input.height();
        // Bands of columns are rounded up, so some lie outside; nothing reads them again.
        const Func source = BoundaryConditions::repeat_edge(input);
        // Columns, transposed, columns again, transposed back.
        Func once = blur_columns(source, "first", height, schedule);
        Func turned("turned");
        turned(x, y, c) = once(y, x, c);
        Func twice = blur_columns(turned, "second", width, schedule);
        output(x, y, c) = twice(y, x, c);
        if (is_by_hand(schedule)) {
            turned.compute_root().tile(x, y, xi, yi, 16, 16).vectorize(xi).unroll(yi).parallel(y);
            output.tile(x, y, xi, yi, 16, 16).vectorize(xi).unroll(yi).parallel(y);
        } else if (is_on_gpu(schedule)) {
            turn_on_gpu(turned.compute_root(), once);
            turn_on_gpu(output, twice);
        } else {
            turned.compute_root();
        }
    }

  private:
    Halide::Func blur_columns(const Halide::Func &from, const std::string &name, const Halide::Expr &height,
                              Schedule schedule) {
        using namespace Halide;
        Func blur(name);
        RDom down(1, height - 1, name + "_down");
        const Expr back = height - 2 - (down - 1);
        blur(x, y, c) = undef<float>();
        blur(x, 0, c) = from(x, 0, c);
        blur(x, down, c) = (1 - alpha) * blur(x, down - 1, c) + alpha * from(x, down, c);
        blur(x, back, c) = (1 - alpha) * blur(x, back + 1, c) + alpha * blur(x, back, c);
        blur.compute_root();
        if (is_by_hand(schedule)) {
            // Columns are independent: bands of 64 run down in vectors, each row after the one above.
            Var xo("xo");
            blur.update(0).vectorize(x, 16);
            for (int pass : {1, 2}) {
                blur.update(pass).split(x, xo, x, 64).reorder(x, down, xo, c).vectorize(x, 16).parallel(xo);
            }
        }
        if (is_on_gpu(schedule)) {
            // A thread runs down a column, next to those of its neighbours.
            for (int pass : {0, 1, 2}) {
                auto stage = blur.update(pass);
                if (pass > 0) {
                    stage.reorder(down, x, c);
                }
                gpu_row_of(stage, x, 32).gpu_blocks(c);
            }
        }
        return blur;
    }

    /// Reads squares of columns along their rows, and turns them in the block's memory; rows of 33 share no banks.
    void turn_on_gpu(Halide::Func &turned, Halide::Func &columns) {
        gpu_tiles(turned, x, y, shifted({32, 8, 1, 4})).gpu_blocks(c);
        Halide::Func square = columns.in(turned);
        gpu_turns(square.compute_at(turned, x).align_storage(square.args()[0], 33), square.args()[0], square.args()[1]);
    }

    Halide::Var x{"x"}, y{"y"}, c{"c"}, xi{"xi"}, yi{"yi"};
};

} // namespace apps
