#pragma once
// Sweeps of Jacobi's iteration (apps/jacobi), with zeros outside of the grid.

#include <cuda_runtime.h>

namespace by_hand {

/// Weights of the point itself, of those next to it, and of those at distance 2.
struct StarWeights {
    float near, far;
};

__device__ inline float star_start(float center, float near, float pair) {
    return __fmaf_rn(0.25f, center, near * pair);
}

constexpr int plane_rows = 4; // of a thread

/// A thread has four columns of a plane whose width is a multiple of 4, and runs down its rows with those around it in
/// registers.
template <int reach>
__global__ void jacobi_plane(const float *__restrict__ input, float *__restrict__ output, int width, int height,
                             StarWeights weights) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = plane_rows * (blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width) {
        return;
    }
    float4 rows[2 * reach + 1];
    const auto load = [&](int row) {
        return row >= 0 && row < height
                   ? *reinterpret_cast<const float4 *>(input + static_cast<size_t>(row) * width + x)
                   : float4{0, 0, 0, 0};
    };
#pragma unroll
    for (int i = 0; i < 2 * reach; i++) {
        rows[i] = load(y + i - reach);
    }
#pragma unroll
    for (int row = 0; row < plane_rows && y + row < height; row++) {
        rows[2 * reach] = load(y + row + reach);
        const float *line = input + static_cast<size_t>(y + row) * width + x;
        const float4 center = rows[reach];
        float values[4 + 2 * reach] = {};
        values[reach] = center.x, values[reach + 1] = center.y, values[reach + 2] = center.z;
        values[reach + 3] = center.w;
#pragma unroll
        for (int i = 1; i <= reach; i++) {
            values[reach - i] = x - i >= 0 ? line[-i] : 0.0f;
            values[reach + 3 + i] = x + 3 + i < width ? line[3 + i] : 0.0f;
        }
        const auto lane = [](const float4 &four, int i) {
            return i == 0 ? four.x : i == 1 ? four.y : i == 2 ? four.z : four.w;
        };
        float sums[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float *at = values + reach + i;
            sums[i] = star_start(at[0], weights.near, at[-1] + at[1]);
            if (reach == 2) {
                sums[i] = __fmaf_rn(weights.far, at[-reach] + at[reach], sums[i]);
            }
            sums[i] = __fmaf_rn(weights.near, lane(rows[reach - 1], i) + lane(rows[reach + 1], i), sums[i]);
            if (reach == 2) {
                sums[i] = __fmaf_rn(weights.far, lane(rows[0], i) + lane(rows[2 * reach], i), sums[i]);
            }
        }
        *reinterpret_cast<float4 *>(output + static_cast<size_t>(y + row) * width + x) = {sums[0], sums[1], sums[2],
                                                                                          sums[3]};
#pragma unroll
        for (int i = 0; i < 2 * reach; i++) {
            rows[i] = rows[i + 1];
        }
    }
}

constexpr int space_planes = 8; // of a thread

/// A thread has one column of a cube, and runs through its planes with the points before and behind in registers.
template <int reach>
__global__ void jacobi_space(const float *__restrict__ input, float *__restrict__ output, int side,
                             StarWeights weights) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int first = space_planes * blockIdx.z;
    if (x >= side || y >= side) {
        return;
    }
    const size_t plane = static_cast<size_t>(side) * side, at = static_cast<size_t>(y) * side + x;
    const auto load = [&](int z) { return z >= 0 && z < side ? input[z * plane + at] : 0.0f; };
    float planes[2 * reach + 1];
#pragma unroll
    for (int i = 0; i < 2 * reach; i++) {
        planes[i] = load(first + i - reach);
    }
#pragma unroll
    for (int i = 0; i < space_planes && first + i < side; i++) {
        const int z = first + i;
        planes[2 * reach] = load(z + reach);
        const float *here = input + z * plane + at;
        const auto pair = [&](int place, int distance, int step) {
            return (place >= distance ? here[-distance * step] : 0.0f) +
                   (place + distance < side ? here[distance * step] : 0.0f);
        };
        float sum = star_start(planes[reach], weights.near, pair(x, 1, 1));
        if (reach == 2) {
            sum = __fmaf_rn(weights.far, pair(x, 2, 1), sum);
        }
        sum = __fmaf_rn(weights.near, pair(y, 1, side), sum);
        if (reach == 2) {
            sum = __fmaf_rn(weights.far, pair(y, 2, side), sum);
        }
        sum = __fmaf_rn(weights.near, planes[reach - 1] + planes[reach + 1], sum);
        if (reach == 2) {
            sum = __fmaf_rn(weights.far, planes[0] + planes[2 * reach], sum);
        }
        output[z * plane + at] = sum;
#pragma unroll
        for (int j = 0; j < 2 * reach; j++) {
            planes[j] = planes[j + 1];
        }
    }
}

} // namespace by_hand
