#pragma once
// Filters of pictures whose width and height are multiples of 64. Products and sums are fused where
// docs/fused_multiply_add.md says that the applications' are, and nowhere else, so that the bits are the same.

#include <cstdint>
#include <cuda_runtime.h>

namespace by_hand {

__device__ inline int clamped(int at, int extent) { return min(max(at, 0), extent - 1); }

/// Mirrored about the pixels at the edge.
__device__ inline int mirrored(int at, int extent) {
    at = at < 0 ? -at : at;
    return at >= extent ? 2 * (extent - 1) - at : at;
}

__global__ void copy(const float4 *__restrict__ input, float4 *__restrict__ output) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    output[i] = input[i];
}

/// Means of three pixels in a row, for the 8 pixels from x on.
__device__ inline void blur_row(const uint16_t *row, int x, int width, unsigned (&means)[8]) {
    const uint4 words = *reinterpret_cast<const uint4 *>(row + x);
    const unsigned pixels[10] = {
        row[clamped(x - 1, width)], words.x & 0xFFFF, words.x >> 16,    words.y & 0xFFFF, words.y >> 16,
        words.z & 0xFFFF,           words.z >> 16,    words.w & 0xFFFF, words.w >> 16,    row[clamped(x + 8, width)]};
#pragma unroll
    for (int i = 0; i < 8; i++) {
        means[i] = (pixels[i] + pixels[i + 1] + pixels[i + 2]) / 3;
    }
}

constexpr int blur_rows = 4; // of a thread

/// A thread has 8 columns and runs down its rows with the means of the last three in registers.
__global__ void blur(const uint16_t *__restrict__ input, uint16_t *__restrict__ output, int width, int height) {
    const int x = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blur_rows * (blockIdx.y * blockDim.y + threadIdx.y);
    const auto row_at = [&](int at) { return input + clamped(at, height) * width; };
    unsigned above[8], here[8], below[8];
    blur_row(row_at(y - 1), x, width, above);
    blur_row(row_at(y), x, width, here);
#pragma unroll
    for (int row = 0; row < blur_rows; row++) {
        blur_row(row_at(y + row + 1), x, width, below);
        unsigned means[8];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            means[i] = (above[i] + here[i] + below[i]) / 3;
            above[i] = here[i];
            here[i] = below[i];
        }
        const uint4 words = {means[0] | means[1] << 16, means[2] | means[3] << 16, means[4] | means[5] << 16,
                             means[6] | means[7] << 16};
        *reinterpret_cast<uint4 *>(output + (y + row) * width + x) = words;
    }
}

/// Of a row of pixels: differences and weighted sums around the 8 pixels from x on.
struct SobelRow {
    int differences[8], sums[8];
};

__device__ inline SobelRow sobel_row(const uint8_t *row, int x, int width) {
    const uint2 words = *reinterpret_cast<const uint2 *>(row + x);
    int pixels[10];
    pixels[0] = row[mirrored(x - 1, width)];
    pixels[9] = row[mirrored(x + 8, width)];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        pixels[1 + i] = words.x >> 8 * i & 0xFF;
        pixels[5 + i] = words.y >> 8 * i & 0xFF;
    }
    SobelRow result;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        result.differences[i] = pixels[i + 2] - pixels[i];
        result.sums[i] = pixels[i] + 2 * pixels[i + 1] + pixels[i + 2];
    }
    return result;
}

constexpr int sobel_rows = 4;

