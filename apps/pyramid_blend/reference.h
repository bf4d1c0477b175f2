#pragma once
#include "apps/common/reference_pyramid.h"

namespace apps::reference {

inline Image<float> pyramid_blend(const Image<float> &first, const Image<float> &second, const Image<float> &mask,
                                  int levels = 6) {
    const size_t count = static_cast<size_t>(levels), last = count - 1;
    const Ranges xs(first.width, levels, 1, 1, 2), ys(first.height, levels, 1, 1, 2);
    const auto pyramid = [&](const Image<float> &image) {
        std::vector<Level> all = {Level(xs.held[0], ys.held[0], image.channels)};
        all[0].fill([&](int x, int y, int c) { return image.near(x, y, c); });
        for (size_t j = 1; j < count; j++) {
            const Level fine = fenced(all[j - 1], j - 1, xs.held[j], ys.held[j], first.width, first.height);
            all.push_back(down_1331(fine, xs.held[j], ys.held[j]));
        }
        return all;
    };
    const std::vector<Level> a = pyramid(first), b = pyramid(second), m = pyramid(mask);
    Level blended;
    for (size_t j = count; j-- > 0;) {
        Level next(xs.asked[j], ys.asked[j], 3);
        next.fill([&](int x, int y, int c) {
            const auto detail = [&](const std::vector<Level> &p) {
                return p[j](x, y, c) - (j < last ? up_1331(p[j + 1], x, y, c) : 0);
            };
            const float share = m[j](x, y);
            return (1 - share) * detail(b) + share * detail(a) + (j < last ? up_1331(blended, x, y, c) : 0);
        });
        blended = next;
    }
    Image<float> output(first.width, first.height, 3);
    for (int c = 0; c < 3; c++) {
        for (int y = 0; y < first.height; y++) {
            for (int x = 0; x < first.width; x++) {
                output(x, y, c) = std::clamp(blended(x, y, c), 0.0f, 1.0f);
            }
        }
    }
    return output;
}

} // namespace apps::reference
