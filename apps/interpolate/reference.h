#pragma once
#include "apps/common/reference_pyramid.h"

namespace apps::reference {

inline Image<float> interpolate(const Image<float> &input, int levels = 10) {
    const size_t count = static_cast<size_t>(levels);
    const Ranges xs(input.width, levels, 1, 1, 1), ys(input.height, levels, 1, 1, 1);
    std::vector<Level> down(count), filled(count);
    down[0] = Level(xs.held[0], ys.held[0], 4);
    down[0].fill([&](int x, int y, int c) { return input.near(x, y, c) * (c < 3 ? input.near(x, y, 3) : 1); });
    for (size_t j = 1; j < count; j++) {
        const Level fine = fenced(down[j - 1], j - 1, xs.held[j], ys.held[j], input.width, input.height);
        down[j] = Level(xs.held[j], ys.held[j], 4);
        down[j].fill([&](int x, int y, int c) {
            const auto row = [&](int v) {
                return fine(2 * x - 1, v, c) + 2 * fine(2 * x, v, c) + fine(2 * x + 1, v, c);
            };
            return (row(2 * y - 1) + 2 * row(2 * y) + row(2 * y + 1)) / 16;
        });
    }
    filled.back() = down.back();
    for (size_t j = count - 1; j-- > 0;) {
        const Level &coarse = filled[j + 1];
        filled[j] = Level(xs.asked[j], ys.asked[j], 4);
        filled[j].fill([&](int x, int y, int c) {
            const int x0 = half(x), x1 = half(x + 1), y0 = half(y), y1 = half(y + 1);
            const float up = (coarse(x0, y0, c) + coarse(x1, y0, c) + coarse(x0, y1, c) + coarse(x1, y1, c)) / 4;
            return down[j](x, y, c) + (1 - down[j](x, y, 3)) * up;
        });
    }
    Image<float> output(input.width, input.height, 3);
    for (int c = 0; c < 3; c++) {
        for (int y = 0; y < input.height; y++) {
            for (int x = 0; x < input.width; x++) {
                output(x, y, c) = filled[0](x, y, c) / std::fmax(filled[0](x, y, 3), 1e-6f);
            }
        }
    }
    return output;
}

} // namespace apps::reference
