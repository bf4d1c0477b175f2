#pragma once
// The product of two square matrices of float32: blocks of the result stay in registers while k runs. Reads nothing
// outside the matrices.

#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Matmul {
    Halide::ImageParam a{Halide::Float(32), 2, "a"}, b{Halide::Float(32), 2, "b"}; ///< x is the column, y the row
    Halide::Func output{"matmul"};

    explicit Matmul(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), xi("xi"), yi("yi"), xo("xo");
        Func product("product"), panel("panel");
        RDom k(0, a.width(), "k");
        panel(x, y) = b(x, y);
        product(x, y) = 0.0f;
        product(x, y) += a(k, y) * panel(x, k);
        output(x, y) = product(x, y);
        if (schedule == Schedule::Hand) {
            // 8 rows of 32 columns are 16 registers of 16 lanes. 64 columns of b are copied, so that they lie together
            // in the second cache and not a page apart.
            output.split(x, xo, x, 64).tile(x, y, xi, yi, 32, 8).reorder(xi, yi, x, y, xo);
            output.vectorize(xi, 16).unroll(xi).unroll(yi).parallel(xo);
            panel.compute_at(output, xo).vectorize(x, 16).unroll(x);
            product.compute_at(output, x).vectorize(x, 16).unroll(x).unroll(y);
            product.update().reorder(x, y, k).vectorize(x, 16).unroll(x).unroll(y).unroll(k, 2);
        }
    }
};

} // namespace apps
