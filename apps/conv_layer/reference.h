#pragma once
#include "apps/common/image.h"

namespace apps::reference {

/// Extents of the layer. The input is (width + 2) x (height + 2) pixels; arrays are as conv_layer.h says.
struct ConvShape {
    int in, out, width, height, batch;
};

inline Image<float> conv_layer(const ConvShape &s, const std::vector<float> &input, const std::vector<float> &filter,
                               const std::vector<float> &bias) {
    Image<float> output(s.out * s.width, s.height, s.batch);
    const auto at = [](auto... indices) { return static_cast<size_t>((indices + ...)); };
    for (int n = 0; n < s.batch; n++) {
        for (int y = 0; y < s.height; y++) {
            for (int x = 0; x < s.width; x++) {
                float *pixel = &output(s.out * x, y, n);
                std::copy(bias.begin(), bias.end(), pixel);
                for (int j = 0; j < 3; j++) {
                    for (int i = 0; i < 3; i++) {
                        for (int k = 0; k < s.in; k++) {
                            const float value = input[at(k, s.in * (x + i), s.in * (s.width + 2) * (y + j),
                                                         s.in * (s.width + 2) * (s.height + 2) * n)];
                            for (int c = 0; c < s.out; c++) {
                                pixel[c] += value * filter[at(c, s.out * i, s.out * 3 * j, s.out * 9 * k)];
                            }
                        }
                    }
                }
                for (int c = 0; c < s.out; c++) {
                    pixel[c] = std::max(pixel[c], 0.0f);
                }
            }
        }
    }
    return output;
}

} // namespace apps::reference
