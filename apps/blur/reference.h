#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<std::uint16_t> blur(const Image<std::uint16_t> &input) {
    Image<std::uint16_t> output(input.width, input.height);
    const auto row = [&](int x, int y) {
        return (std::uint32_t{input.near(x - 1, y)} + input.near(x, y) + input.near(x + 1, y)) / 3;
    };
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            output(x, y) = static_cast<std::uint16_t>((row(x, y - 1) + row(x, y) + row(x, y + 1)) / 3);
        }
    }
    return output;
}

} // namespace apps::reference
