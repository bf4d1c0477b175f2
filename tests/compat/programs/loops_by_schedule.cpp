// One gradient under every basic schedule; the results agree.
#include <Halide.h>

#include <algorithm>
#include <stdio.h>

using namespace Halide;

static int check(Func gradient, const char *what) {
    Buffer<int> output = gradient.realize({7, 6});
    for (int y = 0; y < 6; y++) {
        for (int x = 0; x < 7; x++) {
            if (output(x, y) != x + 10 * y) {
                printf("%s: wrong at %d, %d\n", what, x, y);
                return 1;
            }
        }
    }
    return 0;
}

int main() {
    Var x("x"), y("y");
    int bad = 0;
    {
        Func gradient("gradient");
        gradient(x, y) = x + 10 * y;
        gradient.reorder(y, x);
        bad += check(gradient, "column major");
    }
    {
        Func gradient("gradient_split");
        gradient(x, y) = x + 10 * y;
        Var x_outer, x_inner;
        gradient.split(x, x_outer, x_inner, 2);
        bad += check(gradient, "split");
    }
    {
        Func gradient("gradient_fused");
        gradient(x, y) = x + 10 * y;
        Var fused;
        gradient.fuse(x, y, fused);
        bad += check(gradient, "fused");
    }
    {
        Func gradient("gradient_tiled");
        gradient(x, y) = x + 10 * y;
        Var x_outer, x_inner, y_outer, y_inner;
        gradient.tile(x, y, x_outer, y_outer, x_inner, y_inner, 4, 4);
        bad += check(gradient, "tiled");
    }
    {
        Func gradient("gradient_in_vectors");
        gradient(x, y) = x + 10 * y;
        Var x_outer, x_inner;
        gradient.split(x, x_outer, x_inner, 4);
        gradient.vectorize(x_inner);
        bad += check(gradient, "vectors");
    }
    {
        Func gradient("gradient_unroll");
        gradient(x, y) = x + 10 * y;
        gradient.unroll(x, 2);
        bad += check(gradient, "unrolled");
    }
    {
        Func gradient("gradient_fast");
        gradient(x, y) = x + 10 * y;
        Var x_outer, y_outer, x_inner, y_inner, tile_index;
        gradient.tile(x, y, x_outer, y_outer, x_inner, y_inner, 64, 64)
            .fuse(x_outer, y_outer, tile_index)
            .parallel(tile_index);
        Var x_inner_outer, y_inner_outer, x_vectors, y_pairs;
        gradient.tile(x_inner, y_inner, x_inner_outer, y_inner_outer, x_vectors, y_pairs, 4, 2)
            .vectorize(x_vectors)
            .unroll(y_pairs);
        Buffer<int> result = gradient.realize({350, 250});
        for (int j = 0; j < 250; j++) {
            for (int i = 0; i < 350; i++) {
                if (result(i, j) != i + 10 * j) {
                    printf("fast: wrong at %d %d\n", i, j);
                    bad++;
                }
            }
        }
        gradient.print_loop_nest();
    }
    return bad;
}
