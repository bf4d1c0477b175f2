// The introductory program: a gradient, realized in both spellings.
#include <Halide.h>

#include <stdio.h>

int main() {
    Halide::Func gradient;
    Halide::Var x, y;
    Halide::Expr e = x + y;
    gradient(x, y) = e;

    Halide::Buffer<int32_t> output = gradient.realize({800, 600});
    for (int j = 0; j < output.height(); j++) {
        for (int i = 0; i < output.width(); i++) {
            if (output(i, j) != i + j) {
                printf("Pixel %d, %d was supposed to be %d, but instead it's %d\n", i, j, i + j, output(i, j));
                return -1;
            }
        }
    }
    return 0;
}
