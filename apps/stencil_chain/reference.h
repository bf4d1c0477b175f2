#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<std::uint16_t> stencil_chain(const Image<std::uint16_t> &input, int stages = 32) {
    // The picture with a margin that each stage eats two pixels of.
    const int margin = 2 * stages, w = input.width + 2 * margin, h = input.height + 2 * margin;
    const unsigned weight[5] = {1, 4, 6, 4, 1};
    Image<std::uint16_t> before(w, h), after(w, h);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            before(x, y) = input.near(x - margin, y - margin);
        }
    }
    for (int s = 1; s <= stages; s++) {
        for (int y = 2 * s; y < h - 2 * s; y++) {
            for (int x = 2 * s; x < w - 2 * s; x++) {
                unsigned sum = 0;
                for (int j = 0; j < 5; j++) {
                    for (int i = 0; i < 5; i++) {
                        sum += before(x + i - 2, y + j - 2) * weight[i] * weight[j];
                    }
                }
                after(x, y) = static_cast<std::uint16_t>(sum / 256);
            }
        }
        std::swap(before, after);
    }
    Image<std::uint16_t> output(input.width, input.height);
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            output(x, y) = before(x + margin, y + margin);
        }
    }
    return output;
}

} // namespace apps::reference
