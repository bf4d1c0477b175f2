#pragma once
#include "apps/common/image.h"

#include <cstdlib>

namespace apps::reference {

/// The index of the pixel that a mirror at the middle of the first and of the last pixel shows at i.
inline int mirrored(int i, int count) {
    while (count > 1 && (i < 0 || i >= count)) {
        i = i < 0 ? -i : 2 * count - 2 - i;
    }
    return count > 1 ? i : 0;
}

inline Image<std::uint8_t> sobel(const Image<std::uint8_t> &input) {
    Image<std::uint8_t> output(input.width, input.height);
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            int dx = 0, dy = 0;
            for (int j = -1; j <= 1; j++) {
                for (int i = -1; i <= 1; i++) {
                    const int value = input(mirrored(x + i, input.width), mirrored(y + j, input.height));
                    dx += value * i * (j == 0 ? 2 : 1);
                    dy += value * j * (i == 0 ? 2 : 1);
                }
            }
            output(x, y) = static_cast<std::uint8_t>(std::min(std::abs(dx) + std::abs(dy), 255));
        }
    }
    return output;
}

} // namespace apps::reference
