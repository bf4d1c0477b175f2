#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<float> matmul(const Image<float> &a, const Image<float> &b) {
    Image<float> output(b.width, a.height);
    for (int y = 0; y < a.height; y++) {
        for (int k = 0; k < a.width; k++) {
            for (int x = 0; x < b.width; x++) {
                output(x, y) += a(k, y) * b(x, k);
            }
        }
    }
    return output;
}

} // namespace apps::reference
