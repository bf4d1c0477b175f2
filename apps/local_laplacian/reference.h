#pragma once
#include "apps/common/reference_pyramid.h"

namespace apps::reference {

inline Image<std::uint16_t> local_laplacian(const Image<std::uint16_t> &input, int levels = 8, int steps = 8,
                                            float alpha = 1, float beta = 1) {
    const size_t count = static_cast<size_t>(levels), last = count - 1;
    const Ranges xs(input.width, levels, 1, 1, 2), ys(input.height, levels, 1, 1, 2);
    const auto color = [&](int x, int y, int c) { return static_cast<float>(input.near(x, y, c)) / 65535.0f; };
    std::vector<Level> bent(count), plain(count);
    plain[0] = Level(xs.held[0], ys.held[0]);
    plain[0].fill(
        [&](int x, int y, int) { return 0.299f * color(x, y, 0) + 0.587f * color(x, y, 1) + 0.114f * color(x, y, 2); });
    bent[0] = Level(xs.held[0], ys.held[0], steps);
    bent[0].fill([&](int x, int y, int k) {
        const float gray = plain[0](x, y), center = static_cast<float>(k) / static_cast<float>(steps - 1);
        const int place =
            std::clamp(static_cast<int>(gray * static_cast<float>((steps - 1) * 256)), 0, (steps - 1) * 256);
        const float distance = static_cast<float>(place - 256 * k) / 256;
        return beta * (gray - center) + center + alpha * distance * std::exp(-distance * distance / 2);
    });
    for (size_t j = 1; j < count; j++) {
        const Range x = xs.held[j], y = ys.held[j];
        plain[j] = down_1331(fenced(plain[j - 1], j - 1, x, y, input.width, input.height), x, y);
        bent[j] = down_1331(fenced(bent[j - 1], j - 1, x, y, input.width, input.height), x, y);
    }
    std::vector<Level> result(count);
    for (size_t j = count; j-- > 0;) {
        result[j] = Level(xs.asked[j], ys.asked[j]);
        result[j].fill([&](int x, int y, int) {
            const float level = plain[j](x, y) * static_cast<float>(steps - 1);
            const int below = std::clamp(static_cast<int>(level), 0, steps - 2);
            const float part = level - static_cast<float>(below);
            const auto detail = [&](int k) {
                return bent[j](x, y, k) - (j < last ? up_1331(bent[j + 1], x, y, k) : 0);
            };
            const float chosen = (1 - part) * detail(below) + part * detail(below + 1);
            return chosen + (j < last ? up_1331(result[j + 1], x, y) : 0);
        });
    }
    Image<std::uint16_t> output(input.width, input.height, 3);
    for (int c = 0; c < 3; c++) {
        for (int y = 0; y < input.height; y++) {
            for (int x = 0; x < input.width; x++) {
                const float value = result[0](x, y) * (color(x, y, c) + 0.01f) / (plain[0](x, y) + 0.01f);
                output(x, y, c) = static_cast<std::uint16_t>(std::clamp(value, 0.0f, 1.0f) * 65535.0f);
            }
        }
    }
    return output;
}

} // namespace apps::reference
