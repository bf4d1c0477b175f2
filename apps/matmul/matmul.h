#pragma once
// The product of two square matrices of float32: blocks of the result stay in registers while k runs. Reads nothing
// outside the matrices.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Matmul {
    Halide::ImageParam a{Halide::Float(32), 2, "a"}, b{Halide::Float(32), 2, "b"}; ///< x is the column, y the row
    Halide::Func output{"matmul"};

    /// The schedule depends on the registers of the target.
    explicit Matmul(Schedule schedule, const Halide::Target &target = Halide::get_jit_target_from_environment()) {
        using namespace Halide;
        Var x("x"), y("y"), xi("xi"), yi("yi"), xo("xo");
        Func product("product"), panel("panel");
        RDom k(0, a.width(), "k");
        panel(x, y) = b(x, y);
        product(x, y) = 0.0f;
        product(x, y) += a(k, y) * panel(x, k);
        output(x, y) = product(x, y);
        if (is_by_hand(schedule)) {
            // Rows of two vectors each: of 16 registers 12 hold sums, of 32 half. 32 columns of b are copied, so that
            // they lie together in the second cache and not a page apart.
            const int lanes = target.natural_vector_size<float>();
            const int rows = lanes < 16 ? 6 : 8;
            output.split(x, xo, x, 32).tile(x, y, xi, yi, 2 * lanes, rows).reorder(xi, yi, x, y, xo);
            output.vectorize(xi, lanes).unroll(xi).unroll(yi).parallel(xo);
            panel.compute_at(output, xo).vectorize(x, lanes).unroll(x);
            product.compute_at(output, x).vectorize(x, lanes).unroll(x).unroll(y);
            product.update().reorder(x, y, k).vectorize(x, lanes).unroll(x).unroll(y);
        }
        if (is_on_gpu(schedule)) {
            // 8 x 8 sums are a thread's registers.
            gpu_tiles(output, x, y, shifted({16, 8, 8, 8}));
            product.compute_at(output, gpu_x()).vectorize(x, 8).unroll(y);
            product.update().reorder(x, y, k).vectorize(x, 8).unroll(y);
        }
    }
};

} // namespace apps
