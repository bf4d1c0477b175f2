#pragma once
// The greatest pixel of a window of 27 x 27 (apps/max_filter), columns first. A window is covered by two of 16 that
// overlap, whose maxima come from doubling. Two pixels share a word, each in 16 bits.

#include "filters.h"

namespace by_hand {

constexpr int window_radius = 13;
constexpr int window_second = 2 * window_radius + 1 - 16; // where the second one of 16 begins
constexpr int max_count = 16;                             // pixels of a thread along the window
constexpr int max_span = max_count + 2 * window_radius;   // that it reads

/// The maxima of the windows from each of the first `max_count` values on.
__device__ inline void window_maxima(unsigned (&values)[max_span]) {
#pragma unroll
    for (int length = 1; length < 16; length *= 2) {
#pragma unroll
        for (int i = 0; i + length < max_span; i++) {
            values[i] = __vmaxu2(values[i], values[i + length]);
        }
    }
#pragma unroll
    for (int i = 0; i < max_count; i++) {
        values[i] = __vmaxu2(values[i], values[i + window_second]);
    }
}

/// A thread has four columns: the even ones are in one word, the odd ones in another.
__global__ void max_of_columns(const uint8_t *__restrict__ input, uint8_t *__restrict__ output, int width, int height) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = max_count * (blockIdx.y * blockDim.y + threadIdx.y);
    unsigned even[max_span], odd[max_span];
#pragma unroll
    for (int i = 0; i < max_span; i++) {
        const int row = clamped(y + i - window_radius, height);
        const unsigned word = *reinterpret_cast<const unsigned *>(input + static_cast<size_t>(row) * width + x);
        even[i] = word & 0x00FF00FF;
        odd[i] = word >> 8 & 0x00FF00FF;
    }
    window_maxima(even);
    window_maxima(odd);
#pragma unroll
    for (int i = 0; i < max_count; i++) {
        *reinterpret_cast<unsigned *>(output + static_cast<size_t>(y + i) * width + x) = even[i] | odd[i] << 8;
    }
}

/// A thread has 32 pixels of a row: the first 16 are in the lower halves of words, the others in the upper ones.
__global__ void max_of_rows(const uint8_t *__restrict__ input, uint8_t *__restrict__ output, int width) {
    const int x = 2 * max_count * (blockIdx.x * blockDim.x + threadIdx.x);
    const size_t start = static_cast<size_t>(blockIdx.y * blockDim.y + threadIdx.y) * width;
    unsigned words[16]; // from 16 pixels before x on
    if (x >= 16 && x + 48 <= width) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const uint4 four = *reinterpret_cast<const uint4 *>(input + start + x - 16 + 16 * i);
            words[4 * i] = four.x, words[4 * i + 1] = four.y, words[4 * i + 2] = four.z, words[4 * i + 3] = four.w;
        }
    } else {
#pragma unroll
        for (int i = 0; i < 64; i++) {
            const unsigned pixel = input[start + clamped(x - 16 + i, width)];
            words[i / 4] = i % 4 == 0 ? pixel : words[i / 4] | pixel << 8 * (i % 4);
        }
    }
    unsigned values[max_span];
#pragma unroll
    for (int i = 0; i < max_span; i++) {
        const int first = i + 16 - window_radius, second = first + max_count;
        values[i] = __byte_perm(words[first / 4], words[second / 4], first % 4 | (4 + second % 4) << 8) & 0x00FF00FF;
    }
    window_maxima(values);
    unsigned lower[4], upper[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const unsigned a = __byte_perm(values[4 * i], values[4 * i + 1], 0x6240),
                       b = __byte_perm(values[4 * i + 2], values[4 * i + 3], 0x6240);
        lower[i] = __byte_perm(a, b, 0x5410);
        upper[i] = __byte_perm(a, b, 0x7632);
    }
    *reinterpret_cast<uint4 *>(output + start + x) = {lower[0], lower[1], lower[2], lower[3]};
    *reinterpret_cast<uint4 *>(output + start + x + 16) = {upper[0], upper[1], upper[2], upper[3]};
}

} // namespace by_hand
