#pragma once
// A recursive blur of first order (apps/iir_blur): down and up each column, transposed, again, and transposed back.

#include <cuda_runtime.h>

namespace by_hand {

/// A thread runs down a column and up again; blockIdx.y is the channel. `width` is that of `from`.
__global__ void blur_columns(const float *__restrict__ from, float *__restrict__ to, int width, int height,
                             float alpha) {
    const size_t plane = static_cast<size_t>(width) * height;
    const size_t first = blockIdx.y * plane + blockIdx.x * blockDim.x + threadIdx.x;
    const float keep = 1 - alpha;
    float value = from[first];
    to[first] = value;
#pragma unroll 16
    for (int y = 1; y < height; y++) {
        value = __fmaf_rn(keep, value, alpha * from[first + static_cast<size_t>(y) * width]);
        to[first + static_cast<size_t>(y) * width] = value;
    }
    // Blocks of rows are loaded before the first of them is stored, so that loads overlap.
    constexpr int rows = 16;
    int y = height - 2;
    for (; y >= rows; y -= rows) {
        float values[rows];
#pragma unroll
        for (int i = 0; i < rows; i++) {
            values[i] = to[first + static_cast<size_t>(y - i) * width];
        }
#pragma unroll
        for (int i = 0; i < rows; i++) {
            value = __fmaf_rn(keep, value, alpha * values[i]);
            to[first + static_cast<size_t>(y - i) * width] = value;
        }
    }
    for (; y >= 0; y--) {
        value = __fmaf_rn(keep, value, alpha * to[first + static_cast<size_t>(y) * width]);
        to[first + static_cast<size_t>(y) * width] = value;
    }
}

/// A block of 32 x 8 threads turns 32 x 32 elements; `width` and `height` are those of `from`.
__global__ void turn(const float *__restrict__ from, float *__restrict__ to, int width, int height) {
    __shared__ float tile[32][33];
    const int x = 32 * blockIdx.x, y = 32 * blockIdx.y;
    const size_t plane = blockIdx.z * static_cast<size_t>(width) * height;
#pragma unroll
    for (int i = threadIdx.y; i < 32; i += 8) {
        tile[i][threadIdx.x] = from[plane + static_cast<size_t>(y + i) * width + x + threadIdx.x];
    }
    __syncthreads();
#pragma unroll
    for (int i = threadIdx.y; i < 32; i += 8) {
        to[plane + static_cast<size_t>(x + i) * height + y + threadIdx.x] = tile[threadIdx.x][i];
    }
}

} // namespace by_hand
