#pragma once
#include "apps/common/image.h"

#include <cmath>

namespace apps::reference {

inline Image<float> level_set(const Image<float> &input, const Image<float> &phi, float step = 0.5f,
                              float length = 0.2f) {
    double sums[2] = {}, counts[2] = {};
    for (size_t i = 0; i < input.values.size(); i++) {
        const int side = phi.values[i] > 0 ? 0 : 1;
        sums[side] += static_cast<double>(input.values[i]);
        counts[side] += 1;
    }
    const float inside = static_cast<float>(sums[0] / std::fmax(counts[0], 1)),
                outside = static_cast<float>(sums[1] / std::fmax(counts[1], 1));
    const auto p = [&](int x, int y) { return phi.near(x, y); };
    const auto norm = [](float a, float b) { return std::sqrt(a * a + b * b + 1e-6f); };
    const auto along_x = [&](int x, int y) {
        const float right = p(x + 1, y) - p(x, y);
        return right / norm(right, (p(x, y + 1) - p(x, y - 1)) / 2);
    };
    const auto along_y = [&](int x, int y) {
        const float down = p(x, y + 1) - p(x, y);
        return down / norm((p(x + 1, y) - p(x - 1, y)) / 2, down);
    };
    Image<float> output(input.width, input.height);
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            // At -1 the differences are taken between continued values.
            const float curvature = along_x(x, y) - along_x(x - 1, y) + along_y(x, y) - along_y(x, y - 1);
            const float a = input(x, y) - inside, b = input(x, y) - outside;
            const float delta = 0.31830989f / (1 + phi(x, y) * phi(x, y));
            output(x, y) = phi(x, y) + step * delta * (length * curvature - a * a + b * b);
        }
    }
    return output;
}

} // namespace apps::reference
