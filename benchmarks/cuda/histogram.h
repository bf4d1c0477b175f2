#pragma once
// Histogram equalization of a colour picture (apps/hist_equalize), whose channels lie one behind the other.

#include <cstdint>
#include <cuda_runtime.h>

namespace by_hand {

struct Pixels16 {
    unsigned words[4];
    __device__ unsigned at(int i) const { return words[i / 4] >> 8 * (i % 4) & 0xFF; }
};

__device__ inline Pixels16 load_pixels(const uint8_t *pixels) {
    const uint4 four = *reinterpret_cast<const uint4 *>(pixels);
    return {{four.x, four.y, four.z, four.w}};
}
__device__ inline void store_pixels(uint8_t *pixels, const Pixels16 &values) {
    *reinterpret_cast<uint4 *>(pixels) = {values.words[0], values.words[1], values.words[2], values.words[3]};
}

__device__ inline int fixed(int sum) { return (sum + 32768) >> 16; }
__device__ inline int byte_of(int value) { return min(max(value, 0), 255); }
__device__ inline int luma_of(int r, int g, int b) { return fixed(19595 * r + 38470 * g + 7471 * b); }

/// Every warp of 32 counts in a histogram of its own in the block's memory; blocks of 256 threads take 16 pixels a
/// thread by turns.
__global__ void count_luma(const uint8_t *__restrict__ input, unsigned *histogram, int pixels) {
    __shared__ unsigned counts[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += 256) {
        counts[i / 256][i % 256] = 0;
    }
    __syncthreads();
    unsigned *own = counts[threadIdx.x / 32];
    for (int at = 16 * (blockIdx.x * 256 + threadIdx.x); at < pixels; at += 16 * 256 * gridDim.x) {
        const Pixels16 r = load_pixels(input + at), g = load_pixels(input + static_cast<size_t>(pixels) + at),
                       b = load_pixels(input + 2 * static_cast<size_t>(pixels) + at);
#pragma unroll
        for (int i = 0; i < 16; i++) {
            atomicAdd(&own[luma_of(r.at(i), g.at(i), b.at(i))], 1U);
        }
    }
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += counts[i][threadIdx.x];
    }
    atomicAdd(&histogram[threadIdx.x], sum);
}

/// One block of 256 threads.
__global__ void equalize(const unsigned *__restrict__ histogram, uint8_t *equal, float all) {
    __shared__ unsigned sums[256];
    sums[threadIdx.x] = histogram[threadIdx.x];
    for (int distance = 1; distance < 256; distance *= 2) {
        __syncthreads();
        const unsigned before = static_cast<int>(threadIdx.x) >= distance ? sums[threadIdx.x - distance] : 0U;
        __syncthreads();
        sums[threadIdx.x] += before;
    }
    equal[threadIdx.x] = byte_of(
        static_cast<int>(__fmaf_rn(static_cast<float>(static_cast<int>(sums[threadIdx.x])) / all, 255.0f, 0.5f)));
}

/// 16 pixels for each thread.
__global__ void apply_equal(const uint8_t *__restrict__ input, const uint8_t *__restrict__ equal,
                            uint8_t *__restrict__ output, int pixels) {
    __shared__ uint8_t table[256];
    table[threadIdx.x] = equal[threadIdx.x];
    __syncthreads();
    const size_t plane = pixels, at = 16 * (static_cast<size_t>(blockIdx.x) * 256 + threadIdx.x);
    const Pixels16 reds = load_pixels(input + at), greens = load_pixels(input + plane + at),
                   blues = load_pixels(input + 2 * plane + at);
    Pixels16 results[3] = {};
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const int r = reds.at(i), g = greens.at(i), b = blues.at(i);
        const int to = table[luma_of(r, g, b)];
        const int cb = byte_of(fixed(-11059 * r - 21709 * g + 32768 * b) + 128) - 128,
                  cr = byte_of(fixed(32768 * r - 27439 * g - 5329 * b) + 128) - 128;
        const int values[3] = {fixed(91881 * cr), fixed(-22554 * cb - 46802 * cr), fixed(116130 * cb)};
#pragma unroll
        for (int c = 0; c < 3; c++) {
            results[c].words[i / 4] |= static_cast<unsigned>(byte_of(to + values[c])) << 8 * (i % 4);
        }
    }
    for (int c = 0; c < 3; c++) {
        store_pixels(output + c * plane + at, results[c]);
    }
}

} // namespace by_hand
