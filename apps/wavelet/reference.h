#pragma once
#include "apps/common/image.h"

namespace apps::reference {

/// The four parts, in double precision and by the definition: inner products with shifted filters.
inline Image<float> wavelet(const Image<float> &input, bool haar = false) {
    const double low[4] = {haar ? 0.7071067811865476 : 0.4829629131445341,
                           haar ? 0.7071067811865476 : 0.8365163037378079, haar ? 0 : 0.2241438680420134,
                           haar ? 0 : -0.1294095225512604};
    double high[4];
    for (int i = 0; i < 4; i++) {
        high[i] = haar ? (i == 0 ? low[0] : i == 1 ? -low[0] : 0) : (i % 2 ? -1 : 1) * low[3 - i];
    }
    Image<float> output((input.width + 1) / 2, (input.height + 1) / 2, 4);
    for (int part = 0; part < 4; part++) {
        const double *fx = part & 1 ? high : low, *fy = part & 2 ? high : low;
        for (int y = 0; y < output.height; y++) {
            for (int x = 0; x < output.width; x++) {
                double sum = 0;
                for (int j = 0; j < 4; j++) {
                    for (int i = 0; i < 4; i++) {
                        sum += fx[i] * fy[j] * static_cast<double>(input.near(2 * x + i, 2 * y + j));
                    }
                }
                output(x, y, part) = static_cast<float>(sum);
            }
        }
    }
    return output;
}

} // namespace apps::reference
