#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<float> iir_blur(const Image<float> &input, float alpha = 0.1f) {
    Image<float> output = input;
    const auto pass = [&](int count, auto &&at) {
        for (int i = 1; i < count; i++) {
            at(i) = (1 - alpha) * at(i - 1) + alpha * at(i);
        }
        for (int i = count - 2; i >= 0; i--) {
            at(i) = (1 - alpha) * at(i + 1) + alpha * at(i);
        }
    };
    for (int c = 0; c < input.channels; c++) {
        for (int x = 0; x < input.width; x++) {
            pass(input.height, [&](int y) -> float & { return output(x, y, c); });
        }
        for (int y = 0; y < input.height; y++) {
            pass(input.width, [&](int x) -> float & { return output(x, y, c); });
        }
    }
    return output;
}

} // namespace apps::reference
