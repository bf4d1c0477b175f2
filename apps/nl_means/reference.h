#pragma once
#include "apps/common/image.h"

#include <cmath>

namespace apps::reference {

inline Image<float> nl_means(const Image<float> &input, int patch = 7, int window = 7, float sigma = 0.12f) {
    Image<float> output(input.width, input.height, 3);
    const int p = patch / 2, s = window / 2;
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            float sum[3] = {}, weights = 0;
            for (int dy = -s; dy <= s; dy++) {
                for (int dx = -s; dx <= s; dx++) {
                    float distance = 0;
                    for (int j = -p; j <= p; j++) {
                        for (int i = -p; i <= p; i++) {
                            for (int c = 0; c < 3; c++) {
                                const float d = input.near(x + i, y + j, c) - input.near(x + i + dx, y + j + dy, c);
                                distance += d * d;
                            }
                        }
                    }
                    const float weight = std::exp(-distance / (sigma * sigma * static_cast<float>(patch * patch)));
                    weights += weight;
                    for (int c = 0; c < 3; c++) {
                        sum[c] += weight * input.near(x + dx, y + dy, c);
                    }
                }
            }
            for (int c = 0; c < 3; c++) {
                output(x, y, c) = std::clamp(sum[c] / weights, 0.0f, 1.0f);
            }
        }
    }
    return output;
}

} // namespace apps::reference
