#pragma once
#include "apps/common/image.h"

#include <array>

namespace apps::reference {

inline Image<std::uint8_t> hist_equalize(const Image<std::uint8_t> &input) {
    const auto fixed = [](int sum) { return (sum + 32768) >> 16; };
    const auto byte = [](int value) { return std::clamp(value, 0, 255); };
    const auto luma = [&](int x, int y) {
        return fixed(19595 * input(x, y, 0) + 38470 * input(x, y, 1) + 7471 * input(x, y, 2));
    };
    std::array<int, 256> count{}, to{};
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            count[static_cast<size_t>(luma(x, y))]++;
        }
    }
    const float all = static_cast<float>(input.width) * static_cast<float>(input.height);
    int below = 0;
    for (size_t i = 0; i < 256; i++) {
        below += count[i];
        to[i] = byte(static_cast<int>(static_cast<float>(below) / all * 255.0f + 0.5f));
    }
    Image<std::uint8_t> output(input.width, input.height, 3);
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            const int r = input(x, y, 0), g = input(x, y, 1), b = input(x, y, 2);
            const int cb = byte(fixed(-11059 * r - 21709 * g + 32768 * b) + 128) - 128;
            const int cr = byte(fixed(32768 * r - 27439 * g - 5329 * b) + 128) - 128;
            const int equal = to[static_cast<size_t>(luma(x, y))];
            output(x, y, 0) = static_cast<std::uint8_t>(byte(equal + fixed(91881 * cr)));
            output(x, y, 1) = static_cast<std::uint8_t>(byte(equal + fixed(-22554 * cb - 46802 * cr)));
            output(x, y, 2) = static_cast<std::uint8_t>(byte(equal + fixed(116130 * cb)));
        }
    }
    return output;
}

} // namespace apps::reference