__global__ void sobel(const uint8_t *__restrict__ input, uint8_t *__restrict__ output, int width, int height) {
    const int x = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = sobel_rows * (blockIdx.y * blockDim.y + threadIdx.y);
    const auto row_at = [&](int at) { return sobel_row(input + mirrored(at, height) * width, x, width); };
    SobelRow above = row_at(y - 1), here = row_at(y);
#pragma unroll
    for (int row = 0; row < sobel_rows; row++) {
        const SobelRow below = row_at(y + row + 1);
        unsigned words[2] = {0, 0};
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const int across = above.differences[i] + 2 * here.differences[i] + below.differences[i];
            const int down = below.sums[i] - above.sums[i];
            words[i / 4] |= static_cast<unsigned>(min(abs(across) + abs(down), 255)) << 8 * (i % 4);
        }
        *reinterpret_cast<uint2 *>(output + (y + row) * width + x) = {words[0], words[1]};
        above = here;
        here = below;
    }
}

/// The luminance of a pixel; channels lie `plane` elements apart.
__device__ inline float luminance(const float *pixel, size_t plane) {
    return __fmaf_rn(0.114f, pixel[2 * plane], __fmaf_rn(0.299f, pixel[0], 0.587f * pixel[plane]));
}

/// Luminances of the 64 x 32 pixels from (x, y) on with a margin, for a block of `threads` threads.
template <int margin, int pitch, int threads>
__device__ inline void load_luminances(const float *input, int width, int height, int x, int y, int thread,
                                       float (&gray)[32 + 2 * margin][pitch]) {
    constexpr int columns = 64 + 2 * margin, all = columns * (32 + 2 * margin);
    const size_t plane = static_cast<size_t>(width) * height;
#pragma unroll 4
    for (int i = thread; i < all; i += threads) {
        const int column = i % columns, row = i / columns;
        const int u = clamped(x + column - margin, width), v = clamped(y + row - margin, height);
        gray[row][column] = luminance(input + v * width + u, plane);
    }
}

/// The Gaussian's weights at distances 0 to 3.
struct UnsharpWeights {
    float at[4];
};

__device__ inline float weighted(const UnsharpWeights &weights, const float *center, int step) {
    const float first = weights.at[1] * (center[-step] + center[step]);
    float sum = __fmaf_rn(weights.at[0], center[0], first);
    sum = __fmaf_rn(weights.at[2], center[-2 * step] + center[2 * step], sum);
    return __fmaf_rn(weights.at[3], center[-3 * step] + center[3 * step], sum);
}

/// A block of 32 x 8 threads has 64 x 32 pixels; luminances and their means of columns lie in its memory.
__global__ void unsharp(const float *__restrict__ input, float *__restrict__ output, int width, int height,
                        UnsharpWeights weights, float strength) {
    __shared__ float gray[38][70], down[32][70];
    const int x = 64 * blockIdx.x, y = 32 * blockIdx.y, thread = 32 * threadIdx.y + threadIdx.x;
    load_luminances<3, 70, 256>(input, width, height, x, y, thread, gray);
    __syncthreads();
    for (int i = thread; i < 32 * 70; i += 256) {
        down[i / 70][i % 70] = weighted(weights, &gray[i / 70 + 3][i % 70], 70);
    }
    __syncthreads();
    const size_t plane = static_cast<size_t>(width) * height;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int column = threadIdx.x + 32 * (i % 2), row = threadIdx.y + 8 * (i / 2);
        const float center = gray[row + 3][column + 3], across = weighted(weights, &down[row][column + 3], 1);
        const float ratio = __fmaf_rn(strength, center - across, center) / fmaxf(center, 1.0f / 256);
        const size_t at = static_cast<size_t>(y + row) * width + x + column;
#pragma unroll
        for (int c = 0; c < 3; c++) {
            output[at + c * plane] = fminf(fmaxf(ratio * input[at + c * plane], 0.0f), 1.0f);
        }
    }
}

/// Gradients at four neighbours in a row.
struct Gradients {
    float dx[4], dy[4];
};

/// From luminances of six neighbours in each of three rows.
__device__ inline Gradients gradients(const float (&above)[6], const float (&here)[6], const float (&below)[6]) {
    Gradients result;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        result.dx[i] = __fmaf_rn(2.0f, here[i + 2] - here[i], above[i + 2] - above[i]) + (below[i + 2] - below[i]);
        result.dy[i] =
            __fmaf_rn(2.0f, below[i + 1] - above[i + 1], below[i] - above[i]) + (below[i + 2] - above[i + 2]);
    }
    return result;
}

