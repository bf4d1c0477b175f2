#pragma once
// Products of matrices: 128 x 128 elements for a block of 256 threads, 8 x 8 in the registers of each, and 8 terms at a
// time in the block's memory while the next 8 are loaded. A layer of a network is such a product, too.

#include <cuda_runtime.h>

namespace by_hand {

constexpr int product_side = 128, product_depth = 8, product_pitch = 132; // columns of four words share no banks

struct ProductTile {
    float a[2][product_depth][product_pitch], b[2][product_depth][product_side];
};

/// Eight of 128 elements: four of each half, so that threads side by side load 16 bytes side by side.
__device__ inline void load_eight(const float *row, int thread, float (&values)[8]) {
    const float4 first = *reinterpret_cast<const float4 *>(row + 4 * thread);
    const float4 second = *reinterpret_cast<const float4 *>(row + 64 + 4 * thread);
    values[0] = first.x, values[1] = first.y, values[2] = first.z, values[3] = first.w;
    values[4] = second.x, values[5] = second.y, values[6] = second.z, values[7] = second.w;
}
__device__ inline int place_of_eight(int i, int thread) { return 64 * (i / 4) + 4 * thread + i % 4; }

__device__ inline void add_terms(const ProductTile &tile, int half, int tx, int ty, float (&sums)[8][8]) {
#pragma unroll
    for (int k = 0; k < product_depth; k++) {
        float a[8], b[8];
        load_eight(tile.a[half][k], ty, a);
        load_eight(tile.b[half][k], tx, b);
#pragma unroll
        for (int i = 0; i < 8; i++) {
#pragma unroll
            for (int j = 0; j < 8; j++) {
                sums[i][j] = __fmaf_rn(a[i], b[j], sums[i][j]);
            }
        }
    }
}

/// `load_a(row, k)` gives four terms of a row from k on, `load_b(k, column)` four columns of term k; `depth` is a
/// multiple of 8.
template <typename LoadA, typename LoadB>
__device__ inline void multiply(ProductTile &tile, int depth, LoadA load_a, LoadB load_b, float (&sums)[8][8]) {
    const int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
    const int a_row = thread / 2, a_k = 4 * (thread % 2), b_k = thread / 32, b_column = 4 * (thread % 32);
    const auto store = [&](int half, const float4 &a, const float4 &b) {
        tile.a[half][a_k][a_row] = a.x;
        tile.a[half][a_k + 1][a_row] = a.y;
        tile.a[half][a_k + 2][a_row] = a.z;
        tile.a[half][a_k + 3][a_row] = a.w;
        *reinterpret_cast<float4 *>(&tile.b[half][b_k][b_column]) = b;
    };
    store(0, load_a(a_row, a_k), load_b(b_k, b_column));
    __syncthreads();
    int half = 0;
    for (int k = product_depth; k < depth; k += product_depth) {
        const float4 a = load_a(a_row, k + a_k), b = load_b(k + b_k, b_column);
        add_terms(tile, half, tx, ty, sums);
        half ^= 1;
        store(half, a, b);
        __syncthreads();
    }
    add_terms(tile, half, tx, ty, sums);
}

/// Of square matrices whose side is a multiple of 128.
__global__ void __launch_bounds__(256)
    matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ output, int side) {
    __shared__ ProductTile tile;
    const int x = product_side * blockIdx.x, y = product_side * blockIdx.y;
    float sums[8][8] = {};
    multiply(
        tile, side,
        [&](int row, int k) { return *reinterpret_cast<const float4 *>(a + static_cast<size_t>(y + row) * side + k); },
        [&](int k, int column) {
            return *reinterpret_cast<const float4 *>(b + static_cast<size_t>(k) * side + x + column);
        },
        sums);
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float *row = output + static_cast<size_t>(y + place_of_eight(i, ty)) * side + x;
        *reinterpret_cast<float4 *>(row + 4 * tx) = {sums[i][0], sums[i][1], sums[i][2], sums[i][3]};
        *reinterpret_cast<float4 *>(row + 64 + 4 * tx) = {sums[i][4], sums[i][5], sums[i][6], sums[i][7]};
    }
}

/// 3 x 3 filters over 128 channels, of which a block computes all at 128 pixels; the pixels of the picture are a
/// multiple of 128.
__global__ void __launch_bounds__(256)
    conv_layer(const float *__restrict__ input, const float *__restrict__ filter, const float *__restrict__ bias,
               float *__restrict__ output, int width) {
    __shared__ ProductTile tile;
    constexpr int channels = 128;
    const int first = product_side * blockIdx.x, tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int pixel = first + threadIdx.x / 2, x = pixel % width, y = pixel / width; // that this thread loads
    float starts[8], sums[8][8];
    load_eight(bias, tx, starts);
#pragma unroll
    for (int i = 0; i < 8; i++) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            sums[i][j] = starts[j];
        }
    }
    // Terms: input channels innermost, then the filter's columns and rows.
    multiply(
        tile, 9 * channels,
        [&](int, int k) {
            const int tap = k / channels, u = x + tap % 3, v = y + tap / 3;
            return *reinterpret_cast<const float4 *>(input + channels * (v * (width + 2) + u) + k % channels);
        },
        [&](int k, int column) {
            return *reinterpret_cast<const float4 *>(filter + channels * (k / channels + 9 * (k % channels)) + column);
        },
        sums);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float *row = output + static_cast<size_t>(first + place_of_eight(i, ty)) * channels;
#pragma unroll
        for (int j = 0; j < 8; j++) {
            sums[i][j] = fmaxf(sums[i][j], 0.0f);
        }
        *reinterpret_cast<float4 *>(row + 4 * tx) = {sums[i][0], sums[i][1], sums[i][2], sums[i][3]};
        *reinterpret_cast<float4 *>(row + 64 + 4 * tx) = {sums[i][4], sums[i][5], sums[i][6], sums[i][7]};
    }
}

} // namespace by_hand
