// The separable 3x3 box blur with a boundary condition, in several schedules, with an ImageParam.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

static Func make(ImageParam input, Func &blur_x, Var x, Var y) {
    Func clamped = BoundaryConditions::repeat_edge(input);
    Func input_16("input_16");
    input_16(x, y) = cast<uint16_t>(clamped(x, y));
    blur_x(x, y) = (input_16(x - 1, y) + input_16(x, y) + input_16(x + 1, y)) / 3;
    Func blur_y("blur_y");
    blur_y(x, y) = cast<uint8_t>((blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1)) / 3);
    return blur_y;
}

int main() {
    const int W = 101, H = 67;
    Buffer<uint8_t> in(W, H);
    in.for_each_element([&](int x, int y) { in(x, y) = (uint8_t)((x * x + 7 * y) ^ (x * 3)); });
    Buffer<uint8_t> reference;
    for (int schedule = 0; schedule < 5; schedule++) {
        ImageParam input(type_of<uint8_t>(), 2, "input");
        Var x("x"), y("y"), xi("xi"), yi("yi");
        Func blur_x("blur_x");
        Func blur_y = make(input, blur_x, x, y);
        input.set(in);
        switch (schedule) {
        case 1:
            blur_x.compute_root().vectorize(x, 16).parallel(y);
            blur_y.vectorize(x, 8);
            break;
        case 2:
            blur_y.tile(x, y, xi, yi, 32, 16).vectorize(xi, 8).parallel(y);
            blur_x.compute_at(blur_y, x).vectorize(x, 8);
            break;
        case 3:
            blur_y.split(y, y, yi, 8).parallel(y).vectorize(x, 8);
            blur_x.store_at(blur_y, y).compute_at(blur_y, yi).vectorize(x, 8);
            break;
        case 4:
            blur_x.store_root().compute_at(blur_y, x);
            break;
        default:
            break;
        }
        Buffer<uint8_t> out = blur_y.realize({W, H});
        if (schedule == 0) {
            reference = out;
            for (int j = 0; j < H; j++) {
                for (int i = 0; i < W; i++) {
                    auto at = [&](int a, int b) {
                        return (int)in(std::min(std::max(a, 0), W - 1), std::min(std::max(b, 0), H - 1));
                    };
                    int sum = 0;
                    for (int dy = -1; dy <= 1; dy++) {
                        sum += (at(i - 1, j + dy) + at(i, j + dy) + at(i + 1, j + dy)) / 3;
                    }
                    if (out(i, j) != sum / 3) {
                        printf("blur(%d, %d) = %d instead of %d\n", i, j, out(i, j), sum / 3);
                        return 1;
                    }
                }
            }
        }
        for (int j = 0; j < H; j++) {
            for (int i = 0; i < W; i++) {
                if (out(i, j) != reference(i, j)) {
                    printf("schedule %d differs at %d, %d\n", schedule, i, j);
                    return 1;
                }
            }
        }
    }
    return 0;
}
