#pragma once
#include "apps/common/image.h"

#include <cmath>

namespace apps::reference {

inline Image<float> bilateral_grid(const Image<float> &input, float range = 0.1f, int cell = 8) {
    // A margin of three cells around the grid: one each for interpolation and the two blurs that meet there.
    const int margin = 3, columns = input.width / cell + 2 * margin + 1, rows = input.height / cell + 2 * margin + 1;
    const int depth = static_cast<int>(1 / range + 0.5f) + 2 * margin + 1;
    const auto at = [&](int x, int y, int z) {
        return ((static_cast<size_t>(z) * static_cast<size_t>(rows) + static_cast<size_t>(y)) *
                static_cast<size_t>(columns)) +
               static_cast<size_t>(x);
    };
    struct Bin {
        float sum = 0, weight = 0;
    };
    std::vector<Bin> grid(at(0, 0, depth));
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            for (int i = 0; i < cell * cell; i++) {
                const float value = std::clamp(
                    input.near((x - margin) * cell + i % cell - cell / 2, (y - margin) * cell + i / cell - cell / 2),
                    0.0f, 1.0f);
                Bin &bin = grid[at(x, y, static_cast<int>(value * (1.0f / range) + 0.5f) + margin)];
                bin.sum += value;
                bin.weight += 1;
            }
        }
    }
    const auto blur = [&](int dx, int dy, int dz) {
        std::vector<Bin> blurred(grid.size());
        for (int z = dz; z < depth - dz; z++) {
            for (int y = dy; y < rows - dy; y++) {
                for (int x = dx; x < columns - dx; x++) {
                    const Bin &a = grid[at(x - dx, y - dy, z - dz)], &b = grid[at(x, y, z)],
                              &c = grid[at(x + dx, y + dy, z + dz)];
                    blurred[at(x, y, z)] = {a.sum + 4 * b.sum + c.sum, a.weight + 4 * b.weight + c.weight};
                }
            }
        }
        grid = blurred;
    };
    blur(0, 0, 1);
    blur(1, 0, 0);
    blur(0, 1, 0);
    Image<float> output(input.width, input.height);
    for (int y = 0; y < input.height; y++) {
        for (int x = 0; x < input.width; x++) {
            const float z = std::clamp(input(x, y), 0.0f, 1.0f) * (1.0f / range);
            const int zi = static_cast<int>(z);
            const float fx = static_cast<float>(x % cell) / static_cast<float>(cell),
                        fy = static_cast<float>(y % cell) / static_cast<float>(cell), fz = z - static_cast<float>(zi);
            float sum = 0, weight = 0;
            for (int corner = 0; corner < 8; corner++) {
                const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
                const float share = (i ? fx : 1 - fx) * (j ? fy : 1 - fy) * (k ? fz : 1 - fz);
                const Bin &bin = grid[at(x / cell + i + margin, y / cell + j + margin, zi + k + margin)];
                sum += share * bin.sum;
                weight += share * bin.weight;
            }
            output(x, y) = sum / weight;
        }
    }
    return output;
}

} // namespace apps::reference
