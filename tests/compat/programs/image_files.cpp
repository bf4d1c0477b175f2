// load_image, save_image and convert_and_save_image of the tools, with conversions on the way.
#include <Halide.h>

#include "halide_image_io.h"

#include <stdio.h>

using namespace Halide;
using namespace Halide::Tools;

int main() {
    Func picture("picture");
    Var x("x"), y("y"), c("c");
    picture(x, y, c) = cast<uint8_t>(x * 3 + y * 2 + c * 60);
    Buffer<uint8_t> image = picture.realize({40, 30, 3});
    save_image(image, "compat_image.png");
    Buffer<uint8_t> loaded = load_image("compat_image.png");
    Buffer<uint16_t> wide = load_and_convert_image("compat_image.png");
    Func gray("gray");
    gray(x, y) = (loaded(x, y, 0) * 0.299f + loaded(x, y, 1) * 0.587f + loaded(x, y, 2) * 0.114f) / 255.0f;
    Buffer<float> g = gray.realize({loaded.width(), loaded.height()});
    convert_and_save_image(g, "compat_gray.png");
    Buffer<float> back = load_and_convert_image("compat_gray.png");
    remove("compat_image.png");
    remove("compat_gray.png");
    for (int j = 0; j < 30; j++) {
        for (int i = 0; i < 40; i++) {
            for (int k = 0; k < 3; k++) {
                if (loaded(i, j, k) != image(i, j, k) || wide(i, j, k) != image(i, j, k) * 257) {
                    printf("%d %d %d: %d %d %d\n", i, j, k, image(i, j, k), loaded(i, j, k), wide(i, j, k));
                    return 1;
                }
            }
            if (std::abs(back(i, j) - g(i, j)) > 0.005f) {
                return 2;
            }
        }
    }
    return 0;
}
