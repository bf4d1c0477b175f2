#pragma once
#include "apps/common/image.h"

#include <cmath>

namespace apps::reference {

/// `filter`: 0 box, 1 linear, 2 cubic, 3 Lanczos.
inline Image<float> resize(const Image<float> &input, int width, int height, int filter, float factor) {
    const float radius = filter == 0 ? 0.5f : static_cast<float>(filter), stretch = std::fmin(factor, 1.0f);
    const auto value = [&](float place) -> float {
        const float t = std::fabs(place), pi = 3.14159265f;
        switch (filter) {
        case 0:
            return t <= 0.5f ? 1 : 0;
        case 1:
            return t < 1 ? 1 - t : 0;
        case 2:
            return t < 1 ? (1.5f * t - 2.5f) * t * t + 1 : t < 2 ? ((-0.5f * t + 2.5f) * t - 4) * t + 2 : 0;
        default:
            return t < 1e-4f ? 1 : t < 3 ? 3 * std::sin(pi * t) * std::sin(pi * t / 3) / (pi * pi * t * t) : 0;
        }
    };
    struct Taps {
        int first;
        std::vector<float> weights;
    };
    const auto taps = [&](int count) {
        std::vector<Taps> all;
        for (int i = 0; i < count; i++) {
            const float middle = (static_cast<float>(i) + 0.5f) / factor - 0.5f;
            Taps one{static_cast<int>(std::ceil(middle - radius / stretch)), {}};
            float total = 0;
            for (int k = 0; k < static_cast<int>(std::ceil(2 * radius / stretch)) + 1; k++) {
                one.weights.push_back(value((static_cast<float>(one.first + k) - middle) * stretch));
                total += one.weights.back();
            }
            for (float &weight : one.weights) {
                weight /= total;
            }
            all.push_back(one);
        }
        return all;
    };
    const std::vector<Taps> across = taps(width), down = taps(height);
    Image<float> rows(input.width, height, input.channels), output(width, height, input.channels);
    for (int c = 0; c < input.channels; c++) {
        for (int y = 0; y < height; y++) {
            const Taps &t = down[static_cast<size_t>(y)];
            for (size_t k = 0; k < t.weights.size(); k++) {
                for (int x = 0; x < input.width; x++) {
                    rows(x, y, c) += t.weights[k] * input.near(x, t.first + static_cast<int>(k), c);
                }
            }
            for (int x = 0; x < width; x++) {
                const Taps &u = across[static_cast<size_t>(x)];
                float sum = 0;
                for (size_t k = 0; k < u.weights.size(); k++) {
                    sum += u.weights[k] * rows.near(u.first + static_cast<int>(k), y, c);
                }
                output(x, y, c) = std::clamp(sum, 0.0f, 1.0f);
            }
        }
    }
    return output;
}

} // namespace apps::reference
