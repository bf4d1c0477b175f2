// The directives on storage in Halide's spelling: where memory is allocated, its layout, and prefetches.
#include "Halide.h"

#include <stdio.h>

using namespace Halide;

int main() {
    ImageParam input(UInt(8), 2);
    Func padded = BoundaryConditions::repeat_edge(input, {{0, 100}, {0, 60}});
    Func blur_x("blur_x"), blur_y("blur_y"), upside_down("upside_down");
    Var x("x"), y("y"), xi("xi"), yi("yi");
    blur_x(x, y) = cast<uint16_t>(padded(x - 1, y)) + padded(x, y) + padded(x + 1, y);
    blur_y(x, y) = (blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1)) / cast<uint16_t>(9);
    upside_down(x, y) = blur_y(x, 59 - y) + blur_y(x, 60 - y);

    upside_down.tile(x, y, xi, yi, 32, 20).vectorize(xi, 8).parallel(y);
    blur_y.store_at(upside_down, x).compute_at(upside_down, yi).fold_storage(y, 3, false).vectorize(x, 8);
    blur_y.align_storage(x, 16).hoist_storage(upside_down, y);
    blur_x.compute_at(blur_y, Var::outermost()).bound_storage(x, 80).store_in(MemoryType::Stack);
    blur_x.hoist_storage(LoopLevel(upside_down, x)).prefetch(input, y, y, 2, PrefetchBoundStrategy::NonFaulting);

    Buffer<uint8_t> image(100, 60);
    image.for_each_element([&](int i, int j) { image(i, j) = static_cast<uint8_t>(i * 7 + j * 13); });
    input.set(image);
    Buffer<uint16_t> result = upside_down.realize({96, 40});

    auto at = [&](int i, int j) { return image(std::clamp(i, 0, 99), std::clamp(j, 0, 59)); };
    auto blurred = [&](int i, int j) {
        int sum = 0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                sum += at(i + dx, j + dy);
            }
        }
        return sum / 9;
    };
    for (int j = 0; j < 40; j++) {
        for (int i = 0; i < 96; i++) {
            if (result(i, j) != blurred(i, 59 - j) + blurred(i, 60 - j)) {
                printf("wrong at %d %d: %d\n", i, j, result(i, j));
                return 1;
            }
        }
    }
    printf("Success!\n");
    return 0;
}
