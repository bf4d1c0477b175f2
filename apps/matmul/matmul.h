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
        Var x("x"), y("y"), xi("xi"), yi("yi"), xo("xo"), yo("yo");
        Func product("product");
        RDom k(0, a.width(), "k");
        product(x, y) = 0.0f;
        product(x, y) += a(k, y) * b(x, k);
        output(x, y) = product(x, y);
        if (schedule == Schedule::Hand) {
            // 4 rows of 32 columns are 8 registers of 16 lanes (or 16 of 8); tiles of 64x32 share their part of b.
            output.tile(x, y, xo, yo, x, y, 64, 32).parallel(yo);
            output.tile(x, y, xi, yi, 32, 4).vectorize(xi, 16).unroll(xi).unroll(yi);
            product.compute_at(output, x).vectorize(x, 16).unroll(x).unroll(y);
            product.update().reorder(x, y, k).vectorize(x, 16).unroll(x).unroll(y).unroll(k, 2);
        }
    }
};

} // namespace apps
