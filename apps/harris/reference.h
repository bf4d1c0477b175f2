#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<float> harris(const Image<float> &input, float k = 0.04f) {
    const int w = input.width, h = input.height;
    // With a margin of two pixels: what lies outside is the gradient of the picture with repeated edges.
    Image<float> dx(w + 2, h + 2), dy(w + 2, h + 2), output(w, h);
    const auto gray = [&](int x, int y) {
        return 0.299f * input.near(x, y, 0) + 0.587f * input.near(x, y, 1) + 0.114f * input.near(x, y, 2);
    };
    for (int y = -1; y <= h; y++) {
        for (int x = -1; x <= w; x++) {
            for (int t = -1; t <= 1; t++) {
                const float weight = t == 0 ? 2 : 1;
                dx(x + 1, y + 1) += weight * (gray(x + 1, y + t) - gray(x - 1, y + t));
                dy(x + 1, y + 1) += weight * (gray(x + t, y + 1) - gray(x + t, y - 1));
            }
        }
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            float xx = 0, yy = 0, xy = 0;
            for (int i = 0; i < 9; i++) {
                const float a = dx(x + i % 3, y + i / 3), b = dy(x + i % 3, y + i / 3);
                xx += a * a;
                yy += b * b;
                xy += a * b;
            }
            output(x, y) = xx * yy - xy * xy - k * (xx + yy) * (xx + yy);
        }
    }
    return output;
}

} // namespace apps::reference
