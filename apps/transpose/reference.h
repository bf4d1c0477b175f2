#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<std::uint16_t> transpose(const Image<std::uint16_t> &input) {
    Image<std::uint16_t> output(input.height, input.width);
    for (int y = 0; y < output.height; y++) {
        for (int x = 0; x < output.width; x++) {
            output(x, y) = input(y, x);
        }
    }
    return output;
}

} // namespace apps::reference
