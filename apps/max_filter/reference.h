#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<std::uint8_t> max_filter(const Image<std::uint8_t> &input, int radius = 13) {
    Image<std::uint8_t> tall(input.width, input.height), output = tall;
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            for (int i = -radius; i <= radius; i++) {
                tall(x, y) = std::max(tall(x, y), input.near(x, y + i));
            }
        }
    }
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            for (int i = -radius; i <= radius; i++) {
                output(x, y) = std::max(output(x, y), tall.near(x + i, y));
            }
        }
    }
    return output;
}

} // namespace apps::reference
