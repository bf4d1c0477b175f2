#pragma once
#include "apps/common/image.h"

#include <cmath>

namespace apps::reference {

inline Image<float> unsharp(const Image<float> &input, float sigma = 1.5f, float strength = 1.0f) {
    const int w = input.width, h = input.height;
    double weights[7], total = 0;
    for (int k = -3; k <= 3; k++) {
        total += weights[k + 3] = std::exp(-k * k / (2.0 * sigma * sigma));
    }
    Image<float> gray(w, h), down(w, h), output(w, h, 3);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            gray(x, y) = 0.299f * input(x, y, 0) + 0.587f * input(x, y, 1) + 0.114f * input(x, y, 2);
        }
    }
    const auto blur = [&](const Image<float> &from, int x, int y, int dx, int dy) {
        float sum = 0;
        for (int k = -3; k <= 3; k++) {
            sum += static_cast<float>(weights[k + 3] / total) * from.near(x + k * dx, y + k * dy);
        }
        return sum;
    };
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            down(x, y) = blur(gray, x, y, 0, 1);
        }
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            const float g = gray(x, y), sharper = g + strength * (g - blur(down, x, y, 1, 0));
            for (int c = 0; c < 3; c++) {
                output(x, y, c) = std::fmin(std::fmax(sharper / std::fmax(g, 1 / 256.0f) * input(x, y, c), 0), 1);
            }
        }
    }
    return output;
}

} // namespace apps::reference