/// Adds what the gradients of one row give to the structure tensor at the i-th of two pixels.
__device__ inline void add_row(const Gradients &row, int i, float &xx, float &yy, float &xy) {
#pragma unroll
    for (int k = i; k < i + 3; k++) {
        xx = __fmaf_rn(row.dx[k], row.dx[k], xx);
        yy = __fmaf_rn(row.dy[k], row.dy[k], yy);
        xy = __fmaf_rn(row.dx[k], row.dy[k], xy);
    }
}

/// A block of 32 x 4 threads has 64 x 32 pixels. A thread has two columns of 8 rows; its gradients stay in registers.
__global__ void harris(const float *__restrict__ input, float *__restrict__ output, int width, int height, float k) {
    __shared__ float gray[36][68];
    const int x = 64 * blockIdx.x, y = 32 * blockIdx.y;
    load_luminances<2, 68, 128>(input, width, height, x, y, 32 * threadIdx.y + threadIdx.x, gray);
    __syncthreads();
    const int column = 2 * threadIdx.x, first = 8 * threadIdx.y;
    float lines[3][6];
    Gradients rows[3];
    const auto load = [&](float(&line)[6], int row) {
#pragma unroll
        for (int i = 0; i < 3; i++) {
            const float2 pair = *reinterpret_cast<const float2 *>(&gray[row][column + 2 * i]);
            line[2 * i] = pair.x;
            line[2 * i + 1] = pair.y;
        }
    };
    load(lines[0], first);
    load(lines[1], first + 1);
#pragma unroll
    for (int row = 0; row < 10; row++) {
        load(lines[(row + 2) % 3], first + row + 2);
        rows[row % 3] = gradients(lines[row % 3], lines[(row + 1) % 3], lines[(row + 2) % 3]);
        if (row < 2) {
            continue;
        }
        float values[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            float xx = 0, yy = 0, xy = 0;
            add_row(rows[(row + 1) % 3], i, xx, yy, xy);
            add_row(rows[(row + 2) % 3], i, xx, yy, xy);
            add_row(rows[row % 3], i, xx, yy, xy);
            const float trace = xx + yy, determinant = __fmaf_rn(xx, yy, -(xy * xy));
            values[i] = __fmaf_rn(-(k * trace), trace, determinant);
        }
        *reinterpret_cast<float2 *>(output + static_cast<size_t>(y + first + row - 2) * width + x +
                                    column) = {values[0], values[1]};
    }
}

/// A block of 32 x 8 threads turns 64 x 64 pixels. Pairs of rows become words; words of even columns lie before those
/// of odd ones, so that neither stores nor loads meet in a bank.
__global__ void transpose(const uint16_t *__restrict__ input, uint16_t *__restrict__ output, int width, int height) {
    __shared__ unsigned turned[64][33];
    const int x = 64 * blockIdx.x, y = 64 * blockIdx.y;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int pair = threadIdx.y + 8 * i;
        const auto *row = reinterpret_cast<const unsigned *>(input + static_cast<size_t>(y + 2 * pair) * width + x);
        const unsigned upper = row[threadIdx.x], lower = row[width / 2 + threadIdx.x];
        turned[threadIdx.x][pair] = (upper & 0xFFFF) | lower << 16;
        turned[threadIdx.x + 32][pair] = upper >> 16 | (lower & 0xFFFF0000);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int column = threadIdx.y + 8 * i;
        auto *row = reinterpret_cast<unsigned *>(output + static_cast<size_t>(x + column) * height + y);
        row[threadIdx.x] = turned[column / 2 + 32 * (column % 2)][threadIdx.x];
    }
}

} // namespace by_hand
