#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<float> heat3d(const Image<float> &input, int steps, float rate = 0.15f) {
    Image<float> now = input, next = input;
    for (int t = 0; t < steps; t++) {
        for (int z = 1; z + 1 < input.channels; z++) {
            for (int y = 1; y + 1 < input.height; y++) {
                for (int x = 1; x + 1 < input.width; x++) {
                    const float sum = now(x - 1, y, z) + now(x + 1, y, z) + now(x, y - 1, z) + now(x, y + 1, z) +
                                      now(x, y, z - 1) + now(x, y, z + 1);
                    next(x, y, z) = now(x, y, z) + rate * (sum - 6 * now(x, y, z));
                }
            }
        }
        std::swap(now, next);
    }
    return now;
}

} // namespace apps::reference
