#pragma once
#include "apps/common/image.h"

namespace apps::reference {

inline Image<float> jacobi(const Image<float> &input, int dimensions, int reach, int sweeps = 1) {
    Image<float> before = input, after = input;
    const float near = 0.75f / static_cast<float>(2 * dimensions) / (reach == 1 ? 1.0f : 1.25f);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        const auto at = [&](int x, int y, int z) {
            const bool inside = x >= 0 && x < input.width && y >= 0 && y < input.height && z >= 0 && z < input.channels;
            return inside ? before(x, y, z) : 0.0f;
        };
        for (int z = 0; z < input.channels; z++) {
            for (int y = 0; y < input.height; y++) {
                for (int x = 0; x < input.width; x++) {
                    float sum = 0.25f * before(x, y, z);
                    for (int i = 1; i <= reach; i++) {
                        const float weight = i == 1 ? near : near / 4;
                        sum += weight * (at(x - i, y, z) + at(x + i, y, z) + at(x, y - i, z) + at(x, y + i, z));
                        if (dimensions == 3) {
                            sum += weight * (at(x, y, z - i) + at(x, y, z + i));
                        }
                    }
                    after(x, y, z) = sum;
                }
            }
        }
        std::swap(before, after);
    }
    return before;
}

} // namespace apps::reference
