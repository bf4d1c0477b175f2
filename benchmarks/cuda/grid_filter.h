#pragma once
// The bilateral filter through a grid (apps/bilateral_grid): three kernels. Cells have a weighted sum and a weight;
// their places begin at -1, their depths are 0 to 11.

#include "filters.h"

namespace by_hand {

constexpr int cell_side = 8;
constexpr int cell_depths = 12, binned_depths = 11; // brightness falls into 0 to 10

/// Extents of the grid of a picture.
struct Cells {
    int width, height;
    __device__ size_t place(int x, int y, int z) const {
        return (static_cast<size_t>(z) * height + (y + 1)) * width + (x + 1);
    }
};

/// A thread bins the pixels of one place, and blurs along the depth.
__global__ void bin_pixels(const float *__restrict__ input, float2 *__restrict__ along_z, int width, int height,
                           Cells cells, float depth) {
    __shared__ float sums[binned_depths + 2][128], counts[binned_depths + 2][128];
    const int thread = 16 * threadIdx.y + threadIdx.x;
    const int x = 16 * blockIdx.x + threadIdx.x - 1, y = 8 * blockIdx.y + threadIdx.y - 1;
    for (int z = 0; z < binned_depths + 2; z++) {
        sums[z][thread] = 0;
        counts[z][thread] = 0;
    }
    for (int row = 0; row < cell_side; row++) {
        const float *line = input + static_cast<size_t>(clamped(y * cell_side + row - cell_side / 2, height)) * width;
        float values[cell_side];
#pragma unroll
        for (int i = 0; i < cell_side; i++) {
            values[i] = fminf(fmaxf(line[clamped(x * cell_side + i - cell_side / 2, width)], 0.0f), 1.0f);
        }
#pragma unroll
        for (int i = 0; i < cell_side; i++) {
            const int z = static_cast<int>(__fmaf_rn(values[i], depth, 0.5f));
            sums[z][thread] += values[i];
            counts[z][thread] += 1.0f;
        }
    }
    if (x + 1 >= cells.width || y + 1 >= cells.height) {
        return;
    }
    const auto blurred = [](float before, float here, float after) { return __fmaf_rn(4.0f, here, before) + after; };
    for (int z = 0; z < cell_depths; z++) {
        along_z[cells.place(x, y, z)] = {
            blurred(z > 0 ? sums[z - 1][thread] : 0.0f, sums[z][thread], sums[z + 1][thread]),
            blurred(z > 0 ? counts[z - 1][thread] : 0.0f, counts[z][thread], counts[z + 1][thread])};
    }
}

/// Along rows, then along columns, of what `bin_pixels` gives; not for the cells around the grid.
__global__ void blur_grid(const float2 *__restrict__ along_z, float2 *__restrict__ blurred, Cells cells) {
    const int x = 32 * blockIdx.x + threadIdx.x, y = 8 * blockIdx.y + threadIdx.y, z = blockIdx.z;
    if (x + 2 >= cells.width || y + 2 >= cells.height) {
        return;
    }
    float2 rows[3];
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const float2 *at = along_z + cells.place(x, y + i - 1, z);
        const float2 left = at[-1], here = at[0], right = at[1];
        rows[i] = {__fmaf_rn(4.0f, here.x, left.x) + right.x, __fmaf_rn(4.0f, here.y, left.y) + right.y};
    }
    blurred[cells.place(x, y, z)] = {__fmaf_rn(4.0f, rows[1].x, rows[0].x) + rows[2].x,
                                     __fmaf_rn(4.0f, rows[1].y, rows[0].y) + rows[2].y};
}

__device__ inline float between(float zero, float one, float weight) {
    return __fmaf_rn(zero, 1.0f - weight, one * weight);
}
__device__ inline float2 between(const float2 &zero, const float2 &one, float weight) {
    return {between(zero.x, one.x, weight), between(zero.y, one.y, weight)};
}

__global__ void slice_grid(const float *__restrict__ input, const float2 *__restrict__ blurred,
                           float *__restrict__ output, int width, Cells cells, float depth) {
    const int x = 32 * blockIdx.x + threadIdx.x, y = 8 * blockIdx.y + threadIdx.y;
    const size_t at = static_cast<size_t>(y) * width + x;
    const float brightness = fminf(fmaxf(input[at], 0.0f), 1.0f);
    const int z = static_cast<int>(brightness * depth), cell_x = x / cell_side, cell_y = y / cell_side;
    const float xf = static_cast<float>(x % cell_side) / cell_side, yf = static_cast<float>(y % cell_side) / cell_side;
    float2 planes[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const float2 *upper = blurred + cells.place(cell_x, cell_y, z + i), *lower = upper + cells.width;
        planes[i] = between(between(upper[0], lower[0], yf), between(upper[1], lower[1], yf), xf);
    }
    const float2 sliced = between(planes[0], planes[1], __fmaf_rn(brightness, depth, -static_cast<float>(z)));
    output[at] = sliced.x / sliced.y;
}

} // namespace by_hand
